//! What all connections of a running proxy share.

use crate::body::Body;
use crate::ca::Authority;
use crate::config::Profiles;
use crate::earlier::Earlier;
use crate::faults::Faults;
use crate::inject::{Errand, HeaderEdits, RequestFacts, Script, Talks};
use crate::instrument::{Instrumented, instrument_worker};
use crate::live::{DocumentAnswer, Live};
use crate::modules::Modules;
use crate::pages::{PREFIX, Pages};
use crate::record::Recorder;
use crate::serve::{Serve, answering};
use crate::service_workers::ServiceWorkers;
use crate::target;
use crate::tasks::Tasks;
use crate::upstream::Upstream;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::response::Parts;
use hyper::{Response, Uri};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use xcheck_trace::event::Made;
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::notice::Notice;

pub(crate) struct Session {
    pub(crate) authority: Arc<Authority>,
    /// Where we listen.
    pub(crate) own: SocketAddr,
    /// Our mark in `Via`, where one is written.
    pub(crate) via: HeaderValue,
    pub(crate) upstream: Upstream,
    pub(crate) pages: Pages,
    pub(crate) service_workers: ServiceWorkers,
    pub(crate) tasks: Tasks,
    pub(crate) faults: Faults,
    /// What a recording begins with.
    pub(crate) earlier: Earlier,
    pub(crate) modules: Modules,
    pub(crate) mode: Mode,
    pub(crate) profiles: Profiles,
    pub(crate) live: Option<Live>,
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

    /// What a document's tag says, with a fresh token, if `exchange` of a trace brings it that one's. Of no use before
    /// [`Pages::register`].
    pub(crate) fn script_for(&self, url: &Uri, exchange: Option<ExchangeId>) -> Script {
        let origin = target::origin(url);
        let errand = self.errand_in(&origin, exchange);
        let tells_imports = match &self.mode {
            Mode::Record(_) => self.marks_modules(),
            Mode::Serve(serve) => exchange
                .and_then(|id| serve.trace.exchange(id))
                .is_some_and(|recorded| recorded.imports_told),
            Mode::Pass => false,
        };
        let talks = match (&self.live, &self.mode) {
            (Some(_), Mode::Record(_)) => Talks::BothWays,
            (None, Mode::Record(_)) if errand.is_some() => Talks::BothWays,
            (Some(_), _) | (None, Mode::Serve(_)) => Talks::ByWebSocket,
            (None, _) => Talks::ByPost,
        };
        let mut token = crate::random::hex::<32>();
        let nonce = token.split_off(32);
        let path = format!("{PREFIX}{token}.js");
        Script {
            path,
            origin,
            nonce,
            talks,
            sockets: false,
            inline: false,
            tells_imports,
            errand,
        }
    }

    /// What has to be done first in a document. Live pages are given what stood there before they are opened.
    fn errand_in(&self, origin: &str, exchange: Option<ExchangeId>) -> Option<Errand> {
        match &self.mode {
            Mode::Record(_) if self.profiles == Profiles::Used && !self.pages.has_told(origin) => Some(Errand::Keep),
            Mode::Serve(serve) if self.live.is_none() => serve.asked_load(exchange?).map(Errand::Restore),
            Mode::Record(_) | Mode::Serve(_) | Mode::Pass => None,
        }
    }

    /// Tells whoever drives live pages what a request for a document came to.
    pub(crate) fn document_answered(&self, facts: &RequestFacts, url: &Uri, answer: &Instrumented) {
        let Some(live) = self.live.as_ref().filter(|_| facts.is_for_a_document()) else {
            return;
        };
        let content_type = answer.response.headers().get(CONTENT_TYPE);
        live.answered(DocumentAnswer {
            url: url.to_string(),
            status: Some(answer.response.status().as_u16()),
            content_type: content_type
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
                .to_owned(),
            scripted: answer.injected.is_some(),
            top: facts.is_for_a_window(),
        });
    }

    pub(crate) fn document_failed(&self, facts: &RequestFacts, url: &Uri) {
        if let Some(live) = self.live.as_ref().filter(|_| facts.is_for_a_document()) {
            live.answered(DocumentAnswer {
                url: url.to_string(),
                status: None,
                content_type: String::new(),
                scripted: false,
                top: facts.is_for_a_window(),
            });
        }
    }

    /// What stands before a worker's script, with a secret of its own.
    pub(crate) fn worker_recorder(&self, url: &Uri, exchange: ExchangeId) -> String {
        let secret = self.pages.start_worker(target::origin(url), Some(exchange));
        xcheck_replay_js::worker(&json!({"endpoint": format!("{PREFIX}{secret}"), "exchange": exchange}))
    }

    /// The same for the script of one that a document has made, which asks for it itself.
    pub(crate) fn made_worker_script(&self, origin: &str, made: Made) -> Option<String> {
        match &self.mode {
            Mode::Record(recorder) => {
                let secret = self.pages.start_made_worker(origin.to_owned())?;
                recorder.made_worker();
                Some(xcheck_replay_js::worker(
                    &json!({"endpoint": format!("{PREFIX}{secret}"), "made": made}),
                ))
            }
            Mode::Serve(serve) => Some(answering(serve.made_worker(made))),
            Mode::Pass => None,
        }
    }

    /// Whether service workers run at all.
    pub(crate) fn has_service_workers(&self) -> bool {
        match &self.mode {
            Mode::Record(recorder) => recorder.has_service_workers(),
            Mode::Serve(serve) => serve.trace.manifest.service_workers,
            Mode::Pass => false,
        }
    }

    /// Whether modules tell when they have run: a copy that a service worker keeps is no longer only the browser's, and live
    /// pages have no log.
    pub(crate) fn marks_modules(&self) -> bool {
        self.live.is_none() && !self.has_service_workers()
    }

    /// A service worker's script with ours before it, allowed to speak to us; and what had to be changed for that.
    pub(crate) async fn instrument_service_worker(
        &self,
        mut head: Parts,
        body: Body,
        url: &Uri,
    ) -> (Response<Body>, Vec<String>) {
        let speaker = Script {
            talks: Talks::ByPost,
            ..self.script_for(url, None)
        };
        let (edits, changes) = HeaderEdits::let_worker_speak(&head.headers, &speaker);
        edits.apply(&mut head.headers);
        let response = instrument_worker(head, body, || self.service_worker_script(url)).await;
        (response, changes)
    }

    /// What stands before a service worker's script. The same each time: a browser takes another text for another worker.
    fn service_worker_script(&self, url: &Uri) -> String {
        let secret = self.service_workers.secret_of(url);
        xcheck_replay_js::service_worker(&json!({
            "endpoint": format!("{PREFIX}{secret}"),
            "records": self.recorder().is_some(),
        }))
    }

    pub(crate) fn notice(&self, notice: Notice) {
        match self.recorder() {
            Some(recorder) => recorder.notice(notice),
            None => tracing::warn!(url = notice.url, "{}", notice.text),
        }
    }
}
