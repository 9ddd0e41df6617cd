//! What a crawl is asked for, what it tells while it goes on, what it gives back, and how it can fail.

use crate::back::WaysBack;
use crate::model::Model;
use crate::robots::Robots;
use crate::settings::Settings;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use xcheck_agent::live::{LiveError, Patience, Session, SessionOptions};
use xcheck_agent::{DriverError, Installed};
use xcheck_proxy::Authority;
use xcheck_trace::{StoreError, Trace};

pub struct Request {
    pub start_url: String,
    pub browser: Installed,
    pub authority: Arc<Authority>,
    pub session: SessionOptions,
    pub patience: Patience,
    /// Made if it is not there; with `resume`, an earlier crawl is in it.
    pub folder: PathBuf,
    pub settings: Settings,
    /// Done in every session before it begins.
    pub after: Option<Trace>,
    pub resume: bool,
    /// Set when a person wants it to end.
    pub stop: Arc<AtomicBool>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    pub states: usize,
    pub edges: usize,
    /// Actions that are known and not tried.
    pub untried: usize,
    pub actions: u64,
    pub traces: usize,
    pub elapsed: Duration,
}

#[derive(Debug)]
pub struct Crawled {
    pub model: Model,
    pub folder: PathBuf,
    pub actions: u64,
    pub elapsed: Duration,
    pub ways_back: WaysBack,
    /// It ended because something broke, not because it was done or told to.
    pub broken: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    #[error("the start page cannot be opened: {0}. Is the application running, and is this its address?")]
    NoStart(String),
    #[error(transparent)]
    Live(#[from] LiveError),
    #[error(transparent)]
    Trace(#[from] StoreError),
    #[error("{what}: {error}")]
    File {
        what: PathBuf,
        #[source]
        error: std::io::Error,
    },
    #[error("{0} is no crawl that can be gone on with: {1}")]
    NotACrawl(PathBuf, String),
    #[error("{0} has a crawl in it already: choose another folder, or go on with --resume")]
    Taken(PathBuf),
}

/// What the application asks machines not to do; nothing where it has no such file.
pub(super) async fn robots(session: &mut Session, request: &Request) -> Result<Robots, CrawlError> {
    let Some(address) = url::Url::parse(&request.start_url)
        .ok()
        .and_then(|url| url.join("/robots.txt").ok())
    else {
        return Ok(Robots::default());
    };
    let quiet = session.open(address.as_str(), &request.patience).await?;
    let answer = quiet.answers.iter().rfind(|answer| answer.top || !answer.scripted);
    match answer {
        Some(answer) if answer.status == Some(200) && !answer.scripted => {
            let text = session
                .browser()
                .evaluate("document.body ? document.body.innerText : ''")
                .await;
            let text = text.map_err(LiveError::from)?;
            // What cannot be read forbids who knows what.
            let text = text.as_str().ok_or_else(|| {
                LiveError::from(DriverError::Answer {
                    what: "robots.txt".to_owned(),
                    message: format!("no text but {text}"),
                })
            })?;
            Ok(Robots::parse(text))
        }
        _ => Ok(Robots::default()),
    }
}
