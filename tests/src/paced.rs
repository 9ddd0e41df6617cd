//! Sessions as a person would have them: with a pause after each thing that is done.

use crate::runner;
use crate::session::{Session, Step};
use anyhow::{Context, Result};
use std::time::Duration;
use xcheck_agent::Browser;

/// Between two things that a person does.
pub const PAUSE: Duration = Duration::from_secs(1);

/// How many things were done; steps that only wait are none.
pub async fn play(browser: &mut dyn Browser, origin: &str, session: &Session, pause: Duration) -> Result<usize> {
    let mut gestures = 0;
    for step in session.steps {
        runner::take(browser, origin, step)
            .await
            .with_context(|| format!("{step:?}"))?;
        if !matches!(step, Step::Until(_)) {
            gestures += 1;
            if !pause.is_zero() {
                // The person looks at what has come of it.
                tokio::time::sleep(pause).await;
            }
        }
    }
    Ok(gestures)
}
