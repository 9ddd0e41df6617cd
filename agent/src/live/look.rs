//! Looking at the window: its page data, whole, and a picture.

use super::session::{LiveError, Session};
use crate::replay::look::Eyes;
use xcheck_trace::page::PageData;

#[derive(Debug)]
pub struct Look {
    pub page: PageData,
    /// PNG of the whole page, where it was asked for.
    pub picture: Option<Vec<u8>>,
    /// What was waited for in vain, and the like.
    pub notes: Vec<String>,
}

impl Session {
    pub async fn look(&mut self, picture: bool) -> Result<Look, LiveError> {
        let deadline = self.deadline();
        let sight = Eyes::default().look(&self.documents, 0, deadline).await?;
        let sight = sight.ok_or_else(|| LiveError::NoPage("no document of ours".to_owned()))?;
        let picture = match picture {
            true => Some(self.browser.screenshot().await?),
            false => None,
        };
        Ok(Look {
            page: sight.page,
            picture,
            notes: sight.notes,
        })
    }
}
