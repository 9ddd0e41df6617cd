//! How many presses in a row one is, where the page kept that from being told.
//!
//! A `pointerdown` does not count; the `mousedown` behind it does, and does not come where the page has prevented it. What comes of the
//! press, the click and the double click, says then what it was.

use crate::event::{DomEvent, Event, What};
use serde_json::Value;

const CLICKS: &str = "clicks";

/// `events` in the order of documents and, of each, of time.
pub(crate) fn count(events: &mut [Event]) {
    let mut told: Option<(u32, Value)> = None;
    for event in events.iter_mut().rev() {
        let load = event.load;
        let Some(What::Dom(dom)) = &mut event.what else {
            continue;
        };
        if let Some(clicks) = came_of_press(dom) {
            told = Some((load, clicks.clone()));
        } else if dom.name == "pointerdown"
            && let Some((of, clicks)) = told.take()
            && of == load
        {
            dom.data.entry(CLICKS).or_insert(clicks);
        }
    }
}

fn came_of_press(dom: &DomEvent) -> Option<&Value> {
    let comes = !dom.gesture && ["click", "dblclick", "auxclick", "contextmenu"].contains(&dom.name.as_str());
    dom.data.get(CLICKS).filter(|_| comes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(load: u32, id: u32, name: &str, clicks: Option<u8>) -> Event {
        let mut what = json!({"kind": "dom", "type": name, "gesture": name.starts_with("pointer"), "target": {"object": "window"}});
        if let Some(clicks) = clicks {
            what["data"] = json!({"clicks": clicks});
        }
        serde_json::from_value(json!({"load": load, "id": id, "at": id, "order": id, "what": what})).unwrap()
    }

    #[test]
    fn a_press_that_was_prevented_is_counted_by_what_came_of_it() {
        let mut events = [
            event(1, 0, "pointerdown", Some(1)),
            event(1, 1, "click", Some(1)),
            event(1, 2, "pointerdown", None),
            event(1, 3, "pointerup", None),
            event(1, 4, "click", Some(2)),
            event(1, 5, "dblclick", Some(2)),
            event(1, 6, "pointerdown", None),
            event(2, 0, "click", Some(3)),
        ];
        count(&mut events);
        let counted = events.iter().map(|event| match &event.what {
            Some(What::Dom(dom)) => dom.data.get(CLICKS).and_then(Value::as_u64),
            _ => None,
        });
        let expected = [Some(1), Some(1), Some(2), None, Some(2), Some(2), None, Some(3)];
        assert_eq!(counted.collect::<Vec<_>>(), expected);
    }
}
