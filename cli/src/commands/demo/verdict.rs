//! How the findings stand to the list.

use super::browsers::ENGINES;
use crate::exit::Exit;
use crate::terminal::{self, BAD, BOLD, GOOD, styled};
use xcheck_agent::Installed;
use xcheck_analyzer::findings::{Analysis, Noise, Outcome};
use xcheck_demo::differences::{Score, score};

pub(super) fn say(analysis: &Analysis, browsers: &[Installed]) -> Exit {
    let exit = match browsers {
        [only] => say_alone(analysis, &only.name),
        // The list is written from Chromium's side.
        [first, ..] if first.name != ENGINES[0] => {
            terminal::say(format!(
                "The list of differences compares with {}, which is not here: the findings above were not held against it.",
                ENGINES[0]
            ));
            Exit::Clean
        }
        _ => say_score(&score(analysis)),
    };
    let unmeasured = analysis
        .results
        .iter()
        .any(|result| !matches!(result.outcome, Outcome::Compared));
    if unmeasured { Exit::NotMeasured } else { exit }
}

fn say_score(score: &Score) -> Exit {
    let style = if score.is_exact() { GOOD } else { BAD };
    for missed in &score.missed {
        terminal::say(format!(
            "  missed: {} at {}: {}",
            missed.browser, missed.selector, missed.sees
        ));
    }
    for told in &score.false_ones {
        terminal::say(format!("  false:  {}", terminal::printable(told)));
    }
    terminal::say(format!(
        "{} of the list of what a person sees.",
        styled(style.bold(), score)
    ));
    if score.is_exact() { Exit::Clean } else { Exit::Found }
}

/// One engine has nothing to differ from but itself.
fn say_alone(analysis: &Analysis, name: &str) -> Exit {
    let others: Vec<&str> = ENGINES.into_iter().filter(|engine| *engine != name).collect();
    let exit = match &analysis.noise {
        Noise::NotMeasured { reason } => {
            terminal::say(format!("{name} against itself could not be measured: {reason}"));
            Exit::NotMeasured
        }
        Noise::Measured { volatile } if volatile.is_empty() => {
            terminal::say(format!(
                "{name} against itself: {}",
                styled(GOOD, "no incompatibility, as it should be.")
            ));
            Exit::Clean
        }
        Noise::Measured { .. } => {
            terminal::say(format!(
                "{name} against itself: {}",
                styled(BAD, "its two replays differ, which they should not.")
            ));
            Exit::Found
        }
    };
    terminal::say(format!(
        "A second engine ({}) would show what differs between them: {}",
        others.join(" or "),
        styled(BOLD, "xcheck demo --install-browsers")
    ));
    exit
}
