//! Giving a recorded action to a page that is not quite the recorded one.
//!
//! A pointer is aimed once, where it presses, and what comes until it is let go is as far from there as it was. So a drag is
//! the same drag, wherever it begins. The way there means nothing, unless there is nothing to press without it.

use super::run::{Running, Stop};
use crate::browser::{DriverError, Input};
use crate::pages::Page;
use crate::replay::classify::{dom, place_of};
use crate::replay::hands;
use crate::replay::look::{offset_of, point_in};
use serde_json::{Value, json};
use std::time::Duration;
use xcheck_trace::event::{DomEvent, Event, LoadId, Target};

/// So long something may take to appear that was there in the recording by now: the page has come to rest before.
const APPEARS: Duration = Duration::from_millis(1_500);

/// So long the target of a press is looked for before the pointer is led to it the way it went.
const AT_ONCE: Duration = Duration::from_millis(200);

impl Running<'_> {
    pub(super) async fn give(&mut self, load: LoadId, gestures: &[&Event]) -> Result<(), Stop> {
        let recorded = self.trace.load(load);
        let seat = recorded.map_or((0, Vec::new()), |load| (load.window, load.path.clone()));
        self.documents.look_around();
        let Some(page) = self.documents.at(&seat).cloned() else {
            let what = if seat.1.is_empty() { "the window" } else { "the frame" };
            return Err(self.page_is_missing(&format!("{what} of this gesture is not there")));
        };
        let presses = gestures.iter().any(|gesture| name(gesture) == "pointerdown");
        let last_move = gestures.iter().rposition(|gesture| name(gesture) == "pointermove");
        let mut anchor: Option<((f64, f64), (f64, f64))> = None;
        for (index, gesture) in gestures.iter().enumerate() {
            let Some(recorded) = dom(gesture) else { continue };
            if name(gesture) == "pointermove" && anchor.is_none() && (presses || Some(index) != last_move) {
                continue;
            }
            let was = place_of(gesture).map_or((0.0, 0.0), |(_, x, y)| (x, y));
            let point = match (anchor, hands::has_place(recorded)) {
                (_, false) => (0.0, 0.0),
                (Some((from, at)), true) if name(gesture).starts_with("pointer") => {
                    (at.0 + was.0 - from.0, at.1 + was.1 - from.1)
                }
                _ if recorded.name == "change" => {
                    self.choose(&page, recorded).await?;
                    continue;
                }
                _ if recorded.name == "pointerdown" => {
                    self.come_to_press(&page, seat.0, &gestures[..index], recorded).await?
                }
                _ => self.aim(&page, recorded, APPEARS).await?,
            };
            if name(gesture) == "pointerdown" {
                anchor = Some((was, point));
            }
            match hands::inputs(recorded, point, self.browser.info().engine) {
                Some(inputs) => self.perform(seat.0, &inputs).await?,
                None => self.notes.push(format!(
                    "{} cannot be given by this browser's driver",
                    self.trace.label(gesture)
                )),
            }
        }
        Ok(())
    }

    async fn perform(&mut self, window: u32, inputs: &[Input]) -> Result<(), Stop> {
        self.windows.switch(self.browser, window).await?;
        match self.browser.perform(inputs).await {
            Ok(notes) => self.notes.extend(notes),
            Err(DriverError::Interrupted { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Where to press. What shows only while the pointer is over its neighbour is not there before the pointer has been.
    async fn come_to_press(
        &mut self,
        page: &Page,
        window: u32,
        before: &[&Event],
        press: &DomEvent,
    ) -> Result<(f64, f64), Stop> {
        let way = neighbours(before, &press.target);
        if way.is_empty() {
            return self.aim(page, press, APPEARS).await;
        }
        match self.aim(page, press, AT_ONCE).await {
            Err(Stop::Diverged(_)) => {}
            aimed => return aimed,
        }
        for passed in way {
            let point = match self.aim(page, passed, AT_ONCE).await {
                Ok(point) => point,
                // The press itself says what is missing.
                Err(Stop::Diverged(_)) => continue,
                Err(stop) => return Err(stop),
            };
            if let Some(inputs) = hands::inputs(passed, point, self.browser.info().engine) {
                self.perform(window, &inputs).await?;
            }
        }
        self.aim(page, press, APPEARS).await
    }

    async fn aim(&mut self, page: &Page, recorded: &DomEvent, appears: Duration) -> Result<(f64, f64), Stop> {
        let ratio = |name: &str| recorded.data.get(name).and_then(Value::as_f64).unwrap_or(0.5);
        let asked = json!({
            "target": recorded.target,
            "rx": ratio("rx"),
            "ry": ratio("ry"),
            "deadline_ms": appears.as_millis() as u64,
        });
        let aimed = page
            .command("aim", asked, appears + self.options.deadline)
            .await
            .map_err(Stop::page)?;
        if aimed["found"] != true {
            let why = aimed["problem"].as_str().unwrap_or("it is not there");
            return Err(Stop::Diverged(format!("its target was not found: {why}")));
        }
        let (mut x, mut y) = point_in(&aimed, "aim").map_err(Stop::page)?;
        for depth in 0..page.path.len() {
            let above = (page.window, page.path[..depth].to_vec());
            let Some(parent) = self.documents.at(&above).cloned() else {
                continue;
            };
            let offset = offset_of(&parent, page.path[depth], self.options.deadline)
                .await
                .map_err(Stop::page)?;
            if let Some((right, down)) = offset {
                (x, y) = (x + right, y + down);
            }
        }
        Ok((x, y))
    }

    /// What a person chooses in a window of the browser's own.
    async fn choose(&mut self, page: &Page, recorded: &DomEvent) -> Result<(), Stop> {
        let mut asked = json!({"target": recorded.target, "deadline_ms": APPEARS.as_millis() as u64});
        for field in ["value", "selected"] {
            if let Some(value) = recorded.data.get(field) {
                asked[field] = value.clone();
            }
        }
        let answer = page
            .command("change", asked, self.options.deadline)
            .await
            .map_err(Stop::page)?;
        match answer["found"] == true {
            true => Ok(()),
            false => Err(Stop::Diverged("its target was not found: it is not there".to_owned())),
        }
    }
}

/// Where the pointer was last over each of the elements that it passed on its way to another one.
fn neighbours<'t>(before: &[&'t Event], target: &Target) -> Vec<&'t DomEvent> {
    let mut way: Vec<&DomEvent> = Vec::new();
    let moves = before.iter().filter(|event| name(event) == "pointermove");
    for passed in moves.filter_map(|event| dom(event)) {
        if way.last().is_some_and(|last| last.target == passed.target) {
            way.pop();
        }
        way.push(passed);
    }
    way.retain(|passed| passed.target != *target);
    way
}

fn name(event: &Event) -> &str {
    dom(event).map_or("", |dom| dom.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::testing::gesture;

    #[test]
    fn the_way_to_a_press_is_where_the_pointer_left_each_neighbour() {
        let moved = |id, target| gesture(id, "pointermove", f64::from(id), target, None);
        let before = [
            moved(1, "#list"),
            moved(2, "#entry"),
            moved(3, "#entry"),
            moved(4, "#remove"),
        ];
        let before: Vec<&Event> = before.iter().collect();
        let press = gesture(5, "pointerdown", 5.0, "#remove", None);
        let way = neighbours(&before, &dom(&press).unwrap().target);
        let ids: Vec<&str> = way.iter().filter_map(|passed| passed.target.id.as_deref()).collect();
        assert_eq!(ids, ["list", "entry"]);
        assert_eq!(Some(way[1]), dom(before[2]));
    }
}
