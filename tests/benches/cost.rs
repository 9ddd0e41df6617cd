//! What recording costs the recorded page, as a table: `cargo bench -p xcheck-tests --bench cost [-- BROWSER PAIRS PAUSE_MS]`.
//!
//! Each session is played in pairs, through a proxy that records and through one that only forwards, in turns, so that
//! what else the machine does falls on both. What is compared is the time from the first page's opening to the session's
//! last condition; the browser's start is not in it. With no pauses, as a script plays it, or with one after each thing that
//! is done, as a person does, which is in the time of both. The numbers are printed and never asserted: a test that fails
//! because a machine is busy teaches people to ignore tests.

use anyhow::{Context, Result};
use std::time::Duration;
use xcheck_proxy::Proxy;
use xcheck_tests::cost;
use xcheck_tests::recording::{Passing, Recording};
use xcheck_tests::sessions::{self, Case};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};

const PAIRS: usize = 5;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let browser = arguments.first().map_or("chromium", String::as_str);
    let pairs = arguments
        .get(1)
        .map_or(Ok(PAIRS), |text| text.parse())
        .context("PAIRS is a number")?;
    let pause = arguments
        .get(2)
        .map_or(Ok(0), |text| text.parse())
        .context("PAUSE_MS is a number")?;
    sizes()?;
    calls(browser).await?;
    sessions(browser, pairs, Duration::from_millis(pause)).await
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

async fn sessions(browser: &str, pairs: usize, pause: Duration) -> Result<()> {
    println!("| session | as it is | recorded | ratio | events | log per event |\n|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for case in sessions::all() {
        let row = measure(browser, &case, pairs, pause)
            .await
            .with_context(|| case.session.name)?;
        println!(
            "| {} | {:.2} s | {:.2} s | {:.3} | {} | {} bytes |",
            case.session.name,
            row.passed.as_secs_f64(),
            row.recorded.as_secs_f64(),
            row.ratio,
            row.events,
            row.bytes_per_event
        );
        ratios.push(row.ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "\nmedian ratio {:.3}, worst {:.3}",
        cost::median(&ratios),
        ratios.last().context("there are sessions")?
    );
    Ok(())
}

struct Row {
    passed: Duration,
    recorded: Duration,
    /// Median of the pairs' ratios.
    ratio: f64,
    events: usize,
    bytes_per_event: usize,
}

async fn measure(browser: &str, case: &Case, pairs: usize, pause: Duration) -> Result<Row> {
    let (mut passed, mut recorded, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut last = None;
    for pair in 0..pairs {
        // Who comes first takes turns, too.
        let (without, with) = if pair % 2 == 0 {
            let without = cost::pass(browser, case, pause).await?;
            (without, cost::record(browser, case, pause).await?)
        } else {
            let with = cost::record(browser, case, pause).await?;
            (cost::pass(browser, case, pause).await?, with)
        };
        ratios.push(with.0.as_secs_f64() / without.as_secs_f64());
        passed.push(without.as_secs_f64());
        recorded.push(with.0.as_secs_f64());
        last = Some(with.1);
    }
    for values in [&mut passed, &mut recorded, &mut ratios] {
        values.sort_by(f64::total_cmp);
    }
    let trace = last.context("at least one pair")?;
    let events = trace.trace.events.iter().filter(|event| event.what.is_some()).count();
    Ok(Row {
        passed: Duration::from_secs_f64(cost::median(&passed)),
        recorded: Duration::from_secs_f64(cost::median(&recorded)),
        ratio: cost::median(&ratios),
        events,
        bytes_per_event: cost::compressed_log(&trace)? / events.max(1),
    })
}
