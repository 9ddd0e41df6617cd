//! What observers tell, and what moves by itself.

use super::reasons::MEDIA;
use super::{WEBKIT, extra, not, row};
use crate::coverage::Part::Replayed;
use crate::coverage::Row;

pub(super) const MOVING: &[Row] = &[
    row(
        "intersection-observer",
        "IntersectionObserver",
        &[],
        extra("deliver of IntersectionObserver"),
    ),
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
    ),
    row(
        "moving-drawing",
        "drawings that move by themselves (`<animate>`)",
        &[],
        extra("endEvent on #slide"),
    ),
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
