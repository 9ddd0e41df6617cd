//! How far each replay is, one line for each, while they go on.

use crate::terminal::{self, count};
use std::sync::{Arc, Mutex};
use xcheck_agent::replay::ReplayNews;
use xcheck_trace::Trace;
use xcheck_trace::run::Outcome;

/// By the name of the replay's folder, in the order in which they were asked for.
pub(super) struct Board {
    trace: Arc<Trace>,
    lines: Mutex<Vec<(String, String)>>,
}

impl Board {
    pub(super) fn start(trace: Arc<Trace>, names: impl Iterator<Item = String>) -> Board {
        let lines = names.map(|name| (name, "waiting".to_owned())).collect();
        let board = Board {
            trace,
            lines: Mutex::new(lines),
        };
        board.show();
        board
    }

    pub(super) fn tell(&self, news: ReplayNews<'_>) {
        let (name, text) = match news {
            ReplayNews::Waiting(name, ahead) => (name, format!("waits for its turn on the agent, {ahead} before it")),
            ReplayNews::Progress(name, progress) => {
                let diverged = match progress.divergences {
                    0 => String::new(),
                    some => format!(", {}", count(some.into(), "divergence")),
                };
                let at = progress
                    .reached
                    .and_then(|place| self.trace.event(place.load, place.event));
                let label = at.map_or_else(String::new, |event| format!(", {}", self.trace.label(event)));
                let text = format!("{} of {} events{diverged}{label}", progress.events, progress.of);
                (name, terminal::printable(&text))
            }
            ReplayNews::Ended(name, outcome) => match &outcome.outcome {
                Outcome::Replayed => (name, "done".to_owned()),
                Outcome::NotMeasured { reason } => (name, format!("not measured: {reason}")),
            },
        };
        self.set(name, text);
        self.show();
    }

    pub(super) fn end(&self) {
        terminal::live_line().finish_and_clear();
    }

    fn set(&self, name: &str, text: String) {
        let mut lines = self.lines();
        match lines.iter_mut().find(|(known, _)| known == name) {
            Some(line) => line.1 = text,
            None => lines.push((name.to_owned(), text)),
        }
    }

    fn show(&self) {
        let lines: Vec<String> = self
            .lines()
            .iter()
            .map(|(name, text)| format!("{name}: {text}"))
            .collect();
        terminal::live_line().set_message(lines.join("\n  "));
    }

    fn lines(&self) -> std::sync::MutexGuard<'_, Vec<(String, String)>> {
        // A line of text is whole even if whoever wrote it panicked.
        self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
