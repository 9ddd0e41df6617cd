//! By what a request of the recording is known again in a run: by its address, unless that is another one each time.
//!
//! Which values of a query are, the runs without a fault tell: an address that none of them asked for, where one of them asked for
//! the same with other values. Those values alone count that a run had, too.

use crate::rerun::run::moved;
use std::collections::BTreeMap;
use xcheck_proxy::{Address, Query};
use xcheck_trace::Trace;

/// What a run asked the network for, by method and URL, and how often.
pub type Asked = BTreeMap<(String, String), u32>;

/// Runs that were made without a fault.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs<'r> {
    pub asked: &'r [Asked],
    /// Where the application is now, when not where it was.
    pub at: Option<&'r str>,
}

pub(super) struct Addresses<'r> {
    trace: &'r Trace,
    runs: &'r Runs<'r>,
}

impl<'r> Addresses<'r> {
    pub(super) fn new(trace: &'r Trace, runs: &'r Runs<'r>) -> Addresses<'r> {
        Addresses { trace, runs }
    }

    /// Of what was recorded at this address, the address now.
    pub(super) fn now(&self, url: &str) -> String {
        moved(url, self.trace, self.runs.at)
    }

    pub(super) fn of(&self, method: &str, url: &str) -> Address {
        let url = self.now(url);
        let recorded = Query::of(&url);
        let asked = || {
            self.runs
                .asked
                .iter()
                .flat_map(BTreeMap::keys)
                .filter(|(of, _)| of == method)
        };
        if recorded.parameters.is_empty() || asked().any(|(_, asked)| *asked == url) {
            return Address::Exactly(url);
        }
        let alike: Vec<Query<'_>> = asked()
            .map(|(_, asked)| Query::of(asked))
            .filter(|asked| recorded.is_alike(asked))
            .collect();
        if alike.is_empty() {
            return Address::Exactly(url);
        }
        let parameters = recorded.parameters.iter().enumerate().map(|(place, (name, value))| {
            let stays = alike.iter().any(|asked| asked.parameters[place].1 == *value);
            match value.filter(|_| stays) {
                Some(value) => format!("{name}={value}"),
                None => (*name).to_owned(),
            }
        });
        let parameters: Vec<String> = parameters.collect();
        Address::ButForValues(format!("{}?{}", recorded.address, parameters.join("&")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::testing::{check_trace, load};

    #[track_caller]
    fn check(asked: &[&str], at: Option<&str>, url: &str, expected: &Address) {
        check_trace(&[load(1, "http://a.test/")], &[], &[], |trace| {
            let asked: Vec<Asked> = asked
                .iter()
                .map(|url| Asked::from([(("GET".to_owned(), (*url).to_owned()), 1)]))
                .collect();
            let runs = Runs { asked: &asked, at };
            assert_eq!(&Addresses::new(trace, &runs).of("GET", url), expected);
        });
    }

    #[test]
    fn values_that_no_run_has_again_do_not_count() {
        let recorded = "http://a.test/x?page=1&_=10";
        let exactly = Address::Exactly(recorded.into());
        let runs = ["http://a.test/x?_=20&page=1", "http://a.test/x?page=2&_=30"];
        check(
            &runs,
            None,
            recorded,
            &Address::ButForValues("http://a.test/x?_&page=1".into()),
        );
        check(&[], None, recorded, &exactly);
        check(&[runs[0], recorded], None, recorded, &exactly);
        check(
            &["http://a.test/x?page=1", "http://a.test/y?page=1&_=1"],
            None,
            recorded,
            &exactly,
        );
    }

    #[test]
    fn what_is_elsewhere_now_is_asked_for_there() {
        let elsewhere = Address::Exactly("http://b.test:81/x".into());
        check(&[], Some("http://b.test:81"), "http://a.test/x", &elsewhere);
        let own = Address::Exactly("http://cdn.test/x".into());
        check(&[], Some("http://b.test:81"), "http://cdn.test/x", &own);
    }
}
