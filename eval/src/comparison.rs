//! Two evaluations against each other: `--compare A.json B.json`.

use crate::figures::{Better, Evaluation, FORMAT, Figure, Standing, number};
use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::path::Path;

pub(crate) fn of_files(before: &Path, after: &Path) -> Result<String> {
    Ok(table(&read(before)?.figures, &read(after)?.figures))
}

fn read(path: &Path) -> Result<Evaluation> {
    let text = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let evaluation: Evaluation =
        serde_json::from_slice(&text).with_context(|| format!("{} is no evaluation", path.display()))?;
    ensure!(
        evaluation.format <= FORMAT,
        "{} has format {}; this build reads up to {FORMAT}",
        path.display(),
        evaluation.format
    );
    Ok(evaluation)
}

/// Figures of the first, then those that only the second has.
fn table(before: &[Figure], after: &[Figure]) -> String {
    let mut text = String::from("| figure | before | after | | bar |\n|---|---|---|---|---|\n");
    let find = |figures: &[Figure], name: &str| figures.iter().find(|figure| figure.name == name).cloned();
    let only_after = after.iter().filter(|figure| find(before, &figure.name).is_none());
    for figure in before.iter().chain(only_after) {
        let (old, new) = (find(before, &figure.name), find(after, &figure.name));
        let shown = |figure: &Option<Figure>| figure.as_ref().map_or("–".into(), Figure::shown);
        let newest = new.as_ref().or(old.as_ref()).unwrap_or(figure);
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            figure.name,
            shown(&old),
            shown(&new),
            change(old.as_ref(), new.as_ref()),
            newest.bar_shown()
        );
    }
    text
}

fn change(old: Option<&Figure>, new: Option<&Figure>) -> String {
    let (Some(old), Some(new)) = (old, new) else {
        return "only in one".into();
    };
    let (Some(before), Some(after)) = (old.value, new.value) else {
        return "not in both".into();
    };
    let crossed = match (old.standing(), new.standing()) {
        (Standing::Holds, Standing::FallsShort) => ", and no longer holds its bar",
        (Standing::FallsShort, Standing::Holds) => ", and holds its bar now",
        _ => "",
    };
    if before == after {
        return format!("the same{crossed}");
    }
    let improved = (after < before) == (new.better == Better::Less);
    let by = if before == 0.0 {
        number(after - before)
    } else {
        format!("{:+.1} %", (after - before) / before * 100.0)
    };
    format!("{} ({by}){crossed}", if improved { "better" } else { "worse" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_says_whether_it_became_better() {
        let before = [
            Figure::at_most("recording ratio", Some(1.04), 1.05, 13, 13),
            Figure::at_least("recall", Some(0.9), 0.97, 60, 60),
            Figure::at_least("gone", Some(1.0), 1.0, 1, 1),
        ];
        let after = [
            Figure::at_most("recording ratio", Some(1.144), 1.05, 13, 13),
            Figure::at_least("recall", Some(0.99), 0.97, 60, 60),
        ];
        let table = table(&before, &after);
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| recording ratio | 1.04 | 1.14 | worse (+10.0 %), and no longer holds its bar | ≤ 1.05 |",
                "| recall | 0.900 | 0.990 | better (+10.0 %), and holds its bar now | ≥ 0.970 |",
                "| gone | 1 | – | only in one | ≥ 1 |",
            ]
        );
    }
}
