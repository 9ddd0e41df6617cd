//! However it ends, nothing is left, and nobody waits for what cannot come.

use crate::{ENGINES, PATIENCE, open, options, site::Site, start};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_agent::{DriverError, LaunchOptions};

const PAGES: &[(&str, &str)] = &[("/", "<!doctype html><title>page</title><p>Page")];

/// Nobody else's: other tests start browsers at the same time.
const TIME_ZONE: &str = "Pacific/Chatham";

/// Processes of the browsers that this test program started with that time zone: those in the group of such a guard,
/// and those with its mark in their environment.
fn processes() -> BTreeSet<u32> {
    let mark = format!("XCHECK_PROCESS={}-", std::process::id());
    let zone = format!("TZ={TIME_ZONE}");
    let all: Vec<(u32, String, Vec<String>)> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let read = |name: &str| std::fs::read(entry.path().join(name)).ok();
            let stat = String::from_utf8_lossy(&read("stat")?).into_owned();
            let environment = String::from_utf8_lossy(&read("environ")?).into_owned();
            Some((pid, stat, environment.split('\0').map(str::to_owned).collect()))
        })
        .filter(|(_, stat, _): &(u32, String, Vec<String>)| field(stat, 0) != "Z")
        .collect();
    let own = std::process::id().to_string();
    let has_zone = |environment: &[String]| environment.contains(&zone);
    let guards: BTreeSet<String> = all
        .iter()
        .filter(|(_, stat, environment)| field(stat, 1) == own && has_zone(environment))
        .map(|(pid, ..)| pid.to_string())
        .collect();
    all.iter()
        .filter(|(pid, stat, environment)| {
            let marked = has_zone(environment) && environment.iter().any(|line| line.starts_with(&mark));
            !guards.contains(&pid.to_string()) && (marked || guards.contains(field(stat, 2)))
        })
        .map(|(pid, ..)| *pid)
        .collect()
}

/// Of `/proc/PID/stat`, counted from behind the name: state, parent, group.
fn field(stat: &str, number: usize) -> &str {
    let (_, after_name) = stat.rsplit_once(") ").unwrap();
    after_name.split(' ').nth(number).unwrap()
}

/// Where these processes keep their profile.
fn homes(processes: &BTreeSet<u32>) -> BTreeSet<PathBuf> {
    processes
        .iter()
        .filter_map(|pid| std::fs::read_to_string(format!("/proc/{pid}/environ")).ok())
        .flat_map(|environment| {
            let homes = environment.split('\0').filter_map(|line| line.strip_prefix("HOME="));
            homes.map(PathBuf::from).collect::<Vec<_>>()
        })
        .collect()
}

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("{what} took too long"))
}

// The steps share the list of processes, so they are one test.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_after_closing_dropping_or_a_crash() {
    let site = Site::serve(PAGES).await;
    let options = LaunchOptions {
        time_zone: TIME_ZONE.to_owned(),
        ..options()
    };
    for name in ENGINES {
        let mut browser = start(name, &options).await;
        open(browser.as_mut(), &site, "/").await;
        let ours = processes();
        let homes = homes(&ours);
        assert!(
            !ours.is_empty() && homes.iter().all(|home| home.is_dir()),
            "{name}: {homes:?}"
        );
        within("close", browser.close()).await.unwrap();
        assert_eq!(processes().intersection(&ours).count(), 0, "{name}");
        assert!(homes.iter().all(|home| !home.exists()), "{name}: {homes:?}");

        let browser = start(name, &options).await;
        let ours = processes();
        drop(browser);
        within("end after drop", async {
            while processes().intersection(&ours).count() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;

        let mut browser = start(name, &options).await;
        let ours = processes();
        // Some end with their parent before their turn comes, so that the status says nothing.
        let pids: Vec<String> = ours.iter().map(u32::to_string).collect();
        let kill = format!("kill -KILL {}", pids.join(" "));
        std::process::Command::new("sh").args(["-c", &kill]).status().unwrap();
        let error = within("an error", async {
            // A process takes its time to die.
            loop {
                if let Err(error) = browser.evaluate("1").await {
                    break error;
                }
            }
        })
        .await;
        assert!(matches!(error, DriverError::Gone { .. }), "{name}: {error}");
        within("gone", browser.gone()).await;
        within("close", browser.close()).await.unwrap();
        assert_eq!(processes().intersection(&ours).count(), 0, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_never_stops_meets_the_deadline_and_the_browser_still_closes() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(
            name,
            &LaunchOptions {
                deadline: Duration::from_secs(20),
                ..options()
            },
        )
        .await;
        open(browser.as_mut(), &site, "/").await;
        let error = browser.evaluate("(() => { while (true); })()").await.unwrap_err();
        assert!(matches!(error, DriverError::Deadline { .. }), "{name}: {error}");
        within("close", browser.close()).await.unwrap();
    }
}
