//! What a service worker does that is let run: in the replay nobody hears of a request but the trace.

use super::{extra, row};
use crate::coverage::Row;

pub(super) const SERVICE_WORKERS: &[Row] = &[
    row(
        "service-worker-answers",
        "answers from its Cache, made up, passed on, renewed behind the page's back, and errors",
        &[],
        extra("controllerchange of ServiceWorkerContainer"),
    ),
    row(
        "service-worker-documents",
        "documents from its Cache, made up, and passed on",
        &[],
        extra("controllerchange of ServiceWorkerContainer"),
    ),
];
