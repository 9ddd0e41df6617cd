//! Several browsers, one run.

use super::conditions::viewport;
use super::{Progress, ReplayOptions, replay};
use crate::find::{Driver, Installed};
use crate::remote::{self, Meanwhile};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use xcheck_proxy::Authority;
use xcheck_trace::StoreError;
use xcheck_trace::Trace;
use xcheck_trace::run::{FORMAT, Outcome, ReplayOutcome, Run};
use xcheck_trace::runs::{RunWriter, folder_name};

/// Which of the browsers the others are compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reference {
    /// None: the replays stand side by side.
    #[default]
    None,
    /// This one, replayed twice: what differs between its own replays is noise.
    Twice(String),
}

pub struct ReplayRequest {
    pub trace: Arc<Trace>,
    /// As the person gave it; only for the run's own record.
    pub trace_path: PathBuf,
    pub browsers: Vec<Installed>,
    pub reference: Reference,
    pub authority: Arc<Authority>,
    pub options: ReplayOptions,
    /// How many browsers run at once.
    pub at_once: usize,
    /// Must not be there yet, or be empty.
    pub folder: PathBuf,
}

/// Told for each replay, by the name of its folder, while it goes on and when it has ended.
pub enum ReplayNews<'a> {
    /// For its turn on an agent; so many are before it.
    Waiting(&'a str, usize),
    Progress(&'a str, Progress),
    Ended(&'a str, &'a ReplayOutcome),
}

/// Replays the trace in every browser, and gives what became of each, in the order asked for.
pub async fn replay_all(
    request: ReplayRequest,
    news: Arc<dyn Fn(ReplayNews<'_>) + Send + Sync>,
) -> Result<(Run, Vec<(String, ReplayOutcome)>), StoreError> {
    let browsers = with_reference(&request);
    let mut names: Vec<String> = Vec::new();
    for browser in &browsers {
        names.push(folder_name(&browser.name, &names));
    }
    let run = Run {
        format: FORMAT,
        trace: request.trace_path.display().to_string(),
        trace_sha256: request.trace.identity().clone(),
        viewport: viewport(&request.trace),
        reference: is_twice(&request.reference).then(|| names[0].clone()),
        reference_again: is_twice(&request.reference).then(|| names[1].clone()),
        replays: names.clone(),
    };
    let writer = RunWriter::create(&request.folder, &run)?;
    let permits = Arc::new(Semaphore::new(request.at_once.max(1)));
    let mut replays = JoinSet::new();
    for (index, (browser, name)) in browsers.into_iter().zip(names.clone()).enumerate() {
        let mut sink = writer.replay(&name)?;
        let (trace, authority) = (request.trace.clone(), request.authority.clone());
        let (options, permits, news) = (request.options.clone(), permits.clone(), news.clone());
        replays.spawn(async move {
            let progress = |progress| news(ReplayNews::Progress(&name, progress));
            let outcome = if let Driver::Agent(agent) = &browser.driver {
                // Takes nothing of this machine, and has a limit of its own.
                let tell = |meanwhile| match meanwhile {
                    Meanwhile::Waiting(ahead) => news(ReplayNews::Waiting(&name, ahead)),
                    Meanwhile::Progress(made) => progress(made),
                };
                remote::replay(agent, &browser, &trace, &options, &mut sink, &tell).await
            } else {
                let _permit = permits.acquire_owned().await.expect("the semaphore is never closed");
                replay(&trace, &browser, &authority, &options, &mut sink, &progress).await
            };
            sink.finish(&outcome)?;
            news(ReplayNews::Ended(&name, &outcome));
            Ok::<_, StoreError>((index, name, outcome))
        });
    }
    let mut ended = Vec::new();
    while let Some(joined) = replays.join_next().await {
        match joined {
            Ok(outcome) => ended.push(outcome?),
            // One replay's bug is no reason to lose the others; its outcome is missing in the run, and the reader says so.
            Err(error) => tracing::error!(%error, "a replay broke down"),
        }
    }
    ended.sort_by_key(|(index, ..)| *index);
    let outcomes = ended.into_iter().map(|(_, name, outcome)| (name, outcome)).collect();
    Ok((run, outcomes))
}

fn is_twice(reference: &Reference) -> bool {
    matches!(reference, Reference::Twice(_))
}

/// The reference first, and again, then the others.
fn with_reference(request: &ReplayRequest) -> Vec<Installed> {
    let Reference::Twice(name) = &request.reference else {
        return request.browsers.clone();
    };
    let (mut reference, others): (Vec<Installed>, Vec<Installed>) = request
        .browsers
        .iter()
        .cloned()
        .partition(|browser| browser.name == *name);
    reference.truncate(1);
    let again = reference.clone();
    [reference, again, others].concat()
}

/// Where runs of a trace go unless somebody says otherwise: beside the trace, numbered.
pub fn default_folder(trace: &Path) -> PathBuf {
    let name = trace
        .file_stem()
        .map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
    let beside = trace.parent().unwrap_or(Path::new(""));
    (1..)
        .map(|number| beside.join(format!("{name}-run-{number}")))
        .find(|folder| !folder.exists())
        .expect("numbers do not end")
}

/// All were replayed.
pub fn all_measured(outcomes: &[(String, ReplayOutcome)]) -> bool {
    outcomes.iter().all(|(_, outcome)| outcome.outcome == Outcome::Replayed)
}
