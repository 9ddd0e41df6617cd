//! What can be acted on in the window, frame by frame.

use super::session::{LiveError, Session};
use crate::pages::PageError;
use crate::replay::look::Seats;
use serde::{Deserialize, Serialize};
use serde_json::json;
use xcheck_trace::event::Target;

/// An element that a hand could do something with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Candidate {
    /// Index of each frame within its parent, from the top; empty in the window's own document.
    pub frame: Vec<u32>,
    pub target: Target,
    pub tag: String,
    /// What makes it one: `tag`, `role`, `listener`, `cursor`.
    pub why: String,
    /// The types of events it listens to.
    pub heard: Vec<String>,
    /// What it shows, at most 80 characters. Nothing for fields.
    pub text: String,
    /// Left, top, width, height in its document's viewport.
    #[serde(rename = "box")]
    pub place: [f64; 4],
    /// What lies over it, or why else no pointer gets there.
    pub covered: Option<String>,
    pub href: Option<String>,
    /// It opens another window.
    pub new_window: bool,
    pub download: bool,
    /// Of an input or a button.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Structural path of the form it belongs to.
    pub form: Option<String>,
    pub form_action: Option<String>,
    pub required: bool,
    pub pattern: Option<String>,
    pub min: Option<String>,
    pub max: Option<String>,
    pub max_length: Option<u32>,
    pub autocomplete: Option<String>,
    pub value: Option<String>,
    /// Of a `select`.
    pub options: Vec<Choice>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub value: String,
    pub disabled: bool,
}

impl Session {
    /// In document order, frames behind the document they are in. `click` are selectors of what else can be acted on,
    /// `never` of what must not be.
    pub async fn candidates(&mut self, click: &[String], never: &[String]) -> Result<Vec<Candidate>, LiveError> {
        let top = self.documents.top().cloned();
        let top = top.ok_or_else(|| LiveError::NoPage("no document of ours".to_owned()))?;
        let mut all = Vec::new();
        for page in std::iter::once(top).chain(self.documents.frames_of(0)) {
            let asked = page.command("candidates", json!({"click": click, "never": never}), self.deadline());
            let answer = match asked.await {
                Ok(answer) => answer,
                Err(PageError::Gone(_)) if !page.path.is_empty() => continue,
                Err(error) => return Err(error.into()),
            };
            let found: Vec<Candidate> = serde_json::from_value(answer)
                .map_err(|error| LiveError::Page(format!("what can be acted on was not understood: {error}")))?;
            all.extend(found.into_iter().map(|candidate| Candidate {
                frame: page.path.clone(),
                ..candidate
            }));
        }
        Ok(all)
    }
}
