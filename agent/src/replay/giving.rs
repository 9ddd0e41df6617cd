//! Gestures: aimed by the document, given by the driver, and followed by what the browser derives from them.

use super::classify;
use super::conditions;
use super::hands;
use super::ledger::{Found, found_in};
use super::look::{offset_of, point_in};
use super::navigation::asked_first;
use super::walk::{Stop, Walk};
use crate::browser::DriverError;
use crate::keys;
use crate::pages::{Page, PageError};
use serde_json::{Value, json};
use xcheck_trace::event::{DomEvent, Event, Load, LoadId};
use xcheck_trace::manifest::Engine;

impl<'a> Walk<'a> {
    pub(super) async fn gesture(
        &mut self,
        load: LoadId,
        gesture: &'a Event,
        derived: &[&'a Event],
    ) -> Result<(), Stop> {
        self.documents.look_around();
        let mut all: Vec<&Event> = std::iter::once(gesture).chain(derived.iter().copied()).collect();
        all.sort_by_key(|event| event.id);
        let (Some(page), Some(dom)) = (self.documents.page(load).cloned(), classify::dom(gesture)) else {
            return self.skip(load, &all).await;
        };
        let deadline = self.options.deadline;
        let ids: Vec<u32> = all.iter().map(|event| event.id).collect();
        let aimed = match page
            .command("aim", json!({"event": gesture.id, "events": ids}), deadline)
            .await
        {
            Ok(aimed) => aimed,
            Err(error) => return self.failed(load, &all, error).await,
        };
        let mut notes = found_in(&aimed).notes;
        if aimed["found"] != true {
            // The replayer has found that the target is missing; an empty run makes it say so.
            let asked = page.command("run", json!({"events": []}), deadline).await;
            self.listen();
            return match asked {
                Ok(_) => {
                    self.give_up(&all, notes);
                    Ok(())
                }
                Err(error) => self.failed(load, &all, error).await,
            };
        }
        let point = match hands::has_place(dom) {
            true => self.in_window(load, &aimed).await,
            false => Ok((0.0, 0.0)),
        };
        let point = match point {
            Ok(point) => point,
            Err(error) => return self.failed(load, &all, error).await,
        };
        let by_page = hands::by_other_means(dom);
        let has_picker = aimed["picker"] == true;
        let is_blink = self.browser.info().engine == Engine::Blink;
        let mut inputs = if by_page {
            Vec::new()
        } else {
            match hands::inputs(dom, point, self.browser.info().engine) {
                Some(inputs) if !classify::is_let_go_alone(self.trace, gesture) => inputs,
                _ => return self.dispatch(load, gesture, derived, notes).await,
            }
        };
        let window = self.trace.load(load).map_or(0, |load| load.window);
        if self.pointer.is_there(window, &inputs) && self.browser.info().engine == Engine::WebKit {
            notes.push("the pointer was there already, of which this browser tells nobody: given by script".to_owned());
            return self.dispatch(load, gesture, derived, notes).await;
        }
        if self.browser.info().engine == Engine::WebKit
            && !by_page
            && self.is_beyond_its_driver(window, dom, gesture.at)
        {
            notes.push("the page was on its way out, where this browser takes no input: given by script".to_owned());
            return self.dispatch(load, gesture, derived, notes).await;
        }
        if has_picker && is_blink {
            // What is open has the key for itself, and is closed by it.
            inputs.insert(0, keys::down("Escape").expect("a key of every keyboard"));
        }
        let command = json!({"events": ids, "closesPickers": has_picker && !is_blink});
        if let Err(error) = page.command("gesture", command, deadline).await {
            return self.failed(load, &all, error).await;
        }
        self.windows.switch(self.browser, window).await?;
        if by_page {
            let of_top = self.trace.load(load).is_some_and(|load| load.path.is_empty());
            let enters = dom.name == "input" && of_top && is_blink;
            if enters && let Err(error) = self.enter(&page, gesture).await? {
                return self.failed(load, &all, error).await;
            }
            let inserted = page.command("insert", json!({"event": gesture.id}), deadline).await;
            if let Err(error) = inserted {
                return self.failed(load, &all, error).await;
            }
        } else {
            let held = self.modifiers.around(dom, &inputs);
            let given = match self.browser.perform(&held).await {
                // One point outside the window, say, is no reason to know nothing of all that follows.
                Err(DriverError::Refused { message, .. }) => {
                    notes.push(format!("the browser refused this input: {message}"));
                    let Some(inputs) = hands::at_the_edge(&inputs, conditions::viewport(self.trace)) else {
                        return self.dispatch(load, gesture, derived, notes).await;
                    };
                    notes.push("let go at the edge of the window".to_owned());
                    self.browser.perform(&inputs).await.map(|said| (said, inputs))
                }
                given => given.map(|said| (said, held)),
            };
            match given {
                Ok((said, inputs)) => {
                    notes.extend(said);
                    self.pointer.given(window, &inputs);
                    self.modifiers.given(&inputs);
                }
                Err(DriverError::Refused { .. }) => return self.dispatch(load, gesture, derived, notes).await,
                Err(error) => return Err(error.into()),
            }
        }
        match self.patiently(page.command("settle", json!({}), deadline)).await? {
            Ok(answer) => {
                self.ledger.found(
                    load,
                    Some(gesture.id),
                    Found {
                        notes,
                        ..Found::default()
                    },
                );
                self.outcomes(load, &all, &answer);
                Ok(())
            }
            Err(error) => self.failed(load, &all, error).await,
        }
    }

    /// Nothing that WebKit's driver is to do on a page that has asked for its successor is done before that is there, which waits for
    /// this. What the driver has pressed it lets go.
    fn is_beyond_its_driver(&mut self, window: u32, dom: &DomEvent, at: f64) -> bool {
        let is_one_of = |names: &[&str]| names.contains(&dom.name.as_str());
        if is_one_of(&["pointerup", "pointercancel", "keyup"]) {
            return self.pressed_by_script;
        }
        let is_beyond =
            self.had_asked_for_the_next(window, at) || self.departures.has(self.trace, window, &mut self.served);
        if is_one_of(&["pointerdown", "keydown"]) {
            self.pressed_by_script = is_beyond;
        }
        is_beyond
    }

    /// Whether the page that this window showed then had asked for its successor, when it was recorded.
    fn had_asked_for_the_next(&self, window: u32, at: f64) -> bool {
        let is_after = |load: &&Load| load.window == window && load.path.is_empty() && load.at > at;
        let next = self.trace.loads.iter().filter(is_after);
        let next = next.min_by(|a, b| a.at.total_cmp(&b.at));
        let asked = next.and_then(|load| {
            // Nobody was asked for a page that the browser had already.
            let exchange = load
                .exchange
                .filter(|exchange| self.first_of.get(exchange) == Some(&load.load))?;
            let exchange = self.trace.exchange(exchange)?;
            (!exchange.request.is_ahead_of_time()).then(|| asked_first(self.trace, exchange).started_ms)
        });
        asked.is_some_and(|asked| asked <= at)
    }

    /// Text by the browser's own input, where the page says that it goes to the right field; what does not come by it comes by script.
    async fn enter(&mut self, page: &Page, gesture: &Event) -> Result<Result<(), PageError>, Stop> {
        let asked = page.command("entry", json!({"event": gesture.id}), self.options.deadline);
        let entry = match self.patiently(asked).await? {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(error)),
        };
        match entry["text"].as_str() {
            None | Some("") => Ok(Ok(())),
            Some(text) => match self.browser.compose(text, true).await {
                Ok(()) | Err(DriverError::Refused { .. } | DriverError::Interrupted { .. }) => Ok(Ok(())),
                Err(error) => Err(error.into()),
            },
        }
    }

    /// What no driver can do is done by script, and said.
    async fn dispatch(
        &mut self,
        load: LoadId,
        gesture: &'a Event,
        derived: &[&'a Event],
        notes: Vec<String>,
    ) -> Result<(), Stop> {
        let Some(page) = self.documents.page(load).cloned() else {
            return self.skip(load, &[gesture]).await;
        };
        let mut events = vec![gesture];
        events.extend(derived);
        events.sort_by_key(|event| event.id);
        self.ledger.found(
            load,
            Some(gesture.id),
            Found {
                notes,
                ..Found::default()
            },
        );
        for event in events {
            let asked = page
                .command("dispatch", json!({"event": event.id}), self.options.deadline)
                .await;
            match asked {
                Ok(answer) => self.outcomes(load, &[event], &answer),
                Err(error) => self.failed(load, &[event], error).await?,
            }
        }
        Ok(())
    }

    /// Where the document aims, in the window's viewport.
    pub(super) async fn in_window(&mut self, load: LoadId, aimed: &Value) -> Result<(f64, f64), PageError> {
        let (x, y) = point_in(aimed, "aim")?;
        let (right, down) = self.shift_of(load).await?;
        Ok((x + right, y + down))
    }

    /// From a frame's viewport to that of the window.
    async fn shift_of(&mut self, load: LoadId) -> Result<(f64, f64), PageError> {
        let Some(recorded) = self.trace.load(load) else {
            return Ok((0.0, 0.0));
        };
        let path = self
            .documents
            .page(load)
            .map_or_else(|| recorded.path.clone(), |page| page.path.clone());
        let mut shift = (0.0, 0.0);
        for depth in 0..path.len() {
            let Some(parent) = self.documents.at(recorded.window, &path[..depth]).cloned() else {
                continue;
            };
            if let Some((x, y)) = offset_of(&parent, path[depth], self.options.deadline).await? {
                shift = (shift.0 + x, shift.1 + y);
            }
        }
        Ok(shift)
    }
}
