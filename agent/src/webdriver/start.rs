//! Drivers, the display they need, and a session.

use super::client::Client;
use super::driver::{Driver, Local};
use crate::browser::{Browser, DriverError};
use crate::find::{self, Flavour, Installed};
use crate::launch::environment::{Home, variables};
use crate::launch::kept::Kept;
use crate::launch::process::{Process, Spec};
use crate::launch::{LaunchError, LaunchOptions, display, switches};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;
use xcheck_trace::manifest::BrowserInfo;

pub(crate) async fn launch(browser: &Installed, options: &LaunchOptions) -> Result<Box<dyn Browser>, LaunchError> {
    match &browser.driver {
        find::Driver::WebDriver { program, flavour } => local(browser, program, *flavour, options).await,
        find::Driver::Remote { url, browser_name } => remote(browser, url, browser_name, options).await,
        find::Driver::DevTools | find::Driver::BiDi | find::Driver::Agent(_) => Err(LaunchError::Unsupported(format!(
            "{} is not driven by WebDriver",
            browser.name
        ))),
    }
}

async fn local(
    browser: &Installed,
    program: &Path,
    flavour: Flavour,
    options: &LaunchOptions,
) -> Result<Box<dyn Browser>, LaunchError> {
    if flavour == Flavour::Safari && options.proxy.is_some() {
        return Err(LaunchError::Unsupported(
            "Safari has no proxy of its own: it follows the system's network settings, which are not ours to change. \
             Run an agent on that Mac with the system's proxy set to it"
                .to_owned(),
        ));
    }
    let home = Home::make()?;
    let mut environment = variables(&home, options)?;
    // Without these two, two starts paint the same page differently.
    environment.push(("WEBKIT_SKIA_CPU_PAINTING_THREADS", Some("0".into())));
    environment.push(("WEBKIT_SKIA_ENABLE_CPU_RENDERING", Some("1".into())));
    environment.push(("GDK_SCALE", Some("1".into())));
    environment.push(("GDK_BACKEND", Some("x11".into())));
    let screen = if flavour == Flavour::Gtk && options.headless {
        let screen = display::start(options.viewport, options.start_deadline()).await?;
        environment.push(("DISPLAY", Some(screen.name.clone().into())));
        environment.push(("WAYLAND_DISPLAY", None));
        Some(screen)
    } else {
        None
    };
    let settings = home.path().join("config").join("gtk-3.0");
    std::fs::create_dir(&settings).map_err(LaunchError::Folder)?;
    std::fs::write(settings.join("settings.ini"), GTK_SETTINGS).map_err(LaunchError::Folder)?;
    let kept = match flavour {
        Flavour::Safari => None,
        Flavour::Gtk | Flavour::Wpe => Kept::give(browser, options, &home, MEDIA),
    };
    environment.push(("GST_REGISTRY", Some(home.path().join(MEDIA[0]).into_os_string())));
    let port = free_port().map_err(LaunchError::Folder)?;
    let arguments = match flavour {
        Flavour::Safari => vec!["--port".into(), port.to_string().into()],
        Flavour::Gtk | Flavour::Wpe => vec![format!("--port={port}").into(), "--host=127.0.0.1".into()],
    };
    let process = Process::spawn(Spec {
        program,
        arguments,
        environment,
        folder: Some(home.hand_over()),
    })
    .map_err(|error| LaunchError::NotStarted {
        program: program.to_owned(),
        error,
    })?;
    let client = Client::new(&format!("127.0.0.1:{port}"), "", options.deadline);
    let ready = tokio::time::timeout(options.start_deadline(), listening(&client, &process)).await;
    if ready != Ok(true) {
        return Err(LaunchError::NotReady {
            name: browser.name.clone(),
            after: options.start_deadline(),
            stderr: process.last_lines(8),
        });
    }
    let wanted = capabilities(browser, flavour, options);
    let driver = session(browser, client, wanted, Some(Local { process, screen, kept }), options).await?;
    Ok(Box::new(driver))
}

/// What GStreamer found out of its plugins, for which it starts each of them.
const MEDIA: &[&str] = &["cache/gstreamer-registry"];

async fn remote(
    browser: &Installed,
    url: &str,
    browser_name: &str,
    options: &LaunchOptions,
) -> Result<Box<dyn Browser>, LaunchError> {
    let authority = url.trim_start_matches("http://");
    let client = Client::new(authority, "", options.deadline);
    let mut wanted = json!({
        "browserName": browser_name,
        "pageLoadStrategy": "none",
        "acceptInsecureCerts": options.authority.is_some(),
        "unhandledPromptBehavior": "accept",
    });
    if let Some(proxy) = options.proxy {
        let address = proxy.to_string();
        wanted["proxy"] = json!({"proxyType": "manual", "httpProxy": address, "sslProxy": address});
    }
    let driver = session(browser, client, wanted, None, options).await?;
    Ok(Box::new(driver))
}

fn capabilities(browser: &Installed, flavour: Flavour, options: &LaunchOptions) -> Value {
    // While a person looks on, dialogs are hers to answer.
    let prompts = if options.headless { "accept" } else { "ignore" };
    let mut wanted = json!({"pageLoadStrategy": "none", "unhandledPromptBehavior": prompts});
    let (name, headless) = match flavour {
        Flavour::Gtk => ("webkitgtk:browserOptions", false),
        Flavour::Wpe => ("wpe:browserOptions", true),
        Flavour::Safari => {
            wanted["browserName"] = json!("safari");
            wanted["acceptInsecureCerts"] = json!(options.authority.is_some());
            return wanted;
        }
    };
    let mut arguments = vec!["--automation".to_owned()];
    if headless {
        arguments.push("--headless".to_owned());
    }
    // As arguments: with the W3C capabilities for proxy and certificates, no certificate of ours is taken through
    // CONNECT ("Unacceptable TLS certificate").
    if options.authority.is_some() {
        arguments.push("--ignore-tls-errors".to_owned());
    }
    if let Some(proxy) = options.proxy {
        arguments.push(format!("--proxy=http://{proxy}"));
    }
    // Where a page names no font, WebKitGTK takes the desktop's; all other engines, Safari among them, take a serif one.
    if flavour == Flavour::Gtk {
        arguments.push("--default-font-family=serif".to_owned());
        // As in the other engines: what a key scrolls has arrived when it is looked at.
        arguments.push("--enable-smooth-scrolling=false".to_owned());
        // Scroll bars are shown over what scrolls for a second or two; with this they stay, so that pictures are the same.
        if knows_features(&browser.version) {
            arguments.push("--features=MockScrollbarsController".to_owned());
        }
    }
    switches::add(&mut arguments, &browser.arguments);
    wanted[name] = json!({"binary": browser.binary, "args": arguments});
    wanted
}

/// Since 2.42; before, an unknown option is an error.
fn knows_features(version: &str) -> bool {
    release(version) >= (Some(2), Some(42))
}

pub(super) fn release(version: &str) -> (Option<u32>, Option<u32>) {
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next())
}

async fn session(
    browser: &Installed,
    client: Client,
    wanted: Value,
    local: Option<Local>,
    options: &LaunchOptions,
) -> Result<Driver, DriverError> {
    let said = |error: DriverError| match (&local, error) {
        (Some(Local { process, .. }), DriverError::Gone { what, .. }) => DriverError::Gone {
            what,
            stderr: process.last_lines(8),
        },
        (_, other) => other,
    };
    let body = json!({"capabilities": {"alwaysMatch": wanted}});
    let answer = client.post("/session", body).await.map_err(said)?;
    let id = answer["sessionId"].as_str().ok_or_else(|| DriverError::Answer {
        what: "new session".to_owned(),
        message: format!("no session in {answer}"),
    })?;
    let version = answer["capabilities"]["browserVersion"].as_str().unwrap_or_default();
    let info = BrowserInfo {
        name: browser.name.clone(),
        engine: browser.engine,
        version: version.to_owned(),
        user_agent: String::new(),
    };
    Driver::new(info, client.in_session(id), local, options).await
}

/// The drivers take a port but do not choose one. Between our letting go and their taking it, somebody else could;
/// then the driver ends and says so.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The drivers do not say when they listen, so they are asked until they answer or end.
async fn listening(client: &Client, process: &Process) -> bool {
    let ended = process.ended();
    while !*ended.borrow() {
        if client.get("/status").await.is_ok() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// The caret does not blink. Animations stay on: pages would be told that a person wants less motion.
const GTK_SETTINGS: &str = "[Settings]
gtk-cursor-blink=0
gtk-enable-animations=1
gtk-overlay-scrolling=1
gtk-xft-antialias=1
gtk-xft-hinting=0
gtk-xft-hintstyle=hintnone
gtk-xft-rgba=none
gtk-xft-dpi=98304
gtk-font-name=Liberation Sans 10
";
