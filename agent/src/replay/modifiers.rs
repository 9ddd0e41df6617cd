//! Keys that are held while something else is done.
//!
//! Their own strokes are gestures like others where the page's windows heard them. Held down elsewhere, or said by a test driver with
//! another key's stroke (`Shift+Tab` in one), they are known by what was done with them only. They are held for that then; the page's
//! replayer keeps strokes of such keys to itself that the log does not have.

use super::hands;
use crate::browser::Input;
use crate::keys::{MODIFIERS, NoKey, down, modifier, up};
use xcheck_trace::event::DomEvent;

const ALT_AND_CONTROL: i64 = 3;

#[derive(Debug, Default)]
pub(super) struct Modifiers {
    /// What the driver holds.
    held: i64,
}

impl Modifiers {
    /// These inputs with what was held while they were given, and without what was not.
    pub(super) fn around(&self, dom: &DomEvent, inputs: &[Input]) -> Vec<Input> {
        let key = hands::text(dom, "key");
        let own = modifier(key);
        let wanted = dom.data.get("modifiers").and_then(|bits| bits.as_i64()).unwrap_or(0);
        // By a key that makes third characters of others: the character says it all.
        if wanted & ALT_AND_CONTROL == ALT_AND_CONTROL && key.chars().count() == 1 {
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
                Input::KeyDown { key, .. } => self.held |= modifier(key),
                Input::KeyUp { key, .. } => self.held &= !modifier(key),
                _ => {}
            }
        }
    }
}

fn strokes(bits: i64, stroke: fn(&str) -> Result<Input, NoKey>) -> impl Iterator<Item = Input> {
    let among = MODIFIERS.iter().filter(move |(_, bit)| bits & bit != 0);
    among.map(move |(key, _)| stroke(key).expect("a modifier has its place on the keyboard"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(modifiers: &Modifiers, key: &str, bits: i64) -> String {
        let dom = json!({"type": "keydown", "target": {"object": "node"}, "data": {"key": key, "modifiers": bits}});
        let dom: DomEvent = serde_json::from_value(dom).unwrap();
        let words = modifiers
            .around(&dom, &[down(key).unwrap()])
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
        modifiers.given(&[down("Shift").unwrap()]);
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
