//! The trace counts windows from 0 in order of appearance; a driver has names of its own, and windows close.

use crate::browser::{Browser, DriverError, WindowId};

#[derive(Default)]
pub(crate) struct Windows {
    /// By the trace's number.
    known: Vec<WindowId>,
}

impl Windows {
    /// Makes this window the current one. False when the browser has fewer.
    pub(crate) async fn switch(&mut self, browser: &mut dyn Browser, window: u32) -> Result<bool, DriverError> {
        let index = window as usize;
        if index > 0 || self.known.len() != 1 {
            for id in browser.windows().await? {
                if !self.known.contains(&id) {
                    self.known.push(id);
                }
            }
        }
        match self.known.get(index) {
            Some(id) => browser.switch_window(id).await.map(|()| true),
            None => Ok(false),
        }
    }
}
