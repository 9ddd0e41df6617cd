//! Components, and scripts of every kind.

use super::reasons::WEBGL;
use super::{FIREFOX, extra, not, row};
use crate::coverage::Part::Replayed;
use crate::coverage::Row;
use crate::coverage::Varied::At;
use crate::session::click;
use xcheck_trace::run::DivergenceKind::{AnswersExhausted, AnswersUnused};

pub(super) const SCRIPTS: &[Row] = &[
    row(
        "shadow-dom",
        "shadow DOM, open and closed",
        &[click("x-open >> button"), click("x-closed")],
        extra("click on *"),
    ),
    row("custom-elements", "custom elements", &[], extra("timer count (5 ms)")),
    row(
        "adopted-style-sheets",
        "`adoptedStyleSheets`",
        &[],
        extra("CSSStyleSheet.replace fulfilled"),
    ),
    row("canvas", "canvas 2D", &[], extra("deliver of HTMLCanvasElement.toBlob")),
    row(
        "drawn-pictures",
        "pictures that a page draws and loads",
        &[],
        extra("load on img \"A drawing\""),
    ),
    row("webgl", "WebGL", &[], extra("animation frame next")).but(&[not(Replayed, FIREFOX, WEBGL)]),
    row("modules", "modules, `import()`, import maps", &[], extra("*")),
    row(
        "import-calls",
        "`import()`, several at once",
        &[],
        extra("import fulfilled"),
    ),
    row(
        "script-orders",
        "`async`, `defer`, scripts that scripts insert",
        &[],
        extra("load on window"),
    ),
    row("document-write", "`document.write`", &[], extra("timer later (5 ms)")),
    row(
        "web-assembly",
        "WebAssembly",
        &[],
        extra("WebAssembly.instantiate fulfilled"),
    ),
    row("trusted-types", "Trusted Types", &[], extra("inline script 0")),
    row(
        "generators",
        "generators and async iterators over timers",
        &[],
        At("timer (5 ms)", AnswersExhausted),
    ),
    row(
        "locks",
        "Web Locks: who has one, and for how long",
        &[],
        At("deliver of LockManager.request", AnswersUnused),
    ),
    row(
        "weak-references",
        "`WeakRef`",
        &[],
        At("timer ask (1 ms)", AnswersExhausted),
    ),
    row(
        "shuffled",
        "lists that are sorted by chance",
        &[],
        At("inline script 0", AnswersExhausted),
    ),
    row(
        "identifiers",
        "identifiers made of random numbers",
        &[],
        At("inline script 0", AnswersExhausted),
    ),
    row("patched", "natives that the page's libraries patch", &[], extra("*")),
];
