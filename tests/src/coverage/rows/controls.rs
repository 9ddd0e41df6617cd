//! Controls of the browser's own.

use super::{extra, row};
use crate::coverage::Row;
use crate::session::Step::{Choose, Press, Type, Until};
use crate::session::click;

pub(super) const CONTROLS: &[Row] = &[
    row(
        "file-input",
        "files that are chosen, with what stands in them",
        &[
            Until("document.title === 'ready'"),
            Choose("input", &["coverage/plain.txt"]),
        ],
        extra("change on *"),
    ),
    row(
        "select",
        "`<select>`",
        &[Press("ArrowDown"), Press("ArrowDown")],
        extra("change on *"),
    ),
    row(
        "inputs",
        "date, time, colour and range inputs",
        &[click("[type=range]"), Press("ArrowRight")],
        extra("change on *"),
    ),
    row(
        "checks",
        "check boxes and radio buttons",
        &[click("#agree"), click("#small")],
        extra("change on #agree"),
    ),
    row(
        "form",
        "forms: validity, submitter",
        &[click("button"), click("input"), Type("me"), Press("Enter")],
        extra("submit on *"),
    ),
    row(
        "autofill",
        "values that are filled in by script",
        &[click("button")],
        extra("click on *"),
    ),
    row(
        "dialog-element",
        "`<dialog>`",
        &[click("#open"), click("#yes"), click("#no")],
        extra("close on *"),
    ),
    row(
        "popover",
        "popover",
        &[
            click("#open"),
            Until("document.querySelectorAll('p').length === 2"),
            Press("Escape"),
        ],
        extra("toggle on #box"),
    ),
    row(
        "details",
        "`<details>`",
        &[
            click("summary"),
            Until("document.querySelector('details').open"),
            click("summary"),
        ],
        extra("toggle on *"),
    ),
    row(
        "fullscreen",
        "fullscreen",
        &[click("button")],
        extra("fullscreenchange on *"),
    ),
    row(
        "pointer-lock",
        "pointer lock",
        &[click("button")],
        extra("pointerlockchange on *"),
    ),
];
