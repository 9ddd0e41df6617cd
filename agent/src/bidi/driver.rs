//! [`Browser`] over the protocol.

use super::connection::{Connection, Event};
use super::value::to_json;
use crate::actions::{actions, can_press};
use crate::answers;
use crate::browser::{Browser, DriverError, History, Input, WindowId};
use crate::launch::LaunchOptions;
use crate::launch::kept::Kept;
use crate::launch::process::Process;
use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use xcheck_trace::manifest::{BrowserInfo, Viewport};

pub(super) struct Driver {
    info: BrowserInfo,
    process: Process,
    kept: Option<Kept>,
    connection: Connection,
    /// Top-level contexts in order of appearance.
    windows: Arc<Mutex<Vec<String>>>,
    current: String,
    /// Firefox counts clicks by the clock, from presses it was given before.
    pressed: bool,
    at: Option<(f64, f64)>,
}

/// One that does not end in order in time is ended as always.
const QUITS_WITHIN: Duration = Duration::from_secs(10);

impl Driver {
    pub(super) async fn new(
        info: BrowserInfo,
        process: Process,
        kept: Option<Kept>,
        connection: Connection,
        events: mpsc::UnboundedReceiver<Event>,
        options: &LaunchOptions,
    ) -> Result<Driver, DriverError> {
        let viewport = json!({
            "viewport": {"width": options.viewport.width, "height": options.viewport.height},
            "devicePixelRatio": 1,
            "userContexts": ["default"],
        });
        connection.call("browsingContext.setViewport", viewport).await?;
        let tree = connection
            .call("browsingContext.getTree", json!({"maxDepth": 0}))
            .await?;
        // The tab that Firefox starts with never gets the focus, so that pages in it see neither focus events nor
        // `change`. One of our own does.
        let own = connection
            .call("browsingContext.create", json!({"type": "tab"}))
            .await?;
        let current = context_of(&own)?;
        for context in tree["contexts"].as_array().into_iter().flatten() {
            let context = json!({"context": context_of(context)?});
            connection.call("browsingContext.close", context).await?;
        }
        let windows: Arc<Mutex<Vec<String>>> = Arc::default();
        tokio::spawn(keep(windows.clone(), events));
        let wanted = json!({"events": ["browsingContext.contextCreated", "browsingContext.contextDestroyed"]});
        connection.call("session.subscribe", wanted).await?;
        let mut driver = Driver {
            info,
            process,
            kept,
            connection,
            windows,
            current,
            pressed: false,
            at: None,
        };
        driver.call("browsingContext.activate", json!({})).await?;
        driver.fit(options.viewport).await?;
        Ok(driver)
    }

    /// A tab that is made while Firefox lays its window out may stay a few pixels high, though it was told of its size before.
    async fn fit(&mut self, viewport: Viewport) -> Result<(), DriverError> {
        self.set_viewport(viewport).await?;
        let Viewport { width, height } = viewport;
        let fits = format!(
            "new Promise(fits => {{
                const look = () => {{
                    if (innerWidth === {width} && innerHeight === {height}) fits(true);
                }};
                addEventListener('resize', look);
                look();
            }})"
        );
        self.evaluate(&fits).await.map(|_| ())
    }

    /// With the current window as `context`.
    async fn call(&self, method: &'static str, mut params: Value) -> Result<Value, DriverError> {
        params["context"] = json!(self.current);
        let answer = self.connection.call(method, params).await;
        answer.map_err(|error| match error {
            DriverError::Gone { what, .. } => DriverError::Gone {
                what,
                stderr: self.process.last_lines(8),
            },
            other => other,
        })
    }

    /// Brings the current window to the front. Firefox answers when the document has told that it is visible; but the replayer
    /// keeps that from everybody where the page listens and its log does not have it. So the page is asked, too.
    async fn show(&self) -> Result<(), DriverError> {
        let target = json!({"context": self.current, "sandbox": "xcheck"});
        let asked = json!({"expression": SHOWN, "target": target, "awaitPromise": true, "resultOwnership": "none"});
        let shown = self.call("browsingContext.activate", json!({}));
        tokio::pin!(shown);
        tokio::select! {
            answer = &mut shown => answer.map(|_| ()),
            seen = self.call("script.evaluate", asked) => match seen {
                Ok(answer) if answer["type"] == "success" => Ok(()),
                // A page that goes away meanwhile says nothing.
                _ => shown.await.map(|_| ()),
            },
        }
    }

    /// Forgets earlier clicks, so that the next press is a first one.
    async fn forget_clicks(&mut self) -> Result<(), DriverError> {
        self.pressed = false;
        self.call("input.releaseActions", json!({})).await.map(|_| ())
    }
}

/// In a world of our own: the page's may have put something else in the place of its timers.
const SHOWN: &str = "new Promise((seen) => {
  const look = () => document.visibilityState === 'visible' && document.hasFocus() ? seen(true) : setTimeout(look, 10);
  look();
})";

/// Who is asked for a box has to know where it is; frames of other origins are left to their own.
const LAID_OUT: &str = "(function layOut(view) {
  try {
    view.document.documentElement?.getBoundingClientRect();
    for (let i = 0; i < view.length; i += 1) layOut(view[i]);
  } catch {}
})(window)";

#[async_trait]
impl Browser for Driver {
    fn info(&self) -> &BrowserInfo {
        &self.info
    }

    async fn navigate(&mut self, url: &str) -> Result<(), DriverError> {
        self.call("browsingContext.navigate", json!({"url": url, "wait": "none"}))
            .await
            .map(|_| ())
    }

    async fn evaluate(&mut self, expression: &str) -> Result<Value, DriverError> {
        let params = json!({
            "expression": expression,
            "target": {"context": self.current},
            "awaitPromise": true,
            "resultOwnership": "none",
        });
        let answer = self.connection.call("script.evaluate", params).await?;
        if answer["type"] == "exception" {
            let text = answer["exceptionDetails"]["text"].as_str();
            return Err(DriverError::Thrown(
                text.unwrap_or("something without a description").to_owned(),
            ));
        }
        to_json(&answer["result"]).map_err(|kind| DriverError::Answer {
            what: expression.to_owned(),
            message: format!("a {kind} is not JSON"),
        })
    }

    async fn perform(&mut self, inputs: &[Input]) -> Result<Vec<String>, DriverError> {
        let mut notes = Vec::new();
        let mut batch: Vec<Input> = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            if let Input::KeyDown { key, code } | Input::KeyUp { key, code } = input
                && !can_press(key, code)
            {
                notes.push(format!("Firefox cannot be given the key {key}"));
                continue;
            }
            if self.pressed && begins_click(&inputs[index..]) {
                self.flush(&mut batch, &mut notes).await?;
                self.forget_clicks().await?;
                // Letting go of everything also takes the pointer to the corner.
                if let (Input::PointerDown { .. }, Some((x, y))) = (input, self.at) {
                    batch.push(Input::PointerMove { x, y });
                }
            }
            match input {
                Input::PointerDown { .. } => self.pressed = true,
                // A move makes Firefox forget the click before, even where the pointer stays where it is.
                Input::PointerMove { x, y } if self.at == Some((*x, *y)) && clicks_again(&inputs[index + 1..]) => {
                    continue;
                }
                Input::PointerMove { x, y } => self.at = Some((*x, *y)),
                _ => {}
            }
            batch.push(input.clone());
        }
        self.flush(&mut batch, &mut notes).await?;
        Ok(notes)
    }

    async fn screenshot(&mut self) -> Result<Vec<u8>, DriverError> {
        let params = json!({"origin": "document", "format": {"type": "image/png"}});
        let answer = self.call("browsingContext.captureScreenshot", params).await?;
        answers::png(&answer["data"], "browsingContext.captureScreenshot")
    }

    async fn history(&mut self, step: History) -> Result<(), DriverError> {
        let (method, params) = match step {
            History::Back => ("browsingContext.traverseHistory", json!({"delta": -1})),
            History::Forward => ("browsingContext.traverseHistory", json!({"delta": 1})),
            History::Reload => ("browsingContext.reload", json!({"wait": "none"})),
        };
        self.call(method, params).await.map(|_| ())
    }

    async fn windows(&mut self) -> Result<Vec<WindowId>, DriverError> {
        Ok(self.windows.lock().unwrap().iter().cloned().map(WindowId).collect())
    }

    async fn switch_window(&mut self, window: &WindowId) -> Result<(), DriverError> {
        if window.0 != self.current {
            self.current.clone_from(&window.0);
            self.show().await?;
        }
        Ok(())
    }

    async fn close_window(&mut self) -> Result<(), DriverError> {
        self.call("browsingContext.close", json!({"promptUnload": false}))
            .await?;
        self.windows.lock().unwrap().retain(|window| *window != self.current);
        Ok(())
    }

    async fn set_viewport(&mut self, viewport: Viewport) -> Result<(), DriverError> {
        let params = json!({
            "viewport": {"width": viewport.width, "height": viewport.height},
            "devicePixelRatio": 1,
        });
        self.call("browsingContext.setViewport", params).await.map(|_| ())
    }

    async fn gone(&mut self) {
        let mut ended = self.process.ended();
        // The sender lives as long as the guard's output is read; without it the browser is gone as well.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    async fn close(self: Box<Self>) -> Result<(), DriverError> {
        if let Some(kept) = self.kept.as_ref().filter(|kept| !kept.is_there())
            && self.quits().await
        {
            kept.take();
        }
        self.process.end().await.map_err(|error| DriverError::Refused {
            what: "close".to_owned(),
            message: error.to_string(),
        })
    }
}

impl Driver {
    /// Has it end in order, which takes a second that is otherwise spared. Whether it did.
    async fn quits(&self) -> bool {
        let mut ended = self.process.ended();
        let quit = async {
            let asked = self.connection.call("browser.close", json!({})).await;
            asked.is_ok() && ended.wait_for(|ended| *ended).await.is_ok()
        };
        tokio::time::timeout(QUITS_WITHIN, quit).await.unwrap_or(false)
    }

    /// Firefox looks for what lies below the pointer in the layout as it last painted it: what the page has moved since would
    /// be met where it was.
    async fn lay_out(&self) -> Result<(), DriverError> {
        let target = json!({"context": self.current, "sandbox": "xcheck"});
        let asked = json!({"expression": LAID_OUT, "target": target, "awaitPromise": false, "resultOwnership": "none"});
        match self.call("script.evaluate", asked).await {
            Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => Err(error),
            // A page that is on its way out is laid out no more.
            _ => Ok(()),
        }
    }

    async fn flush(&mut self, batch: &mut Vec<Input>, notes: &mut Vec<String>) -> Result<(), DriverError> {
        if batch.is_empty() {
            return Ok(());
        }
        if batch
            .iter()
            .any(|input| !matches!(input, Input::KeyDown { .. } | Input::KeyUp { .. }))
        {
            self.lay_out().await?;
        }
        let given = self
            .call("input.performActions", json!({"actions": actions(batch)}))
            .await;
        match given {
            Ok(_) => {}
            // The page closed or went elsewhere because of it: it was given.
            Err(DriverError::Interrupted { .. }) => notes.push("the window went away during the input".to_owned()),
            Err(error) => return Err(error),
        }
        batch.clear();
        Ok(())
    }
}

/// A first press comes now or after the movement that begins here.
fn begins_click(rest: &[Input]) -> bool {
    let mut rest = rest
        .iter()
        .skip_while(|input| matches!(input, Input::PointerMove { .. }));
    matches!(rest.next(), Some(Input::PointerDown { clicks: 0 | 1, .. }))
}

/// The second press of a double click comes now.
fn clicks_again(rest: &[Input]) -> bool {
    matches!(rest.first(), Some(Input::PointerDown { clicks: 2.., .. }))
}

async fn keep(windows: Arc<Mutex<Vec<String>>>, mut events: mpsc::UnboundedReceiver<Event>) {
    while let Some(event) = events.recv().await {
        let Some(context) = event.params["context"].as_str() else {
            continue;
        };
        if !event.params["parent"].is_null() {
            continue;
        }
        let mut windows = windows.lock().unwrap();
        match event.method.as_str() {
            "browsingContext.contextCreated" if !windows.iter().any(|known| known == context) => {
                windows.push(context.to_owned());
            }
            "browsingContext.contextDestroyed" => windows.retain(|known| known != context),
            _ => {}
        }
    }
}

fn context_of(value: &Value) -> Result<String, DriverError> {
    value["context"]
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| DriverError::Answer {
            what: "browsing context".to_owned(),
            message: format!("{value} names none"),
        })
}
