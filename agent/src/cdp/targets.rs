//! The windows of the browser. Each one is set up before its first script runs: a popup is held by the browser until
//! it has our viewport, focus and refusal of dialogs.

use super::connection::{Connection, Event};
use crate::browser::DriverError;
use crate::launch::{LaunchOptions, ServiceWorkers};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use xcheck_proxy::Gate;
use xcheck_trace::manifest::Viewport;

#[derive(Debug, Clone)]
pub(super) struct Window {
    pub(super) target: String,
    pub(super) session: String,
    ready: bool,
}

#[derive(Clone)]
pub(super) struct Targets {
    windows: Arc<Mutex<Vec<Window>>>,
    changed: watch::Sender<u64>,
    /// Nobody is there to answer them.
    accept_dialogs: Arc<AtomicBool>,
}

/// What every window of this browser gets.
#[derive(Debug, Clone)]
struct SetUp {
    viewport: Viewport,
    headless: bool,
    /// As ICU writes it: `fr_CA`. Formatting follows it even where the browser has no translation.
    locale: String,
    block_service_workers: bool,
    /// A script that is held at the proxy keeps one of the six connections that Chromium opens to an origin, and as long as scripts
    /// are under way it asks for none of the less important pictures, which `load` waits for. One that is held here keeps nothing.
    gate: Option<Gate>,
}

impl Targets {
    /// Follows the browser's windows from now on.
    pub(super) async fn follow(
        connection: Connection,
        events: mpsc::UnboundedReceiver<Event>,
        options: &LaunchOptions,
    ) -> Result<Targets, DriverError> {
        let targets = Targets {
            windows: Arc::default(),
            changed: watch::Sender::new(0),
            accept_dialogs: Arc::new(AtomicBool::new(options.headless)),
        };
        let set_up = SetUp {
            viewport: options.viewport,
            headless: options.headless,
            locale: options
                .languages
                .first()
                .map_or_else(|| "en_US".to_owned(), |language| language.replace('-', "_")),
            block_service_workers: options.service_workers == ServiceWorkers::Blocked,
            gate: options.gate.clone(),
        };
        tokio::spawn(targets.clone().keep(connection.clone(), events, set_up));
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        connection.call(None, "Target.setAutoAttach", attach).await?;
        Ok(targets)
    }

    /// Those that are set up, in order of appearance.
    pub(super) fn windows(&self) -> Vec<Window> {
        let windows = self.windows.lock().unwrap();
        windows.iter().filter(|window| window.ready).cloned().collect()
    }

    /// Waits until all that are there are set up.
    pub(super) async fn set_up(&self, patience: Duration) {
        let mut changes = self.changes();
        let all_ready = async {
            while self.windows.lock().unwrap().iter().any(|window| !window.ready) {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        if tokio::time::timeout(patience, all_ready).await.is_err() {
            tracing::debug!("a window was not set up in time");
        }
    }

    pub(super) fn window(&self, target: &str) -> Option<Window> {
        self.windows().into_iter().find(|window| window.target == target)
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// From now on no window asks whether it may be left.
    pub(super) fn accept_dialogs(&self) {
        self.accept_dialogs.store(true, Ordering::Relaxed);
    }

    async fn keep(self, connection: Connection, mut events: mpsc::UnboundedReceiver<Event>, set_up: SetUp) {
        // Whoever waits in there ends with the browser.
        let mut paused = JoinSet::new();
        while let Some(event) = events.recv().await {
            match event.method.as_str() {
                "Target.attachedToTarget" => self.attached(&connection, &event, &set_up),
                "Target.detachedFromTarget" => {
                    let gone = event.params["sessionId"].as_str();
                    self.change(|windows| windows.retain(|window| Some(window.session.as_str()) != gone));
                }
                "Page.javascriptDialogOpening" if self.accept_dialogs.load(Ordering::Relaxed) => {
                    // The replayer answers dialogs before they open; what still comes is `beforeunload`.
                    let connection = connection.clone();
                    tokio::spawn(async move {
                        let accept = json!({"accept": true});
                        let session = event.session.as_deref();
                        if let Err(error) = connection.call(session, "Page.handleJavaScriptDialog", accept).await {
                            tracing::debug!(%error, "a dialog could not be answered");
                        }
                    });
                }
                "Fetch.requestPaused" => {
                    while paused.try_join_next().is_some() {}
                    paused.spawn(ask_in_time(connection.clone(), event, set_up.gate.clone()));
                }
                _ => {}
            }
        }
        // The browser is gone, and its windows with it.
        self.change(Vec::clear);
    }

    fn attached(&self, connection: &Connection, event: &Event, set_up: &SetUp) {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let session = text(&event.params["sessionId"]);
        let info = &event.params["targetInfo"];
        let is_page = info["type"] == "page";
        let target = text(&info["targetId"]);
        if is_page {
            let window = Window {
                target: target.clone(),
                session: session.clone(),
                ready: false,
            };
            self.change(|windows| {
                windows.retain(|known| known.target != target);
                windows.push(window);
            });
        }
        let (targets, connection, set_up) = (self.clone(), connection.clone(), set_up.clone());
        tokio::spawn(async move {
            let prepared = async {
                if is_page {
                    set_up.page(&connection, &session).await;
                }
            };
            // Also for workers and whatever else was held for us. Sent without waiting: a held page answers some
            // commands only when it runs.
            let run = told(&connection, &session, "Runtime.runIfWaitingForDebugger", json!({}));
            tokio::join!(prepared, run);
            if is_page {
                // What is said before a popup has a view is lost.
                told(&connection, &session, SET_SIZE, metrics(set_up.viewport)).await;
            }
            targets.change(|windows| {
                for window in windows.iter_mut().filter(|window| window.session == session) {
                    window.ready = true;
                }
            });
        });
    }

    fn change(&self, how: impl FnOnce(&mut Vec<Window>)) {
        how(&mut self.windows.lock().unwrap());
        self.changed.send_modify(|count| *count += 1);
    }
}

impl SetUp {
    /// Sends everything at once, in this order.
    async fn page(&self, connection: &Connection, session: &str) {
        let mut commands = vec![
            ("Page.enable", json!({})),
            (SET_SIZE, metrics(self.viewport)),
            ("Emulation.setLocaleOverride", json!({"locale": self.locale})),
        ];
        if self.headless {
            // Without it `document.hasFocus()` is false and no focus event fires.
            commands.push(("Emulation.setFocusEmulationEnabled", json!({"enabled": true})));
        }
        if self.block_service_workers {
            commands.push(("Network.enable", json!({})));
            commands.push(("Network.setBypassServiceWorker", json!({"bypass": true})));
        }
        if self.gate.is_some() {
            let scripts = json!([{"urlPattern": "*", "resourceType": "Script", "requestStage": "Request"}]);
            commands.push(("Fetch.enable", json!({"patterns": scripts})));
        }
        let told = commands
            .into_iter()
            .map(|(method, params)| told(connection, session, method, params));
        futures_util::future::join_all(told).await;
    }
}

async fn ask_in_time(connection: Connection, paused: Event, gate: Option<Gate>) {
    if let (Some(gate), Some(url)) = (gate, paused.params["request"]["url"].as_str()) {
        gate.may_ask(url).await;
    }
    let request = json!({"requestId": paused.params["requestId"]});
    let session = paused.session.as_deref();
    // Its page may have gone meanwhile, and the request with it.
    if let Err(error) = connection.call(session, "Fetch.continueRequest", request).await {
        tracing::debug!(%error, "a request that waited is gone");
    }
}

const SET_SIZE: &str = "Emulation.setDeviceMetricsOverride";

/// A window that closes while it is set up, an old build that does not know a command and a renderer that takes a
/// locale only once (for all its windows) are no reason to give the window up; the log says so.
async fn told(connection: &Connection, session: &str, method: &'static str, params: serde_json::Value) {
    if let Err(error) = connection.call(Some(session), method, params).await {
        tracing::debug!(%error, "a part of setting up a window was refused");
    }
}

pub(super) fn metrics(viewport: Viewport) -> serde_json::Value {
    json!({
        "width": viewport.width,
        "height": viewport.height,
        "screenWidth": viewport.width,
        "screenHeight": viewport.height,
        "deviceScaleFactor": 1,
        "mobile": false,
    })
}
