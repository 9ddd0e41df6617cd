//! [`Browser`] over the protocol.

use super::clicks::Clicks;
use super::client::Client;
use super::forgotten::{forgets, unless_forgotten};
use super::picture::{NoPicture, stays_dark, whole_page};
use crate::actions::{actions, can_press};
use crate::answers;
use crate::browser::{Browser, DriverError, History, Input, WindowId};
use crate::launch::kept::Kept;
use crate::launch::process::Process;
use crate::launch::{LaunchOptions, display::Screen};
use async_trait::async_trait;
use image::RgbaImage;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use xcheck_trace::manifest::{BrowserInfo, Engine, Viewport};

/// A driver that was started here, with its browser.
pub(super) struct Local {
    pub(super) process: Process,
    /// Ends after what it shows.
    pub(super) screen: Option<Screen>,
    pub(super) kept: Option<Kept>,
}

pub(super) struct Driver {
    info: BrowserInfo,
    client: Client,
    /// Absent for a remote end.
    local: Option<Local>,
    windows: Vec<String>,
    current: String,
    viewport: Viewport,
    deadline: Duration,
    clicks: Clicks,
    /// How far the wheel has been turned in all.
    turned: [f64; 2],
    /// In the last picture.
    seen: Option<RgbaImage>,
}

/// A window that is asked for a size that the page already has, unknown to it, does not change: it is measured again.
const HEARD_WITHIN: Duration = Duration::from_secs(2);

/// A page that begins with its opener's size, or with the one wanted by chance, may be about to hear of its own.
const STILL: usize = 3;

impl Driver {
    pub(super) async fn new(
        info: BrowserInfo,
        client: Client,
        local: Option<Local>,
        options: &LaunchOptions,
    ) -> Result<Driver, DriverError> {
        let first = client.get("/window").await?;
        let current = first.as_str().unwrap_or_default().to_owned();
        let mut driver = Driver {
            info,
            client,
            local,
            windows: vec![current.clone()],
            current,
            viewport: options.viewport,
            deadline: options.deadline,
            clicks: Clicks::default(),
            turned: [0.0; 2],
            seen: None,
        };
        let timeouts = json!({"script": options.deadline.as_millis() as u64});
        driver.post("/timeouts", timeouts).await?;
        driver.set_viewport(options.viewport).await?;
        if let Some([left, top]) = options.corner {
            driver.post("/window/rect", json!({"x": left, "y": top})).await?;
        }
        if options.headless {
            driver.wait_for_activity().await?;
        }
        let agent = driver.evaluate("navigator.userAgent").await?;
        driver.info.user_agent = agent.as_str().unwrap_or_default().to_owned();
        Ok(driver)
    }

    /// The display tells the window some time after it is there that it is the active one, and WebKit paints focus and
    /// controls differently until then, although `document.hasFocus()` is true from the start. On a person's display, which
    /// window is active is up to the person, and without a window manager only one ever is.
    async fn wait_for_activity(&mut self) -> Result<(), DriverError> {
        if self.info.engine != Engine::WebKit || self.local.is_none() {
            return Ok(());
        }
        let deadline = self.deadline;
        let active = async {
            while self
                .evaluate("document.documentElement.matches(':window-inactive')")
                .await?
                == true
            {}
            Ok(())
        };
        tokio::time::timeout(deadline, active).await.unwrap_or_else(|_| {
            Err(DriverError::Deadline {
                what: "become the active window".to_owned(),
                after: deadline,
            })
        })
    }

    /// What the window has around the page is measured, not known.
    ///
    /// The page hears of a new size some time after the window has it. Whoever asks again before that adds the difference
    /// a second time, and that size comes later, when the page is thought to have the one that was wanted: so each
    /// asking is heard before the next one.
    async fn fit(&mut self, viewport: Viewport) -> Result<(), DriverError> {
        let wanted = [viewport.width as i64, viewport.height as i64];
        let mut seen = self.size_of_page().await?;
        loop {
            if seen == wanted && self.is_still(wanted).await? {
                return Ok(());
            }
            seen = self.size_of_page().await?;
            if seen == wanted {
                continue;
            }
            let rect = self.get("/window/rect").await?;
            let side = |name: &str| answers::number(&rect, name, "/window/rect").map(|side| side as i64);
            let window = [
                side("width")? + wanted[0] - seen[0],
                side("height")? + wanted[1] - seen[1],
            ];
            // The page of a popup may still have the size of its opener, larger than its own window.
            if window.iter().all(|side| *side > 0) {
                let size = json!({"width": window[0], "height": window[1]});
                self.post("/window/rect", size).await?;
            }
            let asked = Instant::now();
            let before = seen;
            while seen == before && asked.elapsed() < HEARD_WITHIN {
                seen = self.size_of_page().await?;
            }
        }
    }

    async fn is_still(&mut self, size: [i64; 2]) -> Result<bool, DriverError> {
        for _ in 0..STILL {
            if self.size_of_page().await? != size {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By a size of one line more for a moment.
    async fn paint_anew(&mut self) -> Result<(), DriverError> {
        let taller = Viewport {
            height: self.viewport.height + 1,
            ..self.viewport
        };
        self.fit(taller).await?;
        self.fit(self.viewport).await
    }

    async fn size_of_page(&mut self) -> Result<[i64; 2], DriverError> {
        let seen = loop {
            match self.evaluate("[innerWidth, innerHeight]").await {
                // The document that a popup begins with has made way for its own, which is as large.
                Err(DriverError::Interrupted { .. }) if self.handles().await?.contains(&self.current) => {}
                seen => break seen?,
            }
        };
        serde_json::from_value(seen).map_err(|error| answers::senseless("size of the viewport", error.to_string()))
    }

    async fn handles(&self) -> Result<Vec<String>, DriverError> {
        let handles = self.get("/window/handles").await?;
        serde_json::from_value(handles).map_err(|error| DriverError::Answer {
            what: "window handles".to_owned(),
            message: error.to_string(),
        })
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value, DriverError> {
        self.client
            .post(path, body)
            .await
            .map_err(|error| self.with_last_words(error))
    }

    async fn script(&self, expression: &str) -> Result<Value, DriverError> {
        let script = format!("return ({expression}\n);");
        self.post("/execute/sync", json!({"script": script, "args": []})).await
    }

    async fn get(&self, path: &str) -> Result<Value, DriverError> {
        self.client.get(path).await.map_err(|error| self.with_last_words(error))
    }

    fn with_last_words(&self, error: DriverError) -> DriverError {
        match (error, &self.local) {
            (DriverError::Gone { what, .. }, Some(Local { process, .. })) => DriverError::Gone {
                what,
                stderr: process.last_lines(8),
            },
            (DriverError::Deadline { what, .. }, _) => DriverError::Deadline {
                what,
                after: self.deadline,
            },
            (other, _) => other,
        }
    }

    /// WebKit's driver takes the deltas for how far the wheel stands from its beginning, and gives the page what that is
    /// more than the time before: the same turn twice is none.
    fn turn_wheel(&mut self, (x, y): (f64, f64), (dx, dy): (f64, f64)) -> Input {
        self.turned[0] += dx.round();
        self.turned[1] += dy.round();
        let [dx, dy] = self.turned;
        Input::Wheel { x, y, dx, dy }
    }

    async fn give(&mut self, batch: &mut Vec<Input>, notes: &mut Vec<String>) -> Result<(), DriverError> {
        if batch.is_empty() {
            return Ok(());
        }
        match self.post("/actions", json!({"actions": actions(batch)})).await {
            Ok(_) => {}
            // The page closed or went elsewhere because of it: it was given.
            Err(DriverError::Interrupted { .. }) => notes.push("the window went away during the input".to_owned()),
            Err(error) => return Err(error),
        }
        self.clicks.gave(batch);
        batch.clear();
        Ok(())
    }
}

#[async_trait]
impl Browser for Driver {
    fn info(&self) -> &BrowserInfo {
        &self.info
    }

    async fn navigate(&mut self, url: &str) -> Result<(), DriverError> {
        self.post("/url", json!({"url": url})).await.map(|_| ())
    }

    async fn evaluate(&mut self, expression: &str) -> Result<Value, DriverError> {
        let answer = self.script(expression);
        if forgets(&self.info) {
            return unless_forgotten(answer, self.script("1")).await;
        }
        answer.await
    }

    async fn perform(&mut self, inputs: &[Input]) -> Result<Vec<String>, DriverError> {
        let mut notes = Vec::new();
        let mut batch = Vec::new();
        for input in inputs {
            match input {
                Input::KeyDown { key, code } | Input::KeyUp { key, code } if !can_press(key, code) => {
                    notes.push(format!("this driver cannot be given the key {key}"));
                    continue;
                }
                Input::TouchStart { .. } | Input::TouchMove { .. } | Input::TouchEnd => {
                    notes.push("this driver has no touch input".to_owned());
                    continue;
                }
                Input::PointerDown { clicks: 0 | 1, .. } => {
                    self.give(&mut batch, &mut notes).await?;
                    self.clicks.may_press().await;
                }
                Input::Wheel { x, y, dx, dy } if self.info.engine == Engine::WebKit => {
                    batch.push(self.turn_wheel((*x, *y), (*dx, *dy)));
                    continue;
                }
                _ => {}
            }
            batch.push(input.clone());
        }
        self.give(&mut batch, &mut notes).await?;
        Ok(notes)
    }

    async fn screenshot(&mut self) -> Result<Vec<u8>, DriverError> {
        let taken = match whole_page(&self.client, &mut self.seen).await {
            Err(NoPicture::Dark) => {
                self.paint_anew().await?;
                whole_page(&self.client, &mut self.seen).await
            }
            taken => taken,
        };
        taken.map_err(|no_picture| match no_picture {
            NoPicture::Driver(error) => self.with_last_words(error),
            NoPicture::Dark => stays_dark(),
        })
    }

    async fn history(&mut self, step: History) -> Result<(), DriverError> {
        let path = match step {
            History::Back => "/back",
            History::Forward => "/forward",
            History::Reload => "/refresh",
        };
        self.post(path, json!({})).await.map(|_| ())
    }

    async fn windows(&mut self) -> Result<Vec<WindowId>, DriverError> {
        let handles = self.handles().await?;
        self.windows.retain(|known| handles.contains(known));
        for handle in handles {
            if !self.windows.contains(&handle) {
                self.windows.push(handle.clone());
                let back_to = WindowId(self.current.clone());
                self.switch_window(&WindowId(handle)).await?;
                self.set_viewport(self.viewport).await?;
                self.switch_window(&back_to).await?;
            }
        }
        Ok(self.windows.iter().cloned().map(WindowId).collect())
    }

    async fn switch_window(&mut self, window: &WindowId) -> Result<(), DriverError> {
        if window.0 != self.current {
            self.post("/window", json!({"handle": window.0})).await?;
            self.current.clone_from(&window.0);
        }
        Ok(())
    }

    async fn close_window(&mut self) -> Result<(), DriverError> {
        let closed = self.client.delete("/window").await;
        closed.map_err(|error| self.with_last_words(error))?;
        self.windows.retain(|window| *window != self.current);
        Ok(())
    }

    async fn set_viewport(&mut self, viewport: Viewport) -> Result<(), DriverError> {
        let deadline = self.deadline;
        let fitted = tokio::time::timeout(deadline, self.fit(viewport)).await;
        fitted.unwrap_or_else(|_| {
            Err(DriverError::Unsupported(format!(
                "the window of {} cannot be made {} × {}; replay at a size that it has",
                self.info.name, viewport.width, viewport.height
            )))
        })
    }

    async fn gone(&mut self) {
        // The driver outlives its browser, so that its process says nothing, and nothing tells but asking.
        while self
            .get("/window/handles")
            .await
            .is_ok_and(|handles| handles != json!([]))
        {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    async fn close(self: Box<Self>) -> Result<(), DriverError> {
        let failed = |error: std::io::Error| DriverError::Refused {
            what: "close".to_owned(),
            message: error.to_string(),
        };
        match self.local {
            Some(Local { process, screen, kept }) => {
                if let Some(kept) = kept {
                    kept.take();
                }
                process.end().await.map_err(failed)?;
                match screen {
                    Some(screen) => screen.end().await.map_err(failed),
                    None => Ok(()),
                }
            }
            None => self.client.delete("").await.map(|_| ()),
        }
    }
}
