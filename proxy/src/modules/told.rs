//! Calls of `import()` that say what they promise: nothing else tells when what waits for one goes on.
//!
//! A script passes as it comes until it may call `import()`. From there on it is held until it is whole.

use super::calls::import_calls;
use bytes::Bytes;

/// A script that is longer is passed on as it is.
const LONGEST: usize = 16 * 1024 * 1024;

const WORD: &[u8] = b"import";

#[derive(Debug, Default)]
pub(crate) struct Telling {
    /// From its beginning.
    text: Vec<u8>,
    /// How much of it has been passed on.
    passed: usize,
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Passes,
    Held,
    TooLong,
}

impl Telling {
    /// What can be passed on of it by now.
    pub(crate) fn push(&mut self, piece: Bytes) -> Bytes {
        if self.state == State::TooLong {
            return piece;
        }
        self.text.extend_from_slice(&piece);
        if self.text.len() > LONGEST {
            self.state = State::TooLong;
            let rest = self.text.split_off(self.passed);
            self.text = Vec::new();
            return rest.into();
        }
        if self.state == State::Held {
            return Bytes::new();
        }
        let from = self.passed;
        let (until, calls) = first_that_may_call(&self.text, from);
        self.passed = until;
        if calls {
            self.state = State::Held;
        }
        Bytes::copy_from_slice(&self.text[from..until])
    }

    /// What is left of a script that is over, and whether its calls are told of there. Another script may follow.
    pub(crate) fn finish(&mut self, may_change: bool) -> (Bytes, bool) {
        let ended = std::mem::take(self);
        match ended.told().filter(|_| may_change) {
            Some(told) => (told, true),
            None => (ended.into_rest(), false),
        }
    }

    /// The rest as it came.
    pub(crate) fn rest(&mut self) -> Bytes {
        std::mem::take(self).into_rest()
    }

    fn into_rest(mut self) -> Bytes {
        self.text.split_off(self.passed.min(self.text.len())).into()
    }

    /// The rest with its calls, if there are any and the script is understood.
    fn told(&self) -> Option<Bytes> {
        let calls = import_calls(&self.text).filter(|calls| self.state == State::Held && !calls.is_empty())?;
        // Inner calls stand within outer ones, so ends do not come in the order of beginnings.
        let (before, behind) = xcheck_replay_js::AROUND_IMPORT;
        let mut edits: Vec<(usize, &str)> = Vec::new();
        for call in calls {
            edits.push((call.start, before));
            edits.push((call.end, behind));
        }
        edits.sort_by_key(|(at, _)| *at);
        let (mut at, mut told) = (self.passed, Vec::new());
        for (edit, text) in edits {
            told.extend_from_slice(&self.text[at..edit]);
            told.extend_from_slice(text.as_bytes());
            at = edit;
        }
        told.extend_from_slice(&self.text[at..]);
        Some(told.into())
    }
}

/// Up to where a text calls nothing, and whether it may from there on, or only ends in the middle of the word.
fn first_that_may_call(text: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    while let Some(found) = text[at..].iter().position(|byte| *byte == WORD[0]) {
        at += found;
        let rest = &text[at..];
        if rest.len() < WORD.len() && WORD.starts_with(rest) {
            return (at, false);
        }
        if rest.starts_with(WORD) {
            match rest[WORD.len()..].iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return (at, false),
                Some(b'(' | b'/') => return (at, true),
                Some(_) => {}
            }
        }
        at += 1;
    }
    (text.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, size: usize) -> (String, bool) {
        let mut telling = Telling::default();
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            out.extend_from_slice(&telling.push(Bytes::copy_from_slice(piece)));
        }
        let (rest, is_told) = telling.finish(true);
        out.extend_from_slice(&rest);
        (String::from_utf8(out).expect("UTF-8"), is_told)
    }

    fn check(text: &str, expected: &str) {
        for size in [1, 2, 3, 7, 20, text.len()] {
            let (got, is_told) = told(text, size);
            assert_eq!(got, expected, "in pieces of {size}");
            assert_eq!(is_told, text != expected, "{text}");
        }
    }

    #[test]
    fn calls_are_told_of_however_the_text_comes() {
        let (before, behind) = xcheck_replay_js::AROUND_IMPORT;
        check(
            "import a from 'a'\nb()\nimport('c').then(d)",
            &format!("import a from 'a'\nb()\n{before}import('c'){behind}.then(d)"),
        );
        check(
            "x=import (import(a)),y",
            &format!("x={before}import ({before}import(a){behind}){behind},y"),
        );
    }

    #[test]
    fn what_calls_nothing_or_is_not_understood_stays_as_it_is() {
        for text in [
            "import a from 'a'",
            "impor",
            "import",
            "'import(a)'",
            "import(a",
            "imp();important(a)",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_script_that_must_not_change_stays_as_it_is() {
        let mut telling = Telling::default();
        telling.push(Bytes::from("a();import('b')"));
        assert_eq!(telling.finish(false), (Bytes::from("import('b')"), false));
    }

    #[test]
    fn what_is_before_a_call_is_not_held() {
        let mut telling = Telling::default();
        assert_eq!(telling.push(Bytes::from("a();import('b')")), "a();");
    }
}
