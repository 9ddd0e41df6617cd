//! What has to be done in a document before our script starts there: telling what stood in databases and caches, or putting
//! it back.
//!
//! A tag of its own stands before ours. Its script goes to work and speaks by a WebSocket, while the browser's parser waits
//! for our script, which is held until the work is done: so no script of the page can have run meanwhile. A WebSocket,
//! because a browser asks an origin for six things at once, and all of them may be scripts that wait.
//!
//! Telling is done once for each origin, by whichever document of it comes first; others wait for it. Putting back is done
//! by the very document that told.

use super::{Pages, State};
use crate::inject::Errand;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use xcheck_trace::exchange::Body;

/// For how long nothing need be heard of it before a document goes on without.
const TELLING: Duration = Duration::from_secs(10);
const PUTTING_BACK: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Errands {
    of: HashMap<Place, Stand>,
    by_secret: HashMap<String, (Place, Errand)>,
    /// What was told of an origin, until a load of it takes it.
    kept: HashMap<String, Body>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    Origin(String),
    /// By its token.
    Document(String),
}

#[derive(Debug)]
enum Stand {
    Begun {
        /// Of the document that is at it.
        token: String,
        secret: String,
        origin: String,
        heard: Instant,
    },
    Over,
}

impl Errands {
    /// Takes what was told of this origin.
    pub(super) fn take(&mut self, origin: &str) -> Option<Body> {
        self.kept.remove(origin)
    }

    fn heard_last(&self, place: &Place) -> Option<Instant> {
        match self.of.get(place)? {
            Stand::Begun { heard, .. } => Some(*heard),
            Stand::Over => None,
        }
    }
}

fn place_of(errand: Errand, token: &str, origin: &str) -> Place {
    match errand {
        Errand::Keep => Place::Origin(origin.to_owned()),
        Errand::Restore(_) => Place::Document(token.to_owned()),
    }
}

fn patience(errand: Errand) -> Duration {
    match errand {
        Errand::Keep => TELLING,
        Errand::Restore(_) => PUTTING_BACK,
    }
}

impl State {
    /// What this document has to do first, as long as it has not been said that it cannot.
    fn errand_of(&self, token: &str, origin: &str) -> Option<(Errand, Place)> {
        let document = self.documents.get(token).filter(|found| found.origin == origin)?;
        let errand = document.errand?;
        Some((errand, place_of(errand, token, origin)))
    }

    /// Whether `secret` is that of whoever is at it.
    fn is_at(&self, place: &Place, secret: &str) -> bool {
        matches!(self.errands.of.get(place), Some(Stand::Begun { secret: own, .. }) if own == secret)
    }
}

impl Pages {
    /// Nothing more is to be learnt of this origin's databases.
    pub(crate) fn has_told(&self, origin: &str) -> bool {
        let place = Place::Origin(origin.to_owned());
        matches!(self.state().errands.of.get(&place), Some(Stand::Over))
    }

    /// The document goes to work. `None` where there is nothing to be done (any more); waits while another one is at it.
    pub(crate) async fn begin_errand(&self, token: &str, origin: &str) -> Option<(Errand, String)> {
        let mut changes = self.changed.subscribe();
        loop {
            let until = {
                let mut state = self.state();
                let (errand, place) = state.errand_of(token, origin)?;
                let now = Instant::now();
                match state.errands.of.get(&place) {
                    Some(Stand::Over) => return None,
                    Some(Stand::Begun {
                        token: other, heard, ..
                    }) if other != token && *heard + patience(errand) > now => *heard + patience(errand),
                    _ => {
                        let secret = crate::random::hex::<16>();
                        let stand = Stand::Begun {
                            token: token.to_owned(),
                            secret: secret.clone(),
                            origin: origin.to_owned(),
                            heard: now,
                        };
                        state.errands.of.insert(place.clone(), stand);
                        state.errands.by_secret.insert(secret.clone(), (place, errand));
                        return Some((errand, secret));
                    }
                }
            };
            // The sender lives in `self`; what the time ends is looked at again.
            let _ = timeout_at(until, changes.changed()).await;
        }
    }

    /// Waits until what the document has to do first is done. Tells what was given up, if it was.
    pub(crate) async fn errand_is_over(&self, token: &str, origin: &str) -> Option<Errand> {
        let mut changes = self.changed.subscribe();
        let since = Instant::now();
        let mut waiting = Waiting {
            pages: self,
            token,
            origin,
            whole: false,
        };
        loop {
            let until = {
                let mut state = self.state();
                let Some((errand, place)) = state.errand_of(token, origin) else {
                    waiting.whole = true;
                    return None;
                };
                if matches!(state.errands.of.get(&place), Some(Stand::Over)) {
                    waiting.whole = true;
                    return None;
                }
                let until = state.errands.heard_last(&place).map_or(since, |heard| heard.max(since)) + patience(errand);
                if Instant::now() >= until {
                    state.errands.of.insert(place, Stand::Over);
                    waiting.whole = true;
                    drop(state);
                    self.has_changed();
                    return Some(errand);
                }
                until
            };
            let _ = timeout_at(until, changes.changed()).await;
        }
    }

    /// Whose secret this is. It works on its own origin alone.
    pub(crate) fn errand_by(&self, secret: &str, origin: &str) -> Option<Errand> {
        let state = self.state();
        let (place, errand) = state.errands.by_secret.get(secret)?;
        match state.errands.of.get(place)? {
            Stand::Begun { origin: own, .. } if own == origin && state.is_at(place, secret) => Some(*errand),
            Stand::Begun { .. } | Stand::Over => None,
        }
    }

    /// It is still at it. `false` where nobody waits for it any more.
    pub(crate) fn hears_errand(&self, secret: &str) -> bool {
        let mut state = self.state();
        let Some((place, _)) = state.errands.by_secret.get(secret).cloned() else {
            return false;
        };
        match state.errands.of.get_mut(&place) {
            Some(Stand::Begun { secret: own, heard, .. }) if own == secret => {
                *heard = Instant::now();
                true
            }
            _ => false,
        }
    }

    /// It is done; `kept` is what was told.
    pub(crate) fn end_errand(&self, secret: &str, kept: Option<Body>) {
        {
            let mut state = self.state();
            let Some((place, _)) = state.errands.by_secret.remove(secret) else {
                return;
            };
            if !state.is_at(&place, secret) {
                return;
            }
            if let (Place::Origin(origin), Some(kept)) = (&place, kept) {
                state.errands.kept.insert(origin.clone(), kept);
            }
            state.errands.of.insert(place, Stand::Over);
        }
        self.has_changed();
    }

    /// It cannot be done in this document, which goes on: another one may do it.
    pub(crate) fn cannot_do_errand(&self, secret: &str) {
        self.let_errand_go(secret, true);
    }

    /// Nobody speaks any more: the document is gone, most likely.
    pub(crate) fn errand_broke_off(&self, secret: &str) {
        self.let_errand_go(secret, false);
    }

    fn let_errand_go(&self, secret: &str, document_goes_on: bool) {
        {
            let mut state = self.state();
            let Some((place, _)) = state.errands.by_secret.remove(secret) else {
                return;
            };
            if !state.is_at(&place, secret) {
                return;
            }
            let removed = state.errands.of.remove(&place);
            if let (true, Some(Stand::Begun { token, .. })) = (document_goes_on, removed)
                && let Some(document) = state.documents.get_mut(&token)
            {
                document.errand = None;
            }
        }
        self.has_changed();
    }

    fn has_changed(&self) {
        self.changed.send_modify(|count| *count += 1);
    }
}

/// A document that waits for its script. One that goes away while it does leaves the work to the next.
struct Waiting<'a> {
    pages: &'a Pages,
    token: &'a str,
    origin: &'a str,
    whole: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.whole {
            return;
        }
        {
            let mut state = self.pages.state();
            let Some((_, place)) = state.errand_of(self.token, self.origin) else {
                return;
            };
            let is_its =
                matches!(state.errands.of.get(&place), Some(Stand::Begun { token, .. }) if token == self.token);
            if is_its {
                state.errands.of.remove(&place);
            }
        }
        self.pages.has_changed();
    }
}
