//! Masks what was typed into an input.

use crate::event::DomEvent;
use serde_json::Value;

/// Strings that tell what happened rather than what was typed.
const HARMLESS: [&str; 4] = ["inputType", "pointerType", "modifiers", "button"];

pub(super) fn mask(event: &mut DomEvent) {
    event.target.text = None;
    let typed = event.data.get("key").is_some_and(is_one_character);
    for (name, value) in &mut event.data {
        match name.as_str() {
            // `Enter` and `Tab` are not the secret, and a replay has to press them.
            "key" | "code" if !typed => {}
            "code" => *value = Value::from(""),
            name if HARMLESS.contains(&name) => {}
            _ => mask_strings(value),
        }
    }
}

fn is_one_character(key: &Value) -> bool {
    key.as_str().is_some_and(|key| key.chars().count() == 1)
}

fn mask_strings(value: &mut Value) {
    match value {
        Value::String(text) => *text = "*".repeat(text.chars().count()),
        Value::Array(values) => values.iter_mut().for_each(mask_strings),
        Value::Object(values) => values.values_mut().for_each(mask_strings),
        _ => {}
    }
}
