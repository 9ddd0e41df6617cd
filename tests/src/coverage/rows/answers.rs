//! What a person or the system answers.

use super::{extra, row};
use crate::coverage::Row;
use crate::coverage::Varied::At;
use crate::session::Step::Until;
use crate::session::click;
use xcheck_trace::run::DivergenceKind::DialogDiffers;

pub(super) const ANSWERS: &[Row] = &[
    row(
        "dialogs",
        "`alert`, `confirm`, `prompt`, `print`",
        &[click("button")],
        At("click on *", DialogDiffers),
    ),
    row(
        "beforeunload",
        "`beforeunload`",
        &[click("button"), Until("document.title === 'armed'"), click("a")],
        extra("inline script 0"),
    ),
    row("geolocation", "geolocation", &[], extra("error of Geolocation")),
    row(
        "permissions",
        "permissions, notifications, reading the clipboard, devices",
        &[],
        extra("Notification.requestPermission fulfilled"),
    ),
    row(
        "environment",
        "`onLine`, visibility, focus, screen, device",
        &[],
        extra("inline script 0"),
    ),
    row(
        "match-media",
        "`matchMedia` that changes",
        &[],
        extra("change of MediaQueryList"),
    ),
    row("resize", "a window that is resized", &[], extra("resize on *")),
    row("intl", "`Intl`, time zone, languages", &[], extra("inline script 0")),
];
