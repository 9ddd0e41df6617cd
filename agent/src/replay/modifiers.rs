//! Keys that are held while something else is done.
//!
//! Their own strokes are gestures like others where the page's windows heard them. Held down elsewhere, or said by a test driver with
//! another key's stroke (`Shift+Tab` in one), they are known by what was done with them only. They are held for that then; the page's
//! replayer keeps strokes of such keys to itself that the log does not have.

use crate::browser::Input;
use xcheck_trace::event::DomEvent;

/// As in the log: what is held with an event is a sum of these.
const KEYS: [(u64, &str, &str); 4] = [
    (1, "Alt", "AltLeft"),
    (2, "Control", "ControlLeft"),
    (4, "Meta", "MetaLeft"),
    (8, "Shift", "ShiftLeft"),
];

const ALT_AND_CONTROL: u64 = 3;

#[derive(Debug, Default)]
pub(super) struct Modifiers {
    /// What the driver holds.
    held: u64,
}

impl Modifiers {
    /// These inputs with what was held while they were given, and without what was not.
    pub(super) fn around(&self, dom: &DomEvent, inputs: &[Input]) -> Vec<Input> {
        let text = |name: &str| dom.data.get(name).and_then(|value| value.as_str()).unwrap_or_default();
        let own = bit(text("key"));
        let wanted = dom.data.get("modifiers").and_then(|bits| bits.as_u64()).unwrap_or(0);
        // By a key that makes third characters of others: the character says it all.
        if wanted & ALT_AND_CONTROL == ALT_AND_CONTROL && text("key").chars().count() == 1 {
            return inputs.to_vec();
        }
        let lacking = wanted & !self.held & !own;
        let let_go = strokes(self.held & !wanted & !own, up);
        let_go
            .chain(strokes(lacking, down))
            .chain(inputs.iter().cloned())
            .chain(strokes(lacking, up))
            .collect()
    }

    pub(super) fn given(&mut self, inputs: &[Input]) {
        for input in inputs {
            match input {
                Input::KeyDown { key, .. } => self.held |= bit(key),
                Input::KeyUp { key, .. } => self.held &= !bit(key),
                _ => {}
            }
        }
    }
}

fn bit(key: &str) -> u64 {
    KEYS.iter()
        .find(|(_, name, _)| *name == key)
        .map_or(0, |(bit, ..)| *bit)
}

fn strokes(bits: u64, stroke: fn(&str, &str) -> Input) -> impl Iterator<Item = Input> {
    let among = KEYS.iter().filter(move |(bit, ..)| bits & bit != 0);
    among.map(move |(_, key, code)| stroke(key, code))
}

fn down(key: &str, code: &str) -> Input {
    Input::KeyDown {
        key: key.to_owned(),
        code: code.to_owned(),
    }
}

fn up(key: &str, code: &str) -> Input {
    Input::KeyUp {
        key: key.to_owned(),
        code: code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(modifiers: &Modifiers, key: &str, bits: u64) -> String {
        let dom = json!({"type": "keydown", "target": {"object": "node"}, "data": {"key": key, "modifiers": bits}});
        let dom: DomEvent = serde_json::from_value(dom).unwrap();
        let words = modifiers
            .around(&dom, &[down(key, "")])
            .into_iter()
            .map(|input| match input {
                Input::KeyDown { key, .. } => format!("+{key}"),
                Input::KeyUp { key, .. } => format!("-{key}"),
                other => panic!("{other:?}"),
            });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_key_that_was_held_is_held_for_what_was_done_with_it() {
        let mut modifiers = Modifiers::default();
        assert_eq!(given(&modifiers, "Tab", 0), "+Tab");
        assert_eq!(given(&modifiers, "Tab", 8), "+Shift +Tab -Shift");
        assert_eq!(given(&modifiers, "Shift", 8), "+Shift");
        modifiers.given(&[down("Shift", "ShiftLeft")]);
        assert_eq!(given(&modifiers, "Tab", 8), "+Tab");
        // It was let go where no page heard of it.
        assert_eq!(given(&modifiers, "Tab", 0), "-Shift +Tab");
        assert_eq!(given(&modifiers, "Control", 2), "-Shift +Control");
    }

    #[test]
    fn a_third_character_of_a_key_is_typed_without_what_makes_it() {
        assert_eq!(given(&Modifiers::default(), "@", 3), "+@");
        assert_eq!(
            given(&Modifiers::default(), "Delete", 3),
            "+Alt +Control +Delete -Alt -Control"
        );
    }
}
