//! One line that says where the evaluation is and how long it will still take.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Tasks weigh what one of their kind usually takes, in seconds on an idle machine; how much slower this one is shows
/// as the tasks end.
pub(crate) struct Progress {
    started: Instant,
    all: f64,
    done: f64,
    count: usize,
    ended: usize,
    running: BTreeMap<usize, String>,
    /// So many may run side by side.
    line: bool,
}

impl Progress {
    pub(crate) fn new(weights: impl Iterator<Item = f64>) -> Progress {
        let weights: Vec<f64> = weights.collect();
        Progress {
            started: Instant::now(),
            all: weights.iter().sum(),
            done: 0.0,
            count: weights.len(),
            ended: 0,
            running: BTreeMap::new(),
            line: std::io::stderr().is_terminal(),
        }
    }

    pub(crate) fn begin(&mut self, number: usize, what: &str) {
        self.running.insert(number, what.to_owned());
        self.show();
    }

    /// `trouble` is why it could not be measured.
    pub(crate) fn end(&mut self, number: usize, weight: f64, trouble: Option<&str>) {
        let what = self.running.remove(&number).unwrap_or_default();
        self.done += weight;
        self.ended += 1;
        if let Some(trouble) = trouble {
            let first = trouble.lines().next().unwrap_or_default();
            self.say(&format!("{what}: not measured: {first}"));
        }
        self.show();
    }

    fn show(&self) {
        let left = left(self.started.elapsed(), self.done, self.all);
        let running: Vec<&str> = self.running.values().map(String::as_str).collect();
        let text = format!("[{}/{}] {left} {}", self.ended, self.count, running.join(" | "));
        if self.line {
            eprint!("\r\x1b[2K{text}");
            // A terminal that is gone is told nothing.
            let _gone = std::io::stderr().flush();
        } else {
            eprintln!("{text}");
        }
    }

    fn say(&self, text: &str) {
        let clear = if self.line { "\r\x1b[2K" } else { "" };
        eprintln!("{clear}{text}");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.line {
            eprintln!();
        }
    }
}

fn left(elapsed: Duration, done: f64, all: f64) -> String {
    // Before anything has ended, the usual times are all that is known.
    let pace = if done > 0.0 { elapsed.as_secs_f64() / done } else { 1.0 };
    let seconds = (all - done).max(0.0) * pace;
    match seconds {
        ..90.0 => format!("{seconds:.0} s left"),
        _ => format!("{:.0} min left", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_goes_by_what_the_work_took_until_now() {
        assert_eq!(left(Duration::ZERO, 0.0, 60.0), "60 s left");
        assert_eq!(left(Duration::from_secs(40), 10.0, 30.0), "80 s left");
        assert_eq!(left(Duration::from_secs(600), 10.0, 30.0), "20 min left");
        assert_eq!(left(Duration::from_secs(9), 30.0, 30.0), "0 s left");
    }
}
