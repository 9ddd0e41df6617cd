//! Applications that count what they are asked: one that only answers questions, one with a list that only grows, and two that
//! remember who is there, of which one forgets it again.

use anyhow::Result;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// Runs until it is dropped.
pub struct Asked {
    origin: String,
    shared: Arc<Shared>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    asked: Mutex<BTreeMap<String, usize>>,
    entries: Mutex<usize>,
    /// How many sessions there were.
    sessions: Mutex<usize>,
}

impl Asked {
    pub async fn start() -> Result<Asked> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let shared = Arc::<Shared>::default();
        let of_connections = shared.clone();
        let serving = tokio::spawn(async move {
            // The set ends its connections when this task is aborted.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let shared = of_connections.clone();
                connections.spawn(async move {
                    let answer = service_fn(move |request| {
                        let shared = shared.clone();
                        async move { Ok::<_, Infallible>(shared.answer(&request)) }
                    });
                    let http = hyper::server::conn::http1::Builder::new();
                    // A browser that goes away ends its connection as it likes.
                    let _ = http.serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        });
        Ok(Asked {
            origin,
            shared,
            serving,
        })
    }

    /// Three pages, and what they fetch.
    pub fn questions(&self) -> String {
        format!("{}/questions", self.origin)
    }

    /// A list that can be added to, and not taken from.
    pub fn growing(&self) -> String {
        format!("{}/growing", self.origin)
    }

    /// As the first, but for a cookie.
    pub fn remembering(&self) -> String {
        format!("{}/remembering", self.origin)
    }

    /// As that one, but whoever comes back is not known any more.
    pub fn forgetting(&self) -> String {
        format!("{}/forgetting", self.origin)
    }

    /// As the first, but asks for something else each time.
    pub fn otherwise(&self) -> String {
        format!("{}/otherwise", self.origin)
    }

    /// How often this path was asked for.
    pub fn times(&self, path: &str) -> usize {
        let asked = self.shared.asked.lock().unwrap();
        asked.get(path).copied().unwrap_or(0)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path();
        *self.asked.lock().unwrap().entry(path.to_owned()).or_default() += 1;
        if request.method() == Method::POST {
            *self.entries.lock().unwrap() += 1;
            return answer(303, "location", "/list", String::new());
        }
        match path {
            "/questions" => page("questions", "<a href=/one>one</a> <a href=/two>two</a>"),
            "/one" => page("one", FETCHING),
            "/two" => page("two", FETCHING),
            "/fetched" => answer(200, "content-type", "text/plain", "what was fetched".into()),
            "/growing" => page("growing", "<a href=/list>list</a>"),
            "/list" => {
                let entries = *self.entries.lock().unwrap();
                let list: String = (0..entries).map(|_| "<li>an entry</li>").collect();
                let add = "<form action=/list method=post><button>add</button></form>";
                page("list", &format!("<ul>{list}</ul>{add}{FETCHING}"))
            }
            "/otherwise" => page("otherwise", OTHERWISE),
            "/remembering" => with_cookie(page("remembering", FETCHING), "somebody"),
            "/forgetting" if request.headers().contains_key("cookie") => answer(303, "location", "/one", String::new()),
            "/forgetting" => {
                let mut sessions = self.sessions.lock().unwrap();
                *sessions += 1;
                with_cookie(page("forgetting", FETCHING), &sessions.to_string())
            }
            _ => answer(404, "content-type", "text/html", "not here".into()),
        }
    }
}

fn with_cookie(mut page: Response<Full<Bytes>>, who: &str) -> Response<Full<Bytes>> {
    let cookie = format!("who={who}").parse().expect("a header");
    page.headers_mut().insert("set-cookie", cookie);
    page
}

/// Two buttons, of which one asks the server.
const FETCHING: &str = "<button onclick=\"said.textContent = 'pressed'\">press</button>
<button onclick=\"fetch('/fetched').then((r) => r.text()).then((text) => { said.textContent = text })\">fetch</button>
<p id=said>nothing</p>";

/// Asks for something else each time.
const OTHERWISE: &str = "<a href=/one>one</a> <a href=/two>two</a><script>fetch('/fetched?' + Math.random())</script>";

fn page(title: &str, body: &str) -> Response<Full<Bytes>> {
    let html = format!("<!doctype html><title>{title}</title><h1>{title}</h1>{body}");
    answer(200, "content-type", "text/html; charset=utf-8", html)
}

fn answer(status: u16, header: &'static str, value: &'static str, text: String) -> Response<Full<Bytes>> {
    let response = Response::builder().status(status).header(header, value);
    response.body(Full::new(Bytes::from(text))).expect("a response")
}
