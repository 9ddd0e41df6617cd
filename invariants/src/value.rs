//! What is known of a field after some runs: one value, a few, a shape such as a date, or nothing.

use crate::numbers;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More distinct values are not a few.
const FEW: usize = 4;
/// A value of a few must have been seen so often, on average, before another one counts as wrong.
const SETTLED: u32 = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    Constant(String),
    /// With how often each was seen.
    OneOf(BTreeMap<String, u32>),
    /// See [`shape`].
    Shape(String),
    Volatile,
}

impl Value {
    /// The narrowest that has both. `seen` tells how often each side was seen.
    pub(crate) fn merge(self, seen: u32, other: Value, other_seen: u32) -> Value {
        use Value::{Constant, OneOf, Shape, Volatile};
        match (self, other) {
            (Constant(a), Constant(b)) if a == b => Constant(a),
            (Shape(a), Shape(b)) if a == b => Shape(a),
            (Shape(a), Constant(b)) | (Constant(b), Shape(a)) if shape(&b) == a => Shape(a),
            (Constant(a), Constant(b)) if shape(&a) == shape(&b) => Shape(shape(&a)),
            (Volatile | Shape(_), _) | (_, Volatile | Shape(_)) => Volatile,
            (a, b) => {
                let mut values: BTreeMap<String, u32> = BTreeMap::new();
                for (value, seen) in [(a, seen), (b, other_seen)] {
                    let counted = match value {
                        Constant(value) => BTreeMap::from([(value, seen)]),
                        OneOf(values) => values,
                        Shape(_) | Volatile => BTreeMap::new(),
                    };
                    for (value, seen) in counted {
                        *values.entry(value).or_default() += seen;
                    }
                }
                if values.len() > FEW { Volatile } else { OneOf(values) }
            }
        }
    }

    pub(crate) fn allows(&self, value: &str) -> bool {
        match self {
            Value::Constant(known) => known == value,
            Value::Shape(known) => *known == shape(value),
            Value::OneOf(values) => values.contains_key(value) || !settled(values),
            Value::Volatile => true,
        }
    }

    /// Any value would do.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Value::Constant(_) | Value::Shape(_) => false,
            Value::OneOf(values) => !settled(values),
            Value::Volatile => true,
        }
    }

    /// What is asked for, for a person.
    pub(crate) fn wanted(&self) -> String {
        match self {
            Value::Constant(value) => value.clone(),
            Value::Shape(shape) => format!("something like {shape}"),
            Value::OneOf(values) => {
                let values: Vec<&str> = values.keys().map(String::as_str).collect();
                format!("one of: {}", values.join(" | "))
            }
            Value::Volatile => "anything".into(),
        }
    }
}

fn settled(values: &BTreeMap<String, u32>) -> bool {
    values.values().all(|&seen| seen >= 2) && values.values().sum::<u32>() >= SETTLED * values.len() as u32
}

/// A text with what commonly varies replaced: numbers by `0` (whether they have a sign, a fraction or a unit or not), identifiers made by machines by `#`, names of months and
/// days by `Month` and `Day`. What stays are the words around them.
pub fn shape(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let text = &*numbers::replaced(text);
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let mut shape = String::with_capacity(text.len());
    for run in runs(text, is_part) {
        // One part that no person wrote makes an identifier of all that hangs on it, as in a UUID.
        if has_digits && (run.split(['-', '_']).any(is_made_by_a_machine) || is_uuid(run)) {
            shape.push('#');
            continue;
        }
        for word in runs(run, char::is_alphanumeric) {
            shape.push_str(word_shape(word));
        }
    }
    shape
}

/// The text in stretches of characters that all are, or all are not.
fn runs(text: &str, is: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = is(rest.chars().next()?);
        let end = rest.find(|c| is(c) != first).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn word_shape(word: &str) -> &str {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(word) {
        return "0";
    }
    // The day and the hour of `2026-08-04T09:05Z`.
    if word
        .split_once('T')
        .is_some_and(|(day, hour)| is_number(day) && is_number(hour))
    {
        return "0T0";
    }
    let is_one_of = |names: &[&str]| {
        let mut names = names.iter();
        names.any(|name| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]))
    };
    match word.len() {
        2 if word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm") => "AM",
        3..=9 if is_one_of(&MONTHS) => "Month",
        3..=9 if is_one_of(&DAYS) => "Day",
        _ => word,
    }
}

/// One in a few thousand has no letter in either of its long parts, by which it would be told otherwise.
fn is_uuid(run: &str) -> bool {
    let lengths = run.split('-').map(|part| part.len());
    lengths.eq([8, 4, 4, 4, 12]) && run.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Digits in several places of it, or long and of hexadecimal digits.
fn is_made_by_a_machine(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if digits == 0 || digits == word.chars().count() || word.len() < 6 {
        return false;
    }
    let islands = runs(word, |c| c.is_ascii_digit()).filter(|run| run.starts_with(|c: char| c.is_ascii_digit()));
    islands.count() >= 2 || word.len() >= 8 && word.chars().all(|c| c.is_ascii_hexdigit())
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(value: &str) -> Value {
        Value::Constant(value.into())
    }

    fn after(values: &[&str]) -> Value {
        let mut learnt = constant(values[0]);
        for (seen, value) in (1..).zip(&values[1..]) {
            learnt = learnt.merge(seen, constant(value), 1);
        }
        learnt
    }

    #[test]
    fn what_never_changed_may_not_change() {
        let learnt = after(&["Cart", "Cart"]);
        assert!(learnt.allows("Cart") && !learnt.allows("Basket"));
    }

    #[test]
    fn numbers_and_dates_may_change_within_their_shape() {
        let learnt = after(&[
            "3 items, Tue, 4 Aug 2026 9:05 am",
            "12 items, Mon, 30 November 2026 11:40 PM",
        ]);
        assert_eq!(learnt, Value::Shape("0 items, Day, 0 Month 0 0:0 AM".into()));
        assert!(learnt.allows("0 items, Sun, 1 Jan 2027 0:00 AM"));
        assert!(!learnt.allows("no items"));
    }

    #[test]
    fn the_hour_of_a_time_stamp_may_change_as_its_minutes_do() {
        let learnt = after(&["2026-08-04T16:58:59.340Z", "2026-08-04T16:59:02.007Z"]);
        assert!(learnt.allows("2026-08-04T17:00:00.340Z"), "{learnt:?}");
        assert!(!learnt.allows("Invalid Date"));
    }

    #[test]
    fn a_length_is_a_length_with_or_without_a_fraction() {
        let learnt = after(&["left: 8.786px; top: 3px", "left: -12px; top: 1.5px"]);
        assert_eq!(learnt, Value::Shape("left: 0px; top: 0px".into()));
        assert!(!learnt.allows("left: auto; top: 0px"));
    }

    #[test]
    fn identifiers_of_machines_have_one_shape() {
        let learnt = after(&[
            "/cart?session=9f86d081-884c-4d63-a159-2dd15d6c15b0",
            "/cart?session=11111111-2222-4333-8444-555555555a55",
        ]);
        assert!(
            learnt.allows("/cart?session=0a0a0a0a-0000-4000-8000-00000000000a"),
            "{learnt:?}"
        );
        assert!(!learnt.allows("/checkout?session=0a0a0a0a-0000-4000-8000-00000000000a"));
    }

    #[test]
    fn a_uuid_is_one_whatever_its_digits() {
        for uuid in [
            "12345678-1234-4a1b-8c2d-123456789012",
            "12345678-1234-4234-8234-123456789012",
        ] {
            assert_eq!(shape(&format!("ticket {uuid}.")), "ticket #.");
        }
    }

    #[test]
    fn a_few_values_hold_once_each_was_seen_often_enough() {
        let young = after(&["red", "green"]);
        assert!(young.is_open() && young.allows("blue"));
        let old = after(&["red", "green", "red", "green", "red", "green"]);
        assert!(!old.is_open() && !old.allows("blue") && old.allows("red"));
    }

    #[test]
    fn many_values_are_any_value() {
        assert_eq!(after(&["a", "b", "c", "d", "e"]), Value::Volatile);
    }

    #[test]
    fn words_that_people_write_keep_their_shape() {
        for word in ["h1", "col2", "utf8", "mp3", "Q4"] {
            assert_eq!(shape(word), word);
        }
    }
}
