//! The command line of Chromium, and the first conversation with it.

use super::connection::Connection;
use super::driver::Driver;
use super::preferences;
use super::targets::Targets;
use crate::browser::{Browser, DriverError};
use crate::find::Installed;
use crate::launch::environment::{Home, variables};
use crate::launch::process::Process;
use crate::launch::switches;
use crate::launch::{Downloads, LaunchError, LaunchOptions, MovingPictures, Painting, Peers};
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;
use xcheck_trace::manifest::BrowserInfo;

pub(crate) async fn launch(browser: &Installed, options: &LaunchOptions) -> Result<Box<dyn Browser>, LaunchError> {
    let home = Home::make()?;
    let environment = variables(&home, options)?;
    preferences::write(&home.profile(), &browser.preferences).map_err(LaunchError::Folder)?;
    let arguments = arguments(browser, options, &home.profile());
    let listens = |line: &str| line.strip_prefix("DevTools listening on ").map(str::to_owned);
    let (process, address) =
        Process::listening(browser, arguments, environment, home, options.start_deadline(), listens).await?;
    let driver = set_up(browser, options, process, &address).await?;
    Ok(Box::new(driver))
}

async fn set_up(
    browser: &Installed,
    options: &LaunchOptions,
    process: Process,
    address: &str,
) -> Result<Driver, DriverError> {
    let (connection, events) = Connection::open(address, options.deadline).await?;
    let stated = connection.call(None, "Browser.getVersion", json!({})).await?;
    let text = |name: &str| stated[name].as_str().unwrap_or_default().to_owned();
    let info = BrowserInfo {
        name: browser.name.clone(),
        engine: browser.engine,
        version: text("product").rsplit('/').next().unwrap_or_default().to_owned(),
        user_agent: text("userAgent"),
    };
    if options.downloads == Downloads::Denied {
        connection
            .call(None, "Browser.setDownloadBehavior", json!({"behavior": "deny"}))
            .await?;
    }
    let targets = Targets::follow(connection.clone(), events, options).await?;
    Driver::new(info, process, connection, targets, options).await
}

fn arguments(browser: &Installed, options: &LaunchOptions, profile: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    let mut add = |argument: String| arguments.push(argument.into());
    add(format!("--disable-features={DISABLED_FEATURES}"));
    if options.headless {
        add("--headless".to_owned());
    }
    if is_root() {
        // Chromium refuses to start as root with its sandbox.
        add("--no-sandbox".to_owned());
    }
    // With tool bars it is too large; the exact viewport is set per window.
    add(format!(
        "--window-size={},{}",
        options.viewport.width, options.viewport.height
    ));
    if let Some([left, top]) = options.corner {
        add(format!("--window-position={left},{top}"));
    }
    if let Some(language) = options.languages.first() {
        add(format!("--lang={language}"));
        add(format!("--accept-lang={}", options.languages.join(",")));
    }
    if let Some(proxy) = options.proxy {
        add(format!("--proxy-server={proxy}"));
        add("--proxy-bypass-list=<-loopback>".to_owned());
    }
    if options.peers == Peers::Unreachable {
        // The first is the name that older versions know.
        for switch in ["force-webrtc-ip-handling-policy", "webrtc-ip-handling-policy"] {
            add(format!("--{switch}=disable_non_proxied_udp"));
        }
    }
    if let Some(authority) = &options.authority {
        add(format!(
            "--ignore-certificate-errors-spki-list={}",
            authority.spki_sha256
        ));
        if major(&browser.version).is_some_and(|major| major < SPKI_LIST_IN_HEADLESS) && options.headless {
            add("--ignore-certificate-errors".to_owned());
        }
    }
    let mut user_data = OsString::from("--user-data-dir=");
    user_data.push(profile);
    arguments.push(user_data);
    if options.moving_pictures == MovingPictures::StandStill {
        switches::add(&mut arguments, &["--blink-settings=imageAnimationPolicy=2".to_owned()]);
    }
    if options.painting == Painting::Whole {
        switches::add(&mut arguments, &["--run-all-compositor-stages-before-draw".to_owned()]);
    }
    switches::add(&mut arguments, &browser.arguments);
    arguments.push("about:blank".into());
    arguments
}

/// Headless used to be an embedder of its own, which did not know the list of keys; it goes through our proxy only,
/// whose upstream connections are verified.
const SPKI_LIST_IN_HEADLESS: u32 = 112;

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(unix))]
    {
        false
    }
}

const ALWAYS: &[&str] = &[
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    // What it would say to the network, or do to the page, by itself.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disable-prompt-on-repost",
    "--metrics-recording-only",
    "--disable-popup-blocking",
    "--autoplay-policy=no-user-gesture-required",
    "--mute-audio",
    // A window that nobody looks at is a window like any other.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    // Frames of other sites stay in the page's process and session.
    "--disable-site-isolation-trials",
    // The same pixels every time, and glyphs that can be compared.
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--hide-scrollbars",
    // A pointer that hovers and is fine, as the other engines have it: a headless Chromium has none on a machine without.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    "--disable-partial-raster",
    "--disable-checker-imaging",
    "--disable-skia-runtime-opts",
    "--disable-threaded-animation",
    "--disable-threaded-scrolling",
    "--disable-smooth-scrolling",
];

/// The last three: what drops down below the address bar is a page of its own, which a start without a window makes ready, too,
/// at more than half of the processor time that the whole start takes.
const DISABLED_FEATURES: &str = "IsolateOrigins,site-per-process,Translate,OptimizationHints,MediaRouter,\
    DialMediaRouteProvider,AcceptCHFrame,AutofillServerCommunication,CertificateTransparencyComponentUpdater,\
    InterestFeedContentSuggestions,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,PaintHolding,\
    Prerender2,GlobalMediaControls,OverlayScrollbar,BackForwardCache,DestroyProfileOnBrowserClose,\
    WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup";
