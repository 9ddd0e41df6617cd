//! Checkpoints: what the window shows goes into the run, with all that was found until then.

use super::ledger::Found;
use super::look::Seats;
use super::walk::{Stop, Walk};
use crate::browser::DriverError;
use crate::pages::PageError;
use serde_json::json;
use xcheck_proxy::ServeEvent;
use xcheck_trace::Sha256;
use xcheck_trace::event::LoadId;
use xcheck_trace::manifest::Engine;
use xcheck_trace::page::DocumentData;
use xcheck_trace::run::{Checkpoint, NO_CHECKPOINT};

impl<'a> Walk<'a> {
    pub(super) async fn checkpoint(&mut self, window: u32) -> Result<(), Stop> {
        self.rest_the_pointer(window).await?;
        self.documents.look_around();
        self.tell_newcomers(window).await?;
        let sight = match self.eyes.look(&self.documents, window, self.options.deadline).await {
            Ok(Some(sight)) => Some(sight),
            Ok(None) => {
                // Nothing to look at is no result of a browser that has ended.
                self.still_there().await?;
                None
            }
            Err(error @ PageError::Deadline { .. }) => return Err(Stop::Page(error)),
            Err(error) => {
                self.still_there().await?;
                self.ledger.at_hand(Found {
                    notes: vec![format!("{NO_CHECKPOINT}{error}")],
                    ..Found::default()
                });
                None
            }
        };
        self.misses()?;
        let (Some(mut sight), Some(place)) = (sight, self.ledger.reached()) else {
            self.ledger.write(self.sink).await?;
            return Ok(());
        };
        self.ledger.at_hand_notes(std::mem::take(&mut sight.notes));
        let Some(top) = sight.page.documents.first() else {
            return Ok(());
        };
        let (load, url) = (top.load, top.url.clone());
        let layers = self.eyes.sees_layers(&sight.page);
        let poses = self.poses(top) || self.eyes.sees_movement(&sight.page);
        let picture = self.picture(window, load, sight.changed, layers, poses).await?;
        let checkpoint = Checkpoint {
            place,
            load,
            url,
            page_sha256: self.sink.page(&sight.page).await?,
            screenshot_sha256: picture.as_ref().ok().cloned(),
            screenshot_missing: picture.err(),
            after_divergence: self.ledger.after_divergence,
            ahead: self.modules.are_ahead(load),
            pointer: self.pointer.on_page(window, &sight.page),
        };
        self.ledger.write(self.sink).await?;
        self.sink.checkpoint(&checkpoint).await?;
        for (load, addresses) in sight.unheard {
            self.tell_sheets(load, &addresses).await?;
        }
        Ok(())
    }

    async fn picture(
        &mut self,
        window: u32,
        load: LoadId,
        changed: bool,
        layers: bool,
        poses: bool,
    ) -> Result<Result<Sha256, String>, Stop> {
        if let (false, Some((of, picture))) = (changed, self.eyes.pictures.get(&window))
            && *of == load
        {
            return Ok(picture.clone());
        }
        let picture = if self.windows.switch(self.browser, window).await? {
            if poses {
                self.pose(window, true).await?;
            }
            let picture = async {
                if layers {
                    self.browser.paint_anew().await?;
                }
                self.browser.screenshot().await
            };
            let taken = tokio::select! {
                biased;
                () = self.departures.of(self.trace, window, &mut self.served) => {
                    return Ok(Err("the page was on its way out".to_owned()));
                }
                taken = picture => taken,
            };
            if poses {
                self.pose(window, false).await?;
            }
            match taken {
                Ok(png) => Ok(self.sink.screenshot(&png).await?),
                Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
                Err(error) => Err(error.to_string()),
            }
        } else {
            Err("the browser has no such window".to_owned())
        };
        self.eyes.pictures.insert(window, (load, picture.clone()));
        Ok(picture)
    }

    /// WebKit's driver pictures the window, so that a page is moved below it, and Chromium makes the view as large as the
    /// page: its observers must not tell of that. A page that is in view as a whole is pictured as it is. Firefox paints the
    /// page once more, and leaves it as it is.
    fn poses(&self, top: &DocumentData) -> bool {
        let in_view = top.page[0] <= top.viewport[0] && top.page[1] <= top.viewport[1];
        !in_view && self.browser.info().engine != Engine::Gecko
    }

    async fn pose(&mut self, window: u32, begins: bool) -> Result<(), Stop> {
        let mut pages = self.documents.frames_of(window);
        pages.extend(self.documents.at(window, &[]).cloned());
        for page in pages {
            let told = page.command("pose", json!({"begins": begins}), self.options.deadline);
            // One that went away has nothing to be told.
            if let Err(error @ PageError::Deadline { .. }) = self.patiently(told).await? {
                return Err(Stop::Page(error));
            }
        }
        Ok(())
    }

    /// Requests that the trace does not have. When exactly a browser asks is its own affair, so they belong to the
    /// checkpoint by which they were made, in a defined order, unless the page's code asked and its document said so.
    pub(super) fn misses(&mut self) -> Result<(), Stop> {
        let mut asked = Vec::new();
        while let Some(event) = self.departures.next(&mut self.served) {
            match event {
                ServeEvent::NotInTrace { method, url, .. } => asked.push(format!("{method} {url}")),
                ServeEvent::Damaged { exchange, reason } => return Err(Stop::Trace { exchange, reason }),
                ServeEvent::WentLive { method, url } => {
                    let note = format!("{method} {url} went to the network");
                    self.ledger.at_hand(Found {
                        notes: vec![note],
                        ..Found::default()
                    });
                }
                ServeEvent::NotRestored { what } => self.ledger.at_hand(Found {
                    notes: vec![format!("not restored: {what}")],
                    ..Found::default()
                }),
                ServeEvent::Held { .. } | ServeEvent::Released { .. } => {}
            }
        }
        // Browsers ask for these by themselves, some and sometimes.
        let is_icon = |request: &str| {
            let named = request
                .strip_prefix("GET ")
                .is_some_and(|url| self.eyes.icons.contains(url));
            named || request.ends_with("/favicon.ico")
        };
        asked.retain(|request| !is_icon(request));
        asked.sort();
        for request in asked {
            self.ledger.not_in_trace(request);
        }
        Ok(())
    }
}
