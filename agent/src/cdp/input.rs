//! The state of the hands: where the pointer is, what is held down.

use super::keys::key_event;
use crate::browser::{Input, PointerButton};
use crate::keys::modifier;
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(super) struct Hands {
    x: f64,
    y: f64,
    buttons: Vec<PointerButton>,
    clicks: u8,
    modifiers: i64,
}

impl Hands {
    /// The command that gives this input.
    pub(super) fn command(&mut self, input: &Input) -> (&'static str, Value) {
        match input {
            Input::PointerMove { x, y } => {
                (self.x, self.y) = (*x, *y);
                let held = self.buttons.last().copied();
                self.mouse("mouseMoved", held, 0)
            }
            Input::PointerDown { button, clicks } => {
                self.buttons.push(*button);
                self.clicks = *clicks;
                self.mouse("mousePressed", Some(*button), *clicks)
            }
            Input::PointerUp { button } => {
                self.buttons.retain(|held| held != button);
                self.mouse("mouseReleased", Some(*button), self.clicks)
            }
            Input::Wheel { x, y, dx, dy } => {
                (self.x, self.y) = (*x, *y);
                let (method, mut params) = self.mouse("mouseWheel", None, 0);
                params["deltaX"] = json!(dx);
                params["deltaY"] = json!(dy);
                (method, params)
            }
            Input::KeyDown { key, code } => {
                self.modifiers |= modifier(key);
                ("Input.dispatchKeyEvent", key_event(true, key, code, self.modifiers))
            }
            Input::KeyUp { key, code } => {
                self.modifiers &= !modifier(key);
                ("Input.dispatchKeyEvent", key_event(false, key, code, self.modifiers))
            }
            Input::TouchStart { x, y } => self.touch("touchStart", Some((*x, *y))),
            Input::TouchMove { x, y } => self.touch("touchMove", Some((*x, *y))),
            Input::TouchEnd => self.touch("touchEnd", None),
        }
    }

    fn mouse(&self, kind: &str, button: Option<PointerButton>, clicks: u8) -> (&'static str, Value) {
        let params = json!({
            "type": kind,
            "x": self.x,
            "y": self.y,
            "button": button.map_or("none", button_name),
            "buttons": self.buttons.iter().fold(0, |bits, held| bits | button_bit(*held)),
            "clickCount": clicks,
            "modifiers": self.modifiers,
        });
        ("Input.dispatchMouseEvent", params)
    }

    fn touch(&self, kind: &str, at: Option<(f64, f64)>) -> (&'static str, Value) {
        let points: Vec<Value> = at.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        let params = json!({"type": kind, "touchPoints": points, "modifiers": self.modifiers});
        ("Input.dispatchTouchEvent", params)
    }
}

fn button_name(button: PointerButton) -> &'static str {
    match button {
        PointerButton::Left => "left",
        PointerButton::Middle => "middle",
        PointerButton::Right => "right",
        PointerButton::Back => "back",
        PointerButton::Forward => "forward",
    }
}

fn button_bit(button: PointerButton) -> u32 {
    match button {
        PointerButton::Left => 1,
        PointerButton::Right => 2,
        PointerButton::Middle => 4,
        PointerButton::Back => 8,
        PointerButton::Forward => 16,
    }
}
