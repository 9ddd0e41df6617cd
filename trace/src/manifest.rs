//! What a trace says about itself: which browser, which window, where it began.

use serde::{Deserialize, Serialize};

/// The format this build writes. A reader refuses a newer major version by name and accepts newer minor ones.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

/// `major.minor`, written as a string such as `"1.0"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Format {
    pub major: u32,
    pub minor: u32,
}

/// `manifest.json`. Written when the recording starts and again when it ends; `finished` tells the two apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: Format,
    /// The version of xcheck that recorded this.
    pub recorder: String,
    /// Absent when any client was recorded (`record -- COMMAND`, `record --listen`) until its first page told us.
    pub browser: Option<BrowserInfo>,
    pub viewport: Option<Viewport>,
    pub start_url: Option<String>,
    /// IANA name, such as `Europe/Paris`.
    pub time_zone: Option<String>,
    /// `navigator.languages`, most preferred first.
    pub languages: Vec<String>,
    /// Milliseconds since the epoch, wall time.
    pub started_at_ms: u64,
    pub finished_at_ms: Option<u64>,
    /// Service workers ran, and their part is in the exchanges.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub service_workers: bool,
    /// Names of the redaction rules that were in force, so that a reader knows that bodies may differ from the wire.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<String>,
}

impl Manifest {
    pub fn finished(&self) -> bool {
        self.finished_at_ms.is_some()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserInfo {
    /// The name people use on the command line: `chromium`, `firefox`, `webkit`, or one from `xcheck.toml`.
    pub name: String,
    pub engine: Engine,
    pub version: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub user_agent: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    Blink,
    Gecko,
    WebKit,
}

/// CSS pixels of the page's area, without the browser's own tool bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport {
            width: 1280,
            height: 720,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a format version such as `1.0`")]
pub struct NotAFormat(String);

impl TryFrom<String> for Format {
    type Error = NotAFormat;

    fn try_from(text: String) -> Result<Self, NotAFormat> {
        let parse = |part: &str| part.parse().ok();
        text.split_once('.')
            .and_then(|(major, minor)| {
                Some(Format {
                    major: parse(major)?,
                    minor: parse(minor)?,
                })
            })
            .ok_or(NotAFormat(text))
    }
}

impl From<Format> for String {
    fn from(format: Format) -> String {
        format.to_string()
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
