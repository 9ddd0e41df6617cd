//! Plays a session in a browser by real input, as a person would: waits until an element is there, stands still and is
//! not covered, and then acts at a point of it.

mod locate;

pub use locate::expression as expression_for;

use crate::session::{Session, Spot, Step};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;
use xcheck_agent::{Browser, History, Input, PointerButton, keys};

/// For one step, on a machine that builds three other things at the same time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Between two looks at a page.
const PULSE: Duration = Duration::from_millis(20);

/// Positions between the ends of a drag: libraries start one only after a few pixels of movement.
const DRAG_POSITIONS: u32 = 8;

/// `origin` is where the application is served: paths of the session are added to it.
pub async fn play(browser: &mut dyn Browser, origin: &str, session: &Session) -> Result<()> {
    for number in 0..session.steps.len() {
        take_of(browser, origin, session, number).await?;
    }
    Ok(())
}

/// One step of a session, by its place there, which an error names.
pub async fn take_of(browser: &mut dyn Browser, origin: &str, session: &Session, number: usize) -> Result<()> {
    let step = &session.steps[number];
    take(browser, origin, step)
        .await
        .with_context(|| format!("step {} of `{}`: {step:?}", number + 1, session.name))
}

pub async fn take(browser: &mut dyn Browser, origin: &str, step: &Step) -> Result<()> {
    match step {
        Step::Open(path) => open(browser, &format!("{origin}{path}")).await,
        Step::Click(spot) => click(browser, spot, 1).await,
        Step::DoubleClick(spot) => click(browser, spot, 2).await,
        Step::ContextClick(spot) => {
            let (x, y) = locate::steady_point(browser, spot).await?;
            let button = PointerButton::Right;
            let inputs = [
                Input::PointerMove { x, y },
                Input::PointerDown { button, clicks: 1 },
                Input::PointerUp { button },
            ];
            perform(browser, &inputs).await
        }
        Step::Tap(spot) => {
            let (x, y) = locate::steady_point(browser, spot).await?;
            perform(browser, &[Input::TouchStart { x, y }, Input::TouchEnd]).await
        }
        Step::Compose(texts) => {
            for (index, text) in texts.iter().enumerate() {
                browser.compose(text, index + 1 == texts.len()).await?;
            }
            Ok(())
        }
        Step::Choose(selector, files) => {
            let sites = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../tests/sites")
                .canonicalize()?;
            let files: Vec<PathBuf> = files.iter().map(|file| sites.join(file)).collect();
            Ok(browser.choose_files(selector, &files).await?)
        }
        Step::Hover(spot) => {
            let (x, y) = locate::steady_point(browser, spot).await?;
            perform(browser, &[Input::PointerMove { x, y }]).await
        }
        Step::Type(text) => perform(browser, &keys::typed(text)?).await,
        Step::Press(chord) => {
            // No hand is faster than the page is drawn: what comes into view by one key is seen before the next.
            frames_pass(browser).await?;
            perform(browser, &keys::pressed(chord)?).await
        }
        Step::Drag(from, to) => drag(browser, from, to).await,
        Step::Wheel(spot, dx, dy) => {
            let (x, y) = locate::steady_point(browser, spot).await?;
            perform(browser, &[Input::Wheel { x, y, dx: *dx, dy: *dy }]).await?;
            // A page hears of a wheel with its next frame, when the driver may long have moved on.
            frames_pass(browser).await
        }
        Step::Back => Ok(browser.history(History::Back).await?),
        Step::Until(condition) => until(browser, condition).await,
        Step::Fill(selector, text) => {
            click(browser, &crate::session::on(selector), 1).await?;
            perform(browser, &keys::pressed("Control+a")?).await?;
            perform(browser, &keys::typed(text)?).await
        }
    }
}

/// Waits until the page has been drawn; or is another one.
async fn frames_pass(browser: &mut dyn Browser) -> Result<()> {
    let two_frames = "requestAnimationFrame(() => requestAnimationFrame(() => document.__drawn = true))";
    browser
        .evaluate(&format!("(document.__drawn = false, {two_frames})"))
        .await
        .context("waiting for the page to be drawn")?;
    until(browser, "document.__drawn !== false").await
}

/// Opens an address and waits until its document, and nothing older, is complete.
pub async fn open(browser: &mut dyn Browser, url: &str) -> Result<()> {
    // A document that only differs in its fragment stays the same document: mark the old one only otherwise.
    browser
        .evaluate("document.__left = true")
        .await
        .context("marking the old document")?;
    browser.navigate(url).await?;
    let there = if url.contains('#') {
        "document.readyState === 'complete'"
    } else {
        "document.readyState === 'complete' && !document.__left"
    };
    until(browser, there).await
}

/// Waits for an expression to become true. A document that goes away meanwhile is a document that is not there yet.
pub async fn until(browser: &mut dyn Browser, condition: &str) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    let mut last = String::from("it was never answered");
    while Instant::now() < deadline {
        match browser.evaluate(&format!("Boolean({condition})")).await {
            Ok(serde_json::Value::Bool(true)) => return Ok(()),
            Ok(other) => last = format!("it is {other}"),
            Err(error) => last = error.to_string(),
        }
        tokio::time::sleep(PULSE).await;
    }
    let page = browser
        .evaluate("location.href + '\\n' + (document.body ? document.body.innerText.slice(0, 800) : '(no body)')")
        .await;
    bail!(
        "waited {} s for `{condition}`: {last}; the page: {page:?}",
        PATIENCE.as_secs()
    )
}

async fn click(browser: &mut dyn Browser, spot: &Spot, clicks: u8) -> Result<()> {
    let (x, y) = locate::steady_point(browser, spot).await?;
    let mut inputs = vec![Input::PointerMove { x, y }];
    for clicks in 1..=clicks {
        inputs.push(Input::PointerDown {
            button: PointerButton::Left,
            clicks,
        });
        inputs.push(Input::PointerUp {
            button: PointerButton::Left,
        });
    }
    perform(browser, &inputs).await
}

async fn drag(browser: &mut dyn Browser, from: &Spot, to: &Spot) -> Result<()> {
    let start = locate::steady_point(browser, from).await?;
    let end = locate::steady_point(browser, to).await?;
    let between = |n: u32| {
        let part = f64::from(n) / f64::from(DRAG_POSITIONS);
        Input::PointerMove {
            x: (start.0 + (end.0 - start.0) * part).round(),
            y: (start.1 + (end.1 - start.1) * part).round(),
        }
    };
    perform(
        browser,
        &[
            between(0),
            Input::PointerDown {
                button: PointerButton::Left,
                clicks: 1,
            },
        ],
    )
    .await?;
    for n in 1..=DRAG_POSITIONS {
        perform(browser, &[between(n)]).await?;
    }
    perform(
        browser,
        &[Input::PointerUp {
            button: PointerButton::Left,
        }],
    )
    .await
}

async fn perform(browser: &mut dyn Browser, inputs: &[Input]) -> Result<()> {
    let notes = browser.perform(inputs).await?;
    if !notes.is_empty() {
        bail!("the browser could not give all of {inputs:?}: {notes:?}");
    }
    Ok(())
}
