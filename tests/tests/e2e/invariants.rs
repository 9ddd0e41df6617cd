//! Invariants and faults as a person uses them: one session learnt, checked against a site that changed, and disturbed.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use xcheck_tests::again::{self, ASKING, PUSHED_DOWN, SHOP};
use xcheck_tests::program::{LONG, World};

async fn run(world: &World, arguments: &[&str], expected: i32) -> Result<String> {
    let status = world.start(arguments)?.ended_within(LONG).await?;
    let (out, err) = (std::fs::read_to_string(world.path("stdout"))?, world.stderr()?);
    ensure!(
        status.code() == Some(expected),
        "{arguments:?} ended with {status}\n{out}\n{err}"
    );
    Ok(out + &err)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_learnt_and_a_fault_that_changes_the_page_is_found_and_one_that_does_not_is_not() -> Result<()> {
    let site = again::site().await?;
    let recorded = again::record(&site, &SHOP).await?;
    let trace = recorded.folder();
    let trace = trace.to_str().context("a path")?;
    let world = World::new()?;
    let said = run(
        &world,
        &[
            "invariants",
            "learn",
            trace,
            "--out",
            "model.json",
            "--live",
            "--all-runs",
            "--jobs",
            "2",
        ],
        0,
    )
    .await?;
    ensure!(said.contains("learnt from"), "{said}");

    let against = ["--against", "model.json", "--no-report", "--format", "json"];
    let check = [&["invariants", "check", trace][..], &against].concat();
    let checked = run(&world, &check, 0)
        .await
        .with_context(|| format!("learnt: {said}"))?;
    ensure!(checked.contains("\"events\""), "{checked}");

    // What is learnt otherwise: it deviates each time.
    let text = std::fs::read_to_string(world.path("model.json"))?;
    let otherwise = text.replace("Made for trying", "Made for buying");
    ensure!(otherwise != text, "the footer was not learnt");
    std::fs::write(world.path("otherwise.json"), otherwise)?;
    let against = ["--against", "otherwise.json", "--no-report", "--format", "json"];
    let check = [&["invariants", "check", trace][..], &against].concat();
    let deviating = run(&world, &check, 1).await?;
    ensure!(
        deviating.contains("\"runs\": 2") && deviating.contains("Made for buying"),
        "{deviating}"
    );
    let once = [&check[..], &["--single-run"]].concat();
    let deviating = run(&world, &once, 1).await?;
    ensure!(deviating.contains("\"runs\": 1"), "{deviating}");

    // A model of another trace, and a site that is not there any more.
    let own = recorded.trace.identity().to_string();
    std::fs::write(world.path("other.json"), text.replace(&own, &"0".repeat(64)))?;
    let said = run(&world, &["invariants", "check", trace, "--against", "other.json"], 2).await?;
    ensure!(said.contains("another trace"), "{said}");
    let nowhere = [
        "invariants",
        "check",
        trace,
        "--against",
        "model.json",
        "--at",
        "http://127.0.0.1:9",
    ];
    let said = run(&world, &nowhere, 3).await?;
    ensure!(said.contains("not there"), "{said}");

    let only = "error,not-replayed,not-fired,garbled";
    run(
        &world,
        &[
            "faults", trace, "--only", only, "--out", "faults", "--live", "--jobs", "2",
        ],
        1,
    )
    .await?;
    let faults: Value = serde_json::from_slice(&std::fs::read(world.path("faults/faults.json"))?)?;
    check_fault(&faults, "cart.json", "error", true)?;
    check_fault(&faults, "cart.json", "garbled", true)?;
    check_fault(&faults, "found.json", "error", true)?;
    check_fault(&faults, "ping.json", "error", false)?;
    check_fault(&faults, "click on #details", "not-replayed", true)?;
    check_fault(&faults, "click on #nothing", "not-replayed", false)?;
    check_fault(&faults, "timer remind", "not-fired", true)?;
    check_fault(&faults, "timer count", "not-fired", false)?;
    has_pictures(&world.path("faults/report.html"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_clock_pushes_down_is_pressed_where_it_then_is() -> Result<()> {
    let site = again::site().await?;
    let recorded = again::record(&site, &PUSHED_DOWN).await?;
    let trace = recorded.folder();
    let trace = trace.to_str().context("a path")?;
    let world = World::new()?;
    let learn = [
        "invariants",
        "learn",
        trace,
        "--out",
        "model.json",
        "--live",
        "--all-runs",
        "--runs",
        "8",
    ];
    let said = run(&world, &learn, 0).await?;
    ensure!(
        said.contains("learnt from 8 runs") && !said.contains("left out"),
        "{said}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_at_another_address_each_time_and_what_no_call_asks_for_is_disturbed() -> Result<()> {
    let site = again::site().await?;
    let recorded = again::record(&site, &ASKING).await?;
    let trace = recorded.folder();
    let trace = trace.to_str().context("a path")?;
    for against in [&[][..], &["--live"]] {
        let world = World::new()?;
        let only = ["faults", trace, "--only", "error,garbled", "--out", "faults"];
        run(&world, &[&only[..], against].concat(), 1).await?;
        let faults: Value = serde_json::from_slice(&std::fs::read(world.path("faults/faults.json"))?)?;
        for wrong in ["error", "garbled"] {
            check_fault(&faults, "fetch GET", wrong, true)?;
            check_fault(&faults, "EventSource GET", wrong, true)?;
            check_fault(&faults, "worker's GET", wrong, true)?;
        }
        ensure!(
            faults["runs"].as_array().is_some_and(|runs| runs.len() == 6),
            "{faults:#}"
        );
    }
    Ok(())
}

fn check_fault(faults: &Value, target: &str, wrong: &str, shows: bool) -> Result<()> {
    let mut runs = faults["runs"].as_array().into_iter().flatten();
    let named =
        |run: &&Value| run["wrong"] == wrong && run["target"].as_str().is_some_and(|name| name.contains(target));
    let run = runs
        .find(named)
        .with_context(|| format!("{wrong} of {target} was not tried"))?;
    ensure!(run["affects"] == shows && run["detected"] == shows, "{run:#}");
    Ok(())
}

fn has_pictures(report: &Path) -> Result<()> {
    let page = std::fs::read_to_string(report)?;
    ensure!(
        page.contains("as it should be") && page.contains("with the fault"),
        "no pictures beside each other"
    );
    Ok(())
}
