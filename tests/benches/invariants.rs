//! What is learnt, what it costs, and what it finds: `cargo bench -p xcheck-tests --bench invariants [-- PART]`.
//!
//! The tables of `docs/invariants.md`. Parts: `learning` (convergence, the published algorithm beside the default one, false
//! alarms of fresh runs), `faults` (coverage), `cost` (50 runs of a large page). Numbers are printed and never asserted.

use anyhow::{Context, Result, anyhow};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xcheck_agent::rerun::{
    Ended, Injection, Job, Pool, Ran, RerunOptions, Rerunning, Slowness, Wants, actions, injections,
};
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Learner, Model, Tree, Usual};
use xcheck_proxy::{Authority, UpstreamProxy, UpstreamTrust};
use xcheck_tests::again::{self, LARGE, SHOP};
use xcheck_tests::recording::Recorded;
use xcheck_tests::session::Session;

const TRAINING: usize = 6;
const FRESH: usize = 50;
const THRESHOLD: f64 = 0.95;
const AT_ONCE: usize = 3;

#[tokio::main]
async fn main() -> Result<()> {
    let wanted = std::env::args().skip(1).find(|argument| argument != "--bench");
    let wants = |part: &str| wanted.as_deref().is_none_or(|wanted| wanted == part);
    if wants("learning") {
        println!(
            "| session | nodes | converged after | held by the default | by the published | default to published | false alarms of {FRESH}: default | published | learning |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        for session in [SHOP, LARGE] {
            learning(&session).await?;
        }
        println!();
    }
    if wants("faults") {
        faults(&SHOP).await?;
    }
    if wants("cost") {
        cost(&LARGE).await?;
    }
    Ok(())
}

struct Subject {
    recorded: Recorded,
    what: Rerunning,
    _site: xcheck_tests::site::Site,
    _files: tempfile::TempDir,
}

impl Subject {
    async fn record(session: &Session) -> Result<Subject> {
        let site = again::site().await?;
        let recorded = again::record(&site, session).await?;
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
            recorded,
            what,
            _site: site,
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

    async fn plain(&self, runs: usize) -> Result<Vec<Ran>> {
        let jobs = (0..runs).map(|number| Job { number, wrong: None }).collect();
        let all: Vec<Ran> = self.run(jobs).await?.into_iter().map(|(_, ran)| ran).collect();
        for ran in &all {
            anyhow::ensure!(ran.ended == Ended::Through, "a run diverged: {:?}", ran.ended);
        }
        Ok(all)
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
    ran.looks.iter().any(|look| {
        let known = model.events.iter().find(|event| event.place == look.place);
        known.is_some_and(|event| !event.page.deviations(&Tree::of(&look.page)).is_empty())
    })
}

async fn learning(session: &Session) -> Result<()> {
    let subject = Subject::record(session).await?;
    let all = subject.plain(TRAINING + FRESH).await?;
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
    let nodes: usize = training[0]
        .looks
        .iter()
        .map(|look| Tree::of(&look.page).nodes.len())
        .sum();
    let held: u64 = model.events.iter().map(|event| event.page.measure().nodes).sum();
    let held_by_published: u64 = published.iter().map(|known| known.measure().nodes).sum();
    println!(
        "| {} | {} | {converged} runs | {held} | {held_by_published} | {:+.0} % | {} | {} | {:.0} ms |",
        session.name,
        nodes / events.max(1),
        (held as f64 / held_by_published.max(1) as f64 - 1.0) * 100.0,
        fresh.iter().filter(wrong).count(),
        fresh.iter().filter(published_wrong).count(),
        took.as_secs_f64() * 1e3
    );
    Ok(())
}

async fn faults(session: &Session) -> Result<()> {
    let mut subject = Subject::record(session).await?;
    let slow = Slowness { millis: 1_500 };
    subject.what.options.open = Duration::from_secs(4);
    let training = subject.plain(TRAINING).await?;
    let (model, _) = learn(&training);
    let trace = subject.what.trace.clone();
    let all: Vec<Injection> = injections(&trace, &actions(&trace), slow, 500);
    let jobs = all
        .iter()
        .enumerate()
        .map(|(number, injection)| Job {
            number,
            wrong: Some(injection.done.clone()),
        })
        .collect();
    let began = Instant::now();
    let runs = subject.run(jobs).await?;
    println!("| event | disturbed | fault | affects the DOM | detected |\n|---|---|---|---|---|");
    let (mut affecting, mut detected, mut false_alarms) = (0, 0, 0);
    for (job, ran) in &runs {
        let injection = &all[job.number];
        let affects = affects(&training, ran) || ran.ended != Ended::Through;
        let found = deviates(&model, ran) || ran.ended != Ended::Through;
        affecting += usize::from(affects);
        detected += usize::from(affects && found);
        false_alarms += usize::from(found && !affects);
        let event = injection
            .place
            .map_or_else(String::new, |place| place.number.to_string());
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let target = injection
            .target
            .replace(&subject._site.url(""), "")
            .replace(&subject._site.other_origin_url(""), "other:");
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

async fn cost(session: &Session) -> Result<()> {
    let subject = Subject::record(session).await?;
    let gestures = subject
        .what
        .trace
        .events
        .iter()
        .filter(|event| matches!(&event.what, Some(xcheck_trace::event::What::Dom(dom)) if dom.gesture));
    let gestures = gestures.count();
    let began = Instant::now();
    let runs = subject.plain(50).await?;
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
