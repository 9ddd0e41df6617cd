//! What a crawl finds in real applications: `cargo bench -p xcheck-tests --bench crawled_subjects [-- SUBJECT STATES SECONDS]`.
//!
//! Each is crawled in Chromium with the same budget twice: with all that can be done, and by its links only. Each trace of
//! the first crawl is then replayed twice, and the table says whether the two replays are the same to the byte and how much
//! diverged from what was recorded. Crawls and runs stay in `target/crawled-subjects` to be looked at.

use anyhow::{Context, Result};
use std::path::Path;
use std::time::Duration;
use xcheck_crawler::{Crawled, Limits, Model, Settings, Value};
use xcheck_tests::crawling::crawl_into;
use xcheck_tests::replaying::twice;
use xcheck_tests::served::Served;
use xcheck_tests::site::Prelude;
use xcheck_tests::subject::{CKEDITOR, DJANGO, JQUERY_MOBILE, JQUERY_UI, REVEAL, SWAGGER_UI, Subject, TODOMVC};
use xcheck_trace::Trace;

/// A subject, and where its crawl begins.
const SUBJECTS: [(&Subject, &str); 7] = [
    (&TODOMVC, "/examples/backbone/"),
    (&JQUERY_MOBILE, "/dist/demos/popup/"),
    (
        &JQUERY_UI,
        "/usr/share/doc/libjs-jquery-ui-docs/examples/dialog/modal-form.html",
    ),
    (&SWAGGER_UI, "/index.html"),
    (&REVEAL, "/demo.html"),
    (&DJANGO, "/admin/"),
    (&CKEDITOR, "/samples/old/replacebyclass.html"),
];

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let wanted = arguments.first().map_or("", String::as_str);
    let number = |at: usize, usual: u64| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let limits = Limits {
        states: usize::try_from(number(1, 25)?)?,
        time: Duration::from_secs(number(2, 60)?),
        ..Limits::default()
    };
    let folder = xcheck_tests::workspace().join("target/crawled-subjects");
    println!("Budget: {} states, {} s each.\n", limits.states, limits.time.as_secs());
    println!(
        "| subject | states | transitions | by links only | actions | seconds | ended | replays the same | checkpoints the same | divergences |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut problems = Vec::new();
    for (subject, start) in SUBJECTS.iter().filter(|(subject, _)| subject.name.contains(wanted)) {
        let into = folder.join(subject.name);
        if into.exists() {
            std::fs::remove_dir_all(&into)?;
        }
        match row(subject, start, &limits, &into, &mut problems).await {
            Ok(cells) => println!("| {} | {cells} |", subject.name),
            Err(error) => {
                println!("| {} | not measured | | | | | | | | |", subject.name);
                problems.push(format!("{}: {error:#}", subject.name));
            }
        }
    }
    println!("\n{}", problems.join("\n"));
    Ok(())
}

async fn row(
    subject: &Subject,
    start: &str,
    limits: &Limits,
    into: &Path,
    problems: &mut Vec<String>,
) -> Result<String> {
    let everything = explore(subject, start, limits, &into.join("all"), false).await?;
    let links = explore(subject, start, limits, &into.join("links"), true).await?;
    let model = &everything.model;
    let law = replay_all(&everything, &into.join("runs"), subject.name, problems).await?;
    Ok(format!(
        "{} | {} | {} and {} | {} | {:.0} | {} | {} of {} | {} of {} | {}",
        model.states.len(),
        transitions(model),
        links.model.states.len(),
        transitions(&links.model),
        everything.actions,
        everything.elapsed.as_secs_f64(),
        model.ended,
        law.same,
        model.traces.len(),
        law.same_checkpoints,
        law.checkpoints,
        law.divergences
    ))
}

async fn explore(subject: &Subject, start: &str, limits: &Limits, into: &Path, links_only: bool) -> Result<Crawled> {
    // Each from a server of its own, which the other has not changed.
    let served = Served::start(subject, Prelude::None).await?;
    let sign_in = [("#id_username", "admin"), ("#id_password", "secret")];
    let settings = Settings {
        seed: 1,
        links_only,
        limits: limits.clone(),
        values: sign_in
            .map(|(field, value)| Value {
                field: field.to_owned(),
                value: value.to_owned(),
            })
            .to_vec(),
        ..Settings::default()
    };
    crawl_into(&format!("{}{start}", served.origin()), into, settings).await
}

/// From the start page to where the page leads: itself, too, but not to nothing.
fn transitions(model: &Model) -> usize {
    model.edges.iter().filter(|edge| edge.to.is_some()).count()
}

#[derive(Default)]
struct Law {
    /// Traces of which two replays were the same in all.
    same: usize,
    same_checkpoints: usize,
    checkpoints: usize,
    divergences: usize,
}

async fn replay_all(crawled: &Crawled, into: &Path, name: &str, problems: &mut Vec<String>) -> Result<Law> {
    std::fs::create_dir_all(into)?;
    let mut law = Law::default();
    for path in &crawled.model.traces {
        let file = crawled.folder.join(&path.trace);
        let (trace, warnings) = Trace::open(&file).with_context(|| path.trace.clone())?;
        problems.extend(
            warnings
                .iter()
                .map(|warning| format!("{name} {}: {warning}", path.trace)),
        );
        let stem = file.file_stem().context("a trace has a name")?;
        let replays = match twice(&trace, "chromium", &into.join(stem)).await {
            Ok(replays) => replays,
            Err(error) => {
                problems.push(format!("{name} {}: not replayed: {error:#}", path.trace));
                continue;
            }
        };
        let (same, of) = replays.identical();
        law.same += usize::from(same == of && replays.same_outcomes());
        law.same_checkpoints += same;
        law.checkpoints += of;
        law.divergences += replays.divergences();
        let told = replays.first_problems();
        problems.extend(told.iter().map(|problem| format!("{name} {}: {problem}", path.trace)));
    }
    Ok(law)
}
