//! Finds the recorded exchange that answers a request.
//!
//! Same method and URL (without declared parameters), in recorded order; among those, one whose request had the same
//! body goes first. A resource that is asked for more often than it was recorded gets its last answer again, because
//! caches differ between browsers; what changes something at the server does not.
//!
//! Pages are given what came for them, by the network or from a service worker; what the worker asked for itself goes to the worker.
//! The one gets what is the other's only where there is nothing else.
//!
//! Where pages run by themselves, their times and random numbers are others each time: a request whose address was not recorded is
//! answered as the one that is the same but for values in its query.

use super::ServeRules;
use super::conditions::is_whole;
use crate::query::Query;
use std::cmp::Reverse;
use std::collections::HashMap;
use xcheck_trace::exchange::{Exchange, ExchangeId, WorkerPart};
use xcheck_trace::hash::Sha256;

#[derive(Debug)]
pub(super) struct Index {
    by_request: HashMap<(String, String), Vec<Recorded>>,
    ignored_parameters: Vec<String>,
    repeat_all: bool,
}

#[derive(Debug)]
struct Recorded {
    id: ExchangeId,
    body: Option<Sha256>,
    answered: bool,
    not_modified: bool,
    range: Option<String>,
    is_whole: bool,
    worker: Option<WorkerPart>,
    used: bool,
    /// How often it is still to be given before the next one is.
    left: usize,
}

impl Recorded {
    /// A "not modified" is no answer to somebody who has no copy, and a part is none to somebody who wants the whole.
    fn fits(&self, wanted: &Wanted<'_>) -> bool {
        (wanted.conditional || !self.not_modified) && (wanted.range.is_some() || self.range.is_none() || self.is_whole)
    }

    fn is_of_same(&self, wanted: &Wanted<'_>) -> bool {
        self.body == wanted.body && self.range.as_deref() == wanted.range
    }
}

/// Who is to be given the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    Page,
    ServiceWorker,
}

/// What matching goes by.
#[derive(Debug, Clone)]
pub(crate) struct Wanted<'a> {
    pub(crate) by: AskedBy,
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) body: Option<Sha256>,
    /// The client has a copy and asks whether it is still good.
    pub(crate) conditional: bool,
    pub(crate) range: Option<&'a str>,
}

impl Index {
    pub(super) fn new(exchanges: &[Exchange], rules: &ServeRules) -> Self {
        let mut index = Index {
            by_request: HashMap::new(),
            ignored_parameters: rules.ignored_parameters.clone(),
            repeat_all: rules.repeat_all,
        };
        for exchange in exchanges {
            let key = (exchange.request.method.clone(), index.normal(&exchange.request.url));
            let header = |wanted: &str| {
                let headers = &exchange.request.headers;
                headers
                    .iter()
                    .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
                    .map(|(_, value)| value.clone())
            };
            let recorded = Recorded {
                id: exchange.id,
                body: exchange.request.body.as_ref().map(|body| body.sha256.clone()),
                answered: exchange.response.is_some(),
                not_modified: exchange
                    .response
                    .as_ref()
                    .is_some_and(|response| response.status == 304),
                range: header("range"),
                is_whole: is_whole(exchange),
                worker: exchange.worker,
                used: false,
                left: 1,
            };
            index.by_request.entry(key).or_default().push(recorded);
        }
        index
    }

    /// What the browser had kept, and is made to ask for each time.
    pub(super) fn gives_again(&mut self, times: &HashMap<ExchangeId, usize>) {
        for recorded in self.by_request.values_mut().flatten() {
            recorded.left = times.get(&recorded.id).copied().unwrap_or(recorded.left);
        }
    }

    /// The exchange to answer with; it counts as used from now on.
    pub(super) fn take(&mut self, wanted: &Wanted<'_>) -> Option<ExchangeId> {
        let mut key = (wanted.method.to_owned(), self.normal(wanted.url));
        if self.repeat_all
            && !self.by_request.contains_key(&key)
            && let Some(alike) = self.alike(&key)
        {
            key.1 = alike;
        }
        let candidates = self.by_request.get_mut(&key)?;
        let repeatable = self.repeat_all || matches!(wanted.method, "GET" | "HEAD" | "OPTIONS");
        let fits = |candidate: &Recorded| candidate.fits(wanted);
        let same = |candidate: &Recorded| candidate.is_of_same(wanted);
        let unused = |candidate: &Recorded| candidate.left > 0;
        let find = |test: &dyn Fn(&Recorded) -> bool| candidates.iter().position(test);
        let last = |test: &dyn Fn(&Recorded) -> bool| candidates.iter().rposition(test).filter(|_| repeatable);
        let best = |among: &dyn Fn(&Recorded) -> bool| {
            find(&|c| among(c) && unused(c) && fits(c) && same(c))
                .or_else(|| last(&|c| among(c) && fits(c) && same(c)))
                .or_else(|| find(&|c| among(c) && unused(c) && fits(c)))
                .or_else(|| last(&|c| among(c) && fits(c)))
        };
        let is = |part| move |candidate: &Recorded| candidate.worker == Some(part);
        let (fetched, answered) = (is(WorkerPart::Fetched), is(WorkerPart::Answered));
        let found = match wanted.by {
            AskedBy::Page => best(&|c| !fetched(c)),
            // The browser may have had it in its cache, as it came for a page; what came later is for later.
            AskedBy::ServiceWorker => best(&fetched)
                .or_else(|| best(&|c| c.used && !answered(c)))
                .or_else(|| best(&|c| !answered(c))),
        };
        let index = found.or_else(|| best(&|_| true))?;
        candidates[index].used = true;
        candidates[index].left = candidates[index].left.saturating_sub(1);
        Some(candidates[index].id)
    }

    /// What was given for such a request before: a browser that had it when it was recorded asks for it here.
    pub(super) fn given_before(&self, wanted: &Wanted<'_>) -> Option<ExchangeId> {
        let candidates = self
            .by_request
            .get(&(wanted.method.to_owned(), self.normal(wanted.url)))?;
        let was_given =
            |candidate: &&Recorded| candidate.used && candidate.fits(wanted) && candidate.is_of_same(wanted);
        candidates.iter().rfind(was_given).map(|recorded| recorded.id)
    }

    /// The recorded address that has the most values in common with one that was not recorded; of several the next that was not
    /// given yet, or else the last.
    fn alike(&self, (method, url): &(String, String)) -> Option<String> {
        let wanted = Query::of(url);
        let alike = self
            .by_request
            .iter()
            .filter(|((of, known), _)| of == method && wanted.is_alike(&Query::of(known)));
        let best = alike.max_by_key(|((_, known), list)| {
            let next = list
                .iter()
                .filter(|recorded| recorded.left > 0)
                .map(|recorded| recorded.id)
                .min();
            let last = list.iter().map(|recorded| recorded.id).max();
            (
                wanted.same_values(&Query::of(known)),
                next.is_some(),
                Reverse(next),
                last,
            )
        });
        best.map(|((_, known), _)| known.clone())
    }

    /// The same request, as it was answered: the next time, or else another time.
    pub(super) fn answered_instead_of(&self, exchange: ExchangeId) -> Option<ExchangeId> {
        let mut lists = self.by_request.values();
        let list = lists.find(|list| list.iter().any(|recorded| recorded.id == exchange))?;
        let at = list.iter().position(|recorded| recorded.id == exchange)?;
        let unanswered = &list[at];
        let can = |other: &&Recorded| {
            let same =
                other.body == unanswered.body && other.range == unanswered.range && other.worker == unanswered.worker;
            other.answered && !other.not_modified && same
        };
        let found = list[at..].iter().find(can).or_else(|| list[..at].iter().rfind(can))?;
        Some(found.id)
    }

    /// Whoever it was for comes again.
    pub(super) fn give_back(&mut self, exchange: ExchangeId) {
        let mut all = self.by_request.values_mut().flatten();
        if let Some(recorded) = all.find(|recorded| recorded.id == exchange) {
            recorded.used = false;
            recorded.left += 1;
        }
    }

    /// Some method was recorded for this URL.
    pub(super) fn knows(&self, method: &str, url: &str) -> bool {
        self.by_request.contains_key(&(method.to_owned(), self.normal(url)))
    }

    fn normal(&self, url: &str) -> String {
        let Some((address, query)) = url.split_once('?').filter(|_| !self.ignored_parameters.is_empty()) else {
            return url.to_owned();
        };
        let ignored = |parameter: &&str| {
            let name = parameter.split('=').next().unwrap_or_default();
            !self.ignored_parameters.iter().any(|ignored| ignored == name)
        };
        let kept: Vec<&str> = query.split('&').filter(ignored).collect();
        if kept.is_empty() {
            address.to_owned()
        } else {
            format!("{address}?{}", kept.join("&"))
        }
    }
}

#[cfg(test)]
mod tests;
