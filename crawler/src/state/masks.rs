//! Texts and addresses without what commonly varies.

use url::Url;
use xcheck_invariants::shape;

/// Digits that are a point in time or a number in a database rather than one that a person reads.
const LONG_NUMBER: usize = 10;

/// A text without identifiers, times of day and long numbers. Words and other numbers stay.
pub(crate) fn strict(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        masked.push_str(&strict_word(bare));
        masked.push_str(&word[bare.len()..]);
    }
    masked
}

fn strict_word(word: &str) -> String {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if digits == 0 {
        return word.to_owned();
    }
    if is_time(word) {
        return "0:00".to_owned();
    }
    let shaped = shape(word);
    if shaped.contains('#') && !word.contains('#') {
        // Only the identifier is masked, and numbers beside it stay: what `shape` made of them is not asked for here.
        return shaped;
    }
    let longest = word
        .split(|c: char| !c.is_ascii_digit())
        .map(str::len)
        .max()
        .unwrap_or(0);
    if longest >= LONG_NUMBER {
        shaped
    } else {
        word.to_owned()
    }
}

/// `9:05`, `23:59:59,`, `2026-11-20T10:00:00Z`.
fn is_time(word: &str) -> bool {
    let bytes = word.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    word.match_indices(':')
        .any(|(at, _)| at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2) && !digit(at + 3))
}

/// A text of which only the words are left, and where numbers and dates were.
pub(crate) fn loose(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in shape(&strict(text)).chars() {
        match c.is_ascii_digit() {
            true if words.ends_with('0') => {}
            true => words.push('0'),
            false => words.push(c),
        }
    }
    words
}

/// An address as one knows it again: without identifiers that are new each time.
pub(crate) fn address(url: &str) -> String {
    let Ok(url) = Url::parse(url) else {
        return strict(url);
    };
    let mut text = url.origin().ascii_serialization();
    text.push_str(&parts(url.path(), '/'));
    let query = url.query().map(|query| parts(query, '&')).unwrap_or_default();
    // A parameter that has another value each time names nothing.
    let is_masked = |part: &str| part.ends_with("=#") || part.ends_with("=0") && !url.as_str().contains(part);
    let query: Vec<&str> = query
        .split('&')
        .filter(|part| !part.is_empty() && !is_masked(part))
        .collect();
    if !query.is_empty() {
        text.push('?');
        text.push_str(&query.join("&"));
    }
    if let Some(fragment) = url.fragment().filter(|fragment| !fragment.is_empty()) {
        text.push('#');
        text.push_str(&parts(fragment, '/'));
    }
    text
}

fn parts(text: &str, separator: char) -> String {
    let masked: Vec<String> = text
        .split(separator)
        .map(|part| match part.split_once('=') {
            Some((name, value)) => format!("{name}={}", strict_word(value)),
            None => strict_word(part),
        })
        .collect();
    masked.join(&separator.to_string())
}

/// What kind of page an address names: `https://shop.example/item/0?page`.
pub(crate) fn pattern(url: &str) -> String {
    let Ok(url) = Url::parse(url) else {
        return loose(url);
    };
    let mut text = url.origin().ascii_serialization();
    text.push_str(&loose(url.path()));
    let names: Vec<String> = url.query_pairs().map(|(name, _)| loose(&name)).collect();
    if !names.is_empty() {
        text.push('?');
        text.push_str(&names.join("&"));
    }
    if let Some(fragment) = url.fragment().filter(|fragment| fragment.contains('/')) {
        text.push('#');
        text.push_str(&loose(fragment));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_stay_and_what_is_new_each_time_goes() {
        for (text, expected) in [
            ("Item 17 of 200", "Item 17 of 200"),
            ("It is 23:59:59 now", "It is 0:00 now"),
            ("at 2026-11-20T10:00:00.123Z", "at 0:00"),
            ("order 9f86d081-884c-4d63-a159-2dd15d6c15b0 placed", "order # placed"),
            ("order 12345678-1234-4a1b-8c2d-123456789012", "order #"),
            ("since 1763654400000 ms", "since 0 ms"),
            ("ratio 16:9", "ratio 16:9"),
        ] {
            assert_eq!(strict(text), expected);
        }
    }

    #[test]
    fn of_numbers_and_times_only_the_place_is_left() {
        for (one, other) in [
            ("2026-11-20T10:00:00.123Z", "2027-01-02T23:59:59.9Z"),
            ("5s ago, 17 of 20", "12s ago, 3 of 400"),
        ] {
            assert_eq!(loose(one), loose(other));
        }
        assert_ne!(loose("3 left"), loose("3 right"));
    }

    #[test]
    fn addresses_are_known_again() {
        assert_eq!(
            address("http://a.test:81/s/9f86d081884c/17?t=1763654400000&q=x#/b/2"),
            "http://a.test:81/s/#/17?q=x#/b/2"
        );
        assert_eq!(address("http://a.test/x#"), "http://a.test/x");
        assert_ne!(address("http://a.test/item/3"), address("http://a.test/item/4"));
    }

    #[test]
    fn a_pattern_has_no_numbers_and_no_values() {
        assert_eq!(
            pattern("https://a.test/item/17?page=3&q=x"),
            "https://a.test/item/0?page&q"
        );
        assert_eq!(pattern("https://a.test/#/month/12"), "https://a.test/#/month/0");
    }
}
