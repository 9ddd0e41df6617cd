//! A recorded session ends in the same page as one that nobody records: same address, text, values and DOM shape, and
//! nothing more went wrong in the page.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use xcheck_tests::page_state::PageState;
use xcheck_tests::recording::Recording;
use xcheck_tests::served::Served;
use xcheck_tests::sessions::{self, Case, Compared};
use xcheck_tests::{browsers, runner};

macro_rules! subjects {
    ($($name:ident)*) => {
        /// Every session stands here: [`every_session_is_tested`].
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(mod $name {
            #[tokio::test(flavor = "multi_thread")]
            async fn ends_the_same_when_recorded_in_chromium() {
                super::check("chromium", stringify!($name)).await.unwrap();
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn ends_the_same_when_recorded_in_firefox() {
                super::check("firefox", stringify!($name)).await.unwrap();
            }
        })*
    };
}

subjects! {
    todo_list mobile_pages drag_and_dialog rich_text code drawing car timeline network slides chart call_an_api add_a_user
    wire_a_flow
}

#[test]
fn every_session_is_tested() {
    let mut sessions: Vec<String> = sessions::all().iter().map(identifier).collect();
    let mut tested = TESTED.to_vec();
    sessions.sort();
    tested.sort();
    assert_eq!(sessions, tested);
}

fn identifier(case: &Case) -> String {
    case.session.name.replace(' ', "_")
}

async fn check(browser: &str, session: &str) -> Result<()> {
    let case = sessions::all().into_iter().find(|case| identifier(case) == session);
    let case = case.with_context(|| format!("no session is called {session}"))?;
    let unrecorded = ending(browser, &case, None).await.context("without a proxy")?;
    let recording = Recording::start(case.session.name).await?;
    let recorded = ending(browser, &case, Some(&recording)).await.context("recorded")?;
    let trace = recording.finish().await?.trace;
    ensure!(
        trace.events.iter().any(|event| event.what.is_some()),
        "nothing was recorded: {:?}",
        trace.notices
    );
    recorded.state.must_equal(&unrecorded.state)?;
    let new: Vec<&String> = recorded
        .errors
        .iter()
        .filter(|error| !unrecorded.errors.contains(error))
        .collect();
    ensure!(new.is_empty(), "went wrong only when recorded: {new:?}");
    Ok(())
}

struct Ending {
    state: PageState,
    errors: Vec<String>,
}

/// Plays the session with a fresh server and a fresh browser.
async fn ending(browser: &str, case: &Case, through: Option<&Recording>) -> Result<Ending> {
    let served = Served::start(case.subject, case.prelude).await?;
    let origin = served.origin();
    let mut browser = browsers::start(browser, through.map(|recording| &recording.proxy)).await?;
    let played = runner::play(&mut *browser, &origin, &case.session).await;
    let looked_at = match played {
        Ok(()) => PageState::of(&mut *browser).await,
        Err(error) => Err(error.context(picture_of(&mut *browser, case).await)),
    };
    match through {
        Some(recording) => recording.close(browser).await?,
        None => browser.close().await?,
    }
    // Another port each time.
    let errors: Vec<String> = served
        .errors()?
        .iter()
        .map(|error| error.replace(&origin, ""))
        .collect();
    let state = looked_at.with_context(|| format!("what went wrong in the page: {errors:?}"))?;
    let state = match case.compared {
        Compared::Everything => state,
        Compared::InAnyOrder(_) => state.sorted(),
    };
    Ok(Ending { state, errors })
}

/// Where a session got stuck, for the person who has to find out why.
async fn picture_of(browser: &mut dyn xcheck_agent::Browser, case: &Case) -> String {
    let file: PathBuf = xcheck_tests::workspace()
        .join("target")
        .join(format!("stuck-{}.png", identifier(case)));
    let taken = match browser.screenshot().await {
        Ok(png) => std::fs::write(&file, png).map_err(anyhow::Error::from),
        Err(error) => Err(error.into()),
    };
    match taken {
        Ok(()) => format!("the page is shown in {}", file.display()),
        Err(error) => format!("no picture of the page: {error}"),
    }
}
