//! Replaces values in JSON text, leaving every other byte as it was.
//!
//! Parsing into a tree and writing it again would be shorter, and wrong: the order of keys and the spelling of numbers
//! reach the page, and a replay would differ from the recording for our sake.

use super::json_path::{JsonPath, Part, Reached};
use std::ops::Range;

const DEEPEST: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    #[error("its JSON ends too early")]
    EndsEarly,
    #[error("it is not JSON at byte {0}")]
    NotJson(usize),
    #[error("its JSON is nested too deeply")]
    TooDeep,
}

/// `None` when nothing matched.
pub(super) fn redact(text: &[u8], paths: &[JsonPath], replacement: &str) -> Result<Option<Vec<u8>>, Trouble> {
    let mut walk = Walk {
        text,
        at: 0,
        paths,
        found: Vec::new(),
    };
    walk.value(&vec![Reached::ROOT; paths.len()], 0)?;
    walk.space();
    if walk.at < text.len() {
        return Err(walk.unexpected());
    }
    if walk.found.is_empty() {
        return Ok(None);
    }
    let quoted = serde_json::Value::from(replacement).to_string();
    let mut result = Vec::with_capacity(text.len());
    let mut kept = 0;
    for Range { start, end } in walk.found {
        result.extend_from_slice(&text[kept..start]);
        result.extend_from_slice(quoted.as_bytes());
        kept = end;
    }
    result.extend_from_slice(&text[kept..]);
    Ok(Some(result))
}

struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    paths: &'a [JsonPath],
    found: Vec<Range<usize>>,
}

impl Walk<'_> {
    fn value(&mut self, reached: &[Reached], depth: usize) -> Result<(), Trouble> {
        if depth > DEEPEST {
            return Err(Trouble::TooDeep);
        }
        self.space();
        let start = self.at;
        let here = self
            .paths
            .iter()
            .zip(reached)
            .any(|(path, reached)| path.is_at_end(*reached));
        // Below a value that goes as a whole, or where no path leads, nothing has to be looked for.
        let nowhere = here || reached.iter().all(|reached| reached.is_nowhere());
        let reached = if nowhere { &[] } else { reached };
        match self.peek() {
            Some(b'{') => self.object(reached, depth)?,
            Some(b'[') => self.array(reached, depth)?,
            Some(b'"') => {
                self.string()?;
            }
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.word()?,
            _ => return Err(self.unexpected()),
        }
        if here {
            self.found.push(start..self.at);
        }
        Ok(())
    }

    fn object(&mut self, reached: &[Reached], depth: usize) -> Result<(), Trouble> {
        self.at += 1;
        if self.ends(b'}') {
            return Ok(());
        }
        loop {
            self.space();
            let key = self.string()?;
            self.expect(b':')?;
            let text = &self.text[key.clone()];
            let key_text = || serde_json::from_slice(text).map_err(|_| Trouble::NotJson(key.start));
            let reached = self.go(reached, || key_text().map(KeyOrIndex::Key))?;
            self.value(&reached, depth + 1)?;
            if self.ends(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    fn array(&mut self, reached: &[Reached], depth: usize) -> Result<(), Trouble> {
        self.at += 1;
        if self.ends(b']') {
            return Ok(());
        }
        for index in 0.. {
            let reached = self.go(reached, || Ok(KeyOrIndex::Index(index)))?;
            self.value(&reached, depth + 1)?;
            if self.ends(b']') {
                break;
            }
            self.expect(b',')?;
        }
        Ok(())
    }

    fn go(
        &self,
        reached: &[Reached],
        part: impl FnOnce() -> Result<KeyOrIndex, Trouble>,
    ) -> Result<Vec<Reached>, Trouble> {
        if reached.is_empty() {
            return Ok(Vec::new());
        }
        let part = part()?;
        let part = match &part {
            KeyOrIndex::Key(key) => Part::Key(key),
            KeyOrIndex::Index(index) => Part::Index(*index),
        };
        let go = |(path, reached): (&JsonPath, &Reached)| path.go(*reached, part);
        Ok(self.paths.iter().zip(reached).map(go).collect())
    }

    /// The string's place, quotes included.
    fn string(&mut self) -> Result<Range<usize>, Trouble> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected());
        }
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => return Err(self.unexpected()),
            }
        }
        self.at += 1;
        Ok(start..self.at)
    }

    fn word(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        {
            self.at += 1;
        }
        match serde_json::from_slice::<serde_json::Value>(&self.text[start..self.at]) {
            Ok(_) => Ok(()),
            Err(_) => {
                self.at = start;
                Err(self.unexpected())
            }
        }
    }

    fn ends(&mut self, byte: u8) -> bool {
        self.space();
        let ends = self.peek() == Some(byte);
        self.at += usize::from(ends);
        ends
    }

    fn expect(&mut self, byte: u8) -> Result<(), Trouble> {
        if self.ends(byte) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn unexpected(&self) -> Trouble {
        match self.at < self.text.len() {
            true => Trouble::NotJson(self.at),
            false => Trouble::EndsEarly,
        }
    }
}

enum KeyOrIndex {
    Key(String),
    Index(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(rules: &[&str], text: &str, expected: &str) {
        let paths: Vec<JsonPath> = rules.iter().map(|rule| JsonPath::parse(rule).unwrap()).collect();
        let result = redact(text.as_bytes(), &paths, "X").unwrap();
        let result = result.map_or(text.to_owned(), |bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(result, expected);
    }

    #[test]
    fn only_the_value_changes() {
        check(
            &["$.b", "$..pin"],
            "{ \"z\":1.0, \"b\" : [1, {\"c\":2}] ,\"a\":12345678901234567890123,\n\"d\":{\"pin\":null}}",
            "{ \"z\":1.0, \"b\" : \"X\" ,\"a\":12345678901234567890123,\n\"d\":{\"pin\":\"X\"}}",
        );
    }

    #[test]
    fn escaped_and_repeated_keys_do_not_hide() {
        check(&["$.pin"], r#"{"p\u0069n":1,"pin":2}"#, r#"{"p\u0069n":"X","pin":"X"}"#);
        check(
            &["$.a.pin"],
            r#"{"a":{"pin":"q\"}"},"pin":0}"#,
            r#"{"a":{"pin":"X"},"pin":0}"#,
        );
    }

    #[test]
    fn what_is_not_json_is_an_error() {
        let paths = [JsonPath::parse("$..a").unwrap()];
        let deep = "[".repeat(100_000);
        for text in ["", "{", "{\"a\":1", "[1,]", "{a:1}", "tru", "\"a", "1 2", "\"\\", &deep] {
            assert!(redact(text.as_bytes(), &paths, "X").is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(text in prop::collection::vec(prop::sample::select(b"{}[]\",:\\ab1e-. tnu".to_vec()), 0..60)) {
            let paths = [JsonPath::parse("$..a").unwrap()];
            let ours = redact(&text, &paths, "X");
            if let Ok(Some(bytes)) = ours {
                prop_assert!(!String::from_utf8_lossy(&bytes).contains("\"a\":1"));
            }
        }
    }
}
