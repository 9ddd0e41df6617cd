//! Runs that are learnt from, until two in a row have taught nothing or as many were made as were asked for.

use super::model::{Algorithm, FORMAT, IsModel, Learnt, ModelFile, Pruned, Run, THRESHOLD, identity};
use crate::commands::reruns::{Session, is_hopeless, left_out};
use crate::terminal;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use xcheck_agent::rerun::{AHEAD, Action, Asked, Job, Pool, Ran, Wants};
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Learner, Lesson, Tree};
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::page::PageData;
use xcheck_trace::run::Place;

/// Of fewer runs two may well be alike by chance.
const FEWEST: usize = 4;

/// How to learn.
pub(crate) struct Plan {
    pub(crate) runs: usize,
    pub(crate) algorithm: Algorithm,
    /// Go on although nothing is learnt any more.
    pub(crate) all: bool,
}

pub(crate) struct Lessons {
    pub(crate) model: ModelFile,
    /// Of learning alone, without the runs.
    pub(crate) learning: Duration,
    /// Of a run that was learnt from, by number of the event; PNG.
    pub(crate) pictures: BTreeMap<u32, Vec<u8>>,
    /// The runs themselves.
    pub(crate) seen: Vec<Ran>,
    /// What each of them asked the network for.
    pub(crate) asked: Vec<Asked>,
}

pub(crate) async fn learn(session: &Session, path: &Path, plan: &Plan) -> Result<Lessons, String> {
    let jobs = (0..plan.runs).map(|number| Job {
        ahead: ahead(number, session.what.options.live),
        ..Job::plain(number)
    });
    // One picture of everything, so that a deviation can be shown beside what should be there.
    let watching = |job: &Job, _: &Action<'_>, _: &PageData| {
        if job.number == 0 {
            Wants::Picture
        } else {
            Wants::Nothing
        }
    };
    let mut pool = Pool::start(&session.what, session.at_once, jobs.collect(), Arc::new(watching));
    let mut school = School::new(plan.algorithm);
    let mut runs = Vec::new();
    let mut learning = Duration::ZERO;
    let (mut pictures, mut seen, mut asked) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut hopeless = None;
    let started = Instant::now();
    while let Some(finished) = pool.next().await {
        let reason = left_out(&finished.ran);
        let took = finished.ran.as_ref().map_or(Duration::ZERO, |ran| ran.took);
        if let Some(reason) = &reason {
            terminal::warn(format!("run {} is kept out of learning: {reason}", runs.len() + 1));
        }
        if is_hopeless(&finished.ran) {
            hopeless = reason.clone();
            pool.no_more();
        }
        runs.push(Run {
            took_ms: took.as_millis() as u64,
            left_out: reason.clone(),
        });
        if let (Ok(mut ran), None) = (finished.ran, reason) {
            for look in &mut ran.looks {
                if let Some(Ok(picture)) = look.picture.take() {
                    pictures.insert(look.place.number, picture);
                }
            }
            let began = Instant::now();
            school.run(&ran);
            learning += began.elapsed();
            seen.push(ran);
            asked.push(finished.asked);
            if school.has_converged() && !plan.all {
                pool.no_more();
            }
        }
        let left = plan.runs.saturating_sub(runs.len());
        terminal::live_line().set_message(progress(
            runs.len(),
            plan.runs,
            left,
            started.elapsed(),
            school.converged_after(),
        ));
    }
    pool.end().await;
    terminal::live_line().finish_and_clear();
    let converged_after = school.converged_after();
    let curve = std::mem::take(&mut school.curve);
    if curve.len() < 2 {
        let last = runs.iter().rev().find_map(|run| run.left_out.clone());
        let why = hopeless.or(last).unwrap_or_else(|| "there was none".to_owned());
        return Err(match curve.len() {
            0 => format!("no run could be learnt from: {why}"),
            _ => format!(
                "one run of {} came to the end, and one shows nothing that varies: {why}",
                runs.len()
            ),
        });
    }
    let began = Instant::now();
    let learnt = school.learnt();
    learning += began.elapsed();
    let browser = &session.what.browser;
    let model = ModelFile {
        format: FORMAT,
        is: IsModel::Invariants,
        trace: path.display().to_string(),
        trace_sha256: identity(&session.trace),
        live: session.what.options.live,
        browser: BrowserInfo {
            name: browser.name.clone(),
            engine: browser.engine,
            version: browser.version.clone(),
            user_agent: String::new(),
        },
        algorithm: plan.algorithm,
        runs,
        converged_after,
        curve,
        learnt,
    };
    Ok(Lessons {
        model,
        learning,
        pictures,
        seen,
        asked,
    })
}

/// What hangs on the time of day stays the same in runs that follow each other, and is another the day after. So the second
/// run has its clock ahead, unless an application is asked, which may refuse one whose clock is not its own.
fn ahead(number: usize, live: bool) -> Duration {
    match number {
        1 if !live => AHEAD,
        _ => Duration::ZERO,
    }
}

pub(crate) fn progress(done: usize, of: usize, left: usize, took: Duration, converged: Option<u32>) -> String {
    let each = took.as_secs_f64() / done.max(1) as f64;
    let rest = match (converged, left) {
        (Some(_), _) => "nothing new is learnt any more".to_owned(),
        (None, 0) => "done".to_owned(),
        (None, left) => format!("about {:.0} s left", each * left as f64),
    };
    format!("{done} of {of} runs, {rest}")
}

/// Either algorithm, run by run.
struct School {
    algorithm: Algorithm,
    learner: Learner,
    pruned: BTreeMap<u32, (Place, String, Invariant)>,
    curve: Vec<Lesson>,
    quiet: u32,
}

impl School {
    fn new(algorithm: Algorithm) -> School {
        School {
            algorithm,
            learner: Learner::default(),
            pruned: BTreeMap::new(),
            curve: Vec::new(),
            quiet: 0,
        }
    }

    fn run(&mut self, ran: &Ran) {
        let lesson = match self.algorithm {
            Algorithm::Default => {
                let shown = ran
                    .looks
                    .iter()
                    .map(|look| (look.place, look.label.as_str(), &look.page));
                self.learner.run(shown)
            }
            Algorithm::Dodom => self.prune(ran),
        };
        self.quiet = if self.curve.is_empty() || lesson.given_up > 0 {
            0
        } else {
            self.quiet + 1
        };
        self.curve.push(lesson);
    }

    fn prune(&mut self, ran: &Ran) -> Lesson {
        let mut lesson = Lesson::default();
        for look in &ran.looks {
            let tree = Tree::of(&look.page);
            match self.pruned.get_mut(&look.place.number) {
                Some((_, _, known)) => {
                    let before = known.measure().nodes;
                    known.prune(&tree, THRESHOLD);
                    lesson.given_up += before - known.measure().nodes;
                }
                None => {
                    let first = (look.place, look.label.clone(), Invariant::first(&tree));
                    self.pruned.insert(look.place.number, first);
                }
            }
        }
        lesson.held = self
            .pruned
            .iter()
            .map(|(event, known)| (*event, known.2.measure()))
            .collect();
        lesson
    }

    fn has_converged(&self) -> bool {
        self.quiet >= 2 && self.curve.len() >= FEWEST
    }

    /// Runs learnt from before the quiet ones.
    fn converged_after(&self) -> Option<u32> {
        self.has_converged().then(|| self.curve.len() as u32 - self.quiet)
    }

    fn learnt(self) -> Learnt {
        match self.algorithm {
            Algorithm::Default => Learnt::Default(self.learner.model()),
            Algorithm::Dodom => Learnt::Dodom {
                threshold: THRESHOLD,
                events: self
                    .pruned
                    .into_values()
                    .map(|(place, label, page)| Pruned { place, label, page })
                    .collect(),
            },
        }
    }
}
