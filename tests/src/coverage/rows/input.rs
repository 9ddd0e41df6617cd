//! What a hand does: keys, pointers, an input method.

use super::{extra, row};
use crate::coverage::Row;
use crate::session::Step::{Compose, ContextClick, Drag, Press, Tap, Type, Wheel};
use crate::session::{click, off, on};

pub(super) const INPUT: &[Row] = &[
    row(
        "drag-native",
        "drag and drop of the browser's own",
        &[Drag(on("#thing"), on("#place"))],
        extra("drop on #place"),
    ),
    row(
        "drag-pointer",
        "drag and drop made of pointer events",
        &[Drag(on("#knob"), off("#knob", 120.0, 0.0))],
        extra("pointerup on #knob"),
    ),
    row("touch", "touch", &[Tap(on("#pad"))], extra("click on #pad")),
    row(
        "wheel",
        "the wheel",
        &[Wheel(on("#list"), 0.0, 120.0)],
        extra("wheel on #list"),
    ),
    row(
        "shortcuts",
        "keyboard shortcuts",
        &[Press("Control+k"), Press("Shift+ArrowDown"), Press("Escape")],
        extra("keydown \"k\" on *"),
    ),
    row(
        "ime",
        "an input method",
        &[click("input"), Compose(&["k", "か", "蚊"]), click("button")],
        extra("input on *"),
    ),
    row(
        "clipboard",
        "copy and paste",
        &[
            click("#from"),
            Press("Control+a"),
            Press("Control+c"),
            click("#to"),
            Press("Control+v"),
        ],
        extra("paste on #to"),
    ),
    row(
        "context-menu",
        "the context menu",
        &[ContextClick(on("#box"))],
        extra("contextmenu on #box"),
    ),
    row(
        "contenteditable",
        "`contenteditable`",
        &[click("#box"), Type("ab")],
        extra("input on #box"),
    ),
];
