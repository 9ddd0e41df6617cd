//! Why something does not hold, as a reader of `docs/coverage.md` is told it. One reason has one number there.

pub(super) const MEDIA: &str = "`canplaythrough` does not come in WebKitGTK, which has other decoders here.";
pub(super) const WEBGL: &str = "Firefox has no WebGL without a window on a machine without a graphics card.";
pub(super) const BFCACHE: &str =
    "WebKitGTK brings the page back from its own cache, where Chromium, when this was recorded, loaded it again.";
