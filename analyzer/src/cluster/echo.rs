//! The same words in two places: what was typed and what a page makes of it, and what a page says each time.

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
    (letters(&gone) + letters(&come) >= TELLING).then(|| format!("{gone}\n{come}"))
}

/// Where one of the two browsers says the same in a list each time, whatever the other says.
pub(super) fn refrains(spot: &Spot) -> Vec<String> {
    let whole = spot.raw.differences.first().filter(|_| spot.raw.kind == Kind::Text);
    let (Some(said), Some(list)) = (whole.filter(|one| one.property == "text"), spot.above.first()) else {
        return Vec::new();
    };
    let sides = [("here", &said.reference), ("there", &said.other)].into_iter();
    let told = sides.filter(|(_, words)| letters(words) >= TELLING);
    told.map(|(side, words)| format!("{list} {side} {words}")).collect()
}

fn letters(words: &str) -> usize {
    words.chars().filter(|letter| letter.is_alphabetic()).count()
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
