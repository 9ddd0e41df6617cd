//! Every engine, started and driven for real. One that is not installed fails the test and says how to get it.

mod driving;
mod ending;
mod kept;
mod likeness;
mod live;
mod replaying;
mod site;

use site::Site;
use std::time::Duration;
use xcheck_agent::{Browser, DriverError, LaunchOptions, find, launch};

pub(crate) const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// Two cores and several engines at once: generous, because no test measures time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn options() -> LaunchOptions {
    LaunchOptions {
        deadline: PATIENCE,
        ..LaunchOptions::default()
    }
}

pub(crate) async fn start(name: &str, options: &LaunchOptions) -> Box<dyn Browser> {
    let installed = find(name, &[]).unwrap_or_else(|missing| panic!("{missing}"));
    launch(&installed, options)
        .await
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Waits until the expression is true, through navigations and while the document is still being made. WebKit never
/// answers what it was asked while the page it was put to goes away, so a question that stays open is put again.
pub(crate) async fn until(browser: &mut dyn Browser, expression: &str) {
    let wait = async {
        loop {
            let question = format!("!!({expression})");
            match tokio::time::timeout(PATIENCE / 6, browser.evaluate(&question)).await {
                Ok(Ok(value)) if value == true => return,
                Err(_) | Ok(Ok(_) | Err(DriverError::Interrupted { .. } | DriverError::Thrown(_))) => {}
                Ok(Err(error)) => panic!("{expression}: {error}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait)
        .await
        .unwrap_or_else(|_| panic!("`{expression}` never came true"));
}

pub(crate) async fn open(browser: &mut dyn Browser, site: &Site, path: &str) {
    browser.navigate(&site.url(path)).await.unwrap();
    until(
        browser,
        &format!("location.pathname === '{path}' && document.readyState === 'complete'"),
    )
    .await;
}
