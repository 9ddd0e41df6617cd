//! Who goes away, and what is left of it.

use super::{daemon, hanging, left_in, recorded, replay, replays};
use anyhow::{Context, Result};
use xcheck_tests::program::World;
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::Replay;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_takes_its_browser_and_its_trace_with_it() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    hanging(&trace).await.unwrap();
    let mut daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let chromium = || processes(&daemon.world, agent);
    let there = || Ok(chromium()?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    client.signal("KILL").unwrap();
    client.ended().await.unwrap();
    let tmp = daemon.world.path("tmp");
    let gone = || Ok(chromium()?.is_empty() && left_in(&tmp)? == ["stock"]);
    daemon.running.until("all of it is gone", gone).await.unwrap();
    daemon.must_end().await.unwrap();
}

/// Those in the agent's world that are not the agent.
fn processes(world: &World, agent: u32) -> Result<Vec<u32>> {
    let all = world.processes("chromium")?;
    Ok(all.into_iter().filter(|pid| *pid != agent).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_killed_is_said_and_other_replays_go_on() {
    let files = tempfile::tempdir().unwrap();
    let (trace, fine) = (files.path().join("trace"), files.path().join("fine"));
    hanging(&trace).await.unwrap();
    recorded(&fine).await.unwrap();
    let mut daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let there = || Ok(processes(&daemon.world, agent)?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    daemon.running.signal("KILL").unwrap();
    daemon.running.ended().await.unwrap();
    assert_eq!(client.ended().await.unwrap().code(), Some(3));
    let of_client = replays(&world).unwrap();
    let told = reason(&of_client[0]).unwrap();
    assert!(told.contains("the agent went away"), "{told}");
    world.must_be_empty().await.unwrap();
    daemon.world.must_be_empty().await.unwrap();

    // Nobody is there any more; what else was asked for is replayed all the same.
    let world = World::new().unwrap();
    let on = [on, "chromium".to_owned()];
    assert_eq!(replay(&world, &fine, &on, &[]).await.unwrap(), 3);
    let both = replays(&world).unwrap();
    let told = reason(&both[0]).unwrap();
    assert!(told.contains("cannot be reached"), "{told}");
    assert_eq!(both[1].outcome.as_ref().unwrap().outcome, Outcome::Replayed);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_stops_tells_its_clients() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    hanging(&trace).await.unwrap();
    let daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let there = || Ok(processes(&daemon.world, agent)?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    daemon.must_end().await.unwrap();
    assert_eq!(client.ended().await.unwrap().code(), Some(3));
    let told = reason(&replays(&world).unwrap()[0]).unwrap().to_owned();
    assert!(told.contains("the agent is being stopped"), "{told}");
}

fn reason(replay: &Replay) -> Result<&str> {
    match &replay.outcome.as_ref().context("it has an outcome")?.outcome {
        Outcome::NotMeasured { reason } => Ok(reason),
        Outcome::Replayed => anyhow::bail!("{} was replayed", replay.name),
    }
}
