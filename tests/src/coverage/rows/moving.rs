//! What observers tell, and what moves by itself.

use super::reasons::{FINISHED, INTERSECTION, MEDIA};
use super::{ALL, CHROMIUM, WEBKIT, extra, not, row, sometimes_not};
use crate::coverage::Part::{Divergence, Replayed};
use crate::coverage::Row;

pub(super) const MOVING: &[Row] = &[
    row(
        "intersection-observer",
        "IntersectionObserver",
        &[],
        extra("deliver of IntersectionObserver"),
    )
    .but(&[sometimes_not(Replayed, WEBKIT, INTERSECTION)]),
    row(
        "resize-observer",
        "ResizeObserver",
        &[],
        extra("deliver of ResizeObserver"),
    ),
    row(
        "performance-observer",
        "PerformanceObserver",
        &[],
        extra("deliver of PerformanceObserver"),
    ),
    row(
        "mutation-observer",
        "MutationObserver",
        &[],
        extra("timer again (5 ms)"),
    ),
    row("css-animation", "CSS animations", &[], extra("animationend on #box")),
    row("css-transition", "CSS transitions", &[], extra("animation frame widen")),
    row(
        "web-animations",
        "Web Animations",
        &[],
        extra("Animation.finished fulfilled"),
    )
    .but(&[
        sometimes_not(Replayed, ALL, FINISHED),
        sometimes_not(Divergence, CHROMIUM, FINISHED),
    ]),
    row(
        "view-transition",
        "view transitions",
        &[],
        extra("deliver of Document.startViewTransition"),
    ),
    row("smooth-scrolling", "smooth scrolling", &[], extra("scroll on document")),
    row("animated-gif", "animated images", &[], extra("load on *")),
    row("media", "`<video>` and `<audio>`", &[], extra("ended on *")).but(&[not(Replayed, WEBKIT, MEDIA)]),
];
