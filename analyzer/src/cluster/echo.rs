//! The same words that are missing, or others, in two places: what was typed and what a page makes of it.

use crate::findings::Kind;
use crate::rewritten::differing;
use crate::spot::Spot;

/// Fewer letters are the same by chance.
const TELLING: usize = 6;

/// By what it shares with others that say the same otherwise.
pub(super) fn echo(spot: &Spot) -> Option<String> {
    if !matches!(spot.raw.kind, Kind::Behaviour | Kind::Text) {
        return None;
    }
    let said = spot.raw.differences.iter().find(|one| one.property == "text")?;
    let (gone, come) = differing(&said.reference, &said.other);
    let letters = |words: &str| words.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters(&gone) + letters(&come) >= TELLING).then(|| format!("{gone}\n{come}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_replaced_are_whole_words() {
        let check = |a: &str, b: &str, expected: (&str, &str)| {
            let (gone, come) = differing(a, b);
            assert_eq!((gone.as_str(), come.as_str()), expected);
        };
        check("For can you?", "For", ("can you?", ""));
        check("For @Oda can you?", "For @Oda", ("can you?", ""));
        check("one two three", "one 2 three", ("two", "2"));
        check("a a", "a", ("a", ""));
        check("", "new words", ("", "new words"));
        check("same", "same", ("", ""));
    }
}
