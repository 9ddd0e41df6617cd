//! `docs/coverage.md`, printed from the table that the end-to-end tests hold against the browsers.

use super::judge::Verdicts;
use super::rows::GROUPS;
use super::{ENGINES, Group, Limit, Part, Row, Varied};
use std::fmt::Write;

const HEAD: &str = "# Coverage of the modern web

Every source of non-determinism that a page of today has, row by row. Printed from `tests/src/coverage/rows`, which the
end-to-end tests hold against real browsers: `cargo test -p xcheck-tests --test e2e coverage`. Each row is a page in
`tests/sites/coverage/`.

- **Recorded**: in Chromium, with the events that the page's file expects in the log.
- **Replayed** in Chromium, Firefox and WebKitGTK: no divergence, the same documents as in Chromium's replay at every checkpoint
  (tags, attributes, values, text), and at the end the same text as when it was recorded.
- **Divergence**: the page does one thing otherwise, and that is the first divergence, of the right kind, at the right event
  (replayed in Chromium).

`–` is said to hold nowhere; numbers lead to the reasons below.
";

/// The whole document.
pub fn document() -> String {
    let mut notes: Vec<&str> = Vec::new();
    let mut text = HEAD.to_owned();
    for group in GROUPS {
        let name = group.name;
        write!(text, "\n## {}{}\n\n", name[..1].to_uppercase(), &name[1..]).expect("a text takes all");
        text.push_str("| | recorded | Chromium | Firefox | WebKitGTK | divergence |\n|---|---|---|---|---|---|\n");
        for row in group.rows {
            let mut cells = vec![cell(row, "chromium", Part::Recorded, &mut notes)];
            cells.extend(
                ENGINES
                    .iter()
                    .map(|engine| cell(row, engine, Part::Replayed, &mut notes)),
            );
            cells.push(match row.varied {
                Varied::At(..) => cell(row, "chromium", Part::Divergence, &mut notes),
                Varied::Never(reason) => format!("– [{}]", number_of(reason, &mut notes)),
            });
            let page = format!("../tests/sites/coverage/{}.html", row.name);
            writeln!(text, "| [{}]({page}) | {} |", row.title, cells.join(" | ")).expect("a text takes all");
        }
    }
    text.push_str("\n## Reasons\n\n");
    for (index, note) in notes.iter().enumerate() {
        writeln!(text, "{}. {note}", index + 1).expect("a text takes all");
    }
    text
}

fn cell(row: &Row, engine: &str, part: Part, notes: &mut Vec<&'static str>) -> String {
    match limit_of(row, engine, part) {
        None => "yes".to_owned(),
        Some(limit) => format!("no [{}]", number_of(limit.reason, notes)),
    }
}

fn number_of<'a>(reason: &'a str, notes: &mut Vec<&'a str>) -> usize {
    let known = notes.iter().position(|note| *note == reason);
    known.unwrap_or_else(|| {
        notes.push(reason);
        notes.len() - 1
    }) + 1
}

fn limit_of(row: &Row, engine: &str, part: Part) -> Option<&'static Limit> {
    row.limits
        .iter()
        .find(|limit| limit.part == part && limit.engines.contains(&engine))
}

/// Where the browsers did not do what the table says: worse, or better.
pub fn differences(group: &Group<'_>, verdicts: &Verdicts) -> Vec<String> {
    let mut found = Vec::new();
    for row in group.rows {
        for ((_, engine, part), verdict) in verdicts.iter().filter(|((name, ..), _)| *name == row.name) {
            let place = format!("{} in {engine}, {part:?}", row.name);
            match (verdict, limit_of(row, engine, *part)) {
                (Err(why), None) => found.push(format!("{place}: {why}")),
                (Ok(()), Some(limit)) => {
                    found.push(format!(
                        "{place} holds now, and the table says that it does not: {}",
                        limit.reason
                    ));
                }
                (Ok(()), None) | (Err(_), Some(_)) => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, document};
    use std::collections::BTreeSet;

    /// `XCHECK_BLESS=1` writes it.
    #[test]
    fn the_document_is_what_the_table_says() {
        let file = crate::workspace().join("docs/coverage.md");
        if std::env::var_os("XCHECK_BLESS").is_some() {
            std::fs::write(&file, document()).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap();
        assert!(
            written == document(),
            "XCHECK_BLESS=1 cargo test -p xcheck-tests --lib coverage writes {}",
            file.display()
        );
    }

    #[test]
    fn every_row_has_a_page_of_its_own_that_says_what_it_expects() {
        let mut names = BTreeSet::new();
        for row in GROUPS.iter().flat_map(|group| group.rows) {
            assert!(names.insert(row.name), "{} is there twice", row.name);
            let file = crate::workspace().join(format!("tests/sites/coverage/{}.html", row.name));
            crate::expected::lines(&file).unwrap_or_else(|error| panic!("{}: {error:#}", row.name));
        }
    }
}
