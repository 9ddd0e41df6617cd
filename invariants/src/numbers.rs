//! Numbers in a text, each as one thing: `-8.79`, `1,234.50`, `1e-7` and `12px` vary like `3` does.

use std::borrow::Cow;

/// Longer than this is no unit.
const UNIT: usize = 3;

/// The text with `0` for each of them. What is part of a word, a date or a version stays what it is.
pub(crate) fn replaced(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if may_begin(before) { number(rest, before) } else { 0 };
        let taken = if length > 0 {
            replaced.push('0');
            length
        } else {
            replaced.push(first);
            first.len_utf8()
        };
        before = rest[..taken].chars().next_back();
        rest = &rest[taken..];
    }
    Cow::Owned(replaced)
}

fn may_begin(before: Option<char>) -> bool {
    before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '+'))
}

/// How long the number is that the text begins with; 0 where there is none.
fn number(text: &str, before: Option<char>) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes[0], b'-' | b'+'));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let mut end = sign + whole;
    // In a list of arguments a comma is between two of them.
    while whole <= 3 && !matches!(before, Some('(' | ',')) && bytes.get(end) == Some(&b',') && digits(end + 1) == 3 {
        end += 4;
    }
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
        // A date or a version.
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            return 0;
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let power = bytes.get(end + 1 + sign).map_or(0, |_| digits(end + 1 + sign));
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    let after = &text[end..];
    let unit = after.chars().take_while(|c| c.is_alphabetic()).count();
    let next = after.chars().nth(unit);
    let is_whole = unit <= UNIT && next.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    if is_whole { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(replaced(text), expected);
    }

    #[test]
    fn a_number_is_one_thing_with_sign_fraction_power_and_thousands() {
        check("-8.786, 1.2e-7 and +3", "0, 0 and 0");
        check("$1,234.50 of 1,234,567", "$0 of 0");
        check(
            "translate(-5px, 10.5em) rotate(3deg)",
            "translate(0px, 0em) rotate(0deg)",
        );
        check("rgb(10,200,30)", "rgb(0,0,0)");
        check("100%", "0%");
        check("é 5", "é 0");
    }

    #[test]
    fn what_is_part_of_a_word_a_date_or_a_version_stays() {
        for text in [
            "h1 col2 utf8",
            "4.22.1",
            "2026-08-04",
            "9f86d081-884c",
            "node_7",
            "12ab-34",
        ] {
            check(text, text);
        }
        check("9:05", "0:0");
    }
}
