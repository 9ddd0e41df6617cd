//! Doing again, in a page that runs by itself, what a person did in a trace: signing in, before each way begins.

use xcheck_agent::live::{Acted, LiveError, Patience, Session};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, What};

/// Opens the trace's first page and gives its gestures. Answers with why it could not, if it could not.
pub(crate) async fn repeat(
    session: &mut Session,
    trace: &Trace,
    patience: &Patience,
) -> Result<Option<String>, LiveError> {
    let Some(first) = trace.loads.iter().find(|load| load.path.is_empty()) else {
        return Ok(Some("the trace has no page".into()));
    };
    let url = trace.manifest.start_url.as_deref().unwrap_or(&first.url);
    session.open(url, patience).await?;
    for event in trace.order() {
        let Some(What::Dom(gesture)) = event.what.as_ref().filter(|_| is_given(event)) else {
            continue;
        };
        let frame = trace.load(event.load).map(|load| load.path.clone()).unwrap_or_default();
        let begins = gesture.name == "pointerdown";
        if begins {
            session.quiet(patience).await?;
        }
        if let Acted::NotFound(problem) = session.perform(&frame, gesture).await? {
            return Ok(Some(format!("{}: {problem}", trace.label(event))));
        }
        let ends = matches!(gesture.name.as_str(), "pointerup" | "change")
            || gesture.name == "keyup" && gesture.data.get("key").is_some_and(|key| key == "Enter");
        if ends {
            session.quiet(patience).await?;
        }
    }
    session.quiet(patience).await?;
    Ok(None)
}

fn is_given(event: &Event) -> bool {
    match &event.what {
        Some(What::Dom(dom)) => {
            dom.gesture
                && matches!(
                    dom.name.as_str(),
                    "pointerdown" | "pointerup" | "keydown" | "keyup" | "change" | "input" | "wheel"
                )
        }
        _ => false,
    }
}
