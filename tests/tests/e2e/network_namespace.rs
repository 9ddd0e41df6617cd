//! An agent on a machine of its own, as far as the network is concerned: it and its browsers are reached through one
//! port, and reach nothing.

use crate::agents::{daemon_by, hanging, recorded, replay, replays};
use anyhow::{Context, Result, ensure};
use std::process::Command;
use xcheck_tests::program::World;
use xcheck_trace::run::Outcome;

/// Goes with everything in it when dropped.
struct Namespace {
    name: String,
    /// Of the agent's side.
    address: String,
}

impl Namespace {
    fn make() -> Result<Namespace> {
        let pid = std::process::id();
        let net = format!("10.{}.{}", 64 + pid / 256 % 64, pid % 256);
        let (name, here, there) = (format!("xcheck-{pid}"), format!("xch{pid}"), format!("xct{pid}"));
        let made = ip(&["netns", "add", &name]);
        made.context(
            "this test makes a network namespace, which needs root: run it as root, or in a container that may",
        )?;
        let namespace = Namespace {
            address: format!("{net}.2"),
            name,
        };
        let name = namespace.name.as_str();
        ip(&[
            "link", "add", &here, "type", "veth", "peer", "name", &there, "netns", name,
        ])?;
        ip(&["addr", "add", &format!("{net}.1/30"), "dev", &here])?;
        ip(&["link", "set", &here, "up"])?;
        ip(&["-n", name, "addr", "add", &format!("{net}.2/30"), "dev", &there])?;
        ip(&["-n", name, "link", "set", &there, "up"])?;
        ip(&["-n", name, "link", "set", "lo", "up"])?;
        Ok(namespace)
    }

    /// The program, once it is started, is in here.
    fn command(&self) -> Result<Command> {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(xcheck_tests::xcheck()?);
        Ok(command)
    }

    /// Addresses that others could connect to.
    fn listening(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for table in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
            let shown = Command::new("ip")
                .args(["netns", "exec", &self.name, "cat", table])
                .output()?;
            for line in String::from_utf8(shown.stdout)?.lines().skip(1) {
                let fields: Vec<&str> = line.split_whitespace().collect();
                let (local, state) = (fields[1], fields[3]);
                // 127.0.0.1 and ::1 as the kernel writes them; 0A is LISTEN.
                let is_loopback = local.starts_with("0100007F:") || local.starts_with(&format!("{:0>24}01000000:", ""));
                if state == "0A" && !is_loopback {
                    found.push(local.to_owned());
                }
            }
        }
        Ok(found)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // Its end of the pair, and with it the other, goes along.
        let _ = ip(&["netns", "del", &self.name]);
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    let output = Command::new("ip")
        .args(arguments)
        .output()
        .context("`ip` is needed (iproute2)")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "ip {}: {said}", arguments.join(" "));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_in_a_network_of_its_own_is_reached_through_its_one_port() {
    let files = tempfile::tempdir().unwrap();
    let (trace, endless) = (files.path().join("trace"), files.path().join("endless"));
    recorded(&trace).await.unwrap();
    hanging(&endless).await.unwrap();
    let namespace = Namespace::make().unwrap();
    let listen = format!("{}:0", namespace.address);
    let mut command = namespace.command().unwrap();
    command.args(["agent", "--listen", &listen, "--token-file", "token", "--tls"]);
    let mut daemon = daemon_by(command).await.unwrap();
    let token = daemon.world.path("token").to_string_lossy().into_owned();
    let said = daemon.world.stderr().unwrap();
    let fingerprint = said.split_whitespace().last().unwrap();
    let more = ["--token-file", &token, "--agent-fingerprint", fingerprint];
    for engine in ["chromium", "firefox", "webkit"] {
        let world = World::new().unwrap();
        let on = [daemon.browser(engine)];
        let code = replay(&world, &trace, &on, &more).await.unwrap();
        assert_eq!(code, 0, "{engine}: {}", world.stderr().unwrap());
        let replayed = &replays(&world).unwrap()[0];
        assert_eq!(replayed.outcome.as_ref().unwrap().outcome, Outcome::Replayed);
        assert!(!replayed.checkpoints.is_empty());
    }

    // While a browser runs there, too, nothing else can be connected to.
    let world = World::new().unwrap();
    let (path, on) = (endless.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let arguments = ["replay", &path, "--on", &on, "--out", "run"];
    let all: Vec<&str> = arguments.iter().chain(&more).copied().collect();
    let mut client = world.start(&all).unwrap();
    let there = || Ok(!daemon.world.processes("chromium")?.is_empty());
    client.until("the agent has a browser", there).await.unwrap();
    let listening = namespace.listening().unwrap();
    assert_eq!(listening.len(), 1, "{listening:?}");
    client.signal("INT").unwrap();
    client.ended().await.unwrap();
    let gone = || Ok(daemon.world.processes("chromium")?.is_empty());
    daemon.running.until("the browser is gone", gone).await.unwrap();
    daemon.must_end().await.unwrap();
}
