//! Doing things in the live session, and telling what came of them.

use crate::model::Step;
use crate::scope::Scope;
use crate::state::Abstract;
use xcheck_agent::live::{Acted, LiveError, Patience, Session, Shown};

/// What there is after something was done.
#[derive(Debug)]
pub(crate) enum Arrival {
    Page(Box<Arrived>),
    /// Another application, or nothing that is a page: said in words.
    Outside {
        what: String,
    },
    /// There was nothing to do it with.
    NotFound(String),
}

#[derive(Debug)]
pub(crate) struct Arrived {
    pub(crate) url: String,
    pub(crate) page: Abstract,
    pub(crate) status: Option<u16>,
    /// What did not come to rest, dialogs, downloads.
    pub(crate) notes: Vec<String>,
    /// Addresses of windows that were opened, and are closed again.
    pub(crate) popups: Vec<String>,
}

pub(crate) async fn take(
    session: &mut Session,
    steps: &[Step],
    scope: &Scope,
    patience: &Patience,
) -> Result<Arrival, LiveError> {
    for step in steps {
        match step {
            Step::Act(action) => {
                if let Acted::NotFound(problem) = session.act(action).await? {
                    return Ok(Arrival::NotFound(problem));
                }
            }
            Step::Open(url) => return open(session, url, scope, patience).await,
        }
    }
    let quiet = session.quiet(patience).await?;
    arrived(session, quiet, scope).await
}

pub(crate) async fn open(
    session: &mut Session,
    url: &str,
    scope: &Scope,
    patience: &Patience,
) -> Result<Arrival, LiveError> {
    let quiet = session.open(url, patience).await?;
    arrived(session, quiet, scope).await
}

async fn arrived(session: &mut Session, quiet: xcheck_agent::live::Quiet, scope: &Scope) -> Result<Arrival, LiveError> {
    let popups = session.popups().into_iter().map(|popup| popup.url).collect();
    let mut notes: Vec<String> = quiet
        .busy
        .iter()
        .map(|what| format!("did not come to rest: {what}"))
        .collect();
    notes.extend(quiet.dialogs.iter().map(|dialog| format!("answered {dialog}")));
    let mut of_window = quiet.answers.iter().filter(|answer| answer.top);
    for answer in of_window.clone().filter(|answer| !answer.scripted) {
        match answer.status {
            Some(300..400) => {}
            Some(status) => notes.push(format!("{} was answered {status} {}", answer.url, answer.content_type)),
            None => notes.push(format!("{} was not answered", answer.url)),
        }
    }
    let url = match quiet.shown {
        Shown::Document { url, .. } => url,
        Shown::Other { url } if url.starts_with("http") && !scope.holds(&url) => {
            return Ok(Arrival::Outside {
                what: format!("out of scope: {url}"),
            });
        }
        Shown::Other { url } => {
            let what = match notes.pop() {
                // It names the address itself.
                Some(why) if why.starts_with(&url) => why,
                Some(why) => format!("{url} {why}"),
                None => url,
            };
            return Ok(Arrival::Outside {
                what: format!("no page: {what}"),
            });
        }
    };
    if !scope.holds(&url) {
        return Ok(Arrival::Outside {
            what: format!("out of scope: {url}"),
        });
    }
    let status = of_window.rfind(|answer| answer.scripted);
    let status = status.and_then(|answer| answer.status).filter(|status| *status != 200);
    let look = session.look(false).await?;
    Ok(Arrival::Page(Box::new(Arrived {
        url,
        page: Abstract::of(&look.page),
        status,
        notes,
        popups,
    })))
}
