//! Traces made by somebody who means harm: nothing is written outside the run, and nothing is reached but the proxy.

use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::net::{TcpListener, UdpSocket};
use xcheck_tests::program::World;
use xcheck_tests::traces;
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::RunReader;

const PAGE: &str = r#"<!doctype html><title>page</title><p id=target>text</p><script>/*HERE*/
setTimeout(() => { document.title = 'done' }, 20)</script>"#;

/// Counts whoever comes.
struct Canary {
    tcp: u16,
    udp: u16,
    connections: Arc<AtomicU64>,
    packets: Arc<AtomicU64>,
}

impl Canary {
    async fn start() -> Result<Canary> {
        let tcp = TcpListener::bind("127.0.0.1:0").await?;
        let udp = UdpSocket::bind("0.0.0.0:0").await?;
        let canary = Canary {
            tcp: tcp.local_addr()?.port(),
            udp: udp.local_addr()?.port(),
            connections: Arc::default(),
            packets: Arc::default(),
        };
        let (visited, heard) = (canary.connections.clone(), canary.packets.clone());
        tokio::spawn(async move {
            while tcp.accept().await.is_ok() {
                visited.fetch_add(1, Ordering::SeqCst);
            }
        });
        tokio::spawn(async move {
            let mut packet = [0; 2048];
            while udp.recv_from(&mut packet).await.is_ok() {
                heard.fetch_add(1, Ordering::SeqCst);
            }
        });
        Ok(canary)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_not_recorded_reaches_nobody_from_chromium() {
    reaches_nobody("chromium").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_not_recorded_reaches_nobody_from_firefox() {
    reaches_nobody("firefox").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_not_recorded_reaches_nobody_from_webkit() {
    reaches_nobody("webkit").await;
}

async fn reaches_nobody(on: &str) {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    traces::record(&[("page.html", PAGE)], "document.title === 'done'", &trace)
        .await
        .unwrap();
    let canary = Canary::start().await.unwrap();
    let (tcp, udp) = (canary.tcp, canary.udp);
    let script = format!(
        r#"for (const host of ['127.0.0.1:{tcp}', 'localhost:{tcp}', '[::1]:{tcp}']) {{
            const quietly = work => {{ try {{ const made = work(); made?.catch?.(() => {{}}) }} catch (error) {{}} }};
            quietly(() => fetch('http://' + host + '/fetch', {{mode: 'no-cors'}}));
            quietly(() => fetch('https://' + host + '/fetch', {{mode: 'no-cors'}}));
            quietly(() => navigator.sendBeacon('http://' + host + '/beacon', 'x'));
            quietly(() => new WebSocket('ws://' + host + '/socket'));
            quietly(() => new EventSource('http://' + host + '/events'));
            quietly(() => new Worker(URL.createObjectURL(new Blob([`fetch('http://${{host}}/worker')`]))));
            quietly(() => new WebTransport('https://' + host + '/transport'));
            quietly(() => open('http://' + host + '/popup'));
            for (const [tag, name] of [['img', 'src'], ['iframe', 'src'], ['script', 'src'], ['video', 'src'], ['embed', 'src']]) {{
                const element = document.createElement(tag); element[name] = 'http://' + host + '/' + tag; document.body?.append(element) ?? document.head.append(element);
            }}
            for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'stylesheet', 'manifest', 'prerender']) {{
                const link = document.createElement('link'); link.rel = rel; link.as = 'fetch'; link.href = 'http://' + host + '/' + rel; document.head.append(link);
            }}
        }}
        try {{
            const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{udp}'}}, {{urls: 'turn:127.0.0.1:{tcp}?transport=tcp', username: 'u', credential: 'c'}}]}});
            peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer));
        }} catch (error) {{}}"#
    );
    traces::doctor(&trace, "/*HERE*/", &script).unwrap();
    let world = World::new().unwrap();
    let path = trace.to_string_lossy().into_owned();
    let mut running = world
        .start(&["replay", &path, "--on", on, "--out", "run", "--deadline", "60"])
        .unwrap();
    let status = running.ended().await.unwrap();
    world.must_be_empty().await.unwrap();
    assert!(
        matches!(status.code(), Some(0 | 3)),
        "{status}: {}",
        world.stderr().unwrap()
    );
    let visits = [&canary.connections, &canary.packets].map(|count| count.load(Ordering::SeqCst));
    assert_eq!(visits, [0, 0], "{}", world.stderr().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_sizes_and_scripts_in_names_stay_what_they_are() {
    let files = tempfile::tempdir().unwrap();
    let good = files.path().join("good");
    traces::record(&[("page.html", PAGE)], "document.title === 'done'", &good)
        .await
        .unwrap();
    let markup =
        "</script><script>document.title='pwned'</script><img src=x onerror=alert(1)>\u{1b}[2J\u{1b}]0;pwned\u{7}";
    let cases: [(&str, &str, Change); 7] = [
        ("a time zone that is a path", "time zone", |trace| {
            traces::change_manifest(trace, |manifest| manifest["time_zone"] = json!("../../../etc/passwd"))
        }),
        ("a language that is a preference", "language", |trace| {
            traces::change_manifest(trace, |manifest| {
                manifest["languages"] = json!(["en\");user_pref(\"x\", 1);//"])
            })
        }),
        ("a window larger than any screen", "window", |trace| {
            traces::change_manifest(trace, |manifest| {
                manifest["viewport"] = json!({"width": u32::MAX, "height": u32::MAX})
            })
        }),
        ("a browser named as a path", "", |trace| {
            traces::change_manifest(trace, |manifest| {
                manifest["browser"]["name"] = json!("../../../escaped")
            })
        }),
        ("bodies by a hash that is a path", "it is not in the trace", |trace| {
            traces::change_lines(trace, "exchanges.jsonl", |line| {
                line["response"]["body"]["sha256"] = json!("../../../../../../../../etc/passwd");
                Ok(())
            })
        }),
        ("sizes that are not so", "", |trace| {
            traces::change_lines(trace, "exchanges.jsonl", |line| {
                line["response"]["body"]["bytes"] = json!(u64::MAX);
                Ok(())
            })
        }),
        ("numbers that are not so", "", |trace| {
            traces::change_lines(trace, "events.jsonl", |line| {
                line["id"] = json!(u32::MAX - line["id"].as_u64().unwrap_or(0) as u32);
                line["at"] = json!(1e300);
                Ok(())
            })
        }),
    ];
    for (what, says, change) in cases {
        let world = World::new().unwrap();
        traces::copy(&good, &world.path("trace")).unwrap();
        change(&world.path("trace")).unwrap();
        let code = replay(&world).await.unwrap();
        assert!(matches!(code, 0 | 2 | 3), "{what}: {code}");
        contained(&world).with_context(|| what.to_owned()).unwrap();
        let said = world.stderr().unwrap();
        assert!(said.contains(says) && !said.contains("panicked"), "{what}: {said}");
    }

    // Names go into a report and onto a terminal.
    let world = World::new().unwrap();
    traces::copy(&good, &world.path("trace")).unwrap();
    traces::change_lines(&world.path("trace"), "events.jsonl", |line| {
        let text = line
            .to_string()
            .replace("setTimeout", json!(markup).to_string().trim_matches('"'));
        *line = serde_json::from_str(&text)?;
        Ok(())
    })
    .unwrap();
    traces::change_lines(&world.path("trace"), "loads.jsonl", |line| {
        line["url"] = json!(format!("http://x/{markup}"));
        Ok(())
    })
    .unwrap();
    replay(&world).await.unwrap();
    for arguments in [
        &["run", "show", "run"][..],
        &["trace", "show", "trace"],
        &["analyze", "run"],
    ] {
        world.start(arguments).unwrap().ended().await.unwrap();
        let said = std::fs::read_to_string(world.path("stdout")).unwrap() + &world.stderr().unwrap();
        assert!(!said.contains('\u{1b}'), "{arguments:?}: {said:?}");
    }
    contained(&world).unwrap();
}

type Change = fn(&Path) -> Result<()>;

async fn replay(world: &World) -> Result<i32> {
    let arguments = [
        "replay",
        "trace",
        "--on",
        "chromium",
        "--out",
        "run",
        "--deadline",
        "30",
    ];
    let status = world.start(&arguments)?.ended().await?;
    world.must_be_empty().await?;
    if let Ok((reader, _)) = RunReader::open(&world.path("run")) {
        for name in &reader.run.replays {
            if let Some(ended) = reader.replay(name)?.0.outcome {
                ensure!(
                    ended.outcome != Outcome::NotMeasured { reason: String::new() },
                    "it says why"
                );
            }
        }
    }
    status.code().with_context(|| status.to_string())
}

/// The world has what it had, and the run.
fn contained(world: &World) -> Result<()> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(world.path("."))? {
        found.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    let allowed = ["data", "run", "stderr", "stdout", "tmp", "trace"];
    let strange: Vec<&String> = found.iter().filter(|name| !allowed.contains(&name.as_str())).collect();
    ensure!(strange.is_empty(), "{strange:?}");
    if !world.path("run").exists() {
        return Ok(());
    }
    let within = ["run.json", "store", "chromium", "analysis.json", "report.html"];
    for entry in std::fs::read_dir(world.path("run"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        ensure!(within.contains(&name.as_str()), "the run has {name}");
    }
    Ok(())
}
