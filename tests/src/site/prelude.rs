//! The script that a test site adds to its pages, whoever asks for them.

use bytes::Bytes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prelude {
    /// Pages as they are on disk.
    None,
    /// Errors are reported to the site.
    Errors,
    /// And `Math.random` and the clock begin the same each time, for pages that would never look the same twice.
    Seeded,
}

const ERRORS: &str = include_str!("prelude.js");
const SEED: &str = include_str!("seed.js");

impl Prelude {
    pub(super) fn insert_into(self, html: Vec<u8>) -> Bytes {
        let Some(script) = self.script() else {
            return html.into();
        };
        let at = after_head(&html);
        [&html[..at], b"<script>", script.as_bytes(), b"</script>", &html[at..]]
            .concat()
            .into()
    }

    pub(crate) fn script(self) -> Option<String> {
        match self {
            Prelude::None => None,
            Prelude::Errors => Some(ERRORS.into()),
            Prelude::Seeded => Some(format!("{ERRORS}{SEED}")),
        }
    }
}

/// Behind `<head>`, or behind the doctype of a page without one: nothing may come before a doctype.
fn after_head(html: &[u8]) -> usize {
    let lower = html.to_ascii_lowercase();
    let find = |needle: &[u8]| lower.windows(needle.len()).position(|window| window == needle);
    let behind_tag = |start: usize| {
        lower[start..]
            .iter()
            .position(|byte| *byte == b'>')
            .map(|end| start + end + 1)
    };
    find(b"<head>")
        .or_else(|| find(b"<head "))
        .or_else(|| find(b"<!doctype"))
        .and_then(behind_tag)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Prelude, after_head};

    #[test]
    fn the_script_stands_first_in_the_head_but_never_before_the_doctype() {
        let check = |html: &str, before: &str| assert_eq!(&html[..after_head(html.as_bytes())], before);
        check("<!doctype html><html><head><title>", "<!doctype html><html><head>");
        check(
            "<!DOCTYPE html><HTML><HEAD lang=en><p>",
            "<!DOCTYPE html><HTML><HEAD lang=en>",
        );
        check("<!doctype html><header>", "<!doctype html>");
        check("<p>", "");
    }

    #[test]
    fn pages_without_a_prelude_stay_as_they_are() {
        assert_eq!(Prelude::None.insert_into(b"<p>".to_vec()), "<p>");
    }
}
