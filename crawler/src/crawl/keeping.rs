//! What a crawl leaves in its folder while it goes on: enough to go on with it another day.

use super::{Crawl, CrawlError, Request};
use crate::atlas::Atlas;
use crate::export;
use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::path::Path as File;
use std::time::{SystemTime, UNIX_EPOCH};
use xcheck_trace::manifest::{BrowserInfo, Manifest};

/// What is kept of a crawl beside its model.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    start_url: String,
    seed: u64,
    atlas: Atlas,
}

const KEPT: &str = "crawl.json";

pub(super) fn prepare(request: &Request) -> Result<Atlas, CrawlError> {
    let file = |what: &File, error| CrawlError::File {
        what: what.to_owned(),
        error,
    };
    let kept = request.folder.join(KEPT);
    if request.resume {
        let text = std::fs::read_to_string(&kept).map_err(|error| file(&kept, error))?;
        let not_a_crawl = |why: String| CrawlError::NotACrawl(request.folder.clone(), why);
        let mut kept: Kept = serde_json::from_str(&text).map_err(|error| not_a_crawl(error.to_string()))?;
        if kept.start_url != request.start_url {
            return Err(not_a_crawl(format!("it began at {}", kept.start_url)));
        }
        kept.atlas.states.index_all();
        kept.atlas.trail.another_day();
        return Ok(kept.atlas);
    }
    if kept.exists() {
        return Err(CrawlError::Taken(request.folder.clone()));
    }
    for folder in ["traces", "states"] {
        let folder = request.folder.join(folder);
        std::fs::create_dir_all(&folder).map_err(|error| file(&folder, error))?;
    }
    Ok(Atlas::default())
}

impl Crawl<'_> {
    pub(super) fn manifest(&self) -> Manifest {
        let launch = &self.request.session.launch;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Manifest {
            format: xcheck_trace::manifest::FORMAT,
            recorder: env!("CARGO_PKG_VERSION").into(),
            browser: Some(self.browser.clone()),
            viewport: Some(launch.viewport),
            start_url: Some(self.request.start_url.clone()),
            time_zone: Some(launch.time_zone.clone()),
            languages: launch.languages.clone(),
            started_at_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            finished_at_ms: None,
            service_workers: false,
            redactions: Vec::new(),
        }
    }

    pub(super) fn model(&self, ended: &str) -> Model {
        let BrowserInfo { name, version, .. } = &self.browser;
        let browser = format!("{name} {version}");
        self.atlas
            .model(&self.request.start_url, self.request.settings.seed, &browser, ended)
    }

    /// What a later sitting goes on from, and the model as it is now.
    pub(super) fn save(&self, ended: &str) -> Result<(), CrawlError> {
        let kept = Kept {
            start_url: self.request.start_url.clone(),
            seed: self.request.settings.seed,
            atlas: self.atlas.clone(),
        };
        let folder = &self.request.folder;
        let texts = [
            (KEPT, serde_json::to_string(&kept)),
            (export::MODEL, serde_json::to_string_pretty(&self.model(ended))),
        ];
        for (name, text) in texts {
            let path = folder.join(name);
            let written = text
                .map_err(std::io::Error::from)
                .and_then(|text| export::replace(&path, &text));
            written.map_err(|error| CrawlError::File { what: path, error })?;
        }
        Ok(())
    }
}
