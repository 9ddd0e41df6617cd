//! What a run with a fault says: whether the fault changed the page at all, whether that was noticed, and in what words.
//!
//! Whether it changed the page is told without what was learnt, by what the pages of the runs without a fault have in common.
//! Otherwise "all that changes is detected" would be true by definition.

use super::words;
use crate::commands::invariants::check::deviation;
use crate::commands::invariants::model::ModelFile;
use crate::commands::reruns::left_out;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use xcheck_agent::rerun::{Action, Done, Ended, Finished, Injection, Ran};
use xcheck_invariants::{Tree, Usual, same};
use xcheck_report::invariants::{Diverged, FaultRun, Shows};
use xcheck_trace::page::PageData;

/// Deviations of a run that are kept.
const KEPT: usize = 12;

pub(super) struct Judge {
    pub(super) model: ModelFile,
    /// By event, what the runs without a fault have in common.
    usual: BTreeMap<u32, Usual>,
    /// Runs in which a deviation was seen already.
    deviated: Mutex<BTreeSet<usize>>,
    /// Of the runs without a fault, how many deviate.
    pub(super) false_alarms: [usize; 2],
}

impl Judge {
    pub(super) fn new(model: ModelFile, seen: Vec<Ran>) -> Judge {
        let deviates = |ran: &&Ran| {
            ran.looks.iter().any(|look| {
                let found = model.learnt.deviations(look.place.number, &look.page);
                found.is_some_and(|found| !found.is_empty())
            })
        };
        let false_alarms = [seen.iter().filter(deviates).count(), seen.len()];
        let mut pages: BTreeMap<u32, Vec<Tree>> = BTreeMap::new();
        for look in seen.iter().flat_map(|ran| &ran.looks) {
            pages.entry(look.place.number).or_default().push(Tree::of(&look.page));
        }
        let usual = pages.iter().map(|(event, pages)| (*event, Usual::of(pages))).collect();
        Judge {
            model,
            usual,
            deviated: Mutex::default(),
            false_alarms,
        }
    }

    /// Once for each run: then the page is worth a picture.
    pub(super) fn is_first_deviation(&self, run: usize, action: &Action<'_>, page: &PageData) -> bool {
        let found = self.model.learnt.deviations(action.place.number, page);
        if found.is_none_or(|found| found.is_empty()) {
            return false;
        }
        self.deviated.lock().unwrap_or_else(PoisonError::into_inner).insert(run)
    }

    pub(super) fn judge(&self, injection: &Injection, finished: Finished) -> FaultRun {
        let mut run = FaultRun {
            id: id(injection),
            event: injection.place.map(|place| place.number),
            target: injection.target.clone(),
            wrong: injection.wrong.name().to_owned(),
            affects: false,
            detected: false,
            finding: None,
            shows_at: None,
            diverged: None,
            not_measured: None,
            took_ms: 0,
        };
        let reason = left_out(&finished.ran);
        let mut ran = match finished.ran {
            Ok(ran) => ran,
            Err(why) => {
                run.not_measured = Some(why);
                return run;
            }
        };
        run.took_ms = ran.took.as_millis() as u64;
        if ran.met == 0 && matches!(injection.done, Done::Network(_)) {
            run.not_measured = Some("the page did not ask for it in this run".to_owned());
            return run;
        }
        run.affects = self.affects(&ran);
        run.shows_at = self.shows(&mut ran);
        run.detected = run.shows_at.is_some();
        match ran.ended {
            Ended::Through => {}
            Ended::Diverged { at, label, why } => {
                run.diverged = Some(Diverged {
                    event: at.number,
                    label,
                    why,
                });
            }
            // With its own domain blocked an application is not there.
            Ended::NotThere { .. } | Ended::LoginExpired { .. } => {
                run.diverged = Some(Diverged {
                    event: 0,
                    label: "the first page".to_owned(),
                    why: reason.unwrap_or_default(),
                });
            }
        }
        if run.diverged.is_some() {
            (run.affects, run.detected) = (true, true);
        }
        if run.detected {
            run.finding = Some(words::finding(injection, &run));
        }
        run
    }

    fn affects(&self, ran: &Ran) -> bool {
        ran.looks.iter().any(|look| {
            let usual = self.usual.get(&look.place.number);
            usual.is_some_and(|usual| usual.is_changed_in(&Tree::of(&look.page)))
        })
    }

    fn shows(&self, ran: &mut Ran) -> Option<Shows> {
        let mut before: Option<Tree> = None;
        for look in &mut ran.looks {
            let found = self.model.learnt.deviations(look.place.number, &look.page)?;
            let tree = Tree::of(&look.page);
            if found.is_empty() {
                before = Some(tree);
                continue;
            }
            return Some(Shows {
                event: look.place.number,
                label: look.label.clone(),
                nothing_happened: before.is_some_and(|before| same(&before, &tree)),
                count: found.len(),
                deviations: found.into_iter().take(KEPT).map(deviation).collect(),
                picture: look.picture.take().and_then(Result::ok),
            });
        }
        None
    }
}

/// Names a fault in its trace, the same each time.
pub(super) fn id(injection: &Injection) -> String {
    let target: String = injection
        .target
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let event = injection
        .place
        .map_or_else(String::new, |place| format!("{}-", place.number));
    format!("{event}{}-{target}", injection.wrong)
}
