//! The trace counts windows from 0 in order of appearance; a driver has names of its own, and windows close.

use crate::browser::{Browser, DriverError, WindowId};

#[derive(Default)]
pub(crate) struct Windows {
    /// By the trace's number.
    known: Vec<WindowId>,
}

impl Windows {
    /// Makes this window the current one. False when the browser has fewer, or has closed it.
    pub(crate) async fn switch(&mut self, browser: &mut dyn Browser, window: u32) -> Result<bool, DriverError> {
        let index = window as usize;
        if index > 0 || self.known.len() != 1 {
            for id in browser.windows().await? {
                if !self.known.contains(&id) {
                    self.known.push(id);
                }
            }
        }
        let Some(id) = self.known.get(index) else {
            return Ok(false);
        };
        match browser.switch_window(id).await {
            Ok(()) => Ok(true),
            // It may have closed itself at this very moment.
            Err(DriverError::Refused { .. } | DriverError::Interrupted { .. })
                if !browser.windows().await?.contains(id) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}
