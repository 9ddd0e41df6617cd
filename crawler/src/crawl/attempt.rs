//! Trying an action, and telling where it led: to a state, out of the application, or to where it sends whoever's
//! session is over.

use super::{ATTEMPTS, Crawl, Stop, Suspect};
use crate::actions::{self, Possible};
use crate::model::{Edge, Step};
use crate::state::{Met, address};
use crate::visit::{Arrival, Arrived};

impl Crawl<'_> {
    /// Tries the next action of this state. Answers with the state after it; nothing where the session cannot go on.
    pub(super) async fn attempt(&mut self, state: usize, taken: usize) -> Result<Option<usize>, Stop> {
        let possible = self.atlas.places[state].open.remove(0);
        let arrival = self.take(&possible.steps).await;
        self.atlas.actions += 1;
        match arrival {
            Ok(Arrival::Page(arrived)) => {
                let next = self.landed(state, possible, &arrived, taken).await;
                self.shown = Some(arrived.page);
                next
            }
            Ok(Arrival::Outside { what }) => {
                self.connect(state, None, &possible, possible.steps.clone(), vec![what]);
                Ok(None)
            }
            Ok(Arrival::NotFound(problem)) => {
                self.connect(
                    state,
                    None,
                    &possible,
                    possible.steps.clone(),
                    vec![format!("cannot be done: {problem}")],
                );
                // Nothing was done, so the page is as it was.
                Ok(Some(state))
            }
            Err(error) if error.is_hang() => {
                let notes = vec![format!("the page hangs: {error}")];
                self.connect(state, None, &possible, possible.steps.clone(), notes);
                Ok(None)
            }
            Err(error) => {
                self.put_back(state, possible, error.to_string());
                Err(error.into())
            }
        }
    }

    async fn landed(
        &mut self,
        state: usize,
        possible: Possible,
        arrived: &Arrived,
        taken: usize,
    ) -> Result<Option<usize>, Stop> {
        if self.session_is_over(state, &possible, arrived, taken) {
            let why = format!("the application ended the session: {}", arrived.url);
            self.put_back(state, possible, why);
            return Ok(None);
        }
        if self.changes_numbers(state, &possible, arrived) {
            self.atlas.places[state].open.insert(0, possible);
            return Ok(None);
        }
        let known = self.atlas.states.find(&arrived.url, &arrived.page);
        if known.is_none()
            && let Some(why) = self.atlas.too_many(
                &arrived.url,
                &arrived.page,
                possible.kind,
                &self.request.settings.limits,
            )
        {
            self.connect(state, None, &possible, possible.steps.clone(), vec![why]);
            return Ok(None);
        }
        let to = self.note(arrived, possible.kind).await?;
        self.connect(
            state,
            Some(to),
            &possible,
            possible.steps.clone(),
            arrived.notes.clone(),
        );
        match arrived.popups.first() {
            Some(url) => self.go_into_popup(to, &possible, url).await,
            None => Ok(Some(to)),
        }
    }

    /// A window was opened, and closed again: what it showed is gone to in this one.
    async fn go_into_popup(&mut self, from: usize, possible: &Possible, url: &str) -> Result<Option<usize>, Stop> {
        let steps = vec![Step::Open(url.to_owned())];
        if let Some(reason) = self.scope.refuses(url) {
            let what = format!("a window of {}", possible.label);
            self.atlas.refused(actions::Refused { reason, what });
            return Ok(Some(from));
        }
        let mut opened = possible.clone();
        opened.label.action = format!("{}, new window", possible.label.action);
        match self.take(&steps).await? {
            Arrival::Page(arrived) => {
                let known = self.atlas.states.find(&arrived.url, &arrived.page);
                if known.is_none()
                    && self
                        .atlas
                        .too_many(&arrived.url, &arrived.page, opened.kind, &self.request.settings.limits)
                        .is_some()
                {
                    return Ok(None);
                }
                let to = self.note(&arrived, opened.kind).await?;
                self.connect(from, Some(to), &opened, steps, arrived.notes.clone());
                Ok(Some(to))
            }
            Arrival::Outside { what } | Arrival::NotFound(what) => {
                self.connect(from, None, &opened, steps, vec![what]);
                Ok(None)
            }
        }
    }

    /// Whether nothing but numbers changed, for the first time: a step of several, or a clock. Done once more in a new
    /// session, an action leads to the same numbers, and a clock to others.
    fn changes_numbers(&mut self, state: usize, possible: &Possible, arrived: &Arrived) -> bool {
        let (Some(shown), Some(Met::Nearly(to))) = (&self.shown, self.atlas.states.find(&arrived.url, &arrived.page))
        else {
            return false;
        };
        if to != state {
            return false;
        }
        let changed = self.atlas.states.changed_numbers(&arrived.url, shown, &arrived.page);
        let suspect = Suspect::Action(state, possible.kind, possible.label.locator.clone());
        if let Some(before) = self.numbers.remove(&suspect) {
            self.atlas.states.judge_numbers(&arrived.url, &before, &changed);
            return false;
        }
        if changed.is_empty() {
            return false;
        }
        self.numbers.insert(suspect, changed);
        true
    }

    /// Whether a link led elsewhere because the application has forgotten who is there. Asked once more in a new session,
    /// it leads where it says.
    fn session_is_over(&mut self, state: usize, possible: &Possible, arrived: &Arrived, taken: usize) -> bool {
        let landed = without_fragment(&arrived.url);
        let wanted = possible.href.as_deref().map(without_fragment);
        let suspect = Suspect::Action(state, possible.kind, possible.label.locator.clone());
        if wanted.as_ref() == Some(&landed) {
            if let Some(end) = self.suspects.remove(&suspect) {
                self.sessions_end_at(end);
            }
            return false;
        }
        if possible.failures >= ATTEMPTS {
            return false;
        }
        if self.atlas.expired.contains(&landed) {
            return true;
        }
        let redirected = wanted.is_some_and(|wanted| self.scope.holds(&wanted)) && taken > 0;
        match self.suspects.remove(&suspect) {
            // Twice the same: this is where it leads.
            Some(before) if before == landed => false,
            Some(before) => {
                self.sessions_end_at(before);
                false
            }
            None if redirected => {
                self.suspects.insert(suspect, landed);
                true
            }
            None => false,
        }
    }

    /// What led there before it was known for what it is was no transition: it is tried again.
    pub(super) fn sessions_end_at(&mut self, end: String) {
        if end.is_empty() || address(&self.request.start_url) == end || !self.atlas.expired.insert(end.clone()) {
            return;
        }
        for edge in &mut self.atlas.edges {
            let leads_there = |to: usize| without_fragment(&self.atlas.places[to].url) == end;
            if !edge.to.is_some_and(leads_there) || edge.from == edge.to.unwrap_or(edge.from) {
                continue;
            }
            edge.to = None;
            edge.notes.push("the application had ended the session".into());
            let again = Possible::again(&edge.label, &edge.steps);
            self.atlas.places[edge.from].open.push(again);
        }
    }

    fn put_back(&mut self, state: usize, mut possible: Possible, why: String) {
        possible.failures += 1;
        if possible.failures > ATTEMPTS {
            let steps = possible.steps.clone();
            self.connect(state, None, &possible, steps, vec![why]);
        } else {
            self.atlas.places[state].open.insert(0, possible);
        }
    }

    fn connect(
        &mut self,
        from: usize,
        to: Option<usize>,
        possible: &Possible,
        steps: Vec<Step>,
        mut notes: Vec<String>,
    ) {
        notes.extend(self.stale_note());
        let trace = self.atlas.traces.len().saturating_sub(1);
        self.atlas.edges.push(Edge {
            from,
            to,
            label: possible.label.clone(),
            steps,
            notes,
            trace,
            unsure: false,
        });
        let number = self.atlas.edges.len() - 1;
        if let Some(trace) = self.atlas.traces.last_mut() {
            trace.edges.push(number);
        }
    }
}

fn without_fragment(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    address(url)
}
