//! Input as the W3C Actions API has it: BiDi and WebDriver classic take the same JSON.
//!
//! Each input is one tick; the other devices pause in it, so that keys, pointer and wheel keep their order.

use crate::browser::Input;
use serde_json::{Value, json};

/// The value of `actions`.
pub(crate) fn actions(inputs: &[Input]) -> Value {
    let mut devices: Vec<Device> = Vec::new();
    for (tick, input) in inputs.iter().enumerate() {
        let (kind, action) = action(input);
        let device = match devices.iter_mut().position(|device| device.kind == kind) {
            Some(position) => &mut devices[position],
            None => {
                devices.push(Device {
                    kind,
                    ticks: Vec::new(),
                });
                devices.last_mut().expect("just pushed")
            }
        };
        device.ticks.resize(tick, json!({"type": "pause", "duration": 0}));
        device.ticks.push(action);
    }
    devices.into_iter().map(Device::into_json).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mouse,
    Touch,
    Wheel,
    Key,
}

struct Device {
    kind: Kind,
    ticks: Vec<Value>,
}

impl Device {
    fn into_json(self) -> Value {
        let (id, kind, pointer) = match self.kind {
            Kind::Mouse => ("mouse", "pointer", Some("mouse")),
            Kind::Touch => ("touch", "pointer", Some("touch")),
            Kind::Wheel => ("wheel", "wheel", None),
            Kind::Key => ("keyboard", "key", None),
        };
        let mut device = json!({"id": id, "type": kind, "actions": self.ticks});
        if let Some(pointer) = pointer {
            device["parameters"] = json!({"pointerType": pointer});
        }
        device
    }
}

fn action(input: &Input) -> (Kind, Value) {
    let at = |x: &f64, y: &f64| json!({"type": "pointerMove", "x": round(*x), "y": round(*y), "duration": 0});
    match input {
        Input::PointerMove { x, y } => (Kind::Mouse, at(x, y)),
        Input::PointerDown { button, .. } => (Kind::Mouse, json!({"type": "pointerDown", "button": button.number()})),
        Input::PointerUp { button } => (Kind::Mouse, json!({"type": "pointerUp", "button": button.number()})),
        Input::Wheel { x, y, dx, dy } => (
            Kind::Wheel,
            json!({"type": "scroll", "x": round(*x), "y": round(*y), "deltaX": round(*dx), "deltaY": round(*dy), "duration": 0}),
        ),
        Input::KeyDown { key, code } => (Kind::Key, json!({"type": "keyDown", "value": key_value(key, code)})),
        Input::KeyUp { key, code } => (Kind::Key, json!({"type": "keyUp", "value": key_value(key, code)})),
        Input::TouchStart { x, y } | Input::TouchMove { x, y } => (Kind::Touch, at(x, y)),
        Input::TouchEnd => (Kind::Touch, json!({"type": "pointerUp", "button": 0})),
    }
}

/// Classic WebDriver takes whole pixels, and a fraction is refused.
fn round(value: f64) -> i64 {
    value.round() as i64
}

/// Keys without a character have code points of their own (<https://www.w3.org/TR/webdriver2/#keyboard-actions>).
pub(crate) fn key_value(key: &str, code: &str) -> String {
    let code_point = match (key, code) {
        ("Shift", "ShiftRight") => '\u{E050}',
        ("Control", "ControlRight") => '\u{E051}',
        ("Alt", "AltRight") => '\u{E052}',
        ("Meta", "MetaRight" | "OSRight") => '\u{E053}',
        ("Enter", "NumpadEnter") => '\u{E007}',
        ("Cancel", _) => '\u{E001}',
        ("Help", _) => '\u{E002}',
        ("Backspace", _) => '\u{E003}',
        ("Tab", _) => '\u{E004}',
        ("Clear", _) => '\u{E005}',
        ("Enter", _) => '\u{E006}',
        ("Shift", _) => '\u{E008}',
        ("Control", _) => '\u{E009}',
        ("Alt", _) => '\u{E00A}',
        ("Pause", _) => '\u{E00B}',
        ("Escape", _) => '\u{E00C}',
        (" ", _) => ' ',
        ("PageUp", _) => '\u{E00E}',
        ("PageDown", _) => '\u{E00F}',
        ("End", _) => '\u{E010}',
        ("Home", _) => '\u{E011}',
        ("ArrowLeft", _) => '\u{E012}',
        ("ArrowUp", _) => '\u{E013}',
        ("ArrowRight", _) => '\u{E014}',
        ("ArrowDown", _) => '\u{E015}',
        ("Insert", _) => '\u{E016}',
        ("Delete", _) => '\u{E017}',
        ("Meta" | "OS", _) => '\u{E03D}',
        ("F1", _) => '\u{E031}',
        ("F2", _) => '\u{E032}',
        ("F3", _) => '\u{E033}',
        ("F4", _) => '\u{E034}',
        ("F5", _) => '\u{E035}',
        ("F6", _) => '\u{E036}',
        ("F7", _) => '\u{E037}',
        ("F8", _) => '\u{E038}',
        ("F9", _) => '\u{E039}',
        ("F10", _) => '\u{E03A}',
        ("F11", _) => '\u{E03B}',
        ("F12", _) => '\u{E03C}',
        _ => return key.to_owned(),
    };
    code_point.to_string()
}

/// A key that has neither a character nor a code point cannot be pressed by these protocols.
pub(crate) fn can_press(key: &str, code: &str) -> bool {
    key_value(key, code).chars().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::PointerButton;

    #[test]
    fn devices_wait_for_each_other() {
        let inputs = [
            Input::PointerMove { x: 1.4, y: 2.0 },
            Input::KeyDown {
                key: "Shift".to_owned(),
                code: "ShiftLeft".to_owned(),
            },
            Input::PointerDown {
                button: PointerButton::Left,
                clicks: 1,
            },
        ];
        let pause = json!({"type": "pause", "duration": 0});
        assert_eq!(
            actions(&inputs),
            json!([
                {"id": "mouse", "type": "pointer", "parameters": {"pointerType": "mouse"}, "actions": [
                    {"type": "pointerMove", "x": 1, "y": 2, "duration": 0}, pause, {"type": "pointerDown", "button": 0}]},
                {"id": "keyboard", "type": "key", "actions": [pause, {"type": "keyDown", "value": "\u{E008}"}]},
            ])
        );
    }
}
