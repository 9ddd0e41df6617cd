//! What all connections of a running proxy share.

use crate::ca::Authority;
use crate::pages::Pages;
use crate::record::Recorder;
use crate::tasks::Tasks;
use crate::upstream::Upstream;
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
    Pass,
}

impl Session {
    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        match &self.mode {
            Mode::Record(recorder) => Some(recorder),
            Mode::Pass => None,
        }
    }

    pub(crate) fn notice(&self, notice: Notice) {
        match self.recorder() {
            Some(recorder) => recorder.notice(notice),
            None => tracing::warn!(url = notice.url, "{}", notice.text),
        }
    }
}
