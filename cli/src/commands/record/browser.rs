//! `record URL`: a browser with a fresh profile, until its person closes it.

use super::setup::Setup;
use crate::exit::{Exit, Failure};
use crate::terminal;
use anyhow::{Context, anyhow};
use url::Url;

pub(super) async fn record(setup: Setup, url: &Url) -> Result<Exit, Failure> {
    let installed = setup
        .browser
        .clone()
        .ok_or_else(|| anyhow!("no browser was looked for"))?;
    let mut recording = setup.start().await?;
    let launched = tokio::select! {
        launched = xcheck_agent::launch(&installed, &recording.launch) => launched,
        () = recording.signals.stop() => {
            recording.give_up().await;
            return Err(anyhow!("stopped before {} was there", installed.name).into());
        }
    };
    let mut browser = match launched {
        Ok(browser) => browser,
        Err(error) => {
            recording.give_up().await;
            return Err(anyhow::Error::new(error)
                .context(format!("{} could not be started", installed.name))
                .into());
        }
    };
    let info = browser.info().clone();
    let how_to_end = match recording.launch.headless {
        true => "Press Ctrl-C to finish.",
        false => "Close it, or press Ctrl-C, to finish.",
    };
    terminal::say(format!(
        "Recording {url} in {} {}. {how_to_end}",
        info.name, info.version
    ));
    let kept = recording
        .trace
        .update_manifest(|manifest| manifest.browser = Some(info));
    let mut trouble = kept.err().map(anyhow::Error::from);
    tokio::select! {
        navigated = browser.navigate(url.as_str()) => {
            // The page that could not be reached shows the proxy's own words; the person may go elsewhere.
            if let Err(error) = navigated {
                terminal::warn(format!("{url}: {error}"));
            }
            tokio::select! {
                () = browser.gone() => {}
                () = recording.signals.stop() => {}
            }
        }
        () = recording.signals.stop() => {}
    }
    recording.hear_last_words(&mut *browser).await;
    if let Err(error) = browser.close().await.context("the browser did not end as it should") {
        trouble.get_or_insert(error);
    }
    let exit = recording.finish().await?;
    match trouble {
        Some(error) => Err(error.into()),
        None => Ok(exit),
    }
}
