//! What all connections of a running proxy share.

use crate::ca::Authority;
use crate::inject::{Script, Talks};
use crate::pages::{PREFIX, Pages};
use crate::record::Recorder;
use crate::serve::Serve;
use crate::target;
use crate::tasks::Tasks;
use crate::upstream::Upstream;
use hyper::Uri;
use hyper::header::HeaderValue;
use std::net::SocketAddr;
use std::sync::Arc;
use xcheck_trace::notice::Notice;

pub(crate) struct Session {
    pub(crate) authority: Arc<Authority>,
    /// Where we listen.
    pub(crate) own: SocketAddr,
    /// Our mark in `Via`, where one is written.
    pub(crate) via: HeaderValue,
    pub(crate) upstream: Upstream,
    pub(crate) pages: Pages,
    pub(crate) tasks: Tasks,
    pub(crate) mode: Mode,
}

pub(crate) enum Mode {
    Record(Recorder),
    Serve(Arc<Serve>),
    Pass,
}

impl Session {
    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        match &self.mode {
            Mode::Record(recorder) => Some(recorder),
            Mode::Serve(_) | Mode::Pass => None,
        }
    }

    /// What a document's tag says, with a fresh token. Of no use before [`Pages::register`].
    pub(crate) fn script_for(&self, url: &Uri, talks: Talks) -> Script {
        let mut token = crate::random::hex::<32>();
        let nonce = token.split_off(32);
        let path = format!("{PREFIX}{token}.js");
        Script {
            path,
            origin: target::origin(url),
            nonce,
            talks,
        }
    }

    pub(crate) fn notice(&self, notice: Notice) {
        match self.recorder() {
            Some(recorder) => recorder.notice(notice),
            None => tracing::warn!(url = notice.url, "{}", notice.text),
        }
    }
}
