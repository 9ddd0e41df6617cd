//! What a key is called in the protocol: Windows' key codes and the text it types.

use chromiumoxide::keys::get_key_definition;
use serde_json::{Value, json};

/// Parameters of `Input.dispatchKeyEvent`.
pub(super) fn key_event(down: bool, key: &str, code: &str, modifiers: i64) -> Value {
    let definition = get_key_definition(key);
    let text = definition
        .and_then(|definition| definition.text)
        .or_else(|| is_character(key).then_some(key));
    // With Control, Alt or Meta a key types nothing, except where AltGr made another character of it.
    let types = down && modifiers & (1 | 2 | 4) == 0;
    let mut params = json!({
        "type": match (down, text) {
            (false, _) => "keyUp",
            (true, Some(_)) if types => "keyDown",
            (true, _) => "rawKeyDown",
        },
        "key": key,
        "code": code,
        "modifiers": modifiers,
        "windowsVirtualKeyCode": key_code(key, code),
    });
    if let (Some(text), true) = (text, types) {
        params["text"] = json!(text);
        params["unmodifiedText"] = json!(text);
    }
    if let Some(location) = location(code) {
        params["location"] = json!(location);
    }
    if down && let Some(command) = editing_command(key, modifiers) {
        params["commands"] = json!([command]);
    }
    params
}

fn is_character(key: &str) -> bool {
    key.chars().count() == 1
}

fn key_code(key: &str, code: &str) -> i64 {
    if let Some(letter) = code.strip_prefix("Key").and_then(|rest| rest.bytes().next()) {
        return letter.into();
    }
    if let Some(digit) = code.strip_prefix("Digit").and_then(|rest| rest.bytes().next()) {
        return digit.into();
    }
    get_key_definition(key).map_or(0, |definition| definition.key_code)
}

fn location(code: &str) -> Option<i64> {
    match code {
        "ShiftLeft" | "ControlLeft" | "AltLeft" | "MetaLeft" => Some(1),
        "ShiftRight" | "ControlRight" | "AltRight" | "MetaRight" => Some(2),
        _ => None,
    }
}

/// Shortcuts that the browser's window, which headless does not have, turns into commands of the editor.
fn editing_command(key: &str, modifiers: i64) -> Option<&'static str> {
    if modifiers & !8 != 2 {
        return None;
    }
    match key.to_ascii_lowercase().as_str() {
        "a" => Some("selectAll"),
        "c" => Some("copy"),
        "x" => Some("cut"),
        "v" => Some("paste"),
        "z" if modifiers & 8 != 0 => Some("redo"),
        "z" => Some("undo"),
        "y" => Some("redo"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_types_itself_and_with_control_it_is_a_command() {
        let plain = key_event(true, "a", "KeyA", 0);
        assert_eq!(
            (plain["type"].as_str(), plain["text"].as_str()),
            (Some("keyDown"), Some("a"))
        );
        assert_eq!(plain["windowsVirtualKeyCode"], 65);
        let control = key_event(true, "a", "KeyA", 2);
        assert_eq!(control["type"], "rawKeyDown");
        assert!(control.get("text").is_none());
        assert_eq!(control["commands"][0], "selectAll");
    }

    #[test]
    fn keys_without_text_and_characters_of_other_keyboards_are_given_as_they_are() {
        assert_eq!(
            key_event(true, "ArrowDown", "ArrowDown", 0)["windowsVirtualKeyCode"],
            40
        );
        assert_eq!(key_event(true, "ß", "Minus", 0)["text"], "ß");
        assert_eq!(key_event(true, "Enter", "Enter", 0)["text"], "\r");
        assert_eq!(key_event(true, "Tab", "Tab", 0)["type"], "rawKeyDown");
    }
}
