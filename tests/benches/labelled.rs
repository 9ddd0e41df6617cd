//! The labelled pages: `cargo bench -p xcheck-tests --bench labelled [-- PAGE… --again --at-once N --pictures FOLDER]`.
//!
//! Says for each page what does not agree with its label and how long it took, then precision and recall by browser and
//! kind. `--again` only analyzes what an earlier call recorded and replayed; `--pictures` keeps each replay's last
//! screenshot. Traces and runs stay in `target/labelled`. The `xcheck` program has to be built in the same profile.

use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use xcheck_analyzer::findings::Analysis;
use xcheck_tests::labelled::{self, Page, Place, Score};
use xcheck_tests::site::{Prelude, Site};

struct Request {
    words: Vec<String>,
    again: bool,
    at_once: usize,
    pictures: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let request = Arc::new(request()?);
    let site = Arc::new(Site::http(labelled::folder(), Prelude::None).await?);
    let permits = Arc::new(Semaphore::new(request.at_once));
    let mut running = JoinSet::new();
    let mut order = Vec::new();
    for page in labelled::pages(&request.words)? {
        let (request, site, permits) = (request.clone(), site.clone(), permits.clone());
        order.push(page.name.clone());
        running.spawn(async move {
            let _permit = permits.acquire_owned().await?;
            let started = Instant::now();
            let analyzed = look(&page, &site, &request).await;
            anyhow::Ok((page, analyzed, started.elapsed()))
        });
    }
    let mut score = Score::default();
    let mut failed = 0;
    while let Some(ended) = running.join_next().await {
        let (page, analyzed, took) = ended??;
        let told = match analyzed {
            Ok((place, analysis)) => score.count(&page.label, &place, &analysis),
            Err(error) => {
                failed += 1;
                vec![format!("not measured: {error:#}")]
            }
        };
        let verdict = if told.is_empty() { "as labelled" } else { "" };
        println!("{} ({:.1} s) {verdict}", page.name, took.as_secs_f64());
        told.iter().for_each(|line| println!("    {line}"));
    }
    println!("\n{}pages that failed: {failed}", score.table());
    Ok(())
}

async fn look(page: &Page, site: &Site, request: &Request) -> Result<(Place, Analysis)> {
    let kept = page.kept();
    if !request.again {
        page.record(site, &kept).await.context("recording")?;
        page.replay(&kept, 1).await.context("replaying")?;
    }
    let analysis = page.analyze(&kept).context("analyzing")?;
    if let Some(folder) = &request.pictures {
        page.pictures(&kept, folder)?;
    }
    Ok((kept.place()?, analysis))
}

fn request() -> Result<Request> {
    let mut request = Request {
        words: Vec::new(),
        again: false,
        at_once: std::thread::available_parallelism()?.get(),
        pictures: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--again" => request.again = true,
            "--at-once" => request.at_once = arguments.next().context("--at-once needs a number")?.parse()?,
            "--pictures" => request.pictures = Some(arguments.next().context("--pictures needs a folder")?.into()),
            _ => request.words.push(argument),
        }
    }
    Ok(request)
}
