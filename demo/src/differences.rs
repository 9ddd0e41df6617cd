//! `differences.txt` against what an analysis says.

use std::fmt;
use xcheck_analyzer::findings::{Analysis, Kind, Xbi};

/// The list as it is, to be shown.
pub const LIST: &str = include_str!("../differences.txt");

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub id: &'static str,
    /// Path of the page.
    pub page: &'static str,
    pub kind: Kind,
    /// As on the command line.
    pub browser: &'static str,
    pub selector: &'static str,
    /// What a person sees.
    pub sees: &'static str,
}

/// How an analysis stands to the list, for the browsers that were compared.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub found: Vec<Difference>,
    pub missed: Vec<Difference>,
    /// What is in no line, said as the report says it.
    pub false_ones: Vec<String>,
}

pub fn list() -> Vec<Difference> {
    let lines = LIST.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| parse(line).unwrap_or_else(|| panic!("differences.txt: `{line}`")))
        .collect()
}

fn parse(line: &'static str) -> Option<Difference> {
    let mut fields = line.split('|').map(str::trim);
    let mut next = || fields.next().filter(|field| !field.is_empty());
    Some(Difference {
        id: next()?,
        page: next()?,
        kind: kind(next()?)?,
        browser: next()?,
        selector: next()?,
        sees: next()?,
    })
}

fn kind(name: &str) -> Option<Kind> {
    [Kind::Behaviour, Kind::Structure, Kind::Text, Kind::Visual]
        .into_iter()
        .find(|kind| name_of(*kind) == name)
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Behaviour => "behaviour",
        Kind::Structure => "structure",
        Kind::Text => "text",
        Kind::Visual => "visual",
    }
}

/// Each line must be met by one finding of its kind at its element or inside it; what meets no line is false, and so is
/// a second finding for the same line: one fault is one finding.
pub fn score(analysis: &Analysis) -> Score {
    let mut score = Score::default();
    for result in &analysis.results {
        if !matches!(result.outcome, xcheck_analyzer::findings::Outcome::Compared) {
            continue;
        }
        let mut left: Vec<&Xbi> = result.xbis.iter().collect();
        for difference in list().into_iter().filter(|one| one.browser == result.browser) {
            match left.iter().position(|xbi| difference.is_met_by(xbi)) {
                Some(at) => {
                    left.remove(at);
                    score.found.push(difference);
                }
                None => score.missed.push(difference),
            }
        }
        let told = |xbi: &Xbi| {
            format!(
                "{}: {} {}: {}",
                result.browser,
                name_of(xbi.kind),
                xbi.selector,
                xbi.title
            )
        };
        score.false_ones.extend(left.into_iter().map(told));
    }
    score
}

impl Difference {
    fn is_met_by(&self, xbi: &Xbi) -> bool {
        // What an event did, or failed to do, has no element of its own; what follows from it has.
        let consequences = xbi.differences.iter().map(|difference| difference.selector.as_str());
        let consequences = consequences.filter(|_| self.kind == Kind::Behaviour);
        self.kind == xbi.kind
            && consequences
                .chain([xbi.selector.as_str()])
                .any(|selector| self.holds(selector))
    }

    fn holds(&self, selector: &str) -> bool {
        let inside = selector.strip_prefix(self.selector);
        inside.is_some_and(|rest| rest.is_empty() || rest.starts_with(" >"))
    }
}

impl Score {
    /// Whether the list and the analysis say the same.
    pub fn is_exact(&self) -> bool {
        self.missed.is_empty() && self.false_ones.is_empty()
    }
}

/// `7 of 7 found, 0 false`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.found.len() + self.missed.len();
        write!(
            f,
            "{} of {all} found, {} false",
            self.found.len(),
            self.false_ones.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_list_can_be_read_and_has_every_kind_and_no_line_twice() {
        let list = list();
        let kinds: BTreeSet<&str> = list.iter().map(|one| name_of(one.kind)).collect();
        assert_eq!(kinds.len(), 4);
        let ids: BTreeSet<(&str, &str)> = list.iter().map(|one| (one.id, one.browser)).collect();
        assert_eq!(ids.len(), list.len());
    }
}
