//! What stood in databases and caches: who may tell it, and what becomes of a document that does not.

use crate::support::*;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use xcheck_proxy::Profiles;
use xcheck_trace::event::Load;
use xcheck_trace::notice::NoticeKind;

const HTML: &str = "<!doctype html><html><head></head><body></body></html>";
const DATABASE: &str = r#"{"database":{"name":"d","version":1,"stores":[]}}"#;

/// What a document runs first that has nothing to do.
const NOTHING: &str = "document.currentScript?.remove();\n";

struct Site {
    rig: Rig,
    host: String,
}

/// A document that came, as far as its tags go.
struct Document {
    first: String,
    own: String,
}

impl Site {
    async fn start() -> Site {
        let address: SocketAddr = answering(page(HTML)).await;
        Site {
            rig: Rig::with(|config| config.profiles = Profiles::Used).await,
            host: address.to_string(),
        }
    }

    async fn get(&self, path: &str) -> String {
        let url = format!("http://{}{path}", self.host);
        self.rig.curl(&["--fail", &url]).await.ok().text()
    }

    async fn document(&self) -> Document {
        let html = self.get("/").await;
        let mut tags = html.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let first = tags.next().expect("a script that runs first").to_owned();
        let own = tags.next().expect("the recorder").to_owned();
        assert!(first.ends_with("/first.js"), "{html}");
        Document { first, own }
    }

    /// Its first script, as far as it is to be known: where it speaks.
    async fn endpoint(&self, document: &Document) -> String {
        format!("/__xcheck/{}/kept", secret_in(&self.get(&document.first).await))
    }

    async fn socket(&self, path: &str) -> Result<Socket, String> {
        open_socket(self.rig.address(), &self.host, path).await
    }

    /// Says these lines, and waits until they were heard.
    async fn say(&self, socket: &mut Socket, lines: &str) -> bool {
        socket.send(Message::text(lines)).await.unwrap();
        within(socket.next())
            .await
            .is_some_and(|answer| answer.is_ok_and(|answer| answer.is_text()))
    }

    async fn hello(&self, document: &Document) {
        let secret = secret_in(&self.get(&document.own).await);
        let url = format!("http://{}/__xcheck/{secret}/log?1", self.host);
        let log = r#"{"hello":{"url":"http://a.test/","history":1,"storage":{"databases":{"sha256":"0000000000000000000000000000000000000000000000000000000000000000","bytes":1}}}}"#;
        self.rig.curl(&["--data-binary", log, &url]).await.ok();
    }
}

/// The number of databases and caches that each load has.
fn told(recorded: &Recorded) -> Vec<Option<usize>> {
    let of = |load: &Load| {
        let body = load.storage.as_ref()?.databases.clone();
        body.map(|body| recorded.body(&Some(body)).split(|byte| *byte == b'\n').count() - 1)
    };
    recorded.loads.iter().map(of).collect()
}

#[tokio::test]
async fn what_is_told_belongs_to_the_document_that_waited_for_it_and_to_no_other() {
    let site = Site::start().await;
    let document = site.document().await;
    let path = site.endpoint(&document).await;
    let mut socket = site.socket(&path).await.unwrap();
    assert!(site.say(&mut socket, &format!("{DATABASE}\n")).await);
    assert!(
        site.say(&mut socket, "{\"cache\":{\"name\":\"c\"}}\n{\"end\":true}\n")
            .await
    );
    site.hello(&document).await;
    // It is known now: a document that comes later has one tag only, and one from the browser's cache nothing to do.
    assert_eq!(site.get("/").await.matches("<script").count(), 1);
    assert_eq!(site.get(&document.first).await, NOTHING);
    site.hello(&document).await;
    assert!(site.socket(&path).await.is_err(), "the secret is used up");
    let recorded = site.rig.stop().await;
    assert_eq!(told(&recorded), [Some(2), None]);
    assert!(recorded.notices.is_empty(), "{:?}", recorded.notices);
}

#[tokio::test]
async fn nobody_tells_it_of_another_origin_or_without_the_secret() {
    let site = Site::start().await;
    let document = site.document().await;
    let path = site.endpoint(&document).await;
    let other: SocketAddr = answering(page(HTML)).await;
    assert!(
        open_socket(site.rig.address(), &other.to_string(), &path)
            .await
            .is_err()
    );
    assert!(
        site.socket("/__xcheck/00112233445566778899aabbccddeeff/kept")
            .await
            .is_err()
    );
    // The recorder's own secret opens its log alone.
    let elsewhere = format!("http://{other}{}", document.first);
    assert_eq!(site.rig.curl(&[&elsewhere]).await.ok().text(), NOTHING);
    let mut socket = site.socket(&path).await.unwrap();
    assert!(site.say(&mut socket, "{\"end\":true}").await);
    site.hello(&document).await;
    assert_eq!(told(&site.rig.stop().await), [None]);
}

#[tokio::test]
async fn what_is_no_contents_is_refused_and_said() {
    let site = Site::start().await;
    let document = site.document().await;
    let mut socket = site.socket(&site.endpoint(&document).await).await.unwrap();
    assert!(site.say(&mut socket, &format!("{DATABASE}\nnonsense\n")).await);
    assert!(
        site.say(
            &mut socket,
            "{\"missing\":{\"what\":\"X\",\"why\":\"y\"}}\n{\"end\":true}"
        )
        .await
    );
    site.hello(&document).await;
    let recorded = site.rig.stop().await;
    assert_eq!(told(&recorded), [None]);
    let kinds: Vec<NoticeKind> = recorded.notices.iter().map(|notice| notice.kind).collect();
    assert_eq!(kinds, [NoticeKind::LogRefused], "{:?}", recorded.notices);
}

#[tokio::test]
async fn a_document_without_storage_and_one_that_goes_away_leave_it_to_the_next() {
    let site = Site::start().await;
    let (sandboxed, leaving, last) = (site.document().await, site.document().await, site.document().await);
    let mut socket = site.socket(&site.endpoint(&sandboxed).await).await.unwrap();
    assert!(site.say(&mut socket, "{\"end\":false}").await);
    site.hello(&sandboxed).await;
    let mut socket = site.socket(&site.endpoint(&leaving).await).await.unwrap();
    assert!(site.say(&mut socket, &format!("{DATABASE}\n")).await);
    drop(socket);
    let mut socket = site.socket(&site.endpoint(&last).await).await.unwrap();
    assert!(site.say(&mut socket, &format!("{DATABASE}\n{{\"end\":true}}")).await);
    site.hello(&last).await;
    let recorded = site.rig.stop().await;
    assert_eq!(told(&recorded), [None, Some(1)]);
    assert!(recorded.notices.is_empty(), "{:?}", recorded.notices);
}

#[tokio::test]
async fn another_document_of_the_origin_waits_for_the_one_that_tells() {
    let site = Site::start().await;
    let (one, other) = (site.document().await, site.document().await);
    let mut socket = site.socket(&site.endpoint(&one).await).await.unwrap();
    let waits = async { (site.get(&other.first).await, site.get(&other.own).await) };
    let tells = async {
        assert!(site.say(&mut socket, &format!("{DATABASE}\n")).await);
        assert!(site.say(&mut socket, "{\"end\":true}").await);
    };
    let ((first, own), ()) = tokio::join!(waits, tells);
    assert_eq!(first, NOTHING);
    assert!(own.contains("startRecorder"));
}

#[tokio::test]
async fn a_document_that_never_tells_goes_on_after_a_while() {
    let site = Site::start().await;
    let document = site.document().await;
    let _socket = site.socket(&site.endpoint(&document).await).await.unwrap();
    let began = Instant::now();
    site.hello(&document).await;
    assert!(began.elapsed().as_secs() >= 9, "{:?}", began.elapsed());
    assert_eq!(
        site.get("/").await.matches("<script").count(),
        1,
        "nobody is asked again"
    );
    let recorded = site.rig.stop().await;
    assert_eq!(told(&recorded), [None]);
    let [notice] = &recorded.notices[..] else {
        panic!("{:?}", recorded.notices);
    };
    assert!(notice.text.contains("could not be read in time"), "{}", notice.text);
}
