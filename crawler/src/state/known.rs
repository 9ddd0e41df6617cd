//! The states that are known, by hashes: what a page looked like is not kept.

use super::masks;
use super::tree::Abstract;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A place of a page, and what stands there.
type Mark = (u64, u64);

/// At least so much of a page must be as it was, for the rest to be taken for what changes by itself.
const SAME: f64 = 0.8;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct States {
    all: Vec<Known>,
    /// Places that were seen to change by themselves, by address.
    volatile: BTreeMap<String, BTreeSet<u64>>,
    /// Places with numbers that an action changes in the same way each time, by address: there, numbers count.
    #[serde(default)]
    firm: BTreeMap<String, BTreeSet<u64>>,
    /// Places with numbers that are others each time, wherever they stand.
    #[serde(default)]
    restless: BTreeSet<u64>,
    #[serde(skip)]
    index: Index,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) address: String,
    exact: u64,
    loose: u64,
    skeleton: u64,
    marks: Vec<Mark>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Index {
    exact: HashMap<u64, usize>,
    /// By address, and what stands where numbers count.
    loose: HashMap<LooseKey, usize>,
}

type LooseKey = (String, u64, Vec<Mark>);

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
        let firm = self.firm_marks(&address, &page.marks());
        self.index
            .loose
            .get(&(address, page.loose(), firm))
            .map(|state| Met::Nearly(*state))
    }

    /// Numbers that something changed on a page which is the same otherwise, by place. Not those that are known to change
    /// by themselves.
    pub(crate) fn changed_numbers(&self, url: &str, before: &Abstract, after: &Abstract) -> Vec<Mark> {
        if before.loose() != after.loose() {
            return Vec::new();
        }
        let volatile = self.volatile.get(&masks::address(url));
        let before: BTreeMap<u64, u64> = before.marks().into_iter().collect();
        let mut changed = after.marks();
        changed.retain(|(place, content)| {
            before.get(place).is_some_and(|before| before != content)
                && !self.restless.contains(place)
                && !volatile.is_some_and(|volatile| volatile.contains(place))
        });
        changed
    }

    /// The same was done twice from the same start, in two sessions, and these numbers came of it: where they are equal, it
    /// was the action that changed them, and they count from now on.
    pub(crate) fn judge_numbers(&mut self, url: &str, once: &[Mark], again: &[Mark]) {
        let address = masks::address(url);
        let (firm, restless): (Vec<&Mark>, Vec<&Mark>) = once.iter().partition(|mark| again.contains(mark));
        self.restless.extend(restless.into_iter().map(|(place, _)| place));
        if !firm.is_empty() {
            let known = self.firm.entry(address).or_default();
            known.extend(firm.into_iter().map(|(place, _)| place));
            self.index_all();
        }
    }

    /// How many states there are that differ from this page in numbers only.
    pub(crate) fn but_for_numbers(&self, url: &str, page: &Abstract) -> usize {
        let address = masks::address(url);
        let same = |known: &&Known| known.loose == page.loose() && known.address == address;
        self.all.iter().filter(same).count()
    }

    fn firm_marks(&self, address: &str, marks: &[Mark]) -> Vec<Mark> {
        let firm = self.firm.get(address);
        let is_firm = |(place, _): &&Mark| firm.is_some_and(|firm| firm.contains(place));
        marks.iter().filter(is_firm).copied().collect()
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
        let met = self.find(url, page).filter(|met| met.state() == state);
        if met == Some(Met::Nearly(state)) {
            // Numbers that are others this time are no action's doing.
            let before: BTreeMap<u64, u64> = self.all[state].marks.iter().copied().collect();
            let marks = page.marks();
            let others = marks
                .iter()
                .filter(|(place, content)| before.get(place).is_some_and(|known| known != content));
            self.restless.extend(others.map(|(place, _)| *place));
        }
        if met.is_some() {
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
        let firm = self.firm.get(&known.address);
        if changed
            .iter()
            .any(|place| firm.is_some_and(|firm| firm.contains(place)))
        {
            return false;
        }
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
        let firm = self.firm_marks(&known.address, &known.marks);
        let loose = (known.address.clone(), known.loose, firm);
        self.index.loose.entry(loose).or_insert(state);
    }

    fn exact(&self, address: &str, page: &Abstract) -> u64 {
        let volatile = self.volatile.get(address);
        page.exact(&|place| volatile.is_some_and(|volatile| volatile.contains(&place)))
    }
}

fn exact_of(marks: &[Mark], volatile: &BTreeSet<u64>) -> u64 {
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
    fn the_strokes_of_a_drawing_are_no_state() {
        let drawn = |strokes: &[&str]| {
            let node = |id, parent, index, tag: &str| Node {
                id,
                parent,
                index,
                tag: tag.into(),
                visible: true,
                ..Node::default()
            };
            let mut nodes = vec![node(1, 0, 0, "body"), node(2, 1, 0, "svg")];
            let strokes = strokes.iter().enumerate();
            nodes.extend(strokes.map(|(at, tag)| node(at as u32 + 3, 2, at as u32, tag)));
            let document = DocumentData {
                nodes,
                ..DocumentData::default()
            };
            Abstract::of(&PageData {
                documents: vec![document],
            })
        };
        assert_eq!(met(&[(A, drawn(&["path"])), (A, drawn(&["path", "polyline"]))]), [0, 0]);
    }

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
    fn numbers_count_where_an_action_changes_them_in_the_same_way_each_time() {
        let step = |number: u32, visits: u32| page(&[&format!("Step {number} of 3"), &format!("visit {visits}")], 0);
        let mut states = States::default();
        states.meet(A, &step(1, 1));
        let once = states.changed_numbers(A, &step(1, 1), &step(2, 2));
        let again = states.changed_numbers(A, &step(1, 7), &step(2, 8));
        assert_eq!((once.len(), again.len()), (2, 2));
        states.judge_numbers(A, &once, &again);
        // A step is a state now, and a visit is not.
        assert_eq!(states.find(A, &step(1, 9)), Some(Met::Nearly(0)));
        assert_eq!(states.find(A, &step(2, 2)), None);
        assert_eq!(states.meet(A, &step(2, 2)), Met::New(1));
        assert_eq!(states.find(A, &step(2, 9)), Some(Met::Nearly(1)));
        assert_eq!(states.meet(A, &step(3, 3)), Met::New(2));
        assert_eq!(states.but_for_numbers(A, &step(9, 9)), 3);
        // The visits are never asked about again, at whatever address.
        assert_eq!(states.changed_numbers("http://a.test/b", &step(1, 1), &step(1, 2)), []);
        assert!(states.recognise(1, A, &step(2, 40)) && !states.recognise(1, A, &step(3, 40)));
    }

    #[test]
    fn a_number_that_is_another_on_the_same_way_is_no_actions_doing() {
        let look = |visits: &str| page(&["Shop", visits], 0);
        let mut states = States::default();
        states.meet(A, &look("visit 1"));
        assert!(states.recognise(0, A, &look("visit 2")));
        assert_eq!(states.changed_numbers(A, &look("visit 2"), &look("visit 3")), []);
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
