//! The empirical evaluation: `cargo run --release -p eval` measures what is promised, on real applications and in every
//! engine, and writes `docs/evaluation.md`, its plots, and the same as JSON.
//!
//! The four questions are those of the X-Check paper (§V) and the law of replay. What is measured goes to disk piece by
//! piece ([`store`]), so that a run that was stopped goes on where it was, and a part that could not be measured is a row
//! that says so. Nothing in here decides whether a build is good: it tells figures and the bars that they are held to.

mod arguments;
mod machine;
mod progress;
mod store;
mod subjects;
mod work;

mod accuracy;
mod contestants;
mod cost;
mod crawl;
mod incremental;
mod labels;
mod law;
mod pictures;
mod recorded;
mod replays;
mod stored;
mod variants;

mod comparison;
mod document;
mod figures;

use anyhow::Result;
use arguments::Arguments;
use clap::Parser;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let [before, after] = arguments.compare.as_slice() {
        print!("{}", comparison::of_files(before, after)?);
        return Ok(());
    }
    let scope = arguments.scope()?;
    let store = store::Store::open(&arguments.work, arguments.fresh)?;
    if !arguments.only_write {
        work::measure(&scope, &store).await?;
    }
    document::write(&store, &arguments.docs)
}
