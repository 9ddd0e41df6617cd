//! What was written otherwise, in the same way, in several places: one title here and there, all numbers in other digits.

/// So many letters at least tell one rewriting from another: counts of one and two stand everywhere.
const TELLING: usize = 3;

/// Where each script's digits begin that engines write numbers in.
const DIGITS: [u32; 8] = [0x30, 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xED0, 0xFF10];

/// What it is known by: the words that differ, or that only the digits do.
pub(crate) fn known_by(reference: &str, other: &str) -> Option<String> {
    let (a, b) = differing(reference, other);
    let has_others = |text: &str| text.chars().any(|letter| !letter.is_ascii() && digit(letter).is_some());
    if has_others(&a) != has_others(&b) && in_one_script(&a) == in_one_script(&b) {
        return Some("other digits".to_owned());
    }
    let tells = |words: &str| words.chars().count() >= TELLING;
    (tells(&a) && tells(&b)).then(|| format!("{a} → {b}"))
}

/// Without the words that both begin and end with.
pub(crate) fn differing(reference: &str, other: &str) -> (String, String) {
    let (mut a, mut b): (Vec<&str>, Vec<&str>) = (
        reference.split_whitespace().collect(),
        other.split_whitespace().collect(),
    );
    let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.drain(..first);
    b.drain(..first);
    while !a.is_empty() && a.last() == b.last() {
        a.pop();
        b.pop();
    }
    (a.join(" "), b.join(" "))
}

/// Letters and digits alone, the latter as in English.
fn in_one_script(text: &str) -> String {
    let known = text.chars().filter(|letter| letter.is_alphanumeric());
    known.map(|letter| digit(letter).unwrap_or(letter)).collect()
}

fn digit(letter: char) -> Option<char> {
    let begun = DIGITS
        .iter()
        .find(|first| (**first..**first + 10).contains(&u32::from(letter)))?;
    char::from_digit(u32::from(letter) - begun, 10)
}

#[cfg(test)]
mod tests {
    use super::known_by;

    fn check(a: &str, b: &str, expected: Option<&str>) {
        assert_eq!(known_by(a, b).as_deref(), expected, "{a} and {b}");
    }

    #[test]
    fn the_words_that_differ_wherever_they_stand() {
        check("Open home.html", "Open index.html", Some("home.html → index.html"));
        check("home.html", "index.html", Some("home.html → index.html"));
        check("1 file", "0 files", Some("1 file → 0 files"));
        check("1", "0", None);
    }

    #[test]
    fn digits_of_another_script_are_one_thing_whatever_they_count() {
        check("1,450 للكيلو", "١٬٤٥٠ للكيلو", Some("other digits"));
        check("0", "٠", Some("other digits"));
        check("1,450", "1 450", Some("1,450 → 1 450"));
    }
}
