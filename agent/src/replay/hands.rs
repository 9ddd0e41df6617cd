//! From a recorded gesture to what the driver is to do.

use crate::browser::{Input, PointerButton};
use xcheck_trace::event::DomEvent;
use xcheck_trace::manifest::{Engine, Viewport};

/// A line of a wheel whose delta counts lines.
const LINE: f64 = 16.0;

/// Inputs for a gesture at a point of the top-level viewport; `None` where only a script can do it.
pub(crate) fn inputs(dom: &DomEvent, point: (f64, f64), engine: Engine) -> Option<Vec<Input>> {
    let (x, y) = pixel(dom, point, engine);
    let number = |name: &str| dom.data.get(name).and_then(|value| value.as_f64());
    let touches = text(dom, "pointer") == "touch";
    // The others have no touch screen on a desktop.
    if touches && engine != Engine::Blink {
        return None;
    }
    let button = PointerButton::from_number(number("button").map_or(0, |button| button.max(0.0) as u64))?;
    // WebKitGTK's driver releases the left button whichever is held: the other one would be down for good.
    let is_pressed = ["pointerdown", "pointerup"].contains(&dom.name.as_str());
    if engine == Engine::WebKit && is_pressed && button != PointerButton::Left {
        return None;
    }
    let clicks = number("clicks").map_or(1, |clicks| clicks as u8);
    Some(match (dom.name.as_str(), touches) {
        ("pointermove", false) => vec![Input::PointerMove { x, y }],
        ("pointerdown", false) => vec![Input::PointerMove { x, y }, Input::PointerDown { button, clicks }],
        ("pointerup", false) => vec![Input::PointerMove { x, y }, Input::PointerUp { button }],
        // A drag took the pointer. Here it did not, and the button is still held.
        ("pointercancel", false) => vec![Input::PointerUp { button }],
        ("pointermove", true) => vec![Input::TouchMove { x, y }],
        ("pointerdown", true) => vec![Input::TouchStart { x, y }],
        ("pointerup", true) => vec![Input::TouchEnd],
        ("wheel", _) => {
            let unit = if number("mode") == Some(1.0) { LINE } else { 1.0 };
            let delta = |name: &str| number(name).unwrap_or(0.0) * unit;
            vec![Input::Wheel {
                x,
                y,
                dx: delta("dx"),
                dy: delta("dy"),
            }]
        }
        ("keydown" | "keyup", _) => {
            let (key, code) = (text(dom, "key").to_owned(), text(dom, "code").to_owned());
            if engine != Engine::Blink && !crate::actions::can_press(&key, &code) {
                return None;
            }
            vec![if dom.name == "keydown" {
                Input::KeyDown { key, code }
            } else {
                Input::KeyUp { key, code }
            }]
        }
        // Chosen in a window of the browser's own, or taken away by it.
        _ => return None,
    })
}

/// What the log says of it by this name: nothing, where such events have none, as a pointer's have no key.
pub(super) fn text<'d>(dom: &'d DomEvent, name: &str) -> &'d str {
    let value = dom.data.get(name).and_then(|value| value.as_str());
    value.unwrap_or_default()
}

/// What lets a button go where some drivers do not point: outside the window, and so at its edge. Held, it would be down for good.
pub(crate) fn at_the_edge(inputs: &[Input], window: Viewport) -> Option<Vec<Input>> {
    let [Input::PointerMove { x, y }, up @ Input::PointerUp { .. }] = inputs else {
        return None;
    };
    let within = |place: f64, side: u32| place.clamp(0.0, f64::from(side.saturating_sub(1)));
    let (x, y) = (within(*x, window.width), within(*y, window.height));
    Some(vec![Input::PointerMove { x, y }, up.clone()])
}

/// Where a driver that knows whole pixels only puts the pointer. Chromium takes a fraction as well, and tells the page in its
/// mouse events of the pixel that it is in.
pub(crate) fn pixel(dom: &DomEvent, (x, y): (f64, f64), engine: Engine) -> (f64, f64) {
    let fraction = |name: &str| {
        dom.data
            .get(name)
            .and_then(|value| value.as_f64())
            .map_or(0.0, f64::fract)
    };
    match engine {
        Engine::Blink => (x, y),
        _ => (x - fraction("x"), y - fraction("y")),
    }
}

/// Keys go where the focus is, and so does text that comes without any; everything else has a place.
pub(crate) fn has_place(dom: &DomEvent) -> bool {
    !dom.name.starts_with("key") && !by_other_means(dom)
}

/// Text or focus that came by neither key nor pointer, as from a password manager or a test driver's `fill`. The page's
/// replayer has the browser do it.
pub(crate) fn by_other_means(dom: &DomEvent) -> bool {
    matches!(dom.name.as_str(), "input" | "focus") && !dom.data.contains_key("scripted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_between_two_pixels_is_put_where_its_mouse_events_were() {
        let moved = |x: f64| -> DomEvent {
            let target = serde_json::json!({"object": "document"});
            let data = serde_json::json!({"x": x, "y": 4});
            serde_json::from_value(serde_json::json!({"type": "pointermove", "target": target, "data": data})).unwrap()
        };
        let given = |x: f64, at: f64, engine| match inputs(&moved(x), (at, 4.0), engine).as_deref() {
            Some([Input::PointerMove { x, .. }]) => (x * 100.0).round() / 100.0,
            other => panic!("{other:?}"),
        };
        assert_eq!(given(266.67, 266.67, Engine::Blink), 266.67);
        assert_eq!(given(266.67, 266.67, Engine::Gecko), 266.0);
        // Where the element stands elsewhere, its pixel is another one.
        assert_eq!(given(266.67, 270.67, Engine::WebKit), 270.0);
        assert_eq!(given(283.0, 282.98, Engine::Gecko), 282.98);
    }
}
