//! Why something does not hold, as a reader of `docs/coverage.md` is told it. One reason has one number there.

pub(super) const CONTEXT_MENU: &str = "WebKitGTK's driver brings no release of the right button where the page keeps the menu from opening, and keeps it down for the next row.";
pub(super) const MEDIA: &str = "`canplaythrough` does not come in WebKitGTK, which has other decoders here.";
pub(super) const MODULES: &str =
    "What an `import()` is awaited for runs in no event of the page, and other engines cut it otherwise.";
pub(super) const WEBGL: &str = "Firefox has no WebGL without a window on a machine without a graphics card.";
pub(super) const BFCACHE: &str =
    "WebKitGTK brings the page back from its own cache, where Chromium, when this was recorded, loaded it again.";
pub(super) const SRCDOC: &str = "In WebKitGTK the scripts of a `srcdoc` frame run without our sources.";
pub(super) const FINISHED: &str = "What a page awaits of an animation made by script (`finished`) is ended by the log; one run in three engines still failed, and was not looked into.";
pub(super) const INTERSECTION: &str = "WebKitGTK told of another crossing in one run of two; the cause was not found.";
pub(super) const SELECT: &str =
    "Firefox tells of what was chosen by a key later than the key, and the page hears it twice.";
