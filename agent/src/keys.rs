//! Text and names of keys as strokes on an American keyboard.

use crate::browser::Input;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoKey {
    #[error("no key for `{0}` on this keyboard")]
    For(char),
    #[error("a chord has a key")]
    InChord,
}

/// One stroke for each character.
pub fn typed(text: &str) -> Result<Vec<Input>, NoKey> {
    let mut inputs = Vec::new();
    for character in text.chars() {
        stroke(&mut inputs, &character.to_string())?;
    }
    Ok(inputs)
}

/// Keys that are held with others: as protocols and logs have them, what is held is a sum of these.
pub(crate) const MODIFIERS: [(&str, i64); 4] = [("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", 8)];

/// Nothing where it is another key.
pub(crate) fn modifier(key: &str) -> i64 {
    MODIFIERS
        .iter()
        .find(|(name, _)| *name == key)
        .map_or(0, |(_, bit)| *bit)
}

/// `Control+Shift+z`: modifiers go down in order and up in reverse, around the last key's stroke. The last one may be `+` itself.
pub fn pressed(chord: &str) -> Result<Vec<Input>, NoKey> {
    let (modifiers, last) = match chord.strip_suffix('+') {
        Some("") => (None, "+"),
        Some(before) => (Some(before.strip_suffix('+').ok_or(NoKey::InChord)?), "+"),
        None => chord
            .rsplit_once('+')
            .map_or((None, chord), |(before, last)| (Some(before), last)),
    };
    let keys: Vec<&str> = modifiers.into_iter().flat_map(|all| all.split('+')).collect();
    let mut inputs = Vec::new();
    for key in &keys {
        inputs.push(down(key)?);
    }
    stroke(&mut inputs, last)?;
    for key in keys.iter().rev() {
        inputs.push(up(key)?);
    }
    Ok(inputs)
}

fn stroke(inputs: &mut Vec<Input>, key: &str) -> Result<(), NoKey> {
    inputs.push(down(key)?);
    inputs.push(up(key)?);
    Ok(())
}

pub(crate) fn down(key: &str) -> Result<Input, NoKey> {
    Ok(Input::KeyDown {
        key: key.into(),
        code: code(key)?,
    })
}

pub(crate) fn up(key: &str) -> Result<Input, NoKey> {
    Ok(Input::KeyUp {
        key: key.into(),
        code: code(key)?,
    })
}

/// The place on the keyboard that gives `key`.
fn code(key: &str) -> Result<String, NoKey> {
    let mut characters = key.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else {
        return Ok(match key {
            "Control" | "Shift" | "Alt" | "Meta" => format!("{key}Left"),
            _ => key.into(),
        });
    };
    if character.is_ascii_alphabetic() {
        return Ok(format!("Key{}", character.to_ascii_uppercase()));
    }
    if character.is_ascii_digit() {
        return Ok(format!("Digit{character}"));
    }
    let (_, code) = OTHERS
        .iter()
        .find(|(characters, _)| characters.contains(character))
        .ok_or(NoKey::For(character))?;
    Ok((*code).into())
}

const OTHERS: &[(&str, &str)] = &[
    (" ", "Space"),
    (")", "Digit0"),
    ("!", "Digit1"),
    ("@", "Digit2"),
    ("#", "Digit3"),
    ("$", "Digit4"),
    ("%", "Digit5"),
    ("^", "Digit6"),
    ("&", "Digit7"),
    ("*", "Digit8"),
    ("(", "Digit9"),
    ("-_", "Minus"),
    ("=+", "Equal"),
    ("[{", "BracketLeft"),
    ("]}", "BracketRight"),
    ("\\|", "Backslash"),
    (";:", "Semicolon"),
    ("'\"", "Quote"),
    (",<", "Comma"),
    (".>", "Period"),
    ("/?", "Slash"),
    ("`~", "Backquote"),
];

#[cfg(test)]
mod tests {
    use super::{pressed, typed};
    use crate::browser::Input;

    fn spelled(inputs: &[Input]) -> String {
        let one = |input: &Input| match input {
            Input::KeyDown { code, .. } => format!("+{code}"),
            Input::KeyUp { code, .. } => format!("-{code}"),
            other => panic!("{other:?} is no key"),
        };
        inputs.iter().map(one).collect()
    }

    #[test]
    fn text_is_typed_key_by_key() {
        assert_eq!(spelled(&typed("a{").unwrap()), "+KeyA-KeyA+BracketLeft-BracketLeft");
        assert!(typed("ß").is_err());
    }

    #[test]
    fn modifiers_are_held_around_the_key() {
        assert_eq!(
            spelled(&pressed("Control+Shift+z").unwrap()),
            "+ControlLeft+ShiftLeft+KeyZ-KeyZ-ShiftLeft-ControlLeft"
        );
        assert_eq!(spelled(&pressed("Enter").unwrap()), "+Enter-Enter");
    }

    #[test]
    fn a_plus_is_a_key_as_well() {
        assert_eq!(spelled(&pressed("+").unwrap()), "+Equal-Equal");
        assert_eq!(
            spelled(&pressed("Control++").unwrap()),
            "+ControlLeft+Equal-Equal-ControlLeft"
        );
        assert!(pressed("Control+").is_err());
    }
}
