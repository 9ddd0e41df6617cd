//! Leading the browser back to a state by what was recorded on the way there.

use super::Crawl;
use crate::atlas::Goal;
use crate::back::{Back, Piece, is_of_a_session, needs_server};
use std::collections::VecDeque;
use std::sync::Arc;
use xcheck_trace::Trace;

/// What the session that goes on is led by.
pub(super) struct Led {
    /// Where to.
    pub(super) state: usize,
    /// What the crawl had changed at the server when that was recorded.
    changes: u64,
    /// Where all of the way was recorded, or its beginning.
    trace: String,
    /// What answers on the edges to come, where each was recorded on another way.
    rest: VecDeque<Arc<Trace>>,
}

/// What edges are noted with that were tried where only the trace leads to.
const STALE: &str =
    "tried in a session that began with pages as they were recorded: the live server leads there no more";

/// Why a session that was recorded is not gone on with.
const FORGOTTEN: &str = "the server has forgotten who was there";

impl Crawl<'_> {
    /// Decides by what the way goes that comes now, in the session that has just begun.
    pub(super) fn set_out(&mut self) {
        self.led = None;
        self.led_by = None;
        self.stale = false;
        if self.request.settings.back == Back::Live || self.atlas.places.is_empty() {
            return;
        }
        let limits = &self.request.settings.limits;
        let Some(goal) = self.atlas.next(Some(0), 0, limits) else {
            return;
        };
        match self.recorded(&goal) {
            Ok((trace, mut pieces, changes)) => {
                let Some(start) = pieces.pop_front() else { return };
                self.session.lead_back(start);
                self.led = Some(Led {
                    state: goal.state,
                    changes,
                    trace,
                    rest: pieces,
                });
                self.led_by = Some(changes);
            }
            Err(why) => self.atlas.trail.ways.live(why),
        }
    }

    /// What was recorded on the way to it and no more, or why the server has to be asked.
    fn recorded(&self, goal: &Goal) -> Result<(String, VecDeque<Arc<Trace>>, u64), String> {
        let (trail, traces) = (&self.atlas.trail, &self.atlas.traces);
        if trail.sockets > 0 {
            return Err("the application uses sockets, and what goes over them may change the server".into());
        }
        if self.mistraced.contains(&goal.state) {
            return Err("the trace led elsewhere".into());
        }
        let whole = trail.whole(traces, &goal.way);
        let is_fresh = |piece: &Piece<'_>| piece.changes == trail.changes;
        let pieces = match whole {
            Some(piece) if is_fresh(&piece) || self.astray.contains(&goal.state) => vec![piece],
            _ => trail
                .pieces(traces, &goal.way)
                .ok_or("no trace has each part of the way")?,
        };
        if pieces.len() > 1 && !pieces.iter().all(is_fresh) {
            return Err("the crawl may have changed the server since".into());
        }
        let changes = pieces.iter().map(|piece| piece.changes).min().unwrap_or_default();
        let beginning = pieces.first().map(|piece| piece.trace.to_owned()).unwrap_or_default();
        if self.forgotten.contains(&beginning) {
            return Err(FORGOTTEN.into());
        }
        let recorded = pieces.iter().map(|piece| self.answers(piece));
        let recorded: VecDeque<Arc<Trace>> = recorded.collect::<Result<_, _>>()?;
        if recorded.len() > 1 && recorded.iter().any(|piece| is_of_a_session(&piece.exchanges)) {
            return Err("the server sets a cookie on the way, and no trace has all of it".into());
        }
        Ok((beginning, recorded, changes))
    }

    fn answers(&self, piece: &Piece<'_>) -> Result<Arc<Trace>, String> {
        let path = self.request.folder.join(piece.trace);
        let (mut trace, _) = Trace::open(&path).map_err(|error| format!("the trace cannot be read: {error}"))?;
        trace.exchanges.retain(|exchange| piece.has(exchange.id));
        // Pages run by themselves: what they did then is not asked.
        (trace.loads, trace.events) = (Vec::new(), Vec::new());
        match needs_server(&trace.exchanges) {
            Some(why) => Err(why),
            None => Ok(Arc::new(trace)),
        }
    }

    /// The next edge of the way is taken now.
    pub(super) fn lead_on(&mut self) {
        if let Some(next) = self.led.as_mut().and_then(|led| led.rest.pop_front()) {
            self.session.lead_on(next);
        }
    }

    /// The state is there that the way led to: from here on the server is asked. False where it has forgotten who is there.
    pub(super) async fn got_back(&mut self, goal: &Goal) -> bool {
        let is_known = self.led.is_none() || self.session.is_still_known().await;
        let missed = self.session.led_back();
        let Some(led) = self.led.take() else { return true };
        if !is_known && missed.is_none() {
            self.atlas.trail.ways.live(FORGOTTEN);
            self.forgotten.insert(led.trace);
            return false;
        }
        match missed {
            Some(what) => self
                .atlas
                .trail
                .ways
                .live(format!("the trace does not have {}", shortened(&what))),
            None if led.state != goal.state => self.atlas.trail.ways.live("something else was to be done"),
            None => {
                self.atlas.trail.ways.by_trace += 1;
                self.stale = led.changes != self.atlas.trail.changes;
            }
        }
        self.mark();
        true
    }

    /// The way led elsewhere. True where that is the trace's doing, and tells nothing of the application.
    pub(super) fn got_lost(&mut self, state: usize) -> bool {
        let missed = self.session.led_back();
        let Some(led) = self.led.take() else {
            if self.request.settings.back == Back::Trace {
                self.astray.insert(state);
            }
            return false;
        };
        let why = missed.map_or_else(
            || "the trace led elsewhere".to_owned(),
            |what| format!("the trace does not have {}", shortened(&what)),
        );
        self.atlas.trail.ways.live(why);
        self.mistraced.extend([state, led.state]);
        true
    }

    /// Takes note of where the newest trace has come to.
    pub(super) fn mark(&mut self) {
        self.heed_changes();
        // What came of a trace by the way is marked in that one.
        if self.request.settings.back == Back::Live || self.led.is_some() {
            return;
        }
        let trail = &mut self.atlas.trail;
        let changes = self.led_by.map_or(trail.changes, |changes| changes.min(trail.changes));
        let exchanges = self.session.exchanges();
        trail.reach(&self.atlas.traces, exchanges, changes);
    }

    /// What to say of an edge that is tried now, beside what came of it.
    pub(super) fn stale_note(&self) -> Option<String> {
        self.stale.then(|| STALE.to_owned())
    }

    pub(super) fn heed_changes(&mut self) {
        let sent = self.session.sent();
        let trail = &mut self.atlas.trail;
        trail.changes += sent.changes - self.heeded.changes;
        trail.sockets += sent.sockets - self.heeded.sockets;
        self.heeded = sent;
    }
}

/// Without what changes each time.
fn shortened(request: &str) -> String {
    request.split('?').next().unwrap_or_default().to_owned()
}
