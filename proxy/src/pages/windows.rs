//! Which window (tab or popup) a top-level document belongs to.
//!
//! Nothing on the network says so; what the document knows has to do: the length of its history and its referrer. A
//! document with a history of one starts a window, unless the page it came from has gone; any other belongs to the window whose document it came from, or,
//! where the referrer says nothing (address bar, `no-referrer`), to the one that was active last. A popup is never its
//! opener's window, however long its history was when its first page came.

use super::log::Hello;
use std::collections::{BTreeMap, HashMap};
use xcheck_trace::event::{Load, LoadId};
use xcheck_trace::exchange::ExchangeId;

#[derive(Debug, Default)]
pub(super) struct Windows {
    windows: Vec<Window>,
    of_load: HashMap<LoadId, u32>,
    /// Frames that said hello before the document around them did, by that document.
    early: BTreeMap<LoadId, Vec<Arrival>>,
    clock: u64,
}

/// A document that has said hello.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) load: LoadId,
    pub(super) exchange: Option<ExchangeId>,
    pub(super) hello: Hello,
}

#[derive(Debug)]
struct Window {
    url: String,
    documents: u32,
    active: u64,
    /// Its top-level document.
    load: LoadId,
    /// That document has said goodbye.
    left: bool,
}

/// Where a document stands in its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) window: u32,
    /// Counts top-level documents within the window, from 0.
    pub(super) sequence: u32,
}

impl Windows {
    /// The loads that can be written down now: this one and the frames that waited for it, or none yet.
    ///
    /// Documents send their logs apart from each other, so a frame's hello may overtake its parent's.
    pub(super) fn arrive(&mut self, arrival: Arrival) -> Vec<Load> {
        if let Some(parent) = self.still_awaited(&arrival) {
            self.early.entry(parent).or_default().push(arrival);
            return Vec::new();
        }
        let (mut loads, mut ready) = (Vec::new(), vec![arrival]);
        while let Some(Arrival { load, exchange, hello }) = ready.pop() {
            let seat = self.seat(load, &hello);
            loads.push(hello.into_load(load, exchange, seat));
            ready.extend(self.early.remove(&load).unwrap_or_default());
        }
        loads
    }

    /// Frames whose parent never said hello.
    pub(super) fn orphans(&mut self) -> Vec<Load> {
        let early = std::mem::take(&mut self.early).into_values().flatten();
        let seated = early.map(|Arrival { load, exchange, hello }| {
            let seat = self.seat(load, &hello);
            hello.into_load(load, exchange, seat)
        });
        seated.collect()
    }

    fn still_awaited(&self, arrival: &Arrival) -> Option<LoadId> {
        let is_frame = !arrival.hello.path.is_empty();
        let parent = arrival
            .hello
            .parent
            .filter(|parent| is_frame && *parent < arrival.load)?;
        (!self.of_load.contains_key(&parent)).then_some(parent)
    }

    fn seat(&mut self, load: LoadId, hello: &Hello) -> Seat {
        let window = if hello.path.is_empty() {
            self.top_level(load, hello)
        } else {
            self.of_frame(hello)
        };
        self.of_load.insert(load, window);
        let documents = self.windows[window as usize].documents;
        Seat {
            window,
            sequence: documents.saturating_sub(1),
        }
    }

    /// A document of this load did something: its window is the active one. `leaves` says that it was its last.
    pub(super) fn touch(&mut self, load: LoadId, leaves: bool) {
        self.clock += 1;
        if let Some(window) = self.of_load.get(&load) {
            let window = &mut self.windows[*window as usize];
            window.active = self.clock;
            if window.load == load {
                window.left = leaves;
            }
        }
    }

    fn top_level(&mut self, load: LoadId, hello: &Hello) -> u32 {
        // A frame of it came first, and where it belongs could not be told.
        let begun = self
            .windows
            .iter()
            .position(|window| window.documents == 0)
            .map(|index| index as u32);
        let starts = hello.history.is_some_and(|length| length <= 1) && !self.replaces(hello);
        let opener = hello.parent.and_then(|parent| self.of_load.get(&parent).copied());
        let known = if starts {
            begun
        } else {
            self.by_referrer(hello, opener).or_else(|| self.last_active(opener))
        };
        let index = known.unwrap_or_else(|| self.open());
        self.clock += 1;
        let window = &mut self.windows[index as usize];
        window.url = without_fragment(&hello.url).to_owned();
        window.documents += 1;
        window.active = self.clock;
        (window.load, window.left) = (load, false);
        index
    }

    /// `location.replace` and reloads keep the length of the history: the same URL, or a referrer that is its window's only
    /// page. A link that opens a tab has that referrer, too, but then the page stays, and has not said goodbye.
    fn replaces(&self, hello: &Hello) -> bool {
        let Some(index) = self.last_active(None).filter(|_| !hello.opener) else {
            return false;
        };
        let window = &self.windows[index as usize];
        if !hello.referrer.is_empty() && window.url == hello.referrer {
            window.left
        } else {
            window.url == without_fragment(&hello.url)
        }
    }

    fn of_frame(&mut self, hello: &Hello) -> u32 {
        let parent = hello.parent.and_then(|parent| self.of_load.get(&parent).copied());
        parent
            .or_else(|| self.by_referrer(hello, None))
            .or_else(|| self.last_active(None))
            .unwrap_or_else(|| self.open())
    }

    fn by_referrer(&self, hello: &Hello, but: Option<u32>) -> Option<u32> {
        let referrer = without_fragment(&hello.referrer);
        self.latest(but, |window| !referrer.is_empty() && window.url == referrer)
    }

    fn last_active(&self, but: Option<u32>) -> Option<u32> {
        self.latest(but, |_| true)
    }

    fn latest(&self, but: Option<u32>, wanted: impl Fn(&Window) -> bool) -> Option<u32> {
        let numbered = (0..).zip(&self.windows);
        let windows = numbered.filter(|(index, window)| but != Some(*index) && wanted(window));
        windows.max_by_key(|(_, window)| window.active).map(|(index, _)| index)
    }

    fn open(&mut self) -> u32 {
        self.windows.push(Window {
            url: String::new(),
            documents: 0,
            active: self.clock,
            load: 0,
            left: false,
        });
        self.windows.len() as u32 - 1
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(url: &str, history: u32, referrer: &str) -> Hello {
        Hello {
            url: url.into(),
            history: Some(history),
            referrer: referrer.into(),
            ..Hello::default()
        }
    }

    fn seat(window: u32, sequence: u32) -> Seat {
        Seat { window, sequence }
    }

    #[test]
    fn pages_of_one_window_are_counted() {
        let mut windows = Windows::default();
        assert_eq!(windows.seat(1, &hello("https://a.test/", 1, "")), seat(0, 0));
        assert_eq!(
            windows.seat(2, &hello("https://a.test/next", 2, "https://a.test/")),
            seat(0, 1)
        );
        assert_eq!(windows.seat(3, &hello("https://typed.test/", 3, "")), seat(0, 2));
    }

    #[test]
    fn a_popup_is_a_window_of_its_own_and_the_opener_goes_on_in_its() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        let popup = Hello {
            opener: true,
            ..hello("https://a.test/popup", 1, "https://a.test/")
        };
        assert_eq!(windows.seat(2, &popup), seat(1, 0));
        assert_eq!(
            windows.seat(3, &hello("https://a.test/popup2", 2, "https://a.test/popup")),
            seat(1, 1)
        );
        assert_eq!(
            windows.seat(4, &hello("https://a.test/on", 2, "https://a.test/")),
            seat(0, 1)
        );
    }

    #[test]
    fn a_popup_with_a_history_is_not_taken_for_its_opener() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        let popup = Hello {
            opener: true,
            parent: Some(1),
            ..hello("https://a.test/popup", 2, "https://a.test/")
        };
        assert_eq!(windows.seat(2, &popup), seat(1, 0));
        let next = Hello {
            opener: true,
            parent: Some(1),
            ..hello("https://a.test/popup2", 3, "https://a.test/popup")
        };
        windows.touch(1, false);
        assert_eq!(windows.seat(3, &next), seat(1, 1));
        assert_eq!(
            windows.seat(4, &hello("https://a.test/on", 2, "https://a.test/")),
            seat(0, 1)
        );
    }

    #[test]
    fn a_reload_of_the_first_page_stays_in_its_window() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        assert_eq!(windows.seat(2, &hello("https://a.test/#top", 1, "")), seat(0, 1));
        windows.touch(2, true);
        assert_eq!(
            windows.seat(3, &hello("https://a.test/replaced", 1, "https://a.test/")),
            seat(0, 2)
        );
    }

    #[test]
    fn a_link_that_opens_a_tab_leaves_its_page_where_it_is() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        windows.touch(1, false);
        assert_eq!(
            windows.seat(2, &hello("https://a.test/tab", 1, "https://a.test/")),
            seat(1, 0)
        );
        assert_eq!(
            windows.seat(3, &hello("https://a.test/", 1, "https://a.test/tab")),
            seat(2, 0),
            "a tab of the tab, at the first page's address"
        );
    }

    #[test]
    fn a_page_that_came_back_from_the_browsers_cache_has_not_gone() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        windows.touch(1, true);
        windows.touch(1, false);
        assert_eq!(
            windows.seat(2, &hello("https://a.test/tab", 1, "https://a.test/")),
            seat(1, 0)
        );
    }

    #[test]
    fn frames_belong_to_the_window_of_their_parent() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        windows.seat(
            2,
            &Hello {
                opener: true,
                ..hello("https://b.test/", 1, "")
            },
        );
        let frame = Hello {
            path: vec![0],
            parent: Some(1),
            ..hello("https://c.test/frame", 1, "https://a.test/")
        };
        assert_eq!(windows.seat(3, &frame), seat(0, 0));
        let unknown = Hello {
            path: vec![0],
            ..hello("https://c.test/frame", 1, "")
        };
        assert_eq!(windows.seat(4, &unknown), seat(1, 0));
    }

    #[test]
    fn a_frame_that_is_early_waits_for_its_parent() {
        let arrival = |load, hello| Arrival {
            load,
            exchange: None,
            hello,
        };
        let frame = Hello {
            path: vec![0],
            parent: Some(2),
            ..hello("https://a.test/frame", 2, "https://a.test/b")
        };
        let mut windows = Windows::default();
        windows.arrive(arrival(1, hello("https://a.test/a", 1, "")));
        assert_eq!(windows.arrive(arrival(3, frame.clone())), []);
        let both = windows.arrive(arrival(2, hello("https://a.test/b", 2, "https://a.test/a")));
        let seats: Vec<_> = both
            .iter()
            .map(|load| (load.load, load.window, load.sequence))
            .collect();
        assert_eq!(seats, [(2, 0, 1), (3, 0, 1)]);
        let orphan = Hello {
            parent: Some(4),
            ..frame
        };
        assert_eq!(windows.arrive(arrival(5, orphan)), []);
        assert_eq!(windows.orphans().len(), 1);
    }

    #[test]
    fn without_a_referrer_the_window_that_was_active_last_is_taken() {
        let mut windows = Windows::default();
        windows.seat(1, &hello("https://a.test/", 1, ""));
        windows.seat(
            2,
            &Hello {
                opener: true,
                ..hello("https://b.test/", 1, "")
            },
        );
        windows.touch(1, false);
        assert_eq!(windows.seat(3, &hello("https://c.test/", 2, "")), seat(0, 1));
    }
}
