//! The models that the replays of one or more runs give, one for each browser.

use crate::commands::Format;
use crate::commands::analyze::{named, unmeasured};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, count, printable};
use anyhow::anyhow;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use xcheck_analyzer::findings::Analysis;
use xcheck_analyzer::navigation::tells_of;
use xcheck_crawler::{Departed, Departure, Marked, Model, Replays, departures};
use xcheck_trace::Sha256;
use xcheck_trace::runs::{Replay, RunReader};

/// All browsers' models, and where each departs from the reference's.
#[derive(Serialize)]
pub(in crate::commands) struct Compared {
    #[serde(rename = "reference")]
    model: Model,
    pub(in crate::commands) others: Vec<Other>,
    #[serde(skip)]
    replays: Replays,
    #[serde(skip)]
    runs: Vec<RunReader>,
}

#[derive(Serialize)]
pub(in crate::commands) struct Other {
    pub(in crate::commands) browser: String,
    /// Runs in which its replay cannot be compared, with the reason.
    pub(in crate::commands) not_measured: Vec<String>,
    pub(in crate::commands) departures: Vec<Told>,
    pub(in crate::commands) model: Model,
    #[serde(skip)]
    replays: Replays,
}

#[derive(Serialize)]
pub(in crate::commands) struct Told {
    /// Twelve hexadecimal digits: the same wherever the same transition departs in the same way.
    pub(in crate::commands) id: String,
    /// The transition, and then the states that are never come to because of it.
    pub(in crate::commands) text: Vec<String>,
    /// Taken out of the count, for this reason, by rules of the person's in every run that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) ignored: Option<String>,
    #[serde(flatten)]
    pub(in crate::commands) departure: Departure,
}

pub(super) fn run(folders: &[PathBuf], format: Format) -> Result<Exit, Failure> {
    let compared = compare(folders)?;
    let mut out = terminal::stdout();
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &compared)?;
            writeln!(out)?;
        }
        Format::Text => out.write_all(compared.text().as_bytes())?,
    }
    out.flush()?;
    Ok(compared.exit())
}

pub(in crate::commands) fn compare(folders: &[PathBuf]) -> Result<Compared, Failure> {
    let mut runs = Vec::new();
    for folder in folders {
        let (run, warnings) = RunReader::open(folder)?;
        warnings.iter().for_each(terminal::warn);
        runs.push(run);
    }
    let first = &runs[0].run;
    let Some(reference) = first.reference.clone().or_else(|| first.replays.first().cloned()) else {
        return Err(anyhow!("{} holds no replay at all", folders[0].display()).into());
    };
    let mut names: Vec<String> = Vec::new();
    for run in runs.iter().map(|run| &run.run) {
        let others = run
            .replays
            .iter()
            .filter(|name| **name != reference && run.reference_again.as_ref() != Some(name));
        names.extend(others.cloned());
    }
    names.sort();
    names.dedup();
    let (mine, no_reference) = model_of(&runs, &reference)?;
    let traces: Vec<String> = runs.iter().map(|run| run.run.trace.clone()).collect();
    let mut others = Vec::new();
    for browser in names {
        let (theirs, mut not_measured) = model_of(&runs, &browser)?;
        let of_reference = no_reference.iter().map(|reason| format!("the reference: {reason}"));
        not_measured.extend(of_reference);
        let told = departures(&mine, &theirs).into_iter();
        let mut told: Vec<Told> = told.map(|departure| Told::of(departure, &mine, &theirs)).collect();
        tell_apart(&mut told);
        others.push(Other {
            model: theirs.model(&browser, &traces),
            browser,
            not_measured,
            departures: told,
            replays: theirs,
        });
    }
    Ok(Compared {
        model: mine.model(&reference, &traces),
        others,
        replays: mine,
        runs,
    })
}

impl Compared {
    pub(in crate::commands) fn text(&self) -> String {
        let size = |model: &Model| {
            format!(
                "{} and {}",
                count(model.states.len() as u64, "state"),
                count(model.edges.len() as u64, "transition")
            )
        };
        let mut text = format!("{}: {}\n", self.model.browser, size(&self.model));
        for one in &self.others {
            let ignored = one.departures.iter().filter(|told| told.ignored.is_some()).count();
            let mut differences = match (one.departures.len() - ignored) as u64 {
                0 => "no difference".to_owned(),
                number => count(number, "difference"),
            };
            if ignored > 0 {
                differences += &format!(", {ignored} ignored");
            }
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "{}: {}, {differences}", one.browser, size(&one.model));
            for reason in &one.not_measured {
                let _ = writeln!(text, "  not measured: {}", printable(reason));
            }
            for told in &one.departures {
                for sentence in &told.text {
                    let _ = writeln!(text, "  {}", printable(sentence));
                }
                if let Some(reason) = &told.ignored {
                    let _ = writeln!(text, "    ignored: {}", printable(reason));
                }
            }
        }
        text
    }

    pub(in crate::commands) fn exit(&self) -> Exit {
        match () {
            () if self.others.iter().any(Other::counts) => Exit::Found,
            () if self.others.iter().any(|one| !one.not_measured.is_empty()) => Exit::NotMeasured,
            () => Exit::Clean,
        }
    }

    /// Heeds the rules of the person's that took transitions out of the count of single runs. `analyses` are of the runs, in
    /// their order.
    pub(in crate::commands) fn heed(&mut self, analyses: &[Analysis]) {
        let mine = &self.replays;
        for other in &mut self.others {
            let reason = |at: &(usize, usize)| {
                let taken = mine.ways.get(at.0)?.as_ref()?.steps.get(at.1)?;
                let place = taken.after.as_ref()?.checkpoint.place;
                let mut results = analyses.get(at.0)?.results.iter();
                let result = results.find(|result| result.browser == other.browser)?;
                let told = result.ignored.iter().find(|ignored| tells_of(&ignored.xbi, place))?;
                Some(told.reason.clone())
            };
            for told in &mut other.departures {
                let reasons: Option<Vec<String>> = told.departure.at.iter().map(reason).collect();
                told.ignored = reasons.and_then(|reasons| reasons.into_iter().next());
            }
        }
    }

    /// The address of a state of the reference's.
    pub(in crate::commands) fn url(&self, state: usize) -> &str {
        self.model.states.get(state).map_or("", |state| &state.url)
    }

    /// One graph of all, with pictures as far as there are any.
    pub(in crate::commands) fn marked(&self) -> Marked {
        let departures: Vec<Vec<Departure>> = self
            .others
            .iter()
            .map(|other| other.departures.iter().map(|told| told.departure.clone()).collect())
            .collect();
        let others = self.others.iter().zip(&departures);
        let others = others.map(|(other, departures)| (other.browser.as_str(), &other.replays, departures.as_slice()));
        let mut marked = Marked::of_replays(self.model.clone(), &self.replays, others);
        for state in &mut marked.model.states {
            let all = std::iter::once(&self.replays).chain(self.others.iter().map(|other| &other.replays));
            let place = all
                .flat_map(|replays| &replays.places)
                .find(|place| place.url == state.url && place.content == state.content);
            state.picture = place
                .and_then(|place| place.checkpoint.screenshot_sha256.as_ref())
                .and_then(|hash| self.picture(hash));
        }
        marked
    }

    /// One that cannot be read is not shown; the analysis of its run says why.
    fn picture(&self, hash: &Sha256) -> Option<String> {
        let png = self.runs.iter().find_map(|run| run.screenshot(hash).ok())?;
        let small = xcheck_crawler::thumbnail(&png).ok()?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        small.write_to(&mut bytes, image::ImageFormat::Png).ok()?;
        Some(xcheck_report::html::data_address(bytes.get_ref()))
    }
}

impl Other {
    fn counts(&self) -> bool {
        self.departures.iter().any(|told| told.ignored.is_none())
    }
}

impl Told {
    fn of(departure: Departure, reference: &Replays, other: &Replays) -> Told {
        let title = |replays: &Replays, state: usize| {
            let place = replays.places.get(state);
            place.map(|place| format!("{} {}", place.title, path_of(&place.url)))
        };
        let Departure {
            kind, label, from, to, ..
        } = &departure;
        let key = format!(
            "{kind:?}\n{label:?}\n{:?}\n{:?}",
            title(reference, *from),
            title(reference, *to)
        );
        Told {
            id: id(&key),
            text: sentences(&departure, reference, other),
            ignored: None,
            departure,
        }
    }
}

fn id(key: &str) -> String {
    Sha256::of(key.as_bytes()).to_string().chars().take(12).collect()
}

/// An address without its host, which may be another one each time.
fn path_of(url: &str) -> &str {
    let after_host = url
        .split_once("://")
        .and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    after_host.unwrap_or(url)
}

/// States may have the same title and address: what comes from the second one has an id of its own.
fn tell_apart(told: &mut [Told]) {
    for at in 1..told.len() {
        let (before, rest) = told.split_at_mut(at);
        let mut times = 1;
        let first = rest[0].id.clone();
        while before.iter().any(|known| known.id == rest[0].id) {
            times += 1;
            rest[0].id = id(&format!("{first} {times}"));
        }
    }
}

/// Runs in which this browser was not replayed, or not to the end, are left out, and said.
fn model_of(runs: &[RunReader], browser: &str) -> Result<(Replays, Vec<String>), Failure> {
    let mut model = Replays::default();
    let mut not_measured = Vec::new();
    for run in runs {
        let read = |name: &str| -> Result<Option<Replay>, Failure> {
            if !run.run.replays.iter().any(|known| known == name) {
                return Ok(None);
            }
            let (replay, warnings) = run.replay(name)?;
            warnings.iter().for_each(terminal::warn);
            Ok(Some(replay))
        };
        let replay = read(browser)?;
        let reason = match &replay {
            None => Some(format!("not replayed in {browser}")),
            Some(replay) => unmeasured(replay),
        };
        let is_reference = run.run.reference.as_deref() == Some(browser);
        let again = match &run.run.reference_again {
            Some(again) if is_reference => read(again)?.filter(|again| unmeasured(again).is_none()),
            _ => None,
        };
        model.add(run, replay.as_ref().filter(|_| reason.is_none()), again.as_ref());
        not_measured.extend(reason.map(|reason| format!("{}: {reason}", run.folder().display())));
    }
    Ok((model, not_measured))
}

fn sentences(departure: &Departure, reference: &Replays, other: &Replays) -> Vec<String> {
    let Departure {
        label,
        from,
        to,
        other_to,
        ..
    } = departure;
    let (from, to, other_to) = (named(reference, *from), named(reference, *to), named(other, *other_to));
    let transition = match departure.kind {
        Departed::Missing => format!("missing transition: {label}, from {from} to {to}"),
        Departed::Extra => format!("extra transition: {label}, from {from} to {other_to}"),
        Departed::Elsewhere => {
            format!("another state: {label}, from {from}, leads to {to} in the reference and to {other_to}")
        }
    };
    let states = departure
        .unreached
        .iter()
        .map(|state| format!("  missing state: {}", named(reference, *state)));
    std::iter::once(transition).chain(states).collect()
}
