//! Elements that come below the pointer or leave it, where the log says that they do.

use super::classify::dom;
use super::hands;
use super::ledger::Found;
use super::walk::{Stop, Walk};
use crate::browser::DriverError;
use serde_json::json;
use xcheck_trace::event::{Event, LoadId};

impl<'a> Walk<'a> {
    /// The pointer is given where it is, when the page has moved below it, or where it moves to.
    pub(super) async fn pass(&mut self, load: LoadId, events: &[&'a Event], moves: bool) -> Result<(), Stop> {
        self.documents.look_around();
        let (Some(page), Some(last)) = (self.documents.page(load).cloned(), events.last()) else {
            return self.skip(load, events).await;
        };
        let window = self.trace.load(load).map_or(0, |load| load.window);
        let deadline = self.options.deadline;
        let ids: Vec<u32> = events.iter().map(|event| event.id).collect();
        let mut place = self.pointer.place(window);
        if moves || place.is_none() {
            let asked = json!({"event": last.id, "events": ids});
            let aimed = match page.command("aim", asked, deadline).await {
                Ok(aimed) => aimed,
                Err(error) => return self.failed(load, events, error).await,
            };
            match self.in_window(load, &aimed).await {
                Ok(point) if aimed["found"] == true => {
                    let engine = self.browser.info().engine;
                    place = dom(last).map(|dom| hands::pixel(dom, point, engine));
                }
                // That the element is missing has been found; what else passes can be seen all the same.
                Ok(_) => {}
                Err(error) => return self.failed(load, events, error).await,
            }
        }
        if let Err(error) = page
            .command("gesture", json!({"events": ids, "rests": !moves}), deadline)
            .await
        {
            return self.failed(load, events, error).await;
        }
        if let Some((x, y)) = place
            && self.windows.switch(self.browser, window).await?
        {
            let inputs = self.pointer.noticed_at(window, (x, y), self.browser.info().engine);
            match self.browser.perform(&inputs).await {
                Ok(_) => self.pointer.given(window, &inputs),
                Err(DriverError::Refused { message, .. }) => self.ledger.found(
                    load,
                    Some(last.id),
                    Found {
                        notes: vec![format!("the browser refused to move the pointer there: {message}")],
                        ..Found::default()
                    },
                ),
                Err(error) => return Err(error.into()),
            }
        }
        match self.patiently(page.command("settle", json!({}), deadline)).await? {
            Ok(answer) => self.outcomes(load, events, &answer),
            Err(error) => self.failed(load, events, error).await?,
        }
        Ok(())
    }
}
