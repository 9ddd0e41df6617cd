//! Whose doing a navigation was, as far as the trace can tell.
//!
//! A page that the person opened by the address bar, a bookmark or a script of a test has to be opened by us; one that
//! the page opened has to come by itself, and when it does not, that is a finding.

use crate::browser::History;
use std::collections::HashMap;
use url::Url;
use xcheck_trace::Trace;
use xcheck_trace::event::Load;
use xcheck_trace::exchange::{Exchange, ExchangeId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The page's script, or a link, button or form.
    Page,
    /// The person, past the page.
    Person,
    /// Nothing says so.
    Unknown,
}

pub(crate) fn cause_of(trace: &Trace, load: &Load, first_of: &HashMap<ExchangeId, u32>) -> Cause {
    if !load.path.is_empty() || (load.window > 0 && load.sequence == 0) {
        return Cause::Page;
    }
    if load.sequence == 0 {
        return Cause::Person;
    }
    let Some(exchange) = load.exchange.and_then(|exchange| trace.exchange(exchange)) else {
        return Cause::Unknown;
    };
    if first_of.get(&exchange.id).is_some_and(|first| *first != load.load) {
        // It came from the browser's cache, as the way back in the history does.
        return Cause::Unknown;
    }
    let exchange = asked_first(trace, exchange);
    if exchange.worker.is_some() {
        return cause_behind_worker(trace, load, exchange);
    }
    match (
        exchange.request.header("sec-fetch-site"),
        exchange.request.header("referer"),
    ) {
        (Some("none"), _) => Cause::Person,
        _ if may_be_reloaded_by_hand(exchange) || is_step(trace, load) => Cause::Unknown,
        (Some(_), _) | (None, Some(_)) => Cause::Page,
        (None, None) => Cause::Unknown,
    }
}

/// A service worker asks in its own name: of whoever asked it, it knows which page that was.
fn cause_behind_worker(trace: &Trace, load: &Load, exchange: &Exchange) -> Cause {
    match exchange.request.header("referer") {
        Some(_) if !is_reload(exchange) && !is_step(trace, load) => Cause::Page,
        _ => Cause::Unknown,
    }
}

/// A page that is loaded anew is asked for on behalf of whoever opened it first: its site where its script moved there, as
/// applications of one page do. Only a person, or a script in a handler of what a person did, is said to be a user.
fn may_be_reloaded_by_hand(exchange: &Exchange) -> bool {
    is_reload(exchange) && exchange.request.header("sec-fetch-user") == Some("?1")
}

/// Links to the page they are on, and forms, ask for a fresh answer too; but they name the page.
pub(super) fn is_reload(exchange: &Exchange) -> bool {
    let own = exchange.request.url.split('#').next();
    let asks_for_fresh = exchange
        .request
        .header("cache-control")
        .is_some_and(|value| ["max-age=0", "no-cache"].contains(&value));
    exchange.request.method == "GET" && asks_for_fresh && exchange.request.header("referer") != own
}

/// A step in the history asks as it was asked first, on behalf of whoever led there then, which is not the page that is
/// left. A step forward may name that one, but nobody pressed anything; it can only follow a step back.
pub(super) fn is_step(trace: &Trace, load: &Load) -> bool {
    let mut documents: Vec<&Load> = trace
        .loads
        .iter()
        .filter(|other| follow_each_other(other, load))
        .collect();
    documents.sort_by_key(|document| document.sequence);
    let mut stepped = false;
    for (index, document) in documents.iter().enumerate() {
        let asked_before = documents[..index]
            .iter()
            .any(|earlier| asks_alike(trace, earlier, document));
        let left = index.checked_sub(1).and_then(|left| documents.get(left));
        let names_it = left.is_some_and(|left| referer(trace, document) == left.url.split('#').next());
        stepped = asked_before && (stepped || !names_it);
        if document.load == load.load {
            return stepped;
        }
    }
    false
}

fn follow_each_other(one: &Load, other: &Load) -> bool {
    one.window == other.window && one.path.is_empty() && other.path.is_empty()
}

/// For the same document, from the same page, and this time not by a press.
fn asks_alike(trace: &Trace, earlier: &Load, later: &Load) -> bool {
    let is_pressed = |exchange: &Exchange| exchange.request.header("sec-fetch-user").is_some();
    let by_itself = |asked: &Exchange| asked.request.method == "GET" && !is_pressed(asked);
    let from = referer(trace, later);
    let is_alike = earlier.url == later.url && from.is_some() && from == referer(trace, earlier);
    // Last, for it looks at all exchanges before.
    let asked = || {
        trace
            .exchange(later.exchange?)
            .map(|exchange| asked_first(trace, exchange))
    };
    is_alike && asked().is_some_and(by_itself)
}

fn referer<'t>(trace: &'t Trace, load: &Load) -> Option<&'t str> {
    trace.exchange(load.exchange?)?.request.header("referer")
}

/// The address that led to this document by redirections: where a person went, who knew nothing of them. Going straight
/// to the document would leave their responses to whoever asks for the same addresses later.
pub(crate) fn address_of<'t>(trace: &'t Trace, load: &'t Load) -> &'t str {
    let mut exchange = load.exchange.and_then(|exchange| trace.exchange(exchange));
    let mut address = load.url.as_str();
    while let Some(from) = exchange.and_then(|exchange| redirected_from(trace, exchange)) {
        if from.request.method != "GET" {
            break;
        }
        address = &from.request.url;
        exchange = Some(from);
    }
    address
}

/// What somebody asked for, where redirections led on from there. They say the same of who asked, but not what was asked:
/// behind a form that was sent, Chromium asks for a fresh answer as it does where a page is loaded anew.
pub(super) fn asked_first<'t>(trace: &'t Trace, exchange: &'t Exchange) -> &'t Exchange {
    let mut first = exchange;
    while let Some(from) = redirected_from(trace, first) {
        first = from;
    }
    first
}

/// The last one before it that leads there, if nobody else went there in between.
fn redirected_from<'t>(trace: &'t Trace, to: &Exchange) -> Option<&'t Exchange> {
    let earlier = trace.exchanges.iter().filter(|exchange| exchange.id < to.id);
    let last = earlier
        .filter(|exchange| exchange.request.url == to.request.url || leads_to(exchange, &to.request.url))
        .max_by_key(|exchange| exchange.id)?;
    leads_to(last, &to.request.url).then_some(last)
}

fn leads_to(exchange: &Exchange, url: &str) -> bool {
    let Some(response) = &exchange.response else {
        return false;
    };
    let location = response.header("location");
    let target = location.and_then(|location| Url::parse(&exchange.request.url).ok()?.join(location).ok());
    target.is_some_and(|mut target| {
        target.set_fragment(None);
        (300..400).contains(&response.status) && target.as_str() == url
    })
}

/// The history of each window, as far as our own doing needs it.
#[derive(Debug, Default)]
pub(super) struct Histories {
    of_window: HashMap<u32, (Vec<String>, usize)>,
}

impl Histories {
    /// The step that leads to this document, where it stands next to the present one.
    pub(super) fn step_to(&self, load: &Load) -> Option<History> {
        let (entries, at) = self.of_window.get(&load.window)?;
        let is = |index: Option<usize>| index.and_then(|index| entries.get(index)) == Some(&load.url);
        if is(Some(*at)) {
            Some(History::Reload)
        } else if is(at.checked_sub(1)) {
            Some(History::Back)
        } else if is(Some(at + 1)) {
            Some(History::Forward)
        } else {
            None
        }
    }

    pub(super) fn went(&mut self, load: &Load, step: Option<History>) {
        let (entries, at) = self.of_window.entry(load.window).or_default();
        match step {
            Some(History::Back) => *at = at.saturating_sub(1),
            Some(History::Forward) => *at += 1,
            Some(History::Reload) => {}
            None if entries.is_empty() => entries.push(load.url.clone()),
            None => {
                entries.truncate(*at + 1);
                entries.push(load.url.clone());
                *at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use xcheck_trace::TraceWriter;
    use xcheck_trace::manifest::{FORMAT, Manifest};
    use xcheck_trace::redact::Redaction;

    fn exchange(id: u64, method: &str, path: &str, location: Option<&str>) -> Exchange {
        let headers: Vec<_> = location.iter().map(|location| json!(["Location", location])).collect();
        let status = if location.is_some() { 302 } else { 200 };
        let request =
            json!({"method": method, "url": format!("http://a.test{path}"), "version": "HTTP/1.1", "headers": []});
        let response = json!({"status": status, "version": "HTTP/1.1", "headers": headers});
        let all =
            json!({"id": id, "request": request, "response": response, "end": {"end": "complete"}, "started_ms": id});
        serde_json::from_value(all).unwrap()
    }

    fn load(exchange: u64, path: &str) -> Load {
        let load = json!({"load": exchange, "exchange": exchange, "url": format!("http://a.test{path}"), "path": [], "window": 0,
            "sequence": 0, "at": exchange, "user_agent": "", "languages": [], "time_zone": "", "viewport": [1, 1]});
        serde_json::from_value(load).unwrap()
    }

    fn reload_asked_for(headers: serde_json::Value) -> Exchange {
        let mut exchange = exchange(2, "GET", "/notes", None);
        exchange.request.headers = serde_json::from_value(headers).unwrap();
        exchange
    }

    #[test]
    fn a_page_loaded_anew_after_its_script_moved_may_be_a_person_s_doing() {
        let fresh = json!(["cache-control", "max-age=0"]);
        let user = json!(["sec-fetch-user", "?1"]);
        let by_hand = |headers| may_be_reloaded_by_hand(&reload_asked_for(headers));
        assert!(by_hand(json!([fresh, user])));
        assert!(by_hand(json!([fresh, user, ["Referer", "http://a.test/"]])));
        assert!(!by_hand(json!([fresh])), "a timer of the page did it");
        assert!(!by_hand(json!([user])), "a link");
        let to_itself = json!([fresh, user, ["Referer", "http://a.test/notes"]]);
        assert!(!by_hand(to_itself), "a link to the page it is on");
    }

    fn trace_of(exchanges: &[Exchange], loads: &[Load]) -> Trace {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest {
            format: FORMAT,
            recorder: String::new(),
            browser: None,
            viewport: None,
            start_url: None,
            time_zone: None,
            languages: Vec::new(),
            started_at_ms: 0,
            finished_at_ms: None,
            service_workers: false,
            redactions: Vec::new(),
        };
        let writer = TraceWriter::create(&folder.path().join("trace"), manifest, Redaction::none()).unwrap();
        exchanges.iter().for_each(|exchange| writer.exchange(exchange).unwrap());
        loads.iter().for_each(|load| writer.load(load).unwrap());
        writer.finish(0).unwrap();
        Trace::open(&folder.path().join("trace")).unwrap().0
    }

    /// Documents of one window, each asked for by a page, with or without a press.
    fn steps(documents: &[(&str, &str, bool)]) -> Vec<bool> {
        let mut exchanges = Vec::new();
        let mut loads = Vec::new();
        for (sequence, (path, from, is_pressed)) in (0_u32..).zip(documents) {
            let mut asked = exchange(u64::from(sequence), "GET", path, None);
            let mut headers = vec![json!(["Sec-Fetch-Site", "same-origin"])];
            headers.extend((!from.is_empty()).then(|| json!(["Referer", format!("http://a.test{from}")])));
            headers.extend(is_pressed.then(|| json!(["Sec-Fetch-User", "?1"])));
            asked.request.headers = serde_json::from_value(json!(headers)).unwrap();
            exchanges.push(asked);
            loads.push(Load {
                sequence,
                ..load(u64::from(sequence), path)
            });
        }
        let trace = trace_of(&exchanges, &loads);
        loads.iter().map(|load| is_step(&trace, load)).collect()
    }

    #[test]
    fn a_step_in_the_history_asks_as_whoever_went_there_first() {
        let to_and_fro = [
            ("/", "", true),
            ("/list", "/", true),
            ("/item", "/list", true),
            ("/list", "/", false),
            ("/item", "/list", false),
            ("/list", "/item", true),
        ];
        assert_eq!(steps(&to_and_fro), [false, false, false, true, true, false]);
        let by_timers = [
            ("/", "", true),
            ("/a", "/", true),
            ("/b", "/a", false),
            ("/a", "/b", false),
            ("/b", "/a", false),
            ("/a", "/b", false),
        ];
        assert_eq!(steps(&by_timers), [false; 6]);
    }

    #[test]
    fn a_document_is_gone_to_where_its_redirections_began_unless_a_form_was_sent_there() {
        let exchanges = [
            exchange(1, "GET", "/", Some("/admin/")),
            exchange(2, "GET", "/admin/", Some("login/?next=/admin/")),
            exchange(3, "GET", "/admin/login/?next=/admin/", None),
            exchange(4, "POST", "/admin/login/?next=/admin/", Some("http://a.test/admin/")),
            exchange(5, "GET", "/admin/", None),
        ];
        let trace = trace_of(&exchanges, &[]);
        let login = load(3, "/admin/login/?next=/admin/");
        assert_eq!(address_of(&trace, &login), "http://a.test/");
        let admin = load(5, "/admin/");
        assert_eq!(address_of(&trace, &admin), "http://a.test/admin/");
    }

    /// A sign-in form: its answer leads on by a redirection, which Chromium asks for as it does for a page loaded anew.
    #[test]
    fn a_form_whose_answer_leads_on_was_sent_by_its_page() {
        let fresh = json!([
            ["cache-control", "max-age=0"],
            ["sec-fetch-user", "?1"],
            ["sec-fetch-site", "same-origin"],
            ["referer", "http://a.test/login"]
        ]);
        let mut exchanges = [
            exchange(1, "GET", "/login", None),
            exchange(2, "POST", "/login", Some("/in")),
            exchange(3, "GET", "/in", None),
        ];
        for asked in &mut exchanges[1..] {
            asked.request.headers = serde_json::from_value(fresh.clone()).unwrap();
        }
        let mut inside = load(3, "/in");
        inside.sequence = 1;
        let trace = trace_of(&exchanges, &[load(1, "/login"), inside.clone()]);
        assert_eq!(cause_of(&trace, &inside, &HashMap::new()), Cause::Page);
        assert_eq!(asked_first(&trace, &exchanges[2]).id, 2);
    }
}
