//! Giving a recorded action to a page that is not quite the recorded one.
//!
//! A pointer is aimed once, where it presses: the way there means nothing, and what comes until it is let go is as far from
//! there as it was. So a drag is the same drag, wherever it begins.

use super::run::{Running, Stop};
use crate::browser::{DriverError, Input};
use crate::pages::Page;
use crate::replay::classify::{dom, place_of};
use crate::replay::hands;
use crate::replay::look::{offset_of, point_in};
use serde_json::{Value, json};
use std::time::Duration;
use xcheck_trace::event::{DomEvent, Event, LoadId};

/// So long something may take to appear that was there in the recording by now: the page has come to rest before.
const APPEARS: Duration = Duration::from_millis(1_500);

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
                _ => self.aim(&page, recorded).await?,
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

    async fn aim(&mut self, page: &Page, recorded: &DomEvent) -> Result<(f64, f64), Stop> {
        let ratio = |name: &str| recorded.data.get(name).and_then(Value::as_f64).unwrap_or(0.5);
        let asked = json!({
            "target": recorded.target,
            "rx": ratio("rx"),
            "ry": ratio("ry"),
            "deadline_ms": APPEARS.as_millis() as u64,
        });
        let aimed = page
            .command("aim", asked, APPEARS + self.options.deadline)
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

fn name(event: &Event) -> &str {
    dom(event).map_or("", |dom| dom.name.as_str())
}
