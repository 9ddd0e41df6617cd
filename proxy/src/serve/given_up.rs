//! Requests that the page gave up before they had come as far as the proxy: the trace has nothing of them, and they are
//! nothing new either. They get no answer, and the page gives them up again.

use std::collections::HashSet;
use xcheck_trace::Trace;
use xcheck_trace::event::{Outcome, PromiseList, Request, What};

/// Methods, and addresses without their fragments.
#[derive(Debug, Default)]
pub(super) struct GivenUp(HashSet<(String, String)>);

impl GivenUp {
    pub(super) fn of(trace: &Trace) -> GivenUp {
        let requests = trace.events.iter().filter_map(|event| {
            let (of, in_fetch) = match event.what.as_ref()? {
                What::Settle {
                    list: PromiseList::Fetch,
                    of,
                    outcome: Outcome::Rejected,
                    ..
                } => (of, true),
                What::Xhr { of, event, .. } if event == "abort" => (of, false),
                _ => return None,
            };
            let by = &trace.event(event.load, of.0)?.local;
            let list: &[Request] = if in_fetch { &by.fetch } else { &by.xhr };
            list.get(of.1 as usize)
        });
        GivenUp(requests.map(|request| key(&request.method, &request.url)).collect())
    }

    pub(super) fn has(&self, method: &str, url: &str) -> bool {
        self.0.contains(&key(method, url))
    }
}

fn key(method: &str, url: &str) -> (String, String) {
    let address = url.split('#').next().unwrap_or_default();
    (method.to_ascii_uppercase(), address.to_owned())
}
