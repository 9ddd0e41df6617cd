//! RQ3 as tables: what was found and how it was judged, and what was found of what had to be.

use super::plot::{Row, bars};
use super::{Section, line, reason};
use crate::accuracy::{self, Finding, Findings, Way};
use crate::figures::{Figure, number};
use crate::labels::{self, Label};
use crate::store::Store;
use crate::subjects::{ENGINES, Subject, all};
use crate::variants::{self, Trial};
use anyhow::Result;
use std::fmt::Write;
use xcheck_analyzer::findings::Kind;
use xcheck_tests::old_builds;

const KINDS: [Kind; 4] = [Kind::Behaviour, Kind::Structure, Kind::Text, Kind::Visual];

/// Pairs of a subject and a variant that were promised.
const TRIALS: f64 = 60.0;

/// How findings were judged.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    real: usize,
    not_real: usize,
    open: usize,
}

impl Tally {
    fn add(&mut self, more: Tally) {
        self.real += more.real;
        self.not_real += more.not_real;
        self.open += more.open;
    }

    fn precision(self) -> Option<f64> {
        let judged = self.real + self.not_real;
        (judged > 0).then(|| self.real as f64 / judged as f64)
    }

    fn shown(self) -> String {
        let open = match self.open {
            0 => String::new(),
            open => format!(" ({open} not judged)"),
        };
        format!("{} / {}{open}", self.real, self.not_real)
    }
}

pub(super) fn section(store: &Store) -> Result<Section> {
    let mut text = String::from("## RQ3: what is found, and how much of it is true\n\n");
    let mut figures = Vec::new();
    let mut rows = Vec::new();
    line(
        &mut text,
        "Each finding was judged once against the pictures of both browsers and the DOM (`eval/labels`): *real* if a person who uses\n\
        both browsers would notice, or the page does something else. The other way is that of crawling and comparing, simulated as\n\
        the paper does: the same gestures in each browser, each with a server of its own, nothing held still, every node of each state\n\
        compared by the same analyzer (`--mode full`). What it finds in Chromium against Chromium is no browser's difference, so\n\
        findings at such a place are false without anybody's judgement; others are judged by the label of the same place, and\n\
        counted as not judged where there is none. Cells are real / false.\n",
    );
    for way in [Way::XCheck, Way::Crawl] {
        let (table, tally, measured) = findings(way, &ENGINES[1..], store)?;
        let title = match way {
            Way::XCheck => "X-Check's way",
            Way::Crawl => "Crawling and comparing",
        };
        line(&mut text, &format!("### {title}\n\n{table}"));
        let of = all().len() * (ENGINES.len() - 1);
        let word = match way {
            Way::XCheck => "precision",
            Way::Crawl => "precision of crawling and comparing",
        };
        let figure = Figure::at_least(word, tally.precision(), 0.97, measured, of);
        rows.extend(figure.value.map(|value| row(title, value)));
        figures.push(if way == Way::XCheck {
            figure
        } else {
            figure.without_bar()
        });
        let open = Figure::at_most(
            format!("findings not judged, {}", way.word()),
            Some(tally.open as f64),
            0.0,
            measured,
            of,
        );
        figures.push(open.without_bar());
        figures.push(against_itself(way, store)?);
    }
    let (table, tally, measured) = findings(Way::XCheck, &old_builds::NAMES, store)?;
    line(
        &mut text,
        &format!(
            "### Builds of years ago\n\n\
            The same recordings replayed in WPE WebKit of 2022 and in Chromium of 2021 and 2024, which lack much of what applications of today use,\n\
            and little of what these use. One replay each, X-Check's way.\n\n{table}"
        ),
    );
    let of = all().len() * old_builds::NAMES.len();
    figures.push(Figure::at_least(
        "precision in old builds",
        tally.precision(),
        0.97,
        measured,
        of,
    ));
    let open = Some(tally.open as f64);
    figures.push(Figure::at_most("findings not judged, old builds", open, 0.0, measured, of).without_bar());
    let (table, recalled) = recall(store)?;
    line(
        &mut text,
        &format!(
            "### What has to be found\n\n\
            A browser that lacks one thing against the same browser that has it: the effect was named in `eval/variants.toml` before the run.\n\
            Not every effect has been looked at since, so that what is missed may also be a variant without any. A preference or a switch takes it away in the browser itself; a handicap is a script that runs\n\
            before the page's own; *without* is CSS that the browser does not know. *Others* are findings beside the one that was asked for.\n\n{table}"
        ),
    );
    rows.extend(
        recalled
            .first()
            .and_then(|figure| figure.value)
            .map(|value| row("recall, X-Check's way", value)),
    );
    figures.extend(recalled);
    line(&mut text, "![Precision and recall](evaluation/accuracy.svg)\n");
    let plot = bars("accuracy.svg", "Precision and recall, per cent", &rows, None);
    Ok(Section {
        text,
        figures,
        plots: vec![plot],
    })
}

fn row(label: &str, share: f64) -> Row {
    Row {
        label: label.into(),
        value: share * 100.0,
        spread: None,
    }
}

fn findings(way: Way, engines: &[&str], store: &Store) -> Result<(String, Tally, usize)> {
    let mut text = String::from(
        "| subject | against | behaviour | structure | text | visual | all | precision | states | masked |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut whole, mut measured) = (Tally::default(), 0);
    for subject in all() {
        let labels = labels::of(&subject)?;
        let restless = match store.measured::<Findings>(&accuracy::key(way, &subject, ENGINES[0]))? {
            Ok(findings) if way == Way::Crawl => findings.found,
            _ => Vec::new(),
        };
        for engine in engines {
            let key = accuracy::key(way, &subject, engine);
            let findings = match store.measured::<Findings>(&key)? {
                Ok(findings) => findings,
                Err(why) => {
                    let _infallible = writeln!(
                        text,
                        "| {} | {engine} | {} | | | | | | | |",
                        subject.name(),
                        reason(&why)
                    );
                    continue;
                }
            };
            measured += 1;
            let mut sum = Tally::default();
            let cells: Vec<String> = KINDS
                .iter()
                .map(|kind| {
                    let mut tally = Tally::default();
                    for finding in findings.found.iter().filter(|finding| finding.kind == *kind) {
                        tally.add(judge(&labels, engine, finding, &restless));
                    }
                    sum.add(tally);
                    tally.shown()
                })
                .collect();
            let _infallible = writeln!(
                text,
                "| {} | {engine} | {} | {} | {} | {} | {} |",
                subject.name(),
                cells.join(" | "),
                sum.shown(),
                sum.precision().map_or("–".into(), number),
                findings.checkpoints,
                findings.masked
            );
            whole.add(sum);
        }
    }
    let _infallible = writeln!(
        text,
        "| all | | | | | | {} | {} | | |",
        whole.shown(),
        whole.precision().map_or("–".into(), number)
    );
    Ok((text, whole, measured))
}

fn judge(labels: &[Label], engine: &str, finding: &Finding, restless: &[Finding]) -> Tally {
    let same_place = |other: &Finding| other.kind == finding.kind && other.selector == finding.selector;
    let mut tally = Tally::default();
    if restless.iter().any(same_place) {
        tally.not_real = 1;
        return tally;
    }
    match labels::judged(labels, engine, finding) {
        Some(label) if label.real => tally.real = 1,
        Some(_) => tally.not_real = 1,
        None => tally.open = 1,
    }
    tally
}

fn against_itself(way: Way, store: &Store) -> Result<Figure> {
    let (mut found, mut measured) = (0, 0);
    for subject in all() {
        if let Ok(findings) = store.measured::<Findings>(&accuracy::key(way, &subject, ENGINES[0]))? {
            (found, measured) = (found + findings.found.len(), measured + 1);
        }
    }
    let value = (measured > 0).then_some(found as f64);
    let name = format!("findings in the reference against itself, {}", way.word());
    let figure = Figure::at_most(name, value, 0.0, measured, all().len());
    Ok(if way == Way::XCheck {
        figure
    } else {
        figure.without_bar()
    })
}

fn recall(store: &Store) -> Result<(String, Vec<Figure>)> {
    let trials = variants::trials()?;
    let mut text = String::from("| browser | subject | must show in | found | others |\n|---|---|---|---|---|\n");
    let (mut found, mut measured) = (0, 0);
    for trial in &trials {
        let cells = match store.measured::<Findings>(&trial.key())? {
            Ok(findings) => {
                measured += 1;
                let hit = trial.found(&findings);
                found += usize::from(hit.is_some());
                cells(hit, &findings)
            }
            Err(why) => format!("{} | ", reason(&why)),
        };
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {cells} |",
            trial.variant.name,
            name(trial),
            trial.expected.sees
        );
    }
    let share = (measured > 0).then(|| found as f64 / measured as f64);
    let figures = vec![
        Figure::at_least(
            "recall, of what variants must show",
            share,
            0.97,
            measured,
            trials.len(),
        ),
        Figure::at_least(
            "pairs of a variant and a subject, measured",
            Some(measured as f64),
            TRIALS,
            measured,
            trials.len(),
        ),
    ];
    Ok((text, figures))
}

fn name(trial: &Trial) -> &'static str {
    let subject: Subject = trial.subject;
    subject.name()
}

fn cells(hit: Option<&Finding>, findings: &Findings) -> String {
    let kind = |kind: Kind| format!("{kind:?}").to_lowercase();
    match hit {
        Some(hit) => format!(
            "{} {} | {}",
            kind(hit.kind),
            format!("{} {}", hit.selector, hit.title).trim().replace('|', "\\|"),
            findings.found.len() - 1
        ),
        None => format!("**missed** | {}", findings.found.len()),
    }
}
