//! What was stored before the session began.

use super::{extra, row};
use crate::coverage::Row;
use crate::session::Step::{Open, Until};
use crate::session::{Step, click};

/// Of the origin, before the recorder has seen it.
pub(super) const WHAT_WAS_THERE: &[Step] = &[
    Open("/coverage/plain.txt"),
    Until("(localStorage.kept = 'local', sessionStorage.kept = 'session', document.cookie = 'kept=cookie', true)"),
    Until(
        "window.kept ?? (window.kept = false, (indexedDB.open('row', 1).onupgradeneeded = (event) => \
         event.target.result.createObjectStore('things').put({n: 1}, 'kept')), caches.open('row').then((cache) => \
         cache.put('/kept', new Response('cached'))).then(() => { window.kept = true; }), false)",
    ),
];

pub(super) const STORAGE: &[Row] = &[
    row(
        "storage-web",
        "cookies, `localStorage`, `sessionStorage` that were there",
        &[],
        extra("inline script 0"),
    ),
    row(
        "indexed-db",
        "IndexedDB that the page makes",
        &[Until("document.querySelector('p')"), click("button")],
        extra("complete of IDBTransaction"),
    ),
    row(
        "storage-databases",
        "IndexedDB and Cache that were there",
        &[],
        extra("*"),
    ),
];
