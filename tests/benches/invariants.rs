//! What is learnt, what it costs, and what it finds: `cargo bench -p xcheck-tests --bench invariants [-- PART [SESSION [FRESH]]]`.
//!
//! The tables of `docs/invariants.md`. Parts: `learning` (convergence, the published algorithm beside the default one, false
//! alarms of so many fresh runs, live and answered from the trace), `faults` (coverage), `cost` (50 runs of a large page).
//! Sessions are our own two, `shop` and `large`, and with a name, those of the development subjects that have it in theirs.
//! Numbers are printed and never asserted.

use anyhow::{Context, Result, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xcheck_agent::rerun::{
    AHEAD, Ended, Injection, Job, Pool, Ran, RerunOptions, Rerunning, Runs, Slowness, Wants, actions, injections,
};
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Learner, Model, Tree, Usual};
use xcheck_proxy::{Authority, UpstreamProxy, UpstreamTrust};
use xcheck_tests::again::{self, LARGE, SHOP};
use xcheck_tests::recording::Recorded;
use xcheck_tests::served::Served;
use xcheck_tests::session::Session;
use xcheck_tests::sessions;
use xcheck_tests::site::Prelude;

const TRAINING: usize = 6;
const FRESH: usize = 50;
const THRESHOLD: f64 = 0.95;
const AT_ONCE: usize = 3;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let wants = |part: &str| arguments.first().is_none_or(|wanted| wanted == part);
    let name = arguments.get(1).map(String::as_str);
    let fresh = arguments.get(2).map_or(Ok(FRESH), |number| number.parse())?;
    if wants("learning") {
        println!(
            "| session | answered by | nodes | converged after | held by the default | by the published | default to published | of {fresh} runs deviate: default | published | two in a row, as the check asks for | diverged | a run | learning |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for mut subject in subjects(name, &[SHOP, LARGE]).await? {
            for live in [true, false] {
                subject.what.options.live = live;
                learning(&subject, fresh).await?;
            }
        }
        println!();
    }
    if wants("faults") {
        for subject in subjects(name, &[SHOP]).await? {
            faults(subject).await?;
        }
    }
    if wants("cost") {
        for subject in subjects(name, &[LARGE]).await? {
            cost(&subject).await?;
        }
    }
    Ok(())
}

/// Our own, or with a name those of the development subjects that have it in theirs.
async fn subjects(name: Option<&str>, own: &[Session]) -> Result<Vec<Subject>> {
    let mut found = Vec::new();
    for session in own.iter().filter(|own| name.is_none_or(|name| own.name == name)) {
        let site = again::site().await?;
        let recorded = again::record(&site, session).await?;
        found.push(Subject::new(session.name, recorded, Served::Folder(site))?);
    }
    let Some(name) = name else { return Ok(found) };
    for case in sessions::all().iter().filter(|case| case.session.name.contains(name)) {
        let served = Served::start(case.subject, Prelude::None).await?;
        let recorded = again::record_at(&served.origin(), &case.session).await?;
        found.push(Subject::new(case.session.name, recorded, served)?);
    }
    anyhow::ensure!(!found.is_empty(), "no session is called {name}");
    Ok(found)
}

struct Subject {
    name: &'static str,
    recorded: Recorded,
    what: Rerunning,
    served: Served,
    _files: tempfile::TempDir,
}

impl Subject {
    fn new(name: &'static str, recorded: Recorded, served: Served) -> Result<Subject> {
        let files = tempfile::tempdir()?;
        let (trace, _) = xcheck_trace::Trace::open(&recorded.folder())?;
        let what = Rerunning {
            trace: Arc::new(trace),
            browser: xcheck_agent::find("chromium", &[])?,
            authority: Authority::open(files.path())?,
            // The site stands still but for what its pages make up themselves.
            options: RerunOptions {
                live: true,
                ..RerunOptions::default()
            },
            upstream_proxy: UpstreamProxy::Direct,
            upstream_trust: UpstreamTrust::default(),
        };
        Ok(Subject {
            name,
            recorded,
            what,
            served,
            _files: files,
        })
    }

    async fn run(&self, jobs: Vec<Job>) -> Result<Vec<(Job, Ran)>> {
        let mut pool = Pool::start(&self.what, AT_ONCE, jobs, Arc::new(|_, _, _| Wants::Nothing));
        let mut all = Vec::new();
        while let Some(finished) = pool.next().await {
            let ran = finished.ran.map_err(|why| anyhow!("a run was not measured: {why}"))?;
            all.push((finished.job, ran));
        }
        pool.end().await;
        all.sort_by_key(|(job, _)| job.number);
        Ok(all)
    }

    /// As `xcheck invariants learn` makes its runs.
    fn job(&self, number: usize) -> Job {
        let ahead = match number {
            1 if !self.what.options.live => AHEAD,
            _ => Duration::ZERO,
        };
        Job {
            ahead,
            ..Job::plain(number)
        }
    }

    /// Runs that came to the end, and what is to be said of the others.
    async fn plain(&self, runs: usize) -> Result<(Vec<Ran>, Vec<Ended>)> {
        let jobs = (0..runs).map(|number| self.job(number)).collect();
        let all = self.run(jobs).await?.into_iter().map(|(_, ran)| ran);
        let (through, diverged): (Vec<Ran>, Vec<Ran>) = all.partition(|ran| ran.ended == Ended::Through);
        anyhow::ensure!(
            through.len() >= TRAINING,
            "too few runs came to the end: {:?}",
            diverged.first().map(|ran| &ran.ended)
        );
        Ok((through, diverged.into_iter().map(|ran| ran.ended).collect()))
    }
}

fn learn(runs: &[Ran]) -> (Model, Vec<u64>) {
    let mut learner = Learner::default();
    let given_up = runs
        .iter()
        .map(|ran| {
            learner
                .run(
                    ran.looks
                        .iter()
                        .map(|look| (look.place, look.label.as_str(), &look.page)),
                )
                .given_up
        })
        .collect();
    (learner.model(), given_up)
}

fn deviates(model: &Model, ran: &Ran) -> bool {
    !deviations(model, ran).is_empty()
}

/// After which event, what and where.
fn deviations(model: &Model, ran: &Ran) -> BTreeSet<(u32, String, String)> {
    let mut all = BTreeSet::new();
    for look in &ran.looks {
        let known = model.events.iter().find(|event| event.place == look.place);
        for found in known
            .iter()
            .flat_map(|known| known.page.deviations(&Tree::of(&look.page)))
        {
            all.insert((look.place.number, format!("{:?}", found.kind), found.path));
        }
    }
    all
}

async fn learning(subject: &Subject, fresh: usize) -> Result<()> {
    let (all, diverged) = subject.plain(TRAINING + fresh).await?;
    let (training, fresh) = all.split_at(TRAINING);
    let began = Instant::now();
    let (model, given_up) = learn(training);
    let took = began.elapsed();
    let converged = given_up
        .iter()
        .rposition(|given_up| *given_up > 0)
        .map_or(1, |last| last + 1);
    // The published algorithm, from the same runs.
    let events = training[0].looks.len();
    let mut published: Vec<Invariant> = training[0]
        .looks
        .iter()
        .map(|look| Invariant::first(&Tree::of(&look.page)))
        .collect();
    for ran in &training[1..] {
        for (known, look) in published.iter_mut().zip(&ran.looks) {
            known.prune(&Tree::of(&look.page), THRESHOLD);
        }
    }
    let wrong = |ran: &&Ran| deviates(&model, ran);
    let published_wrong = |ran: &&Ran| {
        let mut pages = published.iter().zip(&ran.looks);
        pages.any(|(known, look)| !known.mismatches(&Tree::of(&look.page), THRESHOLD).is_empty())
    };
    let said: Vec<_> = fresh.iter().map(|ran| deviations(&model, ran)).collect();
    let next = said.iter().cycle().skip(1);
    let alarms = said
        .iter()
        .zip(next)
        .filter(|(one, next)| !one.is_disjoint(next))
        .count();
    let nodes: usize = training[0]
        .looks
        .iter()
        .map(|look| Tree::of(&look.page).nodes.len())
        .sum();
    let held: u64 = model.events.iter().map(|event| event.page.measure().nodes).sum();
    let held_by_published: u64 = published.iter().map(|known| known.measure().nodes).sum();
    println!(
        "| {} | {} | {} | {converged} runs | {held} | {held_by_published} | {:+.0} % | {} | {} | {alarms} | {} | {:.1} s | {:.0} ms |",
        subject.name,
        if subject.what.options.live {
            "the application"
        } else {
            "the trace"
        },
        nodes / events.max(1),
        (held as f64 / held_by_published.max(1) as f64 - 1.0) * 100.0,
        fresh.iter().filter(wrong).count(),
        fresh.iter().filter(published_wrong).count(),
        diverged.len(),
        all.iter().map(|ran| ran.took.as_secs_f64()).sum::<f64>() / all.len() as f64,
        took.as_secs_f64() * 1e3
    );
    say_why(&model, fresh, &diverged);
    say_notes(&all);
    Ok(())
}

/// What the false alarms were, for whoever wants to mend them.
fn say_why(model: &Model, fresh: &[Ran], diverged: &[Ended]) {
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for look in fresh.iter().flat_map(|ran| &ran.looks) {
        let known = model.events.iter().find(|event| event.place == look.place);
        for deviation in known
            .iter()
            .flat_map(|known| known.page.deviations(&Tree::of(&look.page)))
        {
            let said = format!(
                "after {} ({}): {:?} {}: {:?}, here {:?}",
                look.place.number, look.label, deviation.kind, deviation.path, deviation.expected, deviation.actual
            );
            *found.entry(said).or_default() += 1;
        }
    }
    for (said, times) in found.iter().take(20) {
        eprintln!("{times} times {said}");
    }
    for ended in diverged.iter().take(3) {
        eprintln!("{ended:?}");
    }
}

/// What kept pages from coming to rest, and the like.
fn say_notes(runs: &[Ran]) {
    let mut noted: BTreeMap<&str, u32> = BTreeMap::new();
    for note in runs.iter().flat_map(|ran| &ran.looks).flat_map(|look| &look.notes) {
        *noted.entry(note).or_default() += 1;
    }
    for (note, times) in noted.iter().take(20) {
        eprintln!("{times} times {note}");
    }
}

async fn faults(mut subject: Subject) -> Result<()> {
    let slow = Slowness { millis: 1_500 };
    subject.what.options.open = Duration::from_secs(4);
    let (training, _) = subject.plain(TRAINING).await?;
    let (model, _) = learn(&training);
    let trace = subject.what.trace.clone();
    let all: Vec<Injection> = injections(&trace, &actions(&trace), slow, 500, &Runs::default());
    let jobs = all
        .iter()
        .enumerate()
        .map(|(number, injection)| Job::wrong(number, injection.done.clone()))
        .collect();
    let began = Instant::now();
    let runs = subject.run(jobs).await?;
    let shows = |ran: &Ran| {
        let ended = ran.ended != Ended::Through;
        (ended || affects(&training, ran), ended || deviates(&model, ran))
    };
    // As the command has it: what one run of two shows is no finding.
    let showing = runs.iter().filter(|(_, ran)| shows(ran) != (false, false));
    let again = showing.map(|(job, _)| Job::wrong(job.number, all[job.number].done.clone()));
    let again: BTreeMap<usize, (bool, bool)> = subject
        .run(again.collect())
        .await?
        .iter()
        .map(|(job, ran)| (job.number, shows(ran)))
        .collect();
    println!("| event | disturbed | fault | affects the DOM | detected |\n|---|---|---|---|---|");
    let (mut affecting, mut detected, mut false_alarms) = (0, 0, 0);
    for (job, ran) in &runs {
        let injection = &all[job.number];
        let (affects, found) = shows(ran);
        let (affects_again, found_again) = again.get(&job.number).copied().unwrap_or_default();
        let (affects, found) = (affects && affects_again, found && found_again);
        affecting += usize::from(affects);
        detected += usize::from(affects && found);
        false_alarms += usize::from(found && !affects);
        let event = injection
            .place
            .map_or_else(String::new, |place| place.number.to_string());
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let target = injection.target.replace(&subject.served.origin(), "");
        println!(
            "| {event} | {target} | {} | {} | {} |",
            injection.wrong,
            word(affects),
            word(found)
        );
    }
    println!(
        "\n{} faults in {:.0} s: {affecting} change the page, {detected} of them detected, {false_alarms} detected that change nothing\n",
        runs.len(),
        began.elapsed().as_secs_f64()
    );
    subject
        .recorded
        .summary
        .folder
        .exists()
        .then_some(())
        .context("the trace is still there")
}

/// By what the runs without a fault have in common, whatever was learnt.
fn affects(training: &[Ran], ran: &Ran) -> bool {
    ran.looks.iter().enumerate().any(|(index, look)| {
        let pages = training.iter().filter_map(|ran| ran.looks.get(index));
        let pages: Vec<Tree> = pages.map(|look| Tree::of(&look.page)).collect();
        Usual::of(&pages).is_changed_in(&Tree::of(&look.page))
    })
}

async fn cost(subject: &Subject) -> Result<()> {
    let gestures = subject
        .what
        .trace
        .events
        .iter()
        .filter(|event| matches!(&event.what, Some(xcheck_trace::event::What::Dom(dom)) if dom.gesture));
    let gestures = gestures.count();
    let began = Instant::now();
    let (runs, _) = subject.plain(50).await?;
    let took = began.elapsed();
    let began = Instant::now();
    let (model, _) = learn(&runs[..TRAINING]);
    println!(
        "| runs | events of a person's | nodes | {AT_ONCE} browsers | a run alone | learning from {TRAINING} |\n|---|---|---|---|---|---|"
    );
    println!(
        "| {} | {gestures} | {} | {:.1} s | {:.2} s | {:.0} ms |",
        runs.len(),
        model.events.last().map_or(0, |event| event.page.measure().nodes),
        took.as_secs_f64(),
        runs.iter().map(|ran| ran.took.as_secs_f64()).sum::<f64>() / runs.len() as f64,
        began.elapsed().as_secs_f64() * 1e3
    );
    Ok(())
}
