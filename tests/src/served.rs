//! A subject on a port: from its folder, or as the process it is.

use crate::own_server::OwnServer;
use crate::site::{Prelude, Site};
use crate::subject::{DJANGO, NODE_RED, Subject};
use crate::{django, node_red};
use anyhow::Result;

/// Serves until it is dropped.
#[derive(Debug)]
pub enum Served {
    Folder(Site),
    Process(OwnServer),
}

impl Served {
    pub async fn start(subject: &Subject, prelude: Prelude) -> Result<Served> {
        Ok(match subject.name {
            name if name == DJANGO.name => Served::Process(django::serve(prelude).await?),
            name if name == NODE_RED.name => Served::Process(node_red::serve(prelude).await?),
            _ => Served::Folder(Site::http(subject.folder()?, prelude).await?),
        })
    }

    pub fn origin(&self) -> String {
        match self {
            Served::Folder(site) => site.url(""),
            Served::Process(process) => process.origin().to_owned(),
        }
    }

    /// What the pages reported as gone wrong so far.
    pub fn errors(&self) -> Result<Vec<String>> {
        match self {
            Served::Folder(site) => Ok(site.errors()),
            Served::Process(process) => process.errors(),
        }
    }
}
