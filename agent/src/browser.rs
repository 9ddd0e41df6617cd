//! What the rest of the program may ask of a browser: few things, the same in every engine.
//!
//! Everything a page does is decided by the replayer inside it, over the proxy. A driver only opens documents, gives
//! input that the browser takes for a person's, and takes pictures. So there are no elements, no waiting for loads and
//! no network here, and three protocols fit behind one trait without a lowest common denominator.

use async_trait::async_trait;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_trace::manifest::{BrowserInfo, Viewport};

/// A running browser with a fresh profile. Dropping it ends it; [`Browser::close`] also waits until nothing is left.
#[async_trait]
pub trait Browser: Send {
    /// With the version and user agent that the running browser stated.
    fn info(&self) -> &BrowserInfo;

    /// Returns when the navigation was accepted; the document's own script tells when it is there.
    async fn navigate(&mut self, url: &str) -> Result<(), DriverError>;

    /// In the top-level document of the current window. The value must be JSON, and no promise: one that is
    /// not settled yet cannot be told from a script that the browser forgot, as some do.
    async fn evaluate(&mut self, expression: &str) -> Result<serde_json::Value, DriverError>;

    /// Real input, in CSS pixels of the top-level viewport. Answers with notes on what could not be given.
    async fn perform(&mut self, inputs: &[Input]) -> Result<Vec<String>, DriverError>;

    /// What an input method does with the focused field: `text` stands there, and is taken over when it is `done`.
    async fn compose(&mut self, _text: &str, _done: bool) -> Result<(), DriverError> {
        Err(DriverError::Unsupported("this driver has no input method".to_owned()))
    }

    /// What a person chooses in the window that a file input opens.
    async fn choose_files(&mut self, _selector: &str, _files: &[PathBuf]) -> Result<(), DriverError> {
        Err(DriverError::Unsupported("this driver cannot choose files".to_owned()))
    }

    /// Has what is painted on layers of their own be painted as it stands now. How it stood when it was painted first, some engine keeps to.
    async fn paint_anew(&mut self) -> Result<(), DriverError> {
        Ok(())
    }

    /// PNG of the whole page, not only of the viewport.
    async fn screenshot(&mut self) -> Result<Vec<u8>, DriverError>;

    async fn history(&mut self, step: History) -> Result<(), DriverError>;

    /// In order of appearance, the first one being the window that the browser started with.
    async fn windows(&mut self) -> Result<Vec<WindowId>, DriverError>;

    async fn switch_window(&mut self, window: &WindowId) -> Result<(), DriverError>;

    /// Closes the current window; another one must be switched to afterwards.
    async fn close_window(&mut self) -> Result<(), DriverError>;

    /// Takes every window to `about:blank`, popups first, so that the pages' last words can be heard before the browser ends. Returns
    /// when that was accepted; the pages go a little later.
    async fn leave(&mut self) -> Result<(), DriverError> {
        for window in self.windows().await?.iter().rev() {
            self.switch_window(window).await?;
            self.navigate("about:blank").await?;
        }
        Ok(())
    }

    /// Closes all windows and begins again with one, as if the browser had just been started behind this proxy: no
    /// cookies, no storage, no cache. False where this engine has to be started anew for that.
    async fn start_over(&mut self, _proxy: SocketAddr) -> Result<bool, DriverError> {
        Ok(false)
    }

    /// Of the current window.
    async fn set_viewport(&mut self, viewport: Viewport) -> Result<(), DriverError>;

    /// Returns when the browser ended by itself: closed by a person, crashed, killed.
    async fn gone(&mut self);

    /// Ends the browser, and waits until no process and no profile is left.
    async fn close(self: Box<Self>) -> Result<(), DriverError>;
}

/// The driver's own name of a tab or popup.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WindowId(pub String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    Back,
    Forward,
    Reload,
}

/// One thing a hand does. Keys and buttons stay down until they are let go, also over several calls.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    PointerMove {
        x: f64,
        y: f64,
    },
    /// `clicks`: 2 for the second press of a double click. Replay is faster than people are, so engines that count by
    /// the clock have to be told that two presses belong to different clicks.
    PointerDown {
        button: PointerButton,
        clicks: u8,
    },
    PointerUp {
        button: PointerButton,
    },
    /// At a point, by an amount, in CSS pixels.
    Wheel {
        x: f64,
        y: f64,
        dx: f64,
        dy: f64,
    },
    /// `key` and `code` as in `KeyboardEvent`.
    KeyDown {
        key: String,
        code: String,
    },
    KeyUp {
        key: String,
        code: String,
    },
    TouchStart {
        x: f64,
        y: f64,
    },
    TouchMove {
        x: f64,
        y: f64,
    },
    TouchEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointerButton {
    Left,
    Middle,
    Right,
    Back,
    Forward,
}

impl PointerButton {
    /// As `MouseEvent.button` numbers them, and WebDriver after it.
    pub fn from_number(number: u64) -> Option<PointerButton> {
        use PointerButton::*;
        [Left, Middle, Right, Back, Forward].get(number as usize).copied()
    }

    pub fn number(self) -> u8 {
        self as u8
    }
}

#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    #[error("the browser did not answer `{what}` within {} s", .after.as_secs())]
    Deadline { what: String, after: Duration },
    #[error("the browser ended while it was asked for `{what}`{}", last_words(.stderr))]
    Gone { what: String, stderr: Vec<String> },
    #[error("the browser refused `{what}`: {message}")]
    Refused { what: String, message: String },
    /// The document went away before it answered.
    #[error("the document went away during `{what}`")]
    Interrupted { what: String },
    #[error("the page threw during an evaluation: {0}")]
    Thrown(String),
    #[error("the browser's answer to `{what}` makes no sense: {message}")]
    Answer { what: String, message: String },
    #[error("{0}")]
    Unsupported(String),
}

/// The end of what the browser wrote to its standard error, for the end of an error message.
pub(crate) fn last_words(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("; it last said:\n    {}", lines.join("\n    "))
}
