//! The states that are known, by hashes: what a page looked like is not kept.

use super::masks;
use super::tree::Abstract;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// At least so much of a page must be as it was, for the rest to be taken for what changes by itself.
const SAME: f64 = 0.8;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct States {
    all: Vec<Known>,
    /// Places that were seen to change by themselves, by address.
    volatile: BTreeMap<String, BTreeSet<u64>>,
    #[serde(skip)]
    index: Index,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) address: String,
    exact: u64,
    loose: u64,
    skeleton: u64,
    marks: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Index {
    exact: HashMap<u64, usize>,
    loose: HashMap<(String, u64), usize>,
}

/// What a page turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Met {
    New(usize),
    /// As it was.
    Again(usize),
    /// But for numbers, dates, and lengths of lists.
    Nearly(usize),
}

impl Met {
    pub(crate) fn state(self) -> usize {
        match self {
            Met::New(state) | Met::Again(state) | Met::Nearly(state) => state,
        }
    }
}

impl States {
    /// What a page is, without taking note of it.
    pub(crate) fn find(&self, url: &str, page: &Abstract) -> Option<Met> {
        let address = masks::address(url);
        if let Some(state) = self.index.exact.get(&self.exact(&address, page)) {
            return Some(Met::Again(*state));
        }
        self.index
            .loose
            .get(&(address, page.loose()))
            .map(|state| Met::Nearly(*state))
    }

    /// What a page is; from now on it is known.
    pub(crate) fn meet(&mut self, url: &str, page: &Abstract) -> Met {
        if let Some(met) = self.find(url, page) {
            return met;
        }
        let address = masks::address(url);
        let known = Known {
            exact: self.exact(&address, page),
            loose: page.loose(),
            skeleton: page.skeleton(),
            marks: page.marks(),
            address,
        };
        self.all.push(known);
        let state = self.all.len() - 1;
        self.enter(state);
        Met::New(state)
    }

    /// A page that should be `state`, reached by the same way as before. When it is nearly the same, what differs is what
    /// changes by itself, and is not looked at any more.
    pub(crate) fn recognise(&mut self, state: usize, url: &str, page: &Abstract) -> bool {
        if self.find(url, page).is_some_and(|met| met.state() == state) {
            return true;
        }
        let known = &self.all[state];
        if known.address != masks::address(url) {
            return false;
        }
        let now = page.marks();
        let before: BTreeMap<u64, u64> = known.marks.iter().copied().collect();
        let same = now
            .iter()
            .filter(|(place, content)| before.get(place) == Some(content))
            .count();
        if (same as f64) < SAME * now.len().max(before.len()) as f64 {
            return false;
        }
        let here: BTreeMap<u64, u64> = now.iter().copied().collect();
        let changed = before
            .keys()
            .chain(here.keys())
            .filter(|place| before.get(place) != here.get(place))
            .copied();
        let changed: Vec<u64> = changed.collect();
        let address = known.address.clone();
        self.volatile.entry(address.clone()).or_default().extend(changed);
        self.index_again(&address);
        true
    }

    /// How many states an address of this pattern has.
    pub(crate) fn of_pattern(&self, url: &str) -> usize {
        let pattern = masks::pattern(url);
        self.all
            .iter()
            .filter(|known| masks::pattern(&known.address) == pattern)
            .count()
    }

    /// After reading from a file.
    pub(crate) fn index_all(&mut self) {
        self.index = Index::default();
        for state in 0..self.all.len() {
            self.enter(state);
        }
    }

    /// States with the same shape and address, which the volatile places alone kept apart, stay apart: their edges are known.
    fn index_again(&mut self, address: &str) {
        let volatile = self.volatile.get(address).cloned().unwrap_or_default();
        for known in self.all.iter_mut().filter(|known| known.address == address) {
            known.exact = exact_of(&known.marks, &volatile);
        }
        self.index_all();
    }

    fn enter(&mut self, state: usize) {
        let known = &self.all[state];
        self.index.exact.entry(known.exact).or_insert(state);
        let loose = (known.address.clone(), known.loose);
        self.index.loose.entry(loose).or_insert(state);
    }

    fn exact(&self, address: &str, page: &Abstract) -> u64 {
        let volatile = self.volatile.get(address);
        page.exact(&|place| volatile.is_some_and(|volatile| volatile.contains(&place)))
    }
}

fn exact_of(marks: &[(u64, u64)], volatile: &BTreeSet<u64>) -> u64 {
    let marks = marks.iter().filter(|(place, _)| !volatile.contains(place));
    marks.fold(0xcbf2_9ce4_8422_2325, |all, (place, content)| {
        (all ^ place.rotate_left(17) ^ content).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_trace::page::{DocumentData, Node, PageData};

    /// A body with one paragraph for each text, and a list with one entry for each of the rest.
    fn page(texts: &[&str], entries: usize) -> Abstract {
        let mut nodes = Vec::new();
        let mut add = |parent, index, tag: &str, text: &str| {
            let id = nodes.len() as u32 + 1;
            nodes.push(Node {
                id,
                parent,
                index,
                tag: tag.into(),
                text: text.into(),
                visible: true,
                ..Node::default()
            });
            id
        };
        let body = add(0, 0, "body", "");
        for (index, text) in texts.iter().enumerate() {
            let paragraph = add(body, index as u32, "p", "");
            add(paragraph, 0, "#text", text);
        }
        let list = add(body, 90, "ul", "");
        for index in 0..entries {
            let entry = add(list, index as u32, "li", "");
            add(entry, 0, "#text", &format!("entry {}", ["a", "b", "c"][index % 3]));
        }
        let document = DocumentData {
            nodes,
            ..DocumentData::default()
        };
        Abstract::of(&PageData {
            documents: vec![document],
        })
    }

    fn met(pages: &[(&str, Abstract)]) -> Vec<usize> {
        let mut states = States::default();
        pages.iter().map(|(url, page)| states.meet(url, page).state()).collect()
    }

    const A: &str = "http://a.test/a";

    #[test]
    fn clocks_counters_and_identifiers_make_no_states() {
        let looks = [
            (
                A,
                page(
                    &["It is 10:00:01", "visit 1", "id 9f86d081-884c-4d63-a159-2dd15d6c15b0"],
                    0,
                ),
            ),
            (
                A,
                page(
                    &["It is 10:00:09", "visit 2", "id 0a0a0a0a-0000-4000-8000-00000000000a"],
                    0,
                ),
            ),
        ];
        assert_eq!(met(&looks), [0, 0]);
    }

    #[test]
    fn words_make_states_and_so_do_numbers_at_another_address() {
        let looks = [
            (A, page(&["Item 1"], 0)),
            (A, page(&["Order placed"], 0)),
            ("http://a.test/item/1", page(&["Item 3"], 0)),
            ("http://a.test/item/2", page(&["Item 4"], 0)),
        ];
        assert_eq!(met(&looks), [0, 1, 2, 3]);
        // The same page at two addresses is one place.
        assert_eq!(
            met(&[(A, page(&["x"], 0)), ("http://a.test/b", page(&["x"], 0))]),
            [0, 0]
        );
    }

    #[test]
    fn a_long_list_has_any_length_and_a_short_one_does_not() {
        let of = |length| (A, page(&["todo"], length));
        assert_eq!(met(&[of(0), of(1), of(2), of(6), of(12), of(40)]), [0, 1, 2, 3, 3, 3]);
    }

    #[test]
    fn what_changes_by_itself_is_learnt_where_most_stays() {
        let look = |quote: &str| page(&["Shop", "Welcome", "About", "Help", quote], 0);
        let mut states = States::default();
        states.meet(A, &look("Carpe diem"));
        assert!(states.recognise(0, A, &look("Cogito ergo sum")));
        assert_eq!(states.meet(A, &look("Veni vidi vici")), Met::Again(0));
        assert!(!states.recognise(0, A, &page(&["Please sign in"], 0)));
        let mut again: States = serde_json::from_str(&serde_json::to_string(&states).unwrap()).unwrap();
        again.index_all();
        assert_eq!(again, states);
    }
}
