//! CrossCheck as published: the live application is crawled in each browser by itself, in identical fashion, and the models
//! are compared. What changes at the server between two crawls is taken for a difference, where replays of one crawl are not.

use super::{Args, explore, measured, said};
use crate::Everywhere;
use crate::commands::Format;
use crate::commands::models::{said_of_crawls, text_of_crawls};
use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BOLD, styled};
use anyhow::Context;
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use xcheck_crawler::{Crawled, Difference, Marked, Model, compare, compared_html};

/// Below the folder of the crawl in the reference.
const FOLDER: &str = "live";
const PAGE: &str = "compared.html";

#[derive(Serialize)]
struct Other {
    browser: String,
    /// Why its crawl tells nothing, or not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_measured: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Model>,
    differences: Vec<Difference>,
}

/// The browsers' names; one that is not here is told before anything is crawled.
pub(super) fn browsers(args: &Args, everywhere: &Everywhere) -> Result<Vec<String>, Failure> {
    let config = Config::read(everywhere.config.as_deref())?;
    let found = args.live_crawl.iter().map(|name| {
        let browser = xcheck_agent::find(name, &config.browsers)?;
        Ok(browser.name)
    });
    found.collect()
}

pub(super) fn run(
    args: &Args,
    everywhere: &Everywhere,
    reference: &Crawled,
    names: Vec<String>,
    stop: &Arc<AtomicBool>,
) -> Result<Exit, Failure> {
    let mut others = Vec::new();
    for (wanted, browser) in args.live_crawl.iter().zip(names) {
        let other = crawled(args, everywhere, wanted, &browser, stop)?;
        let (model, not_measured) = match other {
            Ok(crawled) => (Some(crawled.model), measured(crawled.broken).err()),
            Err(why) => (None, Some(why)),
        };
        others.push(Other {
            differences: model
                .as_ref()
                .map_or_else(Vec::new, |model| compare(&reference.model, model)),
            browser,
            not_measured,
            model,
        });
    }
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => {
            let document = serde_json::json!({"reference": reference.model, "others": others});
            serde_json::to_writer_pretty(&mut out, &document)?;
            writeln!(out)?;
        }
        Format::Text => others
            .iter()
            .try_for_each(|other| out.write_all(text(reference, other).as_bytes()))?,
    }
    out.flush()?;
    write_page(args, reference, &others)?;
    Ok(match () {
        () if others.iter().any(|other| !other.differences.is_empty()) => Exit::Found,
        () if reference.broken || others.iter().any(|other| other.not_measured.is_some()) => Exit::NotMeasured,
        () => Exit::Clean,
    })
}

/// With the same settings and seed. Nothing but a reason where the crawl failed.
fn crawled(
    args: &Args,
    everywhere: &Everywhere,
    wanted: &str,
    browser: &str,
    stop: &Arc<AtomicBool>,
) -> Result<Result<Crawled, String>, Failure> {
    if stop.load(Ordering::Relaxed) {
        return Ok(Err("stopped before it was crawled".to_owned()));
    }
    terminal::say(styled(BOLD, format!("the same in {browser}")));
    let folder = args.out.join(FOLDER).join(browser);
    let resume = args.resume && folder.join("model.json").exists();
    match explore(args, everywhere, wanted, &folder, resume, stop) {
        Ok(crawled) => {
            if args.format == Format::Text {
                terminal::say(said(&crawled));
            }
            Ok(Ok(crawled))
        }
        Err(failure) if failure.exit == Exit::Usage => Err(failure),
        Err(failure) => Ok(Err(format!("{:#}", failure.error))),
    }
}

fn text(reference: &Crawled, other: &Other) -> String {
    let why = other.not_measured.as_deref().map_or_else(String::new, |why| {
        format!("{}: not measured: {}\n", other.browser, terminal::printable(why))
    });
    let differences = other
        .model
        .as_ref()
        .map(|model| text_of_crawls(&reference.model, model, &other.differences));
    why + &differences.unwrap_or_default()
}

/// All models as one graph, beside the reference's own.
fn write_page(args: &Args, reference: &Crawled, others: &[Other]) -> Result<(), Failure> {
    let mut models = Vec::new();
    let mut differences = Vec::new();
    for other in others {
        let Some(model) = &other.model else { continue };
        let of_it = other.differences.iter();
        differences.extend(of_it.map(|difference| {
            let said = said_of_crawls(difference, &reference.model, model);
            format!("{}: {said}", other.browser)
        }));
        let mut model = model.clone();
        for state in &mut model.states {
            let picture = state.picture.take();
            state.picture = picture.map(|picture| format!("{FOLDER}/{}/{picture}", other.browser));
        }
        models.push((other.browser.as_str(), model));
    }
    let marked = Marked::of_crawls(&reference.model, models.iter().map(|(name, model)| (*name, model)));
    let path = args.out.join(PAGE);
    std::fs::write(&path, compared_html(&marked, &differences))
        .with_context(|| format!("{} could not be written", path.display()))?;
    terminal::say(format!("{} shows the models.", path.display()));
    Ok(())
}
