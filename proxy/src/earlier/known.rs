//! Whether a server still knows whoever was there when a page was recorded: it is asked for that page once more, as the browser
//! would ask now, and has to answer as it did.

use crate::body;
use crate::forward::prepare_head;
use crate::upstream::Upstream;
use http_body_util::{BodyExt, Limited};
use hyper::header::{
    ACCEPT_ENCODING, COOKIE, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, SET_COOKIE,
};
use hyper::http::request::Parts;
use hyper::{Method, Request, Uri};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use xcheck_trace::Trace;
use xcheck_trace::exchange::{Exchange, ExchangeId};

/// A server that takes longer has not said that it knows anybody.
const PATIENCE: Duration = Duration::from_secs(10);

/// More of a page is not compared.
const LARGEST: u64 = 1 << 20;

/// So much of a page's elements must be as they were: what it shows may be another time, or somebody's else name.
const SAME: f64 = 0.8;

/// Cookies that came with answers, by host and name.
#[derive(Debug, Clone, Default)]
pub(super) struct Cookies(BTreeMap<String, BTreeMap<String, String>>);

impl Cookies {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, url: &Uri, answer: &HeaderMap) {
        let cookies = answer
            .get_all(SET_COOKIE)
            .iter()
            .filter_map(|cookie| cookie.to_str().ok());
        for cookie in cookies {
            let pair = cookie.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            let of_host = self.0.entry(url.host().unwrap_or_default().to_owned()).or_default();
            of_host.insert(name.trim().to_owned(), value.trim().to_owned());
        }
    }

    /// What the browser sent, with those that it has been given since.
    fn with(&self, url: &Uri, sent: &HeaderMap) -> String {
        let sent = sent.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let sent = sent
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        let mut all: BTreeMap<&str, &str> = sent.collect();
        let given = url.host().and_then(|host| self.0.get(host));
        all.extend(
            given
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        );
        let pairs: Vec<String> = all.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }
}

/// A page that an earlier recording answered with, and how it was asked for.
#[derive(Debug, Clone)]
pub(super) struct Known {
    url: Uri,
    headers: HeaderMap,
    trace: Arc<Trace>,
    exchange: ExchangeId,
}

impl Known {
    pub(super) fn new(url: &Uri, asked: &Parts, trace: Arc<Trace>, exchange: ExchangeId) -> Known {
        Known {
            url: url.clone(),
            headers: asked.headers.clone(),
            trace,
            exchange,
        }
    }

    pub(super) async fn is_answered_as_then(&self, cookies: &Cookies, upstream: &Upstream) -> bool {
        let Some(exchange) = self.trace.exchange(self.exchange) else {
            return false;
        };
        let asked = tokio::time::timeout(PATIENCE, self.ask(cookies, upstream)).await;
        asked.ok().flatten().is_some_and(|now| now.is_as(exchange, &self.trace))
    }

    async fn ask(&self, cookies: &Cookies, upstream: &Upstream) -> Option<Answer> {
        let mut request = Request::builder()
            .method(Method::GET)
            .uri(self.url.clone())
            .body(body::empty())
            .ok()?;
        *request.headers_mut() = self.headers.clone();
        let headers = request.headers_mut();
        for name in [IF_NONE_MATCH, IF_MODIFIED_SINCE] {
            headers.remove(name);
        }
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(
            COOKIE,
            HeaderValue::try_from(cookies.with(&self.url, &self.headers)).ok()?,
        );
        let (mut head, nothing) = request.into_parts();
        prepare_head(&mut head, self.url.clone());
        let response = upstream.send(Request::from_parts(head, nothing)).await.ok()?;
        let (head, incoming) = response.into_parts();
        let body = Limited::new(incoming, LARGEST as usize).collect().await.ok()?;
        Some(Answer {
            status: head.status.as_u16(),
            leads_to: head
                .headers
                .get(LOCATION)
                .map(|to| String::from_utf8_lossy(to.as_bytes()).into_owned()),
            body: body.to_bytes().to_vec(),
        })
    }
}

struct Answer {
    status: u16,
    leads_to: Option<String>,
    body: Vec<u8>,
}

impl Answer {
    fn is_as(&self, exchange: &Exchange, trace: &Trace) -> bool {
        let Some(then) = &exchange.response else { return false };
        let mut headers = then.headers.iter();
        let led_to = headers.find(|(name, _)| name.eq_ignore_ascii_case("location"));
        if then.status != self.status || led_to.map(|(_, to)| to) != self.leads_to.as_ref() {
            return false;
        }
        match trace.response_body(exchange, LARGEST) {
            Some(before) => is_alike(&before, &self.body),
            // Of what was kept but cannot be read nobody knows what it said.
            None => then.body.is_none() && is_alike(&[], &self.body),
        }
    }
}

/// Whether two pages have the same elements, but for a few.
fn is_alike(before: &[u8], now: &[u8]) -> bool {
    let (before, now) = (elements(before), elements(now));
    let common: usize = before
        .iter()
        .map(|(tag, times)| (*times).min(now.get(tag).copied().unwrap_or(0)))
        .sum();
    let count = |elements: &BTreeMap<String, usize>| elements.values().sum::<usize>();
    common as f64 >= SAME * count(&before).max(count(&now)) as f64
}

/// How often each tag stands in a text.
fn elements(text: &[u8]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for piece in text.split(|byte| *byte == b'<').skip(1) {
        let name = piece
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
        let name: String = name.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
        if !name.is_empty() {
            *found.entry(name).or_default() += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_that_came_take_the_place_of_those_that_were_sent() {
        let url: Uri = "http://a.test/x".parse().unwrap();
        let mut cookies = Cookies::default();
        assert!(cookies.is_empty());
        let mut answer = HeaderMap::new();
        answer.append(SET_COOKIE, HeaderValue::from_static("who=2; Path=/; HttpOnly"));
        cookies.take(&url, &answer);
        let mut sent = HeaderMap::new();
        sent.insert(COOKIE, HeaderValue::from_static("theme=dark; who=1"));
        assert_eq!(cookies.with(&url, &sent), "theme=dark; who=2");
        assert_eq!(
            cookies.with(&"http://b.test/".parse().unwrap(), &sent),
            "theme=dark; who=1"
        );
    }

    #[test]
    fn a_page_is_known_by_its_elements_and_not_by_its_words() {
        let page = |words: &str| format!("<h1>{words}</h1><p id={words}>{words}</p><ul><li>a<li>b<li>c</ul>");
        assert!(is_alike(page("one").as_bytes(), page("two").as_bytes()));
        let sign_in = "<h1>Sign in</h1><form><input name=who><input type=password><button>go</button></form>";
        assert!(!is_alike(page("one").as_bytes(), sign_in.as_bytes()));
        assert!(is_alike(b"", b"") && !is_alike(page("one").as_bytes(), b""));
    }
}
