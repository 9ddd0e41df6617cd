//! Serves the applications on a free port of loopback, with what their pages ask for besides.
//!
//! Some answers are never the same twice (visits are counted, loans are due some days from now), as on a real server.

use crate::files::FILES;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use time::macros::format_description;
use time::{Duration, OffsetDateTime};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// Runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Server {
    pub async fn start() -> io::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let serving = tokio::spawn(accept(listener));
        Ok(Server { address, serving })
    }

    /// `http://127.0.0.1:PORT`, to which paths are added.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn accept(listener: TcpListener) {
    let visits = Arc::new(AtomicU32::new(41));
    // The set ends its connections when this task is aborted.
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let visits = visits.clone();
                let service = service_fn(move |request| answer(visits.clone(), request));
                connections.spawn(async move {
                    let connection = hyper::server::conn::http1::Builder::new();
                    if let Err(error) = connection.serve_connection(TokioIo::new(stream), service).await {
                        tracing::debug!(%error, "a client of the demonstration left");
                    }
                });
            }
            Err(error) => tracing::warn!(%error, "the demonstration's server could not take a connection"),
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(visits: Arc<AtomicU32>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    Ok(match (request.method(), request.uri().path()) {
        (&Method::GET, "/") => redirect("/books/"),
        (&Method::GET, "/books/api/visits") => json_of(&json!({"visits": visits.fetch_add(1, Ordering::Relaxed) + 1})),
        (&Method::GET, "/books/api/borrowed") => json_of(&borrowed(OffsetDateTime::now_utc())),
        (&Method::GET, path) => match category(path).or_else(|| menu(path)) {
            Some(value) => json_of(&value),
            None => file(path),
        },
        (&Method::POST, "/restaurant/api/order") => json_of(&json!({"minutes": 12})),
        _ => plain(StatusCode::METHOD_NOT_ALLOWED, "Only reading here, and orders."),
    })
}

/// The librarians' system has its own way to write dates.
fn borrowed(today: OffsetDateTime) -> Value {
    let iso = format_description!("[year]-[month]-[day]");
    let dashed = format_description!("[month]-[day]-[year]");
    let loan = |id: &str, title: &str, author: &str, cover: &str, days: i64| {
        let due = today + Duration::days(days);
        // Both formats hold any date.
        let text = |format| due.format(format).unwrap_or_default();
        json!({"id": id, "title": title, "author": author, "cover": cover, "due": text(dashed), "next": text(iso)})
    };
    json!([
        loan("lighthouse", "The Lighthouse Year", "Ines Brandt", "lighthouse", 5),
        loan("atlas", "An Atlas of Small Rivers", "Tomas Vale", "atlas", 9),
        loan("bees", "What Bees Know", "Ruth Oyelaran", "bees", 12),
        loan("train", "The Last Slow Train", "Marek Dolan", "train", 16),
    ])
}

fn category(path: &str) -> Option<Value> {
    let book = |id: &str, title: &str, author: &str, cover: &str, shelf: &str| json!({"id": id, "title": title, "author": author, "cover": cover, "shelf": shelf});
    match path.strip_prefix("/books/api/")? {
        "fiction" => Some(json!([
            book(
                "winter",
                "A Winter in Two Rooms",
                "Lea Sandoval",
                "lighthouse",
                "Shelf F2"
            ),
            book(
                "orchard",
                "The Orchard Keeper's Son",
                "Paul Imhof",
                "garden",
                "Shelf F4"
            ),
        ])),
        "science" => Some(json!([
            book("comets", "Comets for Everyone", "Dana Whitlock", "comet", "Shelf S1"),
            book("honey", "The Chemistry of Honey", "Ruth Oyelaran", "bees", "Shelf S3"),
            book("roots", "Roots and Rain", "Jonas Petri", "garden", "Shelf S5"),
        ])),
        "travel" => Some(json!([
            book("night", "Night Trains", "Marek Dolan", "train", "Shelf T1"),
            book("islands", "Nine Cold Islands", "Tomas Vale", "atlas", "Shelf T2"),
        ])),
        _ => None,
    }
}

fn menu(path: &str) -> Option<Value> {
    let dish = |name: &str, price: f64| json!({"name": name, "price": price});
    match path.strip_prefix("/restaurant/api/")? {
        "lunch" => Some(json!({"title": "Lunch", "until": "14:30 2026-03-02", "items": [
            dish("Garden salad", 6.5), dish("Tomato soup", 5.0), dish("Spinach dumplings", 9.2),
        ]})),
        "dinner" => Some(json!({"title": "Dinner", "until": "21:45 2026-03-02", "items": [
            dish("Roast pumpkin", 11.5), dish("Braised beans", 10.0), dish("River trout", 16.8), dish("Plum cake", 5.4),
        ]})),
        _ => None,
    }
}

fn file(path: &str) -> Response<Full<Bytes>> {
    match FILES.iter().find(|file| file.path == path) {
        Some(file) => response(StatusCode::OK, file.content_type, Bytes::from_static(file.bytes)),
        None => plain(StatusCode::NOT_FOUND, "There is nothing here."),
    }
}

fn json_of(value: &Value) -> Response<Full<Bytes>> {
    response(StatusCode::OK, "application/json", value.to_string().into())
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    response(status, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()))
}

fn redirect(to: &'static str) -> Response<Full<Bytes>> {
    let mut response = plain(StatusCode::FOUND, "");
    response
        .headers_mut()
        .insert(LOCATION, hyper::header::HeaderValue::from_static(to));
    response
}

fn response(status: StatusCode, content_type: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, hyper::header::HeaderValue::from_static("no-store"));
    response
}
