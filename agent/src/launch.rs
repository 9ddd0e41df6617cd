//! Starting a browser so that nothing but its engine tells it from the others: fresh profile, the given viewport at
//! device pixel ratio 1, one set of fonts, one locale and time zone, nothing that talks to the network by itself, and
//! everything through our proxy.

pub(crate) mod display;
pub(crate) mod environment;
pub mod fonts;
pub(crate) mod kept;
pub(crate) mod process;
pub(crate) mod switches;

use crate::browser::{Browser, DriverError, last_words};
use crate::find::{Driver, Installed};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_proxy::{AtOnce, Gate};
use xcheck_trace::manifest::Viewport;

#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// Without a window. Where an engine cannot do without one, it gets a display of its own.
    pub headless: bool,
    pub viewport: Viewport,
    /// Everything goes through it, loopback addresses too.
    pub proxy: Option<SocketAddr>,
    pub authority: Option<TrustedAuthority>,
    /// IANA name.
    pub time_zone: String,
    /// `navigator.languages`, most preferred first.
    pub languages: Vec<String>,
    pub service_workers: ServiceWorkers,
    /// Where the upper left corner of a window that is shown goes on the display, unless it is left to the display.
    pub corner: Option<[u32; 2]>,
    pub downloads: Downloads,
    pub peers: Peers,
    pub hovering: Hovering,
    pub moving_pictures: MovingPictures,
    pub painting: Painting,
    /// Where a browser can be told so; see `asks_at_once`.
    pub at_once: AtOnce,
    /// Where scripts are held back before they are asked for, in a browser that can do so.
    pub gate: Option<Gate>,
    /// Where is kept what a browser makes of its own files at its first start, so that the next ones, whose homes are as
    /// new, take half the time. `None`: nowhere.
    pub cache: Option<PathBuf>,
    /// For each command to the browser.
    pub deadline: Duration,
}

/// What a browser does that is told to ask for all: a replay holds responses back, and what is held keeps a connection that something
/// else may need to come first.
pub(crate) fn asks_at_once(driver: &Driver) -> AtOnce {
    match driver {
        Driver::BiDi => AtOnce::All,
        Driver::DevTools | Driver::WebDriver { .. } | Driver::Remote { .. } | Driver::Agent(_) => AtOnce::Six,
    }
}

/// What a browser needs until it listens on a machine that is busy: no page has a part in that.
const START: Duration = Duration::from_secs(30);

impl LaunchOptions {
    pub(crate) fn start_deadline(&self) -> Duration {
        self.deadline.max(START)
    }
}

impl Default for LaunchOptions {
    fn default() -> Self {
        LaunchOptions {
            headless: true,
            viewport: Viewport::default(),
            proxy: None,
            authority: None,
            time_zone: "UTC".to_owned(),
            languages: vec!["en-US".to_owned(), "en".to_owned()],
            service_workers: ServiceWorkers::Blocked,
            corner: None,
            downloads: Downloads::Denied,
            peers: Peers::Unreachable,
            hovering: Hovering::Follows,
            moving_pictures: MovingPictures::Move,
            painting: Painting::AsItComes,
            at_once: AtOnce::Six,
            gate: None,
            cache: kept::cache_folder(),
            deadline: START,
        }
    }
}

/// The proxy's certificate authority, in the forms in which browsers take it.
#[derive(Debug, Clone)]
pub struct TrustedAuthority {
    /// Base64 of the SHA-256 of its public key.
    pub spki_sha256: String,
    pub pem: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceWorkers {
    Allowed,
    /// Pages get their answers from the network, that is, from our proxy.
    Blocked,
}

/// When the browser finds out what lies below a pointer that rests while the page moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hovering {
    /// By itself, some frames later.
    Follows,
    /// When the pointer is given again, where an engine can be told so.
    WhenGiven,
}

/// Pictures with several frames that come in the page's own text. What the network brings is the proxy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovingPictures {
    Move,
    /// Only their first frame is shown, where an engine can be told so.
    StandStill,
}

/// What is shown of a page whose layers and tiles are not all painted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Painting {
    /// What has been painted by then.
    AsItComes,
    /// Nothing before all is painted, where an engine can be told so: a picture lacks nothing. Chromium then has no idle time now and
    /// then, for which a page that is not replayed may wait.
    Whole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Downloads {
    Allowed,
    Denied,
}

/// WebRTC does not ask a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peers {
    Reachable,
    /// The page's interface is there, and finds nobody.
    Unreachable,
}

#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("{program} could not be started: {error}")]
    NotStarted { program: PathBuf, error: std::io::Error },
    #[error("{name} ended, or did not say where it listens, within {} s{}", .after.as_secs(), last_words(.stderr))]
    NotReady {
        name: String,
        after: Duration,
        stderr: Vec<String>,
    },
    #[error(
        "there is no display for a window (DISPLAY and WAYLAND_DISPLAY are not set): run headless, or start a display, for example with `xvfb-run`"
    )]
    NoDisplay,
    #[error("its folder could not be prepared: {0}")]
    Folder(std::io::Error),
    #[error("it was started, but setting it up failed: {0}")]
    SetUp(#[from] DriverError),
    #[error("{0}")]
    Unsupported(String),
}

/// Returns when the first window shows `about:blank` in the right size.
pub async fn launch(browser: &Installed, options: &LaunchOptions) -> Result<Box<dyn Browser>, LaunchError> {
    if !options.headless && !has_display() {
        return Err(LaunchError::NoDisplay);
    }
    match &browser.driver {
        Driver::DevTools => crate::cdp::launch(browser, options).await,
        Driver::BiDi => crate::bidi::launch(browser, options).await,
        Driver::WebDriver { .. } | Driver::Remote { .. } => crate::webdriver::launch(browser, options).await,
        Driver::Agent(_) => Err(LaunchError::Unsupported(format!(
            "{} is behind an agent and can only replay",
            browser.name
        ))),
    }
}

fn has_display() -> bool {
    cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
