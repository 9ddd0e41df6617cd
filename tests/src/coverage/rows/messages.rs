//! What is said between windows, workers, ports and channels.

use super::row;
use crate::coverage::Row;
use crate::coverage::Varied::At;
use crate::session::click;
use xcheck_trace::run::DivergenceKind::{CallbackExtra, MessageDiffers};

pub(super) const MESSAGES: &[Row] = &[
    row(
        "worker",
        "Worker: messages, its exceptions, `terminate`",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "worker-kinds",
        "Worker from a `blob:` and as a module",
        &[],
        At("message of Worker", MessageDiffers),
    ),
    row(
        "worker-answers",
        "what a worker is answered: time, random numbers, `fetch`",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "worker-clock",
        "a worker that speaks by its own clock, as often as the log has it",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "worker-made",
        "a worker of a `blob:`, also a module: its time, its random numbers, and when it was told to stop",
        &[],
        At("timer (17 ms)", MessageDiffers),
    ),
    row(
        "shared-worker-made",
        "SharedWorker of a `blob:`, joined twice",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "shared-worker",
        "SharedWorker",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "message-channel",
        "MessageChannel, ports handed on",
        &[],
        At("message of MessagePort", MessageDiffers),
    ),
    row(
        "broadcast-channel",
        "BroadcastChannel",
        &[],
        At("message of BroadcastChannel", MessageDiffers),
    ),
    row(
        "post-message-frames",
        "`postMessage` between frames, of the same origin and another",
        &[],
        At("message on window", MessageDiffers),
    ),
    row(
        "post-message-windows",
        "`postMessage` between windows",
        &[click("button")],
        At("message on window", MessageDiffers),
    ),
    row(
        "structured-clone-errors",
        "errors that are cloned",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "service-worker",
        "service workers (blocked)",
        &[],
        At("*", CallbackExtra),
    ),
];
