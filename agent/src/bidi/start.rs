//! The command line of Firefox, and the first conversation with it.

use super::connection::Connection;
use super::driver::Driver;
use super::preferences::user_js;
use crate::browser::{Browser, DriverError};
use crate::find::Installed;
use crate::launch::environment::{Home, variables};
use crate::launch::kept::Kept;
use crate::launch::process::Process;
use crate::launch::{LaunchError, LaunchOptions};
use serde_json::json;
use std::ffi::OsString;
use xcheck_trace::manifest::BrowserInfo;

pub(crate) async fn launch(browser: &Installed, options: &LaunchOptions) -> Result<Box<dyn Browser>, LaunchError> {
    let home = Home::make()?;
    let mut environment = variables(&home, options)?;
    environment.push(("MOZ_CRASHREPORTER_DISABLE", Some("1".into())));
    // Without it a release goes by the settings server it came with, whatever its preferences say, and first stores what
    // it brought of that: lists of certificates, search engines and sites, a quarter of a start.
    environment.push(("MOZ_REMOTE_SETTINGS_DEVTOOLS", Some("1".into())));
    environment.push(("MOZ_HEADLESS_WIDTH", Some(options.viewport.width.to_string().into())));
    environment.push(("MOZ_HEADLESS_HEIGHT", Some(options.viewport.height.to_string().into())));
    let kept = Kept::give(browser, options, &home, COMPILED);
    let preferences = user_js(options, home.path(), &browser.preferences);
    std::fs::write(home.profile().join("user.js"), preferences).map_err(LaunchError::Folder)?;
    let mut arguments: Vec<OsString> = ["--no-remote", "--new-instance", "--remote-debugging-port", "0"]
        .iter()
        .map(OsString::from)
        .collect();
    if options.headless {
        arguments.push("--headless".into());
    } else {
        arguments.extend(window(options).into_iter().map(OsString::from));
    }
    arguments.push("--profile".into());
    arguments.push(home.profile().into_os_string());
    arguments.extend(browser.arguments.iter().map(OsString::from));
    arguments.push("about:blank".into());
    let listens = |line: &str| {
        line.split_once("WebDriver BiDi listening on ")
            .map(|(_, address)| format!("{address}/session"))
    };
    let (process, address) =
        Process::listening(browser, arguments, environment, home, options.start_deadline(), listens).await?;
    let driver = set_up(browser, options, process, kept, &address).await?;
    Ok(Box::new(driver))
}

/// Firefox's own scripts and windows, and which Firefox they are of: it throws away what is of another.
const COMPILED: &[&str] = &["profile/startupCache", "profile/compatibility.ini"];

/// The window has to be made for the viewport: one that is larger only shows more of nothing.
fn window(options: &LaunchOptions) -> Vec<String> {
    let mut sides = vec![
        ("width", options.viewport.width),
        ("height", options.viewport.height + TOOL_BARS),
    ];
    if let Some([left, top]) = options.corner {
        sides.extend([("left", left), ("top", top)]);
    }
    sides
        .into_iter()
        .flat_map(|(name, pixels)| [format!("--{name}"), pixels.to_string()])
        .collect()
}

/// Above the page, in pixels: tabs, and the address.
const TOOL_BARS: u32 = 86;

async fn set_up(
    browser: &Installed,
    options: &LaunchOptions,
    process: Process,
    kept: Option<Kept>,
    address: &str,
) -> Result<Driver, DriverError> {
    let (connection, events) = Connection::open(address, options.deadline).await?;
    // While a person looks on, dialogs are hers to answer.
    let prompts = if options.headless { "accept" } else { "ignore" };
    let wanted = json!({
        // All there is to accept is our proxy's certificates: it verifies what is behind it.
        "acceptInsecureCerts": options.authority.is_some(),
        "unhandledPromptBehavior": {"default": prompts, "beforeUnload": prompts},
    });
    let session = connection
        .call("session.new", json!({"capabilities": {"alwaysMatch": wanted}}))
        .await?;
    let stated = &session["capabilities"];
    let text = |name: &str| stated[name].as_str().unwrap_or_default().to_owned();
    let info = BrowserInfo {
        name: browser.name.clone(),
        engine: browser.engine,
        version: text("browserVersion"),
        user_agent: text("userAgent"),
    };
    Driver::new(info, process, kept, connection, events, options).await
}
