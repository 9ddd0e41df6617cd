//! Replays that agree with those on this machine, and what travels for them.

use super::{daemon, recorded, replay, replays};
use anyhow::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use xcheck_tests::program::World;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_finds_what_a_replay_on_this_machine_finds() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    recorded(&trace).await.unwrap();
    // One at a time: the others are told to wait.
    let daemon = daemon(&["--listen", "127.0.0.1:0", "--jobs", "1"]).await.unwrap();
    for engine in ["chromium", "firefox", "webkit"] {
        let world = World::new().unwrap();
        let on = [engine.to_owned(), daemon.browser(engine)];
        let code = replay(&world, &trace, &on, &[]).await.unwrap();
        assert_eq!(code, 0, "{}", world.stderr().unwrap());
        let both = replays(&world).unwrap();
        assert_eq!(both[0].events, both[1].events, "{engine}");
        assert_eq!(both[0].checkpoints, both[1].checkpoints, "{engine}");
        assert!(!both[0].checkpoints.is_empty(), "{engine}");
        world.must_be_empty().await.unwrap();
    }
    daemon.must_end().await.unwrap();
}

/// Counts what passes from client to agent.
struct Relay {
    address: String,
    sent: Arc<AtomicU64>,
}

async fn relay(to: String) -> Result<Relay> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let sent = Arc::new(AtomicU64::new(0));
    let counting = sent.clone();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (to, counting) = (to.clone(), counting.clone());
            tokio::spawn(async move {
                let mut agent = TcpStream::connect(to).await.expect("the agent listens");
                let (mut from_client, mut to_client) = client.split();
                let (mut from_agent, mut to_agent) = agent.split();
                let there = async {
                    let mut piece = vec![0; 64 * 1024];
                    loop {
                        // Counted before it is passed on: what the agent has answered is in the sum.
                        let count = from_client.read(&mut piece).await?;
                        counting.fetch_add(count as u64, Ordering::SeqCst);
                        if count == 0 {
                            return to_agent.shutdown().await;
                        }
                        to_agent.write_all(&piece[..count]).await?;
                    }
                };
                let back = tokio::io::copy(&mut from_agent, &mut to_client);
                // However a connection ends is the two sides' affair.
                let _ = tokio::join!(there, back);
            });
        }
    });
    Ok(Relay { address, sent })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_travels_once() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    recorded(&trace).await.unwrap();
    let daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let relay = relay(daemon.address.clone()).await.unwrap();
    let mut sent = Vec::new();
    for _ in 0..2 {
        let world = World::new().unwrap();
        let before = relay.sent.load(Ordering::SeqCst);
        let on = [format!("agent://{}/chromium", relay.address)];
        assert_eq!(
            replay(&world, &trace, &on, &[]).await.unwrap(),
            0,
            "{}",
            world.stderr().unwrap()
        );
        sent.push(relay.sent.load(Ordering::SeqCst) - before);
    }
    assert!(sent[0] > 300_000 && sent[1] < 60_000, "{sent:?}");
    daemon.must_end().await.unwrap();
}
