//! A session from its start to its end: the browser, the proxy it goes through, and what they know of each other.

use super::documents::Documents;
use super::quiet::Popup;
use crate::browser::{Browser, DriverError};
use crate::find::Installed;
use crate::keys::NoKey;
use crate::launch::{LaunchError, LaunchOptions, TrustedAuthority, launch};
use crate::pages::PageError;
use std::sync::Arc;
use std::time::Duration;
use xcheck_proxy::{
    Authority, Config, DocumentAnswer, Live, Mode, Proxy, Sent, StartError, Summary, UpstreamProxy, UpstreamTrust,
};
use xcheck_trace::Trace;
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::manifest::BrowserInfo;

#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// How the browser is started; proxy and authority are filled in.
    pub launch: LaunchOptions,
    pub network: Network,
    /// For each thing that a page is asked for.
    pub deadline: Duration,
    /// How long pages may take to say what they have to say when they are left.
    pub last_words: Duration,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            launch: LaunchOptions::default(),
            network: Network::default(),
            deadline: Duration::from_secs(30),
            last_words: Duration::from_secs(10),
        }
    }
}

/// How the proxy reaches servers.
#[derive(Debug, Clone, Default)]
pub struct Network {
    pub proxy: UpstreamProxy,
    pub trust: UpstreamTrust,
}

#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Proxy(#[from] StartError),
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("{0}")]
    Page(String),
    /// A script that does not end, or a machine that is overloaded.
    #[error("{0}")]
    Hangs(String),
    #[error("there is no page to look at: the browser shows {0}")]
    NoPage(String),
    #[error(transparent)]
    Key(#[from] NoKey),
}

impl LiveError {
    /// The browser itself is lost, not only a page of it.
    pub fn is_of_browser(&self) -> bool {
        matches!(self, LiveError::Driver(DriverError::Gone { .. }) | LiveError::Launch(_))
    }

    /// A page that does not answer has to be left, with its browser.
    pub fn is_hang(&self) -> bool {
        matches!(
            self,
            LiveError::Hangs(_) | LiveError::Driver(DriverError::Deadline { .. })
        )
    }
}

impl From<PageError> for LiveError {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Deadline { .. } => LiveError::Hangs(error.to_string()),
            other => LiveError::Page(other.to_string()),
        }
    }
}

pub struct Session {
    pub(super) browser: Box<dyn Browser>,
    installed: Installed,
    authority: Arc<Authority>,
    options: SessionOptions,
    /// `None` only while one follows another.
    proxy: Option<Proxy>,
    /// Pages have something to say when they are left.
    records: bool,
    live: Live,
    pub(super) documents: Documents,
    pub(super) popups: Vec<Popup>,
    /// What was answered since it was asked for the last time.
    pub(super) answers: Vec<DocumentAnswer>,
    /// Through earlier proxies.
    sent: Sent,
}

impl Session {
    /// Starts a proxy in this mode and a browser behind it.
    pub async fn start(
        browser: &Installed,
        authority: &Arc<Authority>,
        mode: Mode,
        options: SessionOptions,
    ) -> Result<Session, LiveError> {
        let records = matches!(mode, Mode::Record(_));
        let (proxy, live, documents) = start_proxy(authority, mode, &options).await?;
        let driver = launch(browser, &launch_options(&options, authority, &proxy)).await?;
        Ok(Session {
            browser: driver,
            installed: browser.clone(),
            authority: authority.clone(),
            options,
            proxy: Some(proxy),
            records,
            live,
            documents,
            popups: Vec::new(),
            answers: Vec::new(),
            sent: Sent::default(),
        })
    }

    pub fn info(&self) -> &BrowserInfo {
        self.browser.info()
    }

    /// For what no method here does.
    pub fn browser(&mut self) -> &mut dyn Browser {
        self.browser.as_mut()
    }

    /// What documents that come from now on are told: see [`Live::set`].
    pub fn set(&self, name: &str, value: serde_json::Value) {
        self.live.set(name, value);
    }

    /// Ends what was done so far and begins anew in another mode, as in a browser that has just been started. Answers
    /// with what became of the trace, if one was written.
    pub async fn start_over(&mut self, mode: Mode) -> Result<Option<Summary>, LiveError> {
        self.hear_last_words().await;
        self.records = matches!(mode, Mode::Record(_));
        let (proxy, live, documents) = start_proxy(&self.authority, mode, &self.options).await?;
        match self.browser.start_over(proxy.address()).await {
            Ok(true) => {}
            // A browser that cannot, or that does not answer any more, makes way for another one.
            Ok(false) | Err(_) => self.relaunch(&proxy).await?,
        }
        self.sent = self.sent();
        let before = self.proxy.replace(proxy);
        self.live = live;
        self.documents = documents;
        self.popups.clear();
        self.answers.clear();
        match before {
            Some(before) => Ok(before.stop().await),
            None => Ok(None),
        }
    }

    /// What may have changed something at a server since the session was started, however often it began anew.
    pub fn sent(&self) -> Sent {
        let now = self.proxy.as_ref().map(Proxy::sent).unwrap_or_default();
        Sent {
            changes: self.sent.changes + now.changes,
            sockets: self.sent.sockets + now.sockets,
        }
    }

    /// The exchanges that have begun in the trace that is being written.
    pub fn exchanges(&self) -> ExchangeId {
        self.proxy.as_ref().map_or(0, Proxy::exchanges)
    }

    /// While recording: see [`Proxy::lead_back`].
    pub fn lead_back(&self, earlier: Arc<Trace>) {
        if let Some(proxy) = &self.proxy {
            proxy.lead_back(earlier);
        }
    }

    /// See [`Proxy::lead_on`].
    pub fn lead_on(&self, earlier: Arc<Trace>) {
        if let Some(proxy) = &self.proxy {
            proxy.lead_on(earlier);
        }
    }

    /// See [`Proxy::led_back`].
    pub fn led_back(&self) -> Option<String> {
        self.proxy.as_ref().and_then(Proxy::led_back)
    }

    /// See [`Proxy::is_still_known`].
    pub async fn is_still_known(&self) -> bool {
        match &self.proxy {
            Some(proxy) => proxy.is_still_known().await,
            None => false,
        }
    }

    async fn relaunch(&mut self, proxy: &Proxy) -> Result<(), LiveError> {
        let options = launch_options(&self.options, &self.authority, proxy);
        let next = launch(&self.installed, &options).await?;
        let last = std::mem::replace(&mut self.browser, next);
        if let Err(error) = last.close().await {
            tracing::warn!(%error, "a browser did not end as it should");
        }
        Ok(())
    }

    /// Ends browser and proxy, and closes the trace, if one was written.
    pub async fn finish(mut self) -> Result<Option<Summary>, LiveError> {
        self.hear_last_words().await;
        let closed = self.browser.close().await;
        let summary = match self.proxy.take() {
            Some(proxy) => proxy.stop().await,
            None => None,
        };
        closed?;
        Ok(summary)
    }

    /// Pages send what they have a few times a second; when they are left, all of it.
    async fn hear_last_words(&mut self) {
        if !self.records {
            return;
        }
        let patience = self.options.last_words;
        let proxy = &self.proxy;
        let leaving = async {
            if let Err(error) = self.browser.leave().await {
                tracing::debug!(%error, "the pages could not be left");
                return;
            }
            if let Some(proxy) = proxy {
                proxy.settled(patience).await;
            }
        };
        if tokio::time::timeout(patience, leaving).await.is_err() {
            tracing::debug!("a page did not say its last words");
        }
    }

    pub(super) fn deadline(&self) -> Duration {
        self.options.deadline
    }

    pub(super) fn proxy_name(&self) -> &str {
        self.proxy.as_ref().map_or("", Proxy::session_name)
    }
}

async fn start_proxy(
    authority: &Arc<Authority>,
    mode: Mode,
    options: &SessionOptions,
) -> Result<(Proxy, Live, Documents), LiveError> {
    let (live, pages) = Live::new();
    let mut config = Config::new(authority.clone(), mode);
    config.live = Some(live.clone());
    config.upstream_proxy = options.network.proxy.clone();
    config.upstream_trust = options.network.trust.clone();
    let proxy = Proxy::start(config).await?;
    Ok((proxy, live, Documents::new(pages)))
}

fn launch_options(options: &SessionOptions, authority: &Authority, proxy: &Proxy) -> LaunchOptions {
    LaunchOptions {
        proxy: Some(proxy.address()),
        authority: Some(TrustedAuthority {
            spki_sha256: authority.spki_sha256(),
            pem: authority.certificate_path().to_owned(),
        }),
        ..options.launch.clone()
    }
}
