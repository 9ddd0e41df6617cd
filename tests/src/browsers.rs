//! Browsers for tests. One that is not installed fails the test by its name.

use anyhow::{Context, Result};
use std::time::Duration;
use xcheck_agent::{Browser, CustomBrowser, LaunchOptions, TrustedAuthority};
use xcheck_proxy::Proxy;

/// For one command to a browser: machines that test also build.
const PATIENCE: Duration = Duration::from_secs(60);

pub async fn start(name: &str, through: Option<&Proxy>) -> Result<Box<dyn Browser>> {
    start_with(name, through, LaunchOptions::default()).await
}

/// One of one's own.
pub async fn start_custom(browser: CustomBrowser, through: Option<&Proxy>) -> Result<Box<dyn Browser>> {
    let name = browser.name.clone();
    start_one_of(&[browser], &name, through, LaunchOptions::default()).await
}

/// The same, with options of one's own for all but the proxy and patience.
pub async fn start_with(name: &str, through: Option<&Proxy>, options: LaunchOptions) -> Result<Box<dyn Browser>> {
    start_one_of(&[], name, through, options).await
}

async fn start_one_of(
    custom: &[CustomBrowser],
    name: &str,
    through: Option<&Proxy>,
    options: LaunchOptions,
) -> Result<Box<dyn Browser>> {
    let installed = xcheck_agent::find(name, custom).with_context(|| format!("{name} is needed for this test"))?;
    let options = LaunchOptions {
        proxy: through.map(Proxy::address),
        authority: through.map(trusted),
        deadline: PATIENCE,
        ..options
    };
    xcheck_agent::launch(&installed, &options)
        .await
        .with_context(|| format!("starting {name}"))
}

fn trusted(proxy: &Proxy) -> TrustedAuthority {
    TrustedAuthority {
        spki_sha256: proxy.ca().spki_sha256(),
        pem: proxy.ca().certificate_path().to_owned(),
    }
}
