//! Heads on their way to the trace.
//!
//! They pass on one thread and are written down on another. A string for each name and each value would be allocated here
//! and freed there, which the allocator is slow at: it cost more than everything else that is done to record a small request.
//! So a head travels in one piece and is taken apart where it is written.

use hyper::header::HeaderMap;
use std::fmt::{Display, Write};
use xcheck_trace::exchange::{End, Exchange, ExchangeId, RequestHead, ResponseHead, WorkerPart};

/// One exchange as far as it has come.
pub(crate) struct Passing {
    pub(super) id: ExchangeId,
    /// Method and URL before the headers.
    pub(super) request: Texts,
    pub(super) request_version: &'static str,
    pub(super) response: Option<PassingResponse>,
    pub(super) end: End,
    pub(super) started_ms: f64,
    pub(super) head_ms: Option<f64>,
    pub(super) end_ms: Option<f64>,
    pub(super) finished_order: u64,
    pub(super) injected: bool,
    pub(super) imports_told: bool,
    pub(super) worker: Option<WorkerPart>,
}

pub(super) struct PassingResponse {
    pub(super) status: u16,
    pub(super) version: &'static str,
    pub(super) headers: Texts,
    pub(super) trailers: Vec<(String, String)>,
}

const METHOD: usize = 0;
const URL: usize = 1;

impl Passing {
    pub(super) fn url(&self) -> &str {
        self.request.get(URL)
    }

    pub(super) fn request_headers(&self) -> Vec<(String, String)> {
        owned(&self.request.pairs(URL + 1))
    }

    pub(super) fn response_headers(&self) -> Vec<(String, String)> {
        let headers = self.response.as_ref().map(|response| response.headers.pairs(0));
        owned(&headers.unwrap_or_default())
    }

    /// As the trace has it, without its bodies.
    pub(super) fn as_exchange(&self) -> Exchange<&str> {
        Exchange {
            id: self.id,
            request: RequestHead {
                method: self.request.get(METHOD),
                url: self.url(),
                version: self.request_version,
                headers: self.request.pairs(URL + 1),
                body: None,
            },
            response: self.response.as_ref().map(|response| ResponseHead {
                status: response.status,
                version: response.version,
                headers: response.headers.pairs(0),
                body: None,
                trailers: slices(&response.trailers),
            }),
            end: self.end.clone(),
            started_ms: self.started_ms,
            head_ms: self.head_ms,
            end_ms: self.end_ms,
            finished_order: self.finished_order,
            injected: self.injected,
            imports_told: self.imports_told,
            worker: self.worker,
        }
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(own).collect()
}

fn slices(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    pairs.iter().map(|(name, value)| (&**name, &**value)).collect()
}

/// Texts that stand one after the other.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn of_request(method: &impl Display, url: &impl Display, headers: &HeaderMap) -> Texts {
        // Most URLs are shorter; longer ones cost another allocation.
        let mut texts = Texts::with_room_for(headers, 256);
        texts.push(method);
        texts.push(url);
        texts.push_headers(headers);
        texts
    }

    pub(super) fn of(headers: &HeaderMap) -> Texts {
        let mut texts = Texts::with_room_for(headers, 0);
        texts.push_headers(headers);
        texts
    }

    fn with_room_for(headers: &HeaderMap, before: usize) -> Texts {
        let lengths = headers.iter().map(|(name, value)| name.as_str().len() + value.len());
        Texts {
            all: String::with_capacity(before + lengths.sum::<usize>()),
            ends: Vec::with_capacity(2 + 2 * headers.len()),
        }
    }

    fn push(&mut self, text: &impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.all, "{text}");
        self.ends.push(self.all.len() as u32);
    }

    /// In order, bytes that are not UTF-8 as Latin-1.
    fn push_headers(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            self.all.push_str(name.as_str());
            self.ends.push(self.all.len() as u32);
            match std::str::from_utf8(value.as_bytes()) {
                Ok(text) => self.all.push_str(text),
                Err(_) => self.all.extend(value.as_bytes().iter().map(|byte| char::from(*byte))),
            }
            self.ends.push(self.all.len() as u32);
        }
    }

    fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.all[start..self.ends[index] as usize]
    }

    /// Names and values, from `first` on.
    fn pairs(&self, first: usize) -> Vec<(&str, &str)> {
        (first..self.ends.len())
            .step_by(2)
            .map(|name| (self.get(name), self.get(name + 1)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};

    #[test]
    fn a_head_comes_out_as_it_went_in() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("a", &b"1"[..]), ("empty", b""), ("a", b"2"), ("latin", b"caf\xe9")] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
        }
        let texts = Texts::of_request(&"GET", &"http://a.test/ü", &headers);
        assert_eq!((texts.get(METHOD), texts.get(URL)), ("GET", "http://a.test/ü"));
        let expected = crate::headers::for_trace(&headers);
        assert_eq!(texts.pairs(2), slices(&expected));
        assert_eq!(Texts::of(&headers).pairs(0), slices(&expected));
        assert_eq!(Texts::of(&HeaderMap::new()).pairs(0), []);
    }
}
