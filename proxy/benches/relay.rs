//! What the proxy costs: `cargo bench -p xcheck-proxy`, optionally with the path of `mitmdump` as `MITMDUMP`.
//!
//! Each contestant is a process of its own, held to one core where `taskset` is there; origin and clients are hand-written
//! and cheap, and run on the others. Rates are per second of the contestant's own processor time, so that a busy machine
//! changes little; what counts is the ratio between contestants within one run.

#[path = "relay/contestants.rs"]
mod contestants;
#[path = "relay/load.rs"]
mod load;
#[path = "relay/measure.rs"]
mod measure;

use contestants::{Contestant, Kind};
use std::path::Path;
use std::time::Duration;

const CONNECTIONS: usize = 16;
const SMALL: usize = 1024;
const HUGE: u64 = 1 << 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(position) = arguments.iter().position(|argument| argument == "--as") {
        return contestants::run(&arguments[position + 1], Path::new(&arguments[position + 2]));
    }
    // Under `cargo test` this is only asked whether it builds.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(all());
}

async fn all() {
    let origin = load::origin().await;
    let mut kinds = vec![Kind::Bare, Kind::Pass, Kind::Record];
    kinds.extend(std::env::var("MITMDUMP").ok().map(Kind::Mitmdump));

    println!("| through | requests per CPU second | of the bare relay | wall rate | p50 | p50 added |");
    println!("|---|---|---|---|---|---|");
    let (direct, _) = load::latency(origin, None, 3_000).await;
    println!("| nothing | | | | {} | |", micros(direct));
    let mut bare = None;
    for kind in &kinds {
        let contestant = Contestant::start(kind).await;
        let seconds = if matches!(kind, Kind::Mitmdump(_)) { 10 } else { 5 };
        load::rate(origin, contestant.address, CONNECTIONS, Duration::from_secs(1)).await;
        let before = contestant.cpu();
        let (requests, wall) = load::rate(origin, contestant.address, CONNECTIONS, Duration::from_secs(seconds)).await;
        let per_cpu = requests as f64 / (contestant.cpu() - before).as_secs_f64();
        let (median, _) = load::latency(origin, Some(contestant.address), 3_000).await;
        let base = *bare.get_or_insert(per_cpu);
        println!(
            "| {} | {per_cpu:.0} | {:.2} | {:.0} | {} | {} |",
            kind.name(),
            per_cpu / base,
            requests as f64 / wall.as_secs_f64(),
            micros(median),
            micros(median.saturating_sub(direct)),
        );
    }

    println!("\n| 1 GiB through | peak memory | MiB per CPU second |");
    println!("|---|---|---|");
    for kind in [Kind::Bare, Kind::Pass, Kind::Record] {
        let contestant = Contestant::start(&kind).await;
        let bytes = load::huge(origin, contestant.address, HUGE).await;
        assert_eq!(bytes, HUGE, "all of it arrives");
        let rate = (HUGE >> 20) as f64 / contestant.cpu().as_secs_f64();
        println!(
            "| {} | {} MiB | {rate:.0} |",
            kind.name(),
            contestant.peak_memory() >> 20
        );
    }
}

fn micros(duration: Duration) -> String {
    format!("{} µs", duration.as_micros())
}
