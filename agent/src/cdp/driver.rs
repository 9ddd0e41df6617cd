//! [`Browser`] over the protocol.

mod picture;

use super::connection::Connection;
use super::input::Hands;
use super::targets::{Targets, Window, metrics};
use crate::answers;
use crate::browser::{Browser, DriverError, History, Input, WindowId};
use crate::launch::process::Process;
use crate::launch::{Downloads, LaunchOptions};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_trace::manifest::{BrowserInfo, Viewport};

pub(super) struct Driver {
    info: BrowserInfo,
    process: Process,
    connection: Connection,
    targets: Targets,
    current: Window,
    /// The window that is as large as its page, and how large that is.
    enlarged: Option<(String, [f64; 2])>,
    hands: Hands,
    /// The browser context that the windows are in, where it is not the one the browser started with.
    context: Option<String>,
    downloads: Downloads,
    deadline: Duration,
}

/// How long a popup may take to be set up before it is passed over.
const SETTING_UP: Duration = Duration::from_secs(2);

impl Driver {
    pub(super) async fn new(
        info: BrowserInfo,
        process: Process,
        connection: Connection,
        targets: Targets,
        options: &LaunchOptions,
    ) -> Result<Driver, DriverError> {
        let deadline = options.deadline;
        let mut changes = targets.changes();
        let first = async {
            loop {
                if let Some(window) = targets.windows().first() {
                    return Some(window.clone());
                }
                changes.changed().await.ok()?;
            }
        };
        let what = || "first window".to_owned();
        let current = tokio::time::timeout(deadline, first)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what(),
                after: deadline,
            })?
            .ok_or_else(|| DriverError::Gone {
                what: what(),
                stderr: process.last_lines(8),
            })?;
        Ok(Driver {
            info,
            process,
            connection,
            targets,
            current,
            enlarged: None,
            hands: Hands::default(),
            context: None,
            downloads: options.downloads,
            deadline,
        })
    }

    async fn call(&self, method: &'static str, params: Value) -> Result<Value, DriverError> {
        let answer = self.connection.call(Some(&self.current.session), method, params).await;
        answer.map_err(|error| match error {
            DriverError::Gone { what, .. } => DriverError::Gone {
                what,
                stderr: self.process.last_lines(8),
            },
            other => other,
        })
    }

    /// Waits until a window is set up.
    async fn ready(&self, target: &str) -> Result<Window, DriverError> {
        let mut changes = self.targets.changes();
        let wait = async {
            loop {
                if let Some(window) = self.targets.window(target) {
                    return Some(window);
                }
                changes.changed().await.ok()?;
            }
        };
        let what = || "a window".to_owned();
        tokio::time::timeout(self.deadline, wait)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what(),
                after: self.deadline,
            })?
            .ok_or_else(|| DriverError::Gone {
                what: what(),
                stderr: self.process.last_lines(8),
            })
    }

    /// A navigation is answered when the response's headers are there, which the trace may hold back.
    async fn history_entry(&self, offset: i64) -> Result<Option<Value>, DriverError> {
        let what = "Page.getNavigationHistory";
        let history = self.call(what, json!({})).await?;
        let index = answers::number(&history, "currentIndex", what)? as i64 + offset;
        Ok(usize::try_from(index)
            .ok()
            .and_then(|index| history["entries"].get(index).cloned()))
    }
}

/// Layers are painted anew at it. With a power of two, pictures of canvases are not the same each time at the edges of tiles; with a fraction,
/// edges are not.
const OTHER_SCALE: f64 = 3.0;

#[async_trait]
impl Browser for Driver {
    fn info(&self) -> &BrowserInfo {
        &self.info
    }

    async fn navigate(&mut self, url: &str) -> Result<(), DriverError> {
        let answer = self.call("Page.navigate", json!({"url": url})).await?;
        match answer["errorText"].as_str() {
            // A download, or an answer without a document, is where the browser stays on purpose.
            None | Some("net::ERR_ABORTED") => Ok(()),
            Some(message) => Err(DriverError::Refused {
                what: format!("navigate to {url}"),
                message: message.to_owned(),
            }),
        }
    }

    async fn evaluate(&mut self, expression: &str) -> Result<Value, DriverError> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", params).await?;
        if let Some(details) = answer.get("exceptionDetails") {
            let thrown = details["exception"]["description"]
                .as_str()
                .or(details["text"].as_str());
            return Err(DriverError::Thrown(
                thrown.unwrap_or("something without a description").to_owned(),
            ));
        }
        Ok(answer["result"]["value"].take())
    }

    async fn perform(&mut self, inputs: &[Input]) -> Result<Vec<String>, DriverError> {
        let mut notes = Vec::new();
        let mut rest = inputs;
        while let [input, ..] = rest {
            // Chromium keeps a move until the next frame, and lets it go before a press: sent with the press behind it,
            // it costs no frame.
            let together = match rest {
                [Input::PointerMove { .. }, Input::PointerDown { .. }, ..] => 2,
                _ => 1,
            };
            let (now, later) = rest.split_at(together);
            rest = later;
            let commands: Vec<_> = now.iter().map(|input| self.hands.command(input)).collect();
            let calls = commands.into_iter().map(|(method, params)| self.call(method, params));
            match futures_util::future::try_join_all(calls).await {
                Ok(_) => {}
                // The page closed or went elsewhere because of it: it was given.
                Err(DriverError::Interrupted { .. }) => {
                    notes.push(format!("the window went away during {input:?}"));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    async fn compose(&mut self, text: &str, done: bool) -> Result<(), DriverError> {
        let end = text.encode_utf16().count();
        let (method, params) = match done {
            true => ("Input.insertText", json!({"text": text})),
            false => (
                "Input.imeSetComposition",
                json!({"text": text, "selectionStart": end, "selectionEnd": end}),
            ),
        };
        self.call(method, params).await.map(|_| ())
    }

    async fn choose_files(&mut self, selector: &str, files: &[PathBuf]) -> Result<(), DriverError> {
        let found = self
            .call(
                "Runtime.evaluate",
                json!({"expression": format!("document.querySelector({})", json!(selector))}),
            )
            .await?;
        let params = json!({"files": files, "objectId": found["result"]["objectId"]});
        self.call("DOM.setFileInputFiles", params).await.map(|_| ())
    }

    /// At another scale, and back, all is, if the browser has seen it at both.
    async fn paint_anew(&mut self) -> Result<(), DriverError> {
        let scaled = |scale: f64| json!({"pageScaleFactor": scale});
        self.call("Emulation.setPageScaleFactor", scaled(OTHER_SCALE)).await?;
        let seen = self.corner().await;
        self.call("Emulation.setPageScaleFactor", scaled(1.0)).await?;
        seen
    }

    async fn screenshot(&mut self) -> Result<Vec<u8>, DriverError> {
        self.picture().await
    }

    async fn history(&mut self, step: History) -> Result<(), DriverError> {
        let offset = match step {
            History::Reload => return self.call("Page.reload", json!({})).await.map(|_| ()),
            History::Back => -1,
            History::Forward => 1,
        };
        let Some(entry) = self.history_entry(offset).await? else {
            return Err(DriverError::Refused {
                what: format!("{step:?}"),
                message: "the history has no such entry".to_owned(),
            });
        };
        self.call("Page.navigateToHistoryEntry", json!({"entryId": entry["id"]}))
            .await
            .map(|_| ())
    }

    async fn windows(&mut self) -> Result<Vec<WindowId>, DriverError> {
        self.targets.set_up(SETTING_UP).await;
        Ok(self
            .targets
            .windows()
            .into_iter()
            .map(|window| WindowId(window.target))
            .collect())
    }

    async fn switch_window(&mut self, window: &WindowId) -> Result<(), DriverError> {
        let found = self.targets.window(&window.0).ok_or_else(|| DriverError::Refused {
            what: "switch_window".to_owned(),
            message: "there is no such window any more".to_owned(),
        })?;
        if found.target != self.current.target {
            self.current = found;
            self.call("Page.bringToFront", json!({})).await?;
        }
        Ok(())
    }

    async fn close_window(&mut self) -> Result<(), DriverError> {
        let mut changes = self.targets.changes();
        let target = self.current.target.clone();
        self.connection
            .call(None, "Target.closeTarget", json!({"targetId": target}))
            .await?;
        while self.targets.window(&target).is_some() {
            if changes.changed().await.is_err() {
                break;
            }
        }
        Ok(())
    }

    async fn leave(&mut self) -> Result<(), DriverError> {
        self.targets.accept_dialogs();
        for window in self.targets.windows().iter().rev() {
            let blank = json!({"url": "about:blank"});
            self.connection
                .call(Some(&window.session), "Page.navigate", blank)
                .await?;
        }
        Ok(())
    }

    async fn start_over(&mut self, proxy: SocketAddr) -> Result<bool, DriverError> {
        let context =
            json!({"disposeOnDetach": true, "proxyServer": proxy.to_string(), "proxyBypassList": "<-loopback>"});
        let made = self
            .connection
            .call(None, "Target.createBrowserContext", context)
            .await?;
        let context = answers::text(&made, "browserContextId", "Target.createBrowserContext")?.to_owned();
        if self.downloads == Downloads::Denied {
            let deny = json!({"behavior": "deny", "browserContextId": context});
            self.connection.call(None, "Browser.setDownloadBehavior", deny).await?;
        }
        let before = self.targets.windows();
        let blank = json!({"url": "about:blank", "browserContextId": context});
        let made = self.connection.call(None, "Target.createTarget", blank).await?;
        let target = answers::text(&made, "targetId", "Target.createTarget")?;
        self.current = self.ready(target).await?;
        match self.context.replace(context) {
            Some(old) => {
                let old = json!({"browserContextId": old});
                self.connection.call(None, "Target.disposeBrowserContext", old).await?;
            }
            None => {
                for window in &before {
                    let close = json!({"targetId": window.target});
                    self.connection.call(None, "Target.closeTarget", close).await?;
                }
            }
        }
        let mut changes = self.targets.changes();
        let gone = async {
            while before
                .iter()
                .any(|window| self.targets.window(&window.target).is_some())
            {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::time::timeout(self.deadline, gone)
            .await
            .map_err(|_| DriverError::Deadline {
                what: "closing the windows".to_owned(),
                after: self.deadline,
            })?;
        self.hands = Hands::default();
        Ok(true)
    }

    async fn set_viewport(&mut self, viewport: Viewport) -> Result<(), DriverError> {
        // What can be seen of the window is as large as the viewport again.
        self.enlarged = None;
        self.call("Emulation.setDeviceMetricsOverride", metrics(viewport))
            .await
            .map(|_| ())
    }

    async fn gone(&mut self) {
        let mut ended = self.process.ended();
        // The sender lives as long as the guard's output is read; without it the browser is gone as well.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    async fn close(self: Box<Self>) -> Result<(), DriverError> {
        self.process.end().await.map_err(|error| DriverError::Refused {
            what: "close".to_owned(),
            message: error.to_string(),
        })
    }
}
