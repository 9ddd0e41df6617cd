//! A subject on a port: from its folder, or as the process it is.

use crate::django::Django;
use crate::site::{Prelude, Site};
use crate::subject::{DJANGO, Subject};
use anyhow::Result;

/// Serves until it is dropped.
#[derive(Debug)]
pub enum Served {
    Folder(Site),
    Django(Django),
}

impl Served {
    pub async fn start(subject: &Subject, prelude: Prelude) -> Result<Served> {
        if subject.name == DJANGO.name {
            return Ok(Served::Django(Django::start(prelude).await?));
        }
        Ok(Served::Folder(Site::http(subject.folder()?, prelude).await?))
    }

    pub fn origin(&self) -> String {
        match self {
            Served::Folder(site) => site.url(""),
            Served::Django(django) => django.origin().to_owned(),
        }
    }

    /// What the pages reported as gone wrong so far.
    pub fn errors(&self) -> Result<Vec<String>> {
        match self {
            Served::Folder(site) => Ok(site.errors()),
            Served::Django(django) => django.errors(),
        }
    }
}
