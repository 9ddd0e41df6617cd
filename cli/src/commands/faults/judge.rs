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
use xcheck_report::invariants::{Deviation, Diverged, FaultRun, Shows};
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
        let false_alarms = [seen.iter().filter(|ran| deviates(&model, ran)).count(), seen.len()];
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

    /// The first look at a page that this fault can have changed. What deviates before is chance.
    pub(super) fn first_look(&self, injection: &Injection) -> u32 {
        let event = injection.place.map_or(0, |place| place.number);
        let until = self.usual.range(..=event);
        until.map(|(look, _)| *look).next_back().unwrap_or(0)
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
            confirmed: None,
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
        if never_met(injection, &ran) {
            run.not_measured = Some("the page did not ask for it in this run".to_owned());
            return run;
        }
        let since = self.first_look(injection);
        ran.looks.retain(|look| look.place.number >= since);
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
        run
    }

    /// A second run with the same fault says whether what the first one showed is the fault's doing: a list that happened to
    /// be longer than it ever was is not so again.
    pub(super) fn confirm(&self, injection: &Injection, first: &mut FaultRun, second: Finished) {
        let mut second = match second.ran {
            Ok(second) => second,
            Err(why) => {
                // Then it is tried again from the beginning, by the next command.
                first.not_measured = Some(format!("it shows in one run, and the second one: {why}"));
                return;
            }
        };
        if never_met(injection, &second) {
            first.not_measured =
                Some("it shows in one run, and in the second one the page did not ask for it".to_owned());
            return;
        }
        let since = self.first_look(injection);
        second.looks.retain(|look| look.place.number >= since);
        let shows_again = first
            .shows_at
            .as_mut()
            .is_some_and(|shows| self.shows_in(shows, &second));
        let agrees = match second.ended {
            // How far a session gets may vary; that something is wrong must not.
            Ended::Through => shows_again || first.diverged.is_some() && self.deviates(&second),
            _ => true,
        };
        first.confirmed = Some(agrees);
        if agrees {
            first.finding = Some(words::finding(injection, first));
        } else {
            first.affects &= self.affects(&second);
            first.detected = false;
        }
    }

    /// Whether a run shows some of it, too; that is said first then.
    fn shows_in(&self, shows: &mut Shows, ran: &Ran) -> bool {
        let look = ran.looks.iter().find(|look| look.place.number == shows.event);
        let found = look.and_then(|look| self.model.learnt.deviations(shows.event, &look.page));
        let again: Vec<Deviation> = found.into_iter().flatten().map(deviation).collect();
        let is_there = |first: &Deviation| {
            again
                .iter()
                .any(|other| other.what == first.what && other.at == first.at)
        };
        shows.deviations.sort_by_key(|first| !is_there(first));
        shows.deviations.first().is_some_and(is_there)
    }

    fn deviates(&self, ran: &Ran) -> bool {
        deviates(&self.model, ran)
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
            let Some(found) = self.model.learnt.deviations(look.place.number, &look.page) else {
                continue;
            };
            let tree = Tree::of(&look.page);
            if found.is_empty() {
                before = Some(tree);
                continue;
            }
            let (picture, no_picture) = match look.picture.take() {
                Some(Ok(picture)) => (Some(picture), None),
                Some(Err(why)) => (None, Some(why)),
                None => (None, Some("it was not taken".to_owned())),
            };
            return Some(Shows {
                event: look.place.number,
                label: look.label.clone(),
                nothing_happened: before.is_some_and(|before| same(&before, &tree)),
                count: found.len(),
                deviations: found.into_iter().take(KEPT).map(deviation).collect(),
                picture,
                no_picture,
            });
        }
        None
    }
}

fn never_met(injection: &Injection, ran: &Ran) -> bool {
    ran.met == 0 && matches!(injection.done, Done::Network(_))
}

fn deviates(model: &ModelFile, ran: &Ran) -> bool {
    ran.looks.iter().any(|look| {
        let found = model.learnt.deviations(look.place.number, &look.page);
        found.is_some_and(|found| !found.is_empty())
    })
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
