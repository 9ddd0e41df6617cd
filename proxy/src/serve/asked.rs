//! What a browser has asked for while a trace was served, for whoever has to say why nothing came of it.

use hyper::{Method, StatusCode, Uri};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

const LAST: usize = 4;

/// Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Asked(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    requests: u64,
    answers: u64,
    last: VecDeque<String>,
}

impl Asked {
    pub(crate) fn begins(&self) {
        self.state().requests += 1;
    }

    /// No answer is one, too: the connection is closed.
    pub(crate) fn ends(&self, method: &Method, url: &Uri, status: Option<StatusCode>) {
        let mut state = self.state();
        state.answers += 1;
        if state.last.len() == LAST {
            state.last.pop_front();
        }
        let status = status.map_or_else(|| "nothing".to_owned(), |status| status.as_str().to_owned());
        state.last.push_back(format!("{method} {url} with {status}"));
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        if state.requests == 0 {
            return to.write_str("the browser asked for nothing");
        }
        let (requests, answers) = (state.requests, state.answers);
        write!(
            to,
            "the browser asked {requests} times and was answered {answers} times"
        )?;
        for (number, one) in state.last.iter().rev().enumerate() {
            to.write_str(if number == 0 { ", last " } else { ", before that " })?;
            to.write_str(one)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answers_are_named_and_all_are_counted() {
        let asked = Asked::default();
        assert_eq!(asked.to_string(), "the browser asked for nothing");
        for number in 1..=6 {
            asked.begins();
            let url = format!("http://site.test/{number}").parse().expect("a valid address");
            asked.ends(&Method::GET, &url, (number != 6).then_some(StatusCode::OK));
        }
        asked.begins();
        let told = asked.to_string();
        assert!(told.starts_with(
            "the browser asked 7 times and was answered 6 times, last GET http://site.test/6 with nothing"
        ));
        assert!(told.ends_with("GET http://site.test/3 with 200"));
    }
}
