//! WebKit's driver counts clicks by the clock and by the place, and has no way of being told.

use crate::browser::Input;
use std::time::Duration;
use tokio::time::Instant;

/// It joins presses into a double click within this time.
const INTERVAL: Duration = Duration::from_millis(1000);

/// And within some distance, in CSS pixels: one was seen to be near, three and five not to be. This is more than that.
const NEAR: f64 = 6.0;

#[derive(Default)]
pub(super) struct Clicks {
    pointer: (f64, f64),
    /// Where the last press was, and when it was over at the latest.
    last: Option<((f64, f64), Instant)>,
}

impl Clicks {
    /// What has been given to the browser just now.
    pub(super) fn gave(&mut self, inputs: &[Input]) {
        for input in inputs {
            match input {
                Input::PointerMove { x, y } => self.pointer = (*x, *y),
                Input::PointerDown { .. } => self.last = Some((self.pointer, Instant::now())),
                _ => {}
            }
        }
    }

    /// When the pointer may press here without the press being taken for the second one of a double click.
    pub(super) async fn may_press(&self) {
        if let Some(when) = self.may_press_from() {
            tokio::time::sleep_until(when).await;
        }
    }

    fn may_press_from(&self) -> Option<Instant> {
        let ((x, y), when) = self.last?;
        let distance = (self.pointer.0 - x).hypot(self.pointer.1 - y);
        (distance < NEAR).then(|| when + INTERVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::PointerButton;

    #[test]
    fn only_a_press_where_the_last_one_was_has_to_wait() {
        let mut clicks = Clicks::default();
        let press = Input::PointerDown {
            button: PointerButton::Left,
            clicks: 1,
        };
        clicks.gave(&[Input::PointerMove { x: 100.0, y: 50.0 }]);
        assert_eq!(clicks.may_press_from(), None);
        // A drag: what counts is where it began.
        clicks.gave(&[press, Input::PointerMove { x: 300.0, y: 50.0 }]);
        assert_eq!(clicks.may_press_from(), None);
        clicks.gave(&[Input::PointerMove { x: 101.0, y: 50.0 }]);
        assert!(clicks.may_press_from().is_some());
        clicks.gave(&[Input::PointerMove { x: 100.0, y: 60.0 }]);
        assert_eq!(clicks.may_press_from(), None);
    }
}
