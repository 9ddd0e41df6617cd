//! Sessions to play again and again, with pages that vary by themselves: a clock, random identifiers, lists that change.

use crate::recording::{Recorded, Recording};
use crate::session::{Session, Step::*, click};
use crate::site::{Prelude, Site};
use crate::{browsers, runner};
use anyhow::Result;

/// Each kind of event that can be disturbed, some that change the page and some that do not, on a page whose news are
/// others each time.
pub const SHOP: Session = Session {
    name: "shop",
    steps: &[
        Open("/invariants/shop.html"),
        Until("document.querySelector('#news li') && !tip.hidden && document.querySelector('#widget h2')"),
        click("#cart"),
        Until("total.textContent"),
        click("#details"),
        click("#nothing"),
        click("#search"),
        Type("br"),
        Press("Enter"),
        Until("document.querySelectorAll('#found li').length"),
    ],
};

/// Five thousand nodes, and thirteen events of a person's.
pub const LARGE: Session = Session {
    name: "large",
    steps: &[
        Open("/invariants/large.html"),
        Until("document.querySelectorAll('td').length === 2145"),
        click("#add"),
        click("#add"),
        click("#sort"),
        click("#search"),
        Press("a"),
        Press("b"),
    ],
};

/// What is to be pressed moves when the page's clock runs for the first time.
pub const PUSHED_DOWN: Session = Session {
    name: "pushed-down",
    steps: &[
        Open("/invariants/pushed-down.html"),
        Until("clock.textContent"),
        click("button"),
        Until("document.querySelector('output').textContent === '1'"),
    ],
};

/// Requests that are no calls of the page's: a stream of events, what a worker asks for; and one at another address each time.
pub const ASKING: Session = Session {
    name: "asking",
    steps: &[
        Open("/invariants/asking.html"),
        Until("news.textContent === 'event 2' && stock.textContent !== 'unknown'"),
        click("#latest"),
        Until("shown.textContent"),
    ],
};

/// The session, recorded in Chromium from a site that goes on running.
pub async fn record(site: &Site, session: &Session) -> Result<Recorded> {
    record_at(&site.url(""), session).await
}

pub async fn record_at(origin: &str, session: &Session) -> Result<Recorded> {
    let recording = Recording::start(&format!("{origin}/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    runner::play(&mut *browser, origin, session).await?;
    recording.close(browser).await?;
    recording.finish().await
}

pub async fn site() -> Result<Site> {
    Site::http(crate::workspace().join("tests/sites"), Prelude::None).await
}
