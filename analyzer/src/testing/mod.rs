//! Pages for tests, written as an outline with boxes, and replays made from them.
//!
//! ```text
//! html 0 0 1280 720
//!   body 0 0 1280 720
//!     p#hello.big 8 8 200 20 {color: red; display: block} [title=x] (value=1)
//!       "Hello" 8 8 40 20 lines=1
//!     img 0 0 0 0 hidden natural=10,10,1
//! ```
//! Ids count lines from 1 unless a line begins with `12:`.

mod page;

pub(crate) use page::document;

use crate::findings::{BrowserResult, Xbi};
use crate::replay::{NoScreenshots, Replay, Screenshots, Shown};
use crate::{Mask, Options, compare};
use xcheck_trace::hash::Sha256;
use xcheck_trace::manifest::{BrowserInfo, Engine};
use xcheck_trace::page::{DocumentData, PageData};
use xcheck_trace::run::{Checkpoint, Place, ReplayedEvent};

pub(crate) fn browser(name: &str) -> BrowserInfo {
    BrowserInfo {
        name: name.to_owned(),
        engine: Engine::Gecko,
        version: "153.0".to_owned(),
        user_agent: String::new(),
    }
}

pub(crate) fn event(number: u32, label: &str) -> ReplayedEvent {
    ReplayedEvent {
        place: place(number),
        label: label.to_owned(),
        divergences: Vec::new(),
        notes: Vec::new(),
        complaints: Vec::new(),
        after_divergence: false,
        registered_by: None,
    }
}

pub(crate) fn place(number: u32) -> Place {
    Place {
        number,
        load: 1,
        event: number,
    }
}

pub(crate) fn shown(number: u32, data: DocumentData) -> Shown {
    let page = PageData { documents: vec![data] };
    Shown {
        checkpoint: Checkpoint {
            place: place(number),
            load: 1,
            url: "https://shop.test/".to_owned(),
            page_sha256: Sha256::of(b""),
            screenshot_sha256: None,
            screenshot_missing: None,
            after_divergence: false,
            ahead: false,
            pointer: None,
        },
        page: Ok(page),
    }
}

pub(crate) fn replay<'a>(
    name: &str,
    events: &'a [ReplayedEvent],
    checkpoints: Vec<Shown>,
    screenshots: &'a dyn Screenshots,
) -> Replay<'a> {
    Replay {
        browser: browser(name),
        events,
        checkpoints: Box::new(checkpoints.into_iter()),
        screenshots,
    }
}

/// One checkpoint each, after an event called `load`.
pub(crate) fn compare_pages(reference: &str, other: &str) -> BrowserResult {
    compare_checkpoints(vec![document(reference)], vec![document(other)], &Options::default())
}

/// A checkpoint after each of the events `event 1`, `event 2` …
pub(crate) fn compare_checkpoints(
    reference: Vec<DocumentData>,
    other: Vec<DocumentData>,
    options: &Options,
) -> BrowserResult {
    let events: Vec<ReplayedEvent> = (0..reference.len().max(other.len()) as u32)
        .map(|number| event(number + 1, &format!("event {}", number + 1)))
        .collect();
    let checkpoints = |documents: Vec<DocumentData>| -> Vec<Shown> {
        (1..).zip(documents).map(|(number, data)| shown(number, data)).collect()
    };
    let (result, _) = compare(
        replay("chromium", &events, checkpoints(reference), &NoScreenshots),
        replay("firefox", &events, checkpoints(other), &NoScreenshots),
        &Mask::default(),
        options,
    );
    result
}

/// `structure #save position: stands 40 px further right`, one line per XBI.
pub(crate) fn lines(xbis: &[Xbi]) -> Vec<String> {
    xbis.iter()
        .map(|xbi| format!("{:?} {}: {}", xbi.kind, xbi.selector, xbi.title).replace(" :", ":"))
        .collect()
}

#[track_caller]
pub(crate) fn check(reference: &str, other: &str, expected: &[&str]) {
    let result = compare_pages(reference, other);
    assert_eq!(lines(&result.xbis), expected, "{:#?}", result.xbis);
    assert_eq!(result.unmeasured, []);
}
