//! Sessions as a person would have them: with a pause after each thing that is done.

use crate::runner;
use crate::session::{Session, Step};
use anyhow::Result;
use std::time::Duration;
use xcheck_agent::Browser;

/// Between two things that a person does.
pub const PAUSE: Duration = Duration::from_secs(1);

/// How many things were done; steps that only wait are none.
pub async fn play(browser: &mut dyn Browser, origin: &str, session: &Session, pause: Duration) -> Result<usize> {
    let mut gestures = 0;
    for (number, step) in session.steps.iter().enumerate() {
        runner::take_of(browser, origin, session, number).await?;
        if !matches!(step, Step::Until(_)) {
            gestures += 1;
            if !pause.is_zero() {
                // The person looks at what has come of it: nothing is waited for, the next step waits for what it needs by itself.
                tokio::time::sleep(pause).await;
            }
        }
    }
    Ok(gestures)
}
