//! Where the pointer rests.
//!
//! When a page moves under a pointer that stays where it is, engines find out what it hovers over now in their own time:
//! Firefox and Chromium by a move they make up some frames later. A look at the page before or after that shows another
//! page. So the pointer is put where it is once more before each look, and whatever lies there is hovered over. Outside
//! Chromium a move to where the pointer is already is none (WebDriver's rule), so that it goes a step aside and comes back.

use super::classify::{dom, is_second_press};
use super::ledger::Found;
use super::plan::Step;
use super::walk::{Stop, Walk};
use crate::browser::{DriverError, Input};
use xcheck_trace::manifest::Engine;
use xcheck_trace::page::PageData;

#[derive(Debug, Default)]
pub(super) struct Pointer {
    /// The window it was moved in last, and where. Fingers leave nothing behind.
    at: Option<(u32, f64, f64)>,
    pressed: bool,
    /// It is going to press once more where it is, for a double click.
    pub(super) in_double_click: bool,
}

/// For each step whether the next thing a hand does after it is the second press of a double click.
pub(super) fn clicks_ahead(steps: &[Step<'_>]) -> Vec<bool> {
    let mut next = false;
    let backwards = steps.iter().rev().map(|step| {
        let ahead = next;
        if let Step::Gesture { gesture, .. } = step {
            next = dom(gesture).is_some_and(is_second_press);
        }
        ahead
    });
    let mut ahead: Vec<bool> = backwards.collect();
    ahead.reverse();
    ahead
}

impl Pointer {
    pub(super) fn given(&mut self, window: u32, inputs: &[Input]) {
        for input in inputs {
            match input {
                Input::PointerMove { x, y } | Input::Wheel { x, y, .. } => self.at = Some((window, *x, *y)),
                Input::PointerDown { .. } => self.pressed = true,
                Input::PointerUp { .. } => self.pressed = false,
                Input::TouchStart { .. } => self.at = None,
                _ => {}
            }
        }
    }

    pub(super) fn place(&self, window: u32) -> Option<(f64, f64)> {
        let (_, x, y) = self.at.filter(|(of, ..)| *of == window)?;
        Some((x, y))
    }

    /// Where it is on the page, which may be scrolled.
    #[expect(clippy::cast_possible_truncation, reason = "CSS pixels of a page")]
    pub(super) fn on_page(&self, window: u32, page: &PageData) -> Option<[f32; 2]> {
        let (x, y) = self.place(window)?;
        let [left, top] = page.documents.first()?.scroll;
        Some([x as f32 + left, y as f32 + top])
    }

    /// Whether all that is asked for is a move to the pixel that it is in.
    pub(super) fn is_there(&self, window: u32, inputs: &[Input]) -> bool {
        let pixel = |(x, y): (f64, f64)| (x.round(), y.round());
        let [Input::PointerMove { x, y }] = inputs else {
            return false;
        };
        self.place(window).map(pixel) == Some(pixel((*x, *y)))
    }

    /// Nothing while a button is held: the same move would be part of a drag. Nor between the clicks of a double one in
    /// Firefox, which would forget the first.
    fn again(&self, window: u32, engine: Engine) -> Option<Vec<Input>> {
        if self.in_double_click && engine == Engine::Gecko {
            return None;
        }
        let (of, x, y) = self.at.filter(|_| !self.pressed)?;
        (of == window).then(|| self.noticed_at(window, (x, y), engine))
    }

    /// A move that the browser notices, even where the pointer is there already.
    pub(super) fn noticed_at(&self, window: u32, (x, y): (f64, f64), engine: Engine) -> Vec<Input> {
        let here = Input::PointerMove { x, y };
        if engine == Engine::Blink || !self.is_there(window, std::slice::from_ref(&here)) {
            return vec![here];
        }
        let aside = Input::PointerMove {
            x: if x >= 1.0 { x - 1.0 } else { x + 1.0 },
            y,
        };
        vec![aside, here]
    }
}

impl Walk<'_> {
    pub(super) async fn rest_the_pointer(&mut self, window: u32) -> Result<(), Stop> {
        let Some(same_place) = self.pointer.again(window, self.browser.info().engine) else {
            return Ok(());
        };
        if !self.windows.switch(self.browser, window).await? {
            return Ok(());
        }
        let given = tokio::select! {
            biased;
            () = self.departures.of(self.trace, window, &mut self.served) => return Ok(()),
            given = self.browser.perform(&same_place) => given,
        };
        match given {
            Ok(_) => {}
            Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
            Err(error) => self.ledger.at_hand(Found {
                notes: vec![format!("looked at the page without hovering: {error}")],
                ..Found::default()
            }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::PointerButton;

    #[test]
    fn the_pointer_rests_where_it_was_moved_unless_it_drags_or_was_a_finger() {
        let here = Input::PointerMove { x: 3.0, y: 4.0 };
        let aside = Input::PointerMove { x: 2.0, y: 4.0 };
        let button = PointerButton::Left;
        let mut pointer = Pointer::default();
        let again = |pointer: &Pointer, window| pointer.again(window, Engine::Blink);
        assert_eq!(again(&pointer, 0), None);
        pointer.given(0, &[here.clone(), Input::PointerDown { button, clicks: 1 }]);
        assert_eq!(again(&pointer, 0), None);
        pointer.given(0, &[Input::PointerUp { button }]);
        assert_eq!(again(&pointer, 0), Some(vec![here.clone()]));
        assert_eq!(again(&pointer, 1), None);
        assert_eq!(pointer.again(0, Engine::Gecko), Some(vec![aside, here]));
        pointer.given(0, &[Input::TouchStart { x: 1.0, y: 1.0 }]);
        assert_eq!(again(&pointer, 0), None);
    }

    #[test]
    fn between_the_clicks_of_a_double_one_it_is_not_moved_in_firefox() {
        let mut pointer = Pointer {
            in_double_click: true,
            ..Pointer::default()
        };
        pointer.given(0, &[Input::PointerMove { x: 3.0, y: 4.0 }]);
        assert_eq!(pointer.again(0, Engine::Gecko), None);
        assert!(pointer.again(0, Engine::WebKit).is_some());
        pointer.in_double_click = false;
        assert!(pointer.again(0, Engine::Gecko).is_some());
    }
}
