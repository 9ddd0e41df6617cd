//! The command line, and what of the evaluation it asks for.

use crate::subjects::{ENGINES, Subject, all, engines};
use anyhow::{Result, bail, ensure};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  cargo run --release -p eval                              everything, or the rest of it after an interruption
  cargo run --release -p eval -- --rq 4 --subject car      one question, one subject
  cargo run --release -p eval -- --only-write              the documents again, from what was measured
  cargo run --release -p eval -- --compare old.json new.json";

/// Measures what is promised, on real applications, and writes docs/evaluation.md
#[derive(Debug, Parser)]
#[command(name = "eval", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Only subjects or sessions with this in their name; may be given several times
    #[arg(long, value_name = "WORD")]
    subject: Vec<String>,
    /// Only these engines; Chromium is always replayed in, because the others are compared with it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    engine: Vec<String>,
    /// Only these questions: 1 cost, 2 incremental analysis, 3 accuracy, 4 the law of replay
    #[arg(long, value_name = "N", value_delimiter = ',')]
    rq: Vec<u8>,
    /// Leave these parts of the questions for another call
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    without: Vec<Part>,
    /// Pairs of runs that a ratio is the median of
    #[arg(long, value_name = "N", default_value_t = 3)]
    pairs: usize,
    /// Replays at the same time, where it is not their time that is measured
    #[arg(long, value_name = "N", default_value_t = 2)]
    at_once: usize,
    /// Begin nothing new after so long; the next call goes on
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Forget what was measured before
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Measure nothing: write the documents from what is there
    #[arg(long)]
    pub(crate) only_write: bool,
    /// Where traces, replays and what was measured are kept
    #[arg(long, value_name = "DIR", default_value_os_t = xcheck_tests::workspace().join("target/eval"))]
    pub(crate) work: PathBuf,
    /// Where evaluation.md, evaluation.json and the plots go
    #[arg(long, value_name = "DIR", default_value_os_t = xcheck_tests::workspace().join("docs"))]
    pub(crate) docs: PathBuf,
    /// Hold two evaluations (evaluation.json) against each other, and measure nothing
    #[arg(long, num_args = 2, value_names = ["A.json", "B.json"])]
    pub(crate) compare: Vec<PathBuf>,
}

/// What is to be measured.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    pub(crate) subjects: Vec<Subject>,
    /// The reference first.
    pub(crate) engines: Vec<&'static str>,
    pub(crate) questions: Vec<Question>,
    pub(crate) without: Vec<Part>,
    pub(crate) pairs: usize,
    pub(crate) at_once: usize,
    pub(crate) until: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Cost,
    Incremental,
    Accuracy,
    Law,
}

/// What can be measured apart from the rest of its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Contestants,
    Crawls,
    Variants,
    /// Builds of years ago
    Old,
}

impl Arguments {
    pub(crate) fn scope(&self) -> Result<Scope> {
        ensure!(self.pairs > 0, "a ratio needs at least one pair of runs");
        let wanted = |subject: &Subject| {
            let called = |word: &String| subject.name().contains(word.as_str()) || subject.application().contains(word);
            self.subject.is_empty() || self.subject.iter().any(called)
        };
        let subjects: Vec<Subject> = all().into_iter().filter(wanted).collect();
        if subjects.is_empty() {
            let names: Vec<&str> = all().iter().map(Subject::name).collect();
            bail!("no subject is called that; there are {}", names.join(", "));
        }
        let mut asked = vec![ENGINES[0]];
        for name in &self.engine {
            let Some(known) = engines().find(|known| known == name) else {
                let names: Vec<&str> = engines().collect();
                bail!("no engine is called {name}; there are {}", names.join(", "));
            };
            asked.push(known);
        }
        asked.dedup();
        if self.engine.is_empty() {
            asked = engines().collect();
        }
        Ok(Scope {
            subjects,
            engines: asked,
            questions: self.questions()?,
            without: self.without.clone(),
            pairs: self.pairs,
            at_once: self.at_once.max(1),
            until: self
                .minutes
                .map(|minutes| Instant::now() + Duration::from_secs(60 * minutes)),
        })
    }

    fn questions(&self) -> Result<Vec<Question>> {
        use Question::*;
        if self.rq.is_empty() {
            return Ok(vec![Cost, Incremental, Accuracy, Law]);
        }
        let question = |number: &u8| match number {
            1 => Ok(Cost),
            2 => Ok(Incremental),
            3 => Ok(Accuracy),
            4 => Ok(Law),
            _ => bail!("there are four questions, 1 to 4"),
        };
        self.rq.iter().map(question).collect()
    }
}
