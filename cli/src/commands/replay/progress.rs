//! How far each replay is, one line for each, while they go on.

use crate::terminal::{self, count};
use std::sync::Mutex;
use xcheck_agent::replay::ReplayNews;
use xcheck_trace::run::Outcome;

/// By the name of the replay's folder, in the order in which they were asked for.
pub(super) struct Board(Mutex<Vec<(String, String)>>);

impl Board {
    pub(super) fn start(names: impl Iterator<Item = String>) -> Board {
        let lines = names.map(|name| (name, "waiting".to_owned())).collect();
        let board = Board(Mutex::new(lines));
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
                (name, format!("{} of {} events{diverged}", progress.events, progress.of))
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
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
