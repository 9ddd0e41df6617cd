//! Documents that come, go and come back, in windows and frames.

use super::reasons::BFCACHE;
use super::{WEBKIT, extra, not, row};
use crate::coverage::Part::Replayed;
use crate::coverage::Row;
use crate::session::Step::{Back, Until};
use crate::session::click;

pub(super) const DOCUMENTS: &[Row] = &[
    row(
        "history",
        "history, `pushState`, hash",
        &[
            click("#push"),
            click("a"),
            Until("location.hash"),
            click("#back"),
            Until("!location.hash"),
            click("#back"),
            Until("location.search === '?one'"),
            click("#back"),
        ],
        extra("popstate on window"),
    ),
    row(
        "bfcache",
        "a page that comes back from the browser's cache",
        &[click("a"), Until("document.title === 'next'"), Back],
        extra("pageshow on window"),
    )
    .but(&[not(Replayed, WEBKIT, BFCACHE)]),
    row(
        "target-blank",
        "links that open a tab",
        &[click("a")],
        extra("message of BroadcastChannel"),
    ),
    row(
        "download",
        "downloads",
        &[click("#made"), click("#file")],
        extra("click on #made"),
    ),
    row(
        "fonts",
        "fonts that are awaited, one that cannot be had",
        &[],
        extra("FontFaceSet.ready fulfilled"),
    ),
    row("frames-nested", "frames in frames", &[], extra("inline script 0")),
    row(
        "frames-local",
        "`about:blank`, `srcdoc` and `blob:` frames",
        &[],
        extra("message on window"),
    ),
    row("frames-sandboxed", "sandboxed frames", &[], extra("message on window")),
];
