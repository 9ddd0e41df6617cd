//! What recording costs the recorded page, as a table: `cargo bench -p xcheck-tests --bench cost [-- BROWSER ROUNDS PAUSE_MS [SESSION]]`.
//! Of one session that is named, a table of its steps.
//!
//! Each session is played in rounds of three, through a proxy that records and twice through one that only forwards, in turns, so
//! that what else the machine does falls on all. What the two that forward differ by is what the machine differs by. What is
//! compared is the time from the first page's opening to the session's last condition; the browser's start is not in it. With
//! no pauses, as a script plays it, or with one after each thing that is done, as a person does, which is in the time of all. The numbers are printed and never asserted: a test that fails
//! because a machine is busy teaches people to ignore tests.

use anyhow::{Context, Result};
use std::time::Duration;
use xcheck_proxy::Proxy;
use xcheck_tests::cost;
use xcheck_tests::recording::{Passing, Recording};
use xcheck_tests::sessions::{self, Case};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};

const ROUNDS: usize = 5;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let browser = arguments.first().map_or("chromium", String::as_str);
    let rounds = arguments
        .get(1)
        .map_or(Ok(ROUNDS), |text| text.parse())
        .context("ROUNDS is a number")?;
    let pause = arguments
        .get(2)
        .map_or(Ok(0), |text| text.parse())
        .context("PAUSE_MS is a number")?;
    if let Some(name) = arguments.get(3) {
        return steps(browser, name, rounds, Duration::from_millis(pause)).await;
    }
    sizes()?;
    calls(browser).await?;
    sessions(browser, rounds, Duration::from_millis(pause)).await
}

fn sizes() -> Result<()> {
    let config = serde_json::json!({"load": 1, "secret": "0123456789abcdef0123456789abcdef"});
    let script = xcheck_replay_js::recorder(&config);
    println!(
        "recorder: {} bytes, {} compressed\n",
        script.len(),
        cost::compressed(script.as_bytes())?
    );
    Ok(())
}

/// What single calls cost, where sessions are too coarse to tell.
async fn calls(browser: &str) -> Result<()> {
    let site = Site::http(xcheck_tests::workspace().join("tests/sites"), Prelude::None).await?;
    let passing = Passing::start().await?;
    let plain = nanoseconds(browser, &site, &passing.proxy).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let recorded = nanoseconds(browser, &site, &recording.proxy).await?;
    recording.finish().await?;
    println!("| a call in {browser} | ns as it is | ns recorded |\n|---|---|---|");
    for ((name, plain), (_, recorded)) in plain.iter().zip(&recorded) {
        println!("| {name} | {plain:.0} | {recorded:.0} |");
    }
    println!();
    Ok(())
}

async fn nanoseconds(browser: &str, site: &Site, through: &Proxy) -> Result<Vec<(String, f64)>> {
    let mut browser = browsers::start(browser, Some(through)).await?;
    runner::open(&mut *browser, &site.url("/bench/calls.html")).await?;
    runner::until(&mut *browser, "document.title === 'done'").await?;
    let told = browser.evaluate("JSON.parse(document.body.dataset.results)").await?;
    browser.close().await?;
    Ok(serde_json::from_value(told)?)
}

async fn sessions(browser: &str, rounds: usize, pause: Duration) -> Result<()> {
    println!(
        "| session | as it is | recorded | ratio | as it is, again | events | log per event |\n|---|---|---|---|---|---|---|"
    );
    let (mut ratios, mut noises) = (Vec::new(), Vec::new());
    for case in sessions::all() {
        let row = measure(browser, &case, rounds, pause)
            .await
            .with_context(|| case.session.name)?;
        let [smallest, ratio, largest] = row.ratio;
        let [least, noise, most] = row.noise;
        println!(
            "| {} | {:.2} s | {:.2} s | {ratio:.3} ({smallest:.2} to {largest:.2}) | {noise:.3} ({least:.2} to {most:.2}) | {} | {} bytes |",
            case.session.name,
            row.passed.as_secs_f64(),
            row.recorded.as_secs_f64(),
            row.events,
            row.bytes_per_event
        );
        ratios.push(ratio);
        noises.push(noise);
    }
    for (what, values) in [("recorded", &mut ratios), ("as it is, again", &mut noises)] {
        values.sort_by(f64::total_cmp);
        let worst = values.last().context("there are sessions")?;
        println!("\n{what}: median ratio {:.3}, worst {worst:.3}", cost::median(values));
    }
    Ok(())
}

struct Row {
    passed: Duration,
    recorded: Duration,
    /// Of the rounds' ratios: the smallest, the median, the largest.
    ratio: [f64; 3],
    /// The same of a run that forwards against another one.
    noise: [f64; 3],
    events: usize,
    bytes_per_event: usize,
}

async fn measure(browser: &str, case: &Case, rounds: usize, pause: Duration) -> Result<Row> {
    let (mut passed, mut recorded, mut ratios, mut noises) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut last = None;
    for round in 0..rounds {
        let (mut with, mut without) = (0.0, Vec::new());
        // Who comes first takes turns, too.
        for turn in 0..3 {
            if (round + turn) % 3 == 0 {
                let (took, trace) = cost::record(browser, case, pause).await?;
                with = took.whole.as_secs_f64();
                last = Some(trace);
            } else {
                without.push(cost::pass(browser, case, pause).await?.whole.as_secs_f64());
            }
        }
        // Which of the two stands for both takes turns as well.
        if round % 2 == 1 {
            without.reverse();
        }
        let &[first, second] = without.as_slice() else {
            anyhow::bail!("two of three runs forward");
        };
        ratios.push(with / first);
        noises.push(second / first);
        passed.push(first);
        recorded.push(with);
    }
    for values in [&mut passed, &mut recorded] {
        values.sort_by(f64::total_cmp);
    }
    let trace = last.context("at least one round")?;
    let events = trace.trace.events.iter().filter(|event| event.what.is_some()).count();
    Ok(Row {
        passed: Duration::from_secs_f64(cost::median(&passed)),
        recorded: Duration::from_secs_f64(cost::median(&recorded)),
        ratio: spread(ratios),
        noise: spread(noises),
        events,
        bytes_per_event: cost::compressed_log(&trace)? / events.max(1),
    })
}

/// Where a session's time goes.
async fn steps(browser: &str, name: &str, rounds: usize, pause: Duration) -> Result<()> {
    let case = sessions::all().into_iter().find(|case| case.session.name == name);
    let case = case.with_context(|| format!("there is no session `{name}`"))?;
    let (mut passed, mut recorded) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        for turn in 0..2 {
            if (round + turn) % 2 == 0 {
                recorded.push(cost::record(browser, &case, pause).await?.0.steps);
            } else {
                passed.push(cost::pass(browser, &case, pause).await?.steps);
            }
        }
    }
    println!("| ms as it is | ms recorded | more | step |\n|---|---|---|---|");
    for (number, step) in case.session.steps.iter().enumerate() {
        let [as_it_is, recorded] = [&passed, &recorded].map(|runs| milliseconds(runs, number));
        println!(
            "| {as_it_is:.1} | {recorded:.1} | {:+.1} | `{step:?}` |",
            recorded - as_it_is
        );
    }
    Ok(())
}

/// Of one step, the median of all runs.
fn milliseconds(runs: &[Vec<Duration>], step: usize) -> f64 {
    let mut all: Vec<f64> = runs.iter().map(|steps| steps[step].as_secs_f64() * 1000.0).collect();
    all.sort_by(f64::total_cmp);
    cost::median(&all)
}

fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    [at(0), cost::median(&values), at(values.len() - 1)]
}
