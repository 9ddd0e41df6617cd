//! Sessions as a person would have them: with a pause after each thing that is done.

use crate::runner;
use crate::session::{Session, Step};
use anyhow::Result;
use std::time::{Duration, Instant};
use xcheck_agent::Browser;

/// Between two things that a person does.
pub const PAUSE: Duration = Duration::from_secs(1);

/// How long each step took, pauses not counted.
pub async fn play(
    browser: &mut dyn Browser,
    origin: &str,
    session: &Session,
    pause: Duration,
) -> Result<Vec<Duration>> {
    let mut took = Vec::new();
    for (number, step) in session.steps.iter().enumerate() {
        let started = Instant::now();
        runner::take_of(browser, origin, session, number).await?;
        took.push(started.elapsed());
        if is_done_by_a_person(step) && !pause.is_zero() {
            // The person looks at what has come of it: nothing is waited for, the next step waits for what it needs by itself.
            tokio::time::sleep(pause).await;
        }
    }
    Ok(took)
}

/// How many things a session does; steps that only wait are none.
pub fn gestures(session: &Session) -> usize {
    session.steps.iter().filter(|step| is_done_by_a_person(step)).count()
}

fn is_done_by_a_person(step: &Step) -> bool {
    !matches!(step, Step::Until(_))
}
