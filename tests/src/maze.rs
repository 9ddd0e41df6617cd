//! An application that was made up, so that all its states and transitions are known, with everything in it that makes a
//! crawler lose its way: a clock, a counter and random identifiers on every page, an endless calendar, a list that grows as
//! one scrolls, windows that pop up, and sessions that end.
//!
//! Places are told apart by the words of their names. From each of them doors lead on; a door is a link, a button, a
//! form or a change of the page in place, depending on the place.

use anyhow::Result;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;

const WORDS: [&str; 15] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll", "larch",
    "mound", "north", "orchard",
];

/// As a session's patience: there are none, and nobody is remembered.
pub const NO_SESSIONS: u32 = u32::MAX;

/// Runs until it is dropped.
pub struct Maze {
    origin: String,
    places: usize,
    serving: tokio::task::JoinHandle<()>,
}

struct Shared {
    places: usize,
    /// Pages that a session may ask for; then it is over.
    patience: u32,
    sessions: Mutex<BTreeMap<String, u32>>,
    visits: Mutex<u64>,
}

impl Maze {
    pub async fn start(places: usize, patience: u32) -> Result<Maze> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared {
            places,
            patience,
            sessions: Mutex::default(),
            visits: Mutex::default(),
        });
        let serving = tokio::spawn(async move {
            // The set ends its connections when this task is aborted.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let shared = shared.clone();
                connections.spawn(async move {
                    let answer = service_fn(move |request| {
                        let shared = shared.clone();
                        async move { Ok::<_, Infallible>(shared.answer(&request)) }
                    });
                    // A client may leave whenever it likes.
                    let _ended = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), answer)
                        .await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Maze {
            origin,
            places,
            serving,
        })
    }

    pub fn url(&self) -> String {
        format!("{}/place/0", self.origin)
    }

    /// A page on which everything goes wrong.
    pub fn trouble(&self) -> String {
        format!("{}/trouble", self.origin)
    }

    /// CrossCheck's MyRestaurant, whose menu images respond in Chromium only.
    pub fn restaurant(&self) -> String {
        format!("{}/restaurant", self.origin)
    }

    /// Two dialogs, one of the browser's and one that is made of boxes, over a page that is higher than the view.
    pub fn dialogs(&self) -> String {
        format!("{}/dialogs", self.origin)
    }

    /// Answers nobody any more.
    pub fn die(&self) {
        self.serving.abort();
    }

    /// The titles of all places.
    pub fn titles(&self) -> BTreeSet<String> {
        (0..self.places).map(name).collect()
    }

    /// All doors, by the titles of the places they are between.
    pub fn doors(&self) -> BTreeSet<(String, String)> {
        let of = |place: usize| {
            doors(place, self.places)
                .into_iter()
                .map(move |to| (name(place), name(to)))
        };
        (0..self.places).flat_map(of).collect()
    }
}

impl Drop for Maze {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Two words, the same ones in the same order for no other place.
fn name(place: usize) -> String {
    format!(
        "{} {}",
        WORDS[place / WORDS.len() % WORDS.len()],
        WORDS[place % WORDS.len()]
    )
}

fn doors(place: usize, places: usize) -> Vec<usize> {
    let mut doors: Vec<usize> = [2 * place + 1, 2 * place + 2]
        .into_iter()
        .filter(|door| *door < places)
        .collect();
    let across = (place * 7 + 3) % places;
    if across != place && !doors.contains(&across) {
        doors.push(across);
    }
    if place != 0 && !doors.contains(&0) {
        doors.push(0);
    }
    doors
}

fn random() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(
        "{:08x}-{:04x}-4a1b-8c2d-{:012x}",
        now.subsec_nanos(),
        now.as_micros() % 65_521,
        now.as_nanos() % 0xffff_ffff_ffff
    )
}

impl Shared {
    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path().to_owned();
        let cookie = request.headers().get("cookie").and_then(|cookie| cookie.to_str().ok());
        let session = cookie.and_then(|cookie| cookie.split("session=").nth(1));
        let session = session.and_then(|session| session.split(';').next()).map(str::to_owned);
        let number = |prefix: &str| path.strip_prefix(prefix).and_then(|rest| rest.parse::<usize>().ok());
        if path == "/robots.txt" {
            return plain(200, "text/plain", "User-agent: *\nDisallow: /hidden\n".into());
        }
        let remembers = self.patience != NO_SESSIONS;
        if remembers && (path == "/start" || session.is_none() && path == "/place/0") {
            let id = random();
            self.sessions.lock().expect("no panic while held").insert(id.clone(), 0);
            let mut response = self.place(0);
            let cookie = format!("session={id}; Path=/").parse().expect("plain text");
            response.headers_mut().insert("set-cookie", cookie);
            return response;
        }
        if let Some(page) = trouble(&path) {
            return page;
        }
        if path == "/expired" {
            return page("expired", "<p>Your session is over.</p><a href=/start>Start again</a>");
        }
        if remembers && !self.is_on(session.as_deref()) {
            return redirect("/expired");
        }
        if let Some(place) = number("/place/")
            .or_else(|| number("/inner/"))
            .filter(|place| *place < self.places)
        {
            return match path.starts_with("/inner/") {
                true => plain(200, "text/html; charset=utf-8", self.inner(place)),
                false => self.place(place),
            };
        }
        if let Some(place) = number("/go/") {
            return redirect(&format!("/place/{place}"));
        }
        if let Some(month) = number("/calendar/") {
            let days: String = (1..=28 + month % 4).map(|day| format!("<li>{day}</li>")).collect();
            let body = format!(
                "<h1>Month {month}</h1><ol>{days}</ol><a href=/calendar/{}>next month</a>",
                month + 1
            );
            return page("calendar", &body);
        }
        match path.as_str() {
            "/feed" => page("feed", FEED),
            "/popup" => page("popup", "<p>A window of its own.</p>"),
            "/hidden" => page("hidden", "<p>robots.txt said no.</p>"),
            _ => plain(404, "text/html", "not here".into()),
        }
    }

    /// Whether a session goes on; counts what it asks for.
    fn is_on(&self, session: Option<&str>) -> bool {
        let mut sessions = self.sessions.lock().expect("no panic while held");
        let Some(asked) = session.and_then(|session| sessions.get_mut(session)) else {
            return false;
        };
        *asked += 1;
        *asked <= self.patience
    }

    fn place(&self, place: usize) -> Response<Full<Bytes>> {
        page(&name(place), &format!("<main>{}</main>{SCRIPT}", self.inner(place)))
    }

    fn inner(&self, place: usize) -> String {
        let visits = {
            let mut visits = self.visits.lock().expect("no panic while held");
            *visits += 1;
            *visits
        };
        let doors: String = doors(place, self.places)
            .into_iter()
            .map(|to| door(place, to))
            .collect();
        let traps = match place {
            0 => "<a href=/calendar/0>calendar</a> <a href=/feed>feed</a> <button onclick=\"window.open('/popup')\">news</button>
<a href=/hidden>hidden</a> <a href=/logout>Log out</a> <a href='http://elsewhere.test/'>elsewhere</a>
<button onclick=\"alert('Hello'); confirm('Sure?')\">greet</button>",
            _ => "",
        };
        let id = random();
        format!(
            "<h1>{}</h1><p id=\"r-{id}\">ticket {id}</p><p>visitor {visits}</p><nav>{doors}</nav>{traps}",
            name(place)
        )
    }
}

fn trouble(path: &str) -> Option<Response<Full<Bytes>>> {
    if let Some(loops) = path.strip_prefix("/loop/").and_then(|rest| rest.parse::<usize>().ok()) {
        return Some(redirect(&format!("/loop/{}", loops + 1)));
    }
    Some(match path {
        "/trouble" => page("trouble", TROUBLE),
        "/restaurant" => plain(200, "text/html", include_str!("../sites/restaurant.html").to_owned()),
        "/dialogs" => plain(200, "text/html", include_str!("../sites/dialogs.html").to_owned()),
        "/fine" => page("fine", "<p>Nothing is wrong here.</p>"),
        "/archive" => {
            let mut response = plain(200, "application/zip", "PK".into());
            let attached = "attachment; filename=archive.zip".parse().expect("plain text");
            response.headers_mut().insert("content-disposition", attached);
            response
        }
        "/leave" => page("left", "<p>You have left.</p>"),
        _ => return None,
    })
}

const TROUBLE: &str = "<button onclick=\"for (let n = 0; n < 30; n += 1) alert('storm ' + n)\">storm</button>
<button onclick='let n = 0; while (confirm(\"again?\")) n += 1'>insist</button>
<a href=/archive>archive</a> <a href=/loop/0>loop</a> <button onclick=\"location.href = 'http://elsewhere.test/'\">away</button>
<a href=/leave>Log out</a> <button onclick='for (;;);'>hang</button> <a href=/fine>fine</a>";

fn door(from: usize, to: usize) -> String {
    let text = name(to);
    match from % 4 {
        0 => format!("<a href=\"/place/{to}?t={}\">{text}</a> ", random()),
        1 => format!("<button onclick=\"location.href = '/place/{to}'\">{text}</button> "),
        2 => format!("<form action=/go/{to}><input name=who required><button>{text}</button></form>"),
        _ => format!("<div class=door data-to={to}>{text}</div>"),
    }
}

const FEED: &str = "<ul id=list></ul><script>
const add = () => { for (let n = 0; n < 20; n += 1) { const li = document.createElement('li'); li.textContent = 'entry ' + list.children.length; list.append(li) } };
add(); addEventListener('scroll', add);
</script><p><a href=/place/0>back</a></p>";

const SCRIPT: &str = "<script>
const main = document.querySelector('main');
const listen = () => { for (const door of document.querySelectorAll('.door')) door.addEventListener('click', async () => {
  const answer = await fetch('/inner/' + door.dataset.to);
  if (answer.redirected) { location.href = answer.url; return }
  main.innerHTML = await answer.text();
  document.title = main.querySelector('h1').textContent;
  history.pushState(null, '', '/place/' + door.dataset.to);
  listen();
}) };
listen();
</script>";

fn page(title: &str, body: &str) -> Response<Full<Bytes>> {
    let text = format!(
        "<!doctype html><meta charset=utf-8><title>{title}</title><style>.door {{ border: 1px solid; padding: 4px; margin: 4px }}</style>
<header><span id=clock></span> <a href=/place/0>home</a></header>{body}
<script>const tick = () => {{ clock.textContent = new Date().toISOString() }}; tick(); setInterval(tick, 100)</script>"
    );
    plain(200, "text/html; charset=utf-8", text)
}

fn redirect(to: &str) -> Response<Full<Bytes>> {
    let mut response = plain(302, "text/plain", String::new());
    response.headers_mut().insert("location", to.parse().expect("a path"));
    response
}

fn plain(status: u16, content_type: &'static str, text: String) -> Response<Full<Bytes>> {
    let response = Response::builder().status(status).header("content-type", content_type);
    response.body(Full::new(text.into())).expect("plain headers")
}
