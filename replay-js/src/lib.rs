//! The JavaScript that lives in the page, assembled into one script for each document.
//!
//! `page/record.js`, `page/replay.js` and `page/live.js` are the entry modules (and `page/collect.js`, which only looks). All install the
//! same sources of non-determinism
//! (`page/sources/`) against their own engine; see `ARCHITECTURE.md`, "One set of sources, two engines".
//!
//! The config is a JSON object. Both scripts read `load` (this document's number), `endpoint` (`/__xcheck/SECRET`, where
//! the log or the channel is) and `session` (any string that all documents of a session share and pages cannot guess:
//! frames find their parents' recorder by it). The recorder also reads `storage: true` on the first load of an origin, to send the
//! cookies and web storage it found; `page/live.js` also reads `log`, `not_fired` and `ahead`; the replayer reads `storage` as [`xcheck_trace::event::Storage`], to restore it,
//! `exchange`, and `engine`, the recording browser's. All read `inline`: whether the document's policies let scripts run that stand in it.

use serde_json::Value;
use xcheck_trace::event::Event;

#[cfg(test)]
mod assemble;
#[cfg(test)]
mod shorten;

const RECORDER: &str = include_str!(concat!(env!("OUT_DIR"), "/record.js"));
const LIVE: &str = include_str!(concat!(env!("OUT_DIR"), "/live.js"));
const WORKER: &str = include_str!(concat!(env!("OUT_DIR"), "/worker.js"));
const SERVICE_WORKER: &str = include_str!(concat!(env!("OUT_DIR"), "/service-worker.js"));
const KEEPER: &str = include_str!(concat!(env!("OUT_DIR"), "/keep.js"));
const RESTORER: &str = include_str!(concat!(env!("OUT_DIR"), "/restore.js"));
const REPLAYER: &str = include_str!(concat!(env!("OUT_DIR"), "/replay.js"));
const COLLECTOR: &str = include_str!(concat!(env!("OUT_DIR"), "/collect.js"));

/// What a frame's document begins with that stands in its page (`srcdoc`), where the page's policies let it run.
pub const FIRST_IN_FRAMES: &str =
    "<!doctype html><script>frameElement?.contentWindow;document.currentScript.remove()</script>";

/// The script that records what a document does.
pub fn recorder(config: &Value) -> String {
    script(RECORDER, "startRecorder", &[config])
}

/// The script of a document that runs by itself, is recorded, and takes commands.
pub fn live(config: &Value) -> String {
    script(LIVE, "startLive", &[config])
}

/// The script that makes a document do again what `events`, those of its load in their order, say.
pub fn replayer(config: &Value, events: &[Event]) -> String {
    let events = serde_json::to_value(events).expect("events have only text for keys");
    script(REPLAYER, "startReplayer", &[config, &events])
}

/// The script that tells what stood in IndexedDB and Cache before the session, run before the recorder. The config has
/// `endpoint`, of a WebSocket, and `limit`, in bytes.
pub fn keeper(config: &Value) -> String {
    script(KEEPER, "startKeeper", &[config])
}

/// The script that puts back what the keeper told, run before the replayer. The config has `endpoint`, of a WebSocket.
pub fn restorer(config: &Value, contents: &str) -> String {
    let [config, contents] = [&*config.to_string(), contents].map(|text| Value::from(text).to_string());
    format!("(function(){{'use strict';\n{RESTORER}startRestorer(globalThis,{config},{contents});\n}})();\n")
}

/// An expression that does the same in a page that nothing of ours was put into: a promise of what could not be put back.
pub fn restoration(contents: &str) -> String {
    let contents = Value::from(contents).to_string();
    format!("(function(){{'use strict';\n{RESTORER}return restoreContents(globalThis,{contents});\n}})()")
}

/// An expression: page data of a window's documents as they are, for a page that nothing of ours was put into.
pub fn collector() -> String {
    format!("(function(){{'use strict';\n{COLLECTOR}return collectOnce(globalThis);\n}})()")
}

/// What stands before a worker's script, in one line, so that the lines of its errors stay what they are.
pub fn worker(config: &Value) -> String {
    call(WORKER, "startWorker", &[config]).replace('\n', " ")
}

/// What stands before a service worker's script, in one line as well.
pub fn service_worker(config: &Value) -> String {
    call(SERVICE_WORKER, "startServiceWorker", &[config]).replace('\n', " ")
}

/// What stands behind a module's text, so that the recorder (`page/record.js`) and the replayer
/// (`page/replay/modules-arrived.js`) hear that it has run.
pub fn module_has_run(exchange: u64) -> String {
    format!("\n;globalThis.__xcheck_has_run__?.({exchange})")
}

/// What stands before and behind a call of `import()`, so that its promise is one of those that are logged
/// (`page/sources/promises.js`); where we are not, it is what it was. `new` binds like the call itself, and what is before
/// it ends where it would.
pub const AROUND_IMPORT: (&str, &str) = ("new(globalThis.__xcheck_has_come__||globalThis.Object)(", ")");

/// Most of our functions are called at once: Chromium then compiles them while the script still comes, on another thread,
/// and not one by one on the page's.
fn script(text: &str, start: &str, data: &[&Value]) -> String {
    format!("//# allFunctionsCalledOnLoad\n{}", call(text, start, data))
}

/// One strict function around everything, so that nothing is left behind. Data goes in as JSON text rather than as
/// literals: `__proto__` is a key like any other there, and large logs are parsed faster.
fn call(text: &str, start: &str, data: &[&Value]) -> String {
    let data: Vec<String> = data
        .iter()
        .map(|value| Value::String(value.to_string()).to_string())
        .collect();
    format!(
        "(function(){{'use strict';\n{text}{start}(globalThis,{});\n}})();\n",
        data.join(",")
    )
}
