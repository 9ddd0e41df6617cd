//! The end points of pages: what a recorder sends arrives, and nobody else can send or read anything.

use crate::support::*;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use tokio_tungstenite::tungstenite::Message;
use xcheck_trace::notice::NoticeKind;

const HTML: &str = "<!doctype html><html><head></head><body></body></html>";

struct Site {
    rig: Rig,
    base: String,
}

impl Site {
    async fn start() -> Site {
        let address: SocketAddr = answering(page(HTML)).await;
        Site {
            rig: Rig::start().await,
            base: format!("http://{address}"),
        }
    }

    /// Loads a page as a browser does, and gives the end point of its recorder.
    async fn load(&self) -> String {
        let html = self.rig.curl(&[&format!("{}/", self.base)]).await.ok().text();
        let script = self.script(&script_path(&html)).await;
        format!("{}/__xcheck/{}/log", self.base, secret_in(&script))
    }

    async fn script(&self, path: &str) -> String {
        self.rig
            .curl(&["--fail", &format!("{}{path}", self.base)])
            .await
            .ok()
            .text()
    }

    async fn socket(&self, url: &str) -> Result<Socket, String> {
        let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        open_socket(self.rig.address(), host, &format!("/{path}")).await
    }

    async fn post(&self, url: &str, log: &str) {
        let curl = self
            .rig
            .curl(&[
                "-i",
                "-H",
                "Origin: null",
                "-H",
                "Content-Type: text/plain",
                "--data-binary",
                log,
                url,
            ])
            .await
            .ok();
        let text = curl.text();
        assert!(
            text.starts_with("HTTP/1.1 204") && text.ends_with("\r\n\r\n"),
            "always the same, with nothing to read: {text}"
        );
        assert!(text.to_lowercase().contains("access-control-allow-origin: *"));
    }
}

fn hello(url: &str) -> String {
    format!(
        r#"{{"hello": {{"load": 99, "url": "{url}", "path": [], "at": 5.5, "user_agent": "Mozilla/5.0 Firefox/128.0", "languages": ["en"], "time_zone": "Europe/Paris", "viewport": [1280, 720], "history": 1, "referrer": ""}}}}"#
    )
}

fn random_numbers(recorded: &Recorded) -> Vec<&[f64]> {
    let events = recorded.events.iter();
    events.map(|event| event.local.random.as_slice()).collect()
}

fn refusals(recorded: &Recorded) -> Vec<&str> {
    let refused = recorded
        .notices
        .iter()
        .filter(|notice| notice.kind == NoticeKind::LogRefused);
    refused.map(|notice| notice.text.as_str()).collect()
}

#[tokio::test]
async fn what_a_recorder_sends_is_kept_under_its_own_load() {
    let site = Site::start().await;
    let (first, second) = (site.load().await, site.load().await);
    let lines = format!(
        "{}\n{}\n{}\n{}\n",
        hello(&site.base),
        r#"{"load": 1, "id": 0, "at": 6.5, "what": {"kind": "timer", "of": [0, 0]}}"#,
        r#"{"source": {"hash": "h", "text": "function () {}"}}"#,
        r#"{"notice": {"kind": "unsupported", "what": "WebRTC"}}"#,
    );
    site.post(&second, &lines).await;
    site.post(&first, &hello(&site.base)).await;
    let recorded = site.rig.stop().await;
    assert_eq!(refusals(&recorded), Vec::<&str>::new());
    assert_eq!(recorded.events.len(), 1);
    assert_eq!(recorded.events[0].load, 2, "whatever the line says");
    let loads: Vec<_> = recorded
        .loads
        .iter()
        .map(|load| (load.load, load.exchange, load.window))
        .collect();
    assert_eq!(loads, [(2, Some(2), 0), (1, Some(1), 0)]);
    assert_eq!(recorded.notices[0].load, Some(2));
    let manifest = std::fs::read_to_string(recorded.summary.folder.join("manifest.json")).unwrap();
    assert!(
        manifest.contains("Europe/Paris") && manifest.contains("firefox"),
        "{manifest}"
    );
}

#[tokio::test]
async fn the_script_is_fresh_each_time_and_usable_from_anywhere() {
    let site = Site::start().await;
    let html = site.rig.curl(&[&format!("{}/", site.base)]).await.ok().text();
    let path = script_path(&html);
    let (one, two) = (site.script(&path).await, site.script(&path).await);
    assert_ne!(
        secret_in(&one),
        secret_in(&two),
        "a document from the browser's cache is a load of its own"
    );
    let head = site
        .rig
        .curl(&["-i", &format!("{}{path}", site.base)])
        .await
        .ok()
        .text()
        .to_lowercase();
    for line in [
        "cache-control: no-store",
        "content-type: text/javascript",
        "cross-origin-resource-policy: cross-origin",
        "access-control-allow-origin: *",
    ] {
        assert!(head.contains(line), "{line} is not in {head}");
    }
    site.rig.stop().await;
}

#[tokio::test]
async fn nobody_can_send_under_a_secret_that_is_not_theirs() {
    let site = Site::start().await;
    let own = site.load().await;
    let event = r#"{"id": 0, "at": 6.5, "what": {"kind": "timer", "of": [0, 0]}}"#;
    site.post(&own.replace("__xcheck/", "__xcheck/0"), event).await;
    site.post(&format!("{}/__xcheck/{}/log", site.base, "0".repeat(32)), event)
        .await;
    // The right secret, but on another origin: what one site learns is of no use on another.
    let elsewhere = own.replace("127.0.0.1", "localhost");
    site.post(&elsewhere, event).await;
    let recorded = site.rig.stop().await;
    assert!(recorded.events.is_empty(), "{:?}", recorded.events);
    assert_eq!(refusals(&recorded).len(), 3);
}

#[tokio::test]
async fn a_token_works_on_its_own_origin_only_and_says_nothing_else() {
    let site = Site::start().await;
    let html = site.rig.curl(&[&format!("{}/", site.base)]).await.ok().text();
    let path = script_path(&html);
    let port = site.base.rsplit(':').next().unwrap();
    for url in [
        format!("http://localhost:{port}{path}"),
        format!("{}/__xcheck/{}.js", site.base, "0".repeat(32)),
        format!("{}/__xcheck/", site.base),
        format!("{}/__xcheck/../secret", site.base),
        format!("{}/__xcheck", site.base),
        site.load().await,
    ] {
        let curl = site.rig.curl(&["--path-as-is", "-w", "%{http_code}", &url]).await.ok();
        assert_eq!(curl.text(), "404", "{url}");
    }
    let recorded = site.rig.stop().await;
    assert_eq!(
        recorded.exchanges.len(),
        2,
        "nothing below /__xcheck/ goes upstream or into the trace"
    );
}

#[tokio::test]
async fn lines_that_are_not_understood_are_refused_and_told_a_few_times() {
    let site = Site::start().await;
    let own = site.load().await;
    let good = r#"{"id": 0, "at": 6.5, "what": {"kind": "timer", "of": [0, 0]}}"#;
    site.post(&own, &format!("nonsense\n{good}\n")).await;
    for _ in 0..20 {
        site.post(&own, "{\"id\": \"x\"}").await;
    }
    let recorded = site.rig.stop().await;
    assert_eq!(recorded.events.len(), 1, "the good line between them is kept");
    assert_eq!(refusals(&recorded).len(), 5);
}

#[tokio::test]
async fn a_second_hello_and_a_batch_without_end_are_refused() {
    let site = Site::start().await;
    let own = site.load().await;
    site.post(&own, &hello(&site.base)).await;
    site.post(&own, &hello("http://forged.test/")).await;
    let large = site.rig.folder.path().join("large");
    std::fs::write(&large, vec![b'x'; 17 * 1024 * 1024]).unwrap();
    let data = format!("@{}", large.display());
    let curl = site
        .rig
        .curl(&["-w", "%{http_code}", "-H", "Expect:", "--data-binary", &data, &own])
        .await;
    assert!(
        curl.text().ends_with("204") || curl.status == 55 || curl.status == 56,
        "{curl:?}"
    );
    let recorded = site.rig.stop().await;
    assert_eq!(recorded.loads.len(), 1);
    let refusals = refusals(&recorded);
    assert!(
        refusals[0].contains("hello twice") && refusals[1].contains("16 MiB"),
        "{refusals:?}"
    );
}

#[tokio::test]
async fn a_batch_that_is_sent_again_is_taken_once() {
    let site = Site::start().await;
    let own = site.load().await;
    site.post(&format!("{own}?1"), &hello(&site.base)).await;
    let event = r#"{"id": 0, "at": 1.5, "what": {"kind": "script", "key": "a.js"}, "local": {"random": [0.25]}}"#;
    site.post(&format!("{own}?2"), event).await;
    site.post(&format!("{own}?1"), &hello(&site.base)).await;
    site.post(&format!("{own}?2"), event).await;
    let continued = r#"{"id": 0, "at": 1.5, "local": {"random": [0.5]}}"#;
    site.post(&format!("{own}?3"), continued).await;
    let recorded = site.rig.stop().await;
    assert!(refusals(&recorded).is_empty());
    assert_eq!(random_numbers(&recorded), [[0.25], [0.5]]);
}

#[tokio::test]
async fn a_socket_takes_batches_and_confirms_each() {
    let site = Site::start().await;
    let own = site.load().await;
    let mut socket = site.socket(&own).await.unwrap();
    let event = |random: &str| {
        format!(
            r#"{{"id": 0, "at": 1.5, "what": {{"kind": "script", "key": "a.js"}}, "local": {{"random": [{random}]}}}}"#
        )
    };
    let batches = [
        format!("1\n{}\n{}", hello(&site.base), event("0.25")),
        format!("2\n{}", event("0.5")),
        // What its closing may have cut off comes again, by a request.
        format!("2\n{}", event("0.5")),
        "3\nno log".to_owned(),
        "no number".to_owned(),
    ];
    for batch in batches {
        socket.send(Message::text(batch)).await.unwrap();
        let confirmed = within(socket.next()).await.unwrap().unwrap();
        assert_eq!(confirmed, Message::text(""), "and nothing can be read");
    }
    site.post(&format!("{own}?2"), &event("0.5")).await;
    let recorded = site.rig.stop().await;
    assert_eq!(random_numbers(&recorded), [[0.25], [0.5]]);
    let refusals = refusals(&recorded);
    assert!(
        refusals.len() == 1 && refusals[0].contains("not understood"),
        "{refusals:?}"
    );
}

#[tokio::test]
async fn nobody_opens_a_socket_under_a_secret_that_is_not_theirs() {
    let site = Site::start().await;
    let own = site.load().await;
    let elsewhere = own.replace("127.0.0.1", "localhost");
    for url in [format!("{}/__xcheck/0123/log", site.base), elsewhere] {
        let refused = site.socket(&url).await.unwrap_err();
        assert!(refused.contains("404"), "{refused}");
    }
    // A request that is no handshake learns nothing either.
    let curl = site.rig.curl(&["-w", "%{http_code}", &own]).await.ok();
    assert_eq!(curl.text(), "404");
    site.rig.stop().await;
}

#[tokio::test]
async fn what_was_sent_is_on_disk_within_moments() {
    let site = Site::start().await;
    let own = site.load().await;
    site.post(&own, &hello(&site.base)).await;
    let log = site.rig.trace_folder().join("loads.jsonl");
    within(async {
        while std::fs::read_to_string(&log).unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    site.rig.stop().await;
}
