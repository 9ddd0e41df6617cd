//! What the other browser alone asked for and the recording could not answer, and which divergences follow from that.
//! Whether an address is that of a style sheet or of a script, the documents say ([`super::lacking`]).

use super::divergences::Divergent;
use crate::hand::is_of_a_hand;
use crate::spot::Spot;
use std::collections::BTreeMap;
use xcheck_trace::event::LoadId;
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

#[derive(Default)]
pub(super) struct Unanswered {
    by_url: BTreeMap<String, Divergent>,
    /// Key of the style sheet that the page shown lacks.
    unstyled: Option<String>,
    /// And a hand missed something there, so that the session is another one from then on.
    astray: bool,
    /// Keys of scripts that never ran, by document.
    missing_scripts: BTreeMap<LoadId, Vec<String>>,
    /// Key of the script that a document lacks.
    unscripted: BTreeMap<LoadId, String>,
    /// Keys of what turned out to follow from a script that is lacking.
    by_script: BTreeMap<String, Divergent>,
}

impl Unanswered {
    pub(super) fn note(&mut self, event: &ReplayedEvent, divergence: &Divergence, divergent: &Divergent) {
        let follows = self.unstyled.as_ref() == Some(&divergent.key);
        self.astray |= follows && is_by_hand(divergence) && is_missing(divergence);
        match (divergence.kind, divergence.actual.strip_prefix("GET ")) {
            (DivergenceKind::NotInTrace, Some(url)) => {
                self.by_url.entry(url.to_owned()).or_insert_with(|| divergent.clone());
            }
            (DivergenceKind::ScriptMissing, _) if !divergent.exception => {
                let keys = self.missing_scripts.entry(event.place.load).or_default();
                keys.push(divergent.key.clone());
            }
            _ => {}
        }
    }

    pub(super) fn urls(&self) -> impl ExactSizeIterator<Item = &String> {
        self.by_url.keys()
    }

    /// The page shown lacks this style sheet, or none.
    pub(super) fn is_without(&mut self, style_sheet: Option<&str>) {
        let divergent = style_sheet.and_then(|url| self.by_url.get(url));
        self.unstyled = divergent.map(|divergent| divergent.key.clone());
        self.astray &= self.unstyled.is_some();
    }

    /// A script that never came is as silent as one that an exception ended. It is told when it is heard of first.
    pub(super) fn lacks_script(&mut self, load: LoadId, url: &str) -> Option<Divergent> {
        let script = self.by_url.get_mut(url).filter(|script| !script.exception)?;
        script.exception = true;
        let script = script.clone();
        let missing = self.missing_scripts.get(&load).into_iter().flatten();
        for key in missing.filter(|key| **key != script.key) {
            self.by_script.insert(key.clone(), script.clone());
        }
        self.unscripted.insert(load, script.key.clone());
        Some(script)
    }

    /// Without its style sheet a page stands elsewhere, and a hand misses it, so that what it would have done does not
    /// happen, then or later. `earlier` is the key of what went wrong in the same event before.
    pub(super) fn style_sheet_behind(&self, divergence: &Divergence, earlier: Option<&String>) -> Option<&String> {
        let unstyled = self.unstyled.as_ref()?;
        let later = self.astray && is_missing(divergence);
        (is_by_hand(divergence) || later || earlier == Some(unstyled)).then_some(unstyled)
    }

    /// What was to run in a script's place did not, and nobody listens.
    pub(super) fn script_behind(&self, event: &ReplayedEvent, divergence: &Divergence) -> Option<&String> {
        self.unscripted
            .get(&event.place.load)
            .filter(|_| is_missing(divergence))
    }

    /// Makes a style sheet that is lacking the reason.
    pub(super) fn explain(&self, style_sheet: &str, spot: &mut Spot) {
        if let Some(by) = self.by_url.get(style_sheet) {
            by.explain(spot);
        }
    }

    /// What was told before it was known that a script was lacking.
    pub(super) fn explain_afterwards(&self, spot: &mut Spot) {
        let script = spot.cause_key.as_ref().and_then(|key| self.by_script.get(key));
        if let Some(script) = script {
            script.explain(spot);
        }
    }
}

/// Something that was recorded and did not happen.
fn is_missing(divergence: &Divergence) -> bool {
    use DivergenceKind as D;
    matches!(
        divergence.kind,
        D::TargetMissing
            | D::EventMissing
            | D::CallbackMissing
            | D::RequestMissing
            | D::ScriptMissing
            | D::NavigationMissing
            | D::AnswersUnused
    )
}

/// An event that a hand brings about where it points, or at what it has pointed at before.
fn is_by_hand(divergence: &Divergence) -> bool {
    use DivergenceKind as D;
    let event = match divergence.kind {
        D::TargetMissing => return true,
        D::EventMissing => &divergence.expected,
        D::EventExtra => &divergence.actual,
        _ => return false,
    };
    is_of_a_hand(event)
}
