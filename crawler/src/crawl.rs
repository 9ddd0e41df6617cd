//! The crawl itself: sessions one after the other, each a way from the start page and a trace.

mod attempt;
mod keeping;
mod leading;
mod request;

pub use request::{CrawlError, Crawled, Progress, Request};

use crate::actions;
use crate::atlas::{Atlas, Goal, Place};
use crate::export;
use crate::login;
use crate::model::{Path, Step};
use crate::scope::Scope;
use crate::state::{Abstract, Met, address};
use crate::visit::{self, Arrival, Arrived};
use leading::Led;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use xcheck_agent::live::{LiveError, Session};
use xcheck_proxy::{Mode, Sent};
use xcheck_trace::TraceWriter;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::redact::Redaction;

/// A goal that cannot be reached so many times is given up.
const ATTEMPTS: u32 = 3;

/// A browser that is lost so often in a row is not to be relied on.
const LOSSES: u32 = 3;

pub async fn crawl(request: Request, progress: &(dyn Fn(Progress) + Send + Sync)) -> Result<Crawled, CrawlError> {
    let atlas = keeping::prepare(&request)?;
    let scope = Scope::new(&request.start_url, &request.settings.hosts)
        .map_err(|error| CrawlError::NoStart(format!("{}: {error}", request.start_url)))?;
    let mut session = Session::start(
        &request.browser,
        &request.authority,
        Mode::Pass,
        request.session.clone(),
    )
    .await?;
    let scope = match request.settings.ignore_robots {
        true => scope,
        false => {
            let robots = request::robots(&mut session, &request).await?;
            scope.with_robots(robots)
        }
    };
    let browser = session.info().clone();
    let spent = Duration::from_millis(atlas.elapsed_ms);
    let mut crawl = Crawl {
        request: &request,
        progress,
        scope,
        session,
        browser,
        atlas,
        began: Instant::now(),
        spent,
        attempts: BTreeMap::new(),
        suspects: BTreeMap::new(),
        numbers: BTreeMap::new(),
        shown: None,
        led: None,
        led_by: None,
        stale: false,
        astray: BTreeSet::new(),
        mistraced: BTreeSet::new(),
        forgotten: BTreeSet::new(),
        heeded: Sent::default(),
        unsaved: Vec::new(),
    };
    let ran = crawl.run().await;
    crawl.keep_pictures().await;
    let (ended, broken) = match ran {
        Ok(ended) => (Ok(ended), false),
        Err(Stop::Broken(why)) => (Ok(why), true),
        Err(Stop::Error(error)) => (Err(error), true),
    };
    let (actions, elapsed) = (crawl.atlas.actions, crawl.elapsed());
    let ways_back = crawl.atlas.trail.ways.clone();
    let kept = match ended {
        Ok(ended) => crawl.save(&ended).map(|()| crawl.model(&ended)),
        Err(error) => Err(error),
    };
    // Ends the last trace, too.
    if let Err(error) = crawl.session.finish().await {
        tracing::warn!(%error, "the last session did not end as it should");
    }
    let model = kept?;
    export::write_all(&request.folder, &model).map_err(|(what, error)| CrawlError::File { what, error })?;
    Ok(Crawled {
        model,
        folder: request.folder.clone(),
        actions,
        elapsed,
        ways_back,
        broken,
    })
}

struct Crawl<'a> {
    request: &'a Request,
    progress: &'a (dyn Fn(Progress) + Send + Sync),
    scope: Scope,
    session: Session,
    browser: BrowserInfo,
    atlas: Atlas,
    began: Instant,
    /// In earlier sittings.
    spent: Duration,
    /// How often each goal was not reached, since it was reached last.
    attempts: BTreeMap<usize, u32>,
    /// Where an edge, or an action that was tried, led that may be the end of the session.
    suspects: BTreeMap<Suspect, String>,
    /// Numbers that an action changed, until it is done again in another session.
    numbers: BTreeMap<Suspect, Vec<(u64, u64)>>,
    /// What is shown now, in the state that the crawl is in.
    shown: Option<Abstract>,
    /// Until the way back is over.
    led: Option<Led>,
    /// Until the session is: what the crawl had changed at the server when that was recorded by which it was led.
    led_by: Option<u64>,
    /// The session began with pages that are older than what the crawl changed at the server.
    stale: bool,
    /// States that the live server has not led to any more.
    astray: BTreeSet<usize>,
    /// States that the trace does not lead to.
    mistraced: BTreeSet<usize>,
    /// Traces of sessions that the server has forgotten.
    forgotten: BTreeSet<String>,
    /// Of what was sent, what is in the atlas.
    heeded: Sent,
    unsaved: Vec<tokio::task::JoinHandle<()>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Suspect {
    Edge(usize),
    Action(usize, u64, String),
}

/// Why a crawl ends that is not done.
enum Stop {
    /// With what there is.
    Broken(String),
    Error(CrawlError),
}

impl<E: Into<CrawlError>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Error(error.into())
    }
}

/// How a session ended.
enum End {
    /// There is more to do, from the start page.
    Again,
    Done(String),
}

impl Crawl<'_> {
    async fn run(&mut self) -> Result<String, Stop> {
        let mut losses = 0;
        loop {
            match self.session().await {
                Ok(End::Done(why)) => return Ok(why),
                Ok(End::Again) => losses = 0,
                Err(Stop::Error(CrawlError::Live(error))) if !self.atlas.places.is_empty() => {
                    losses += 1;
                    tracing::debug!(%error, "a session broke off");
                    if losses >= LOSSES {
                        return Err(Stop::Broken(format!("the browser failed again and again: {error}")));
                    }
                }
                Err(stop) => return Err(stop),
            }
            self.save("not yet")?;
        }
    }

    /// One way from the start page, as long as there is something to do on it.
    async fn session(&mut self) -> Result<End, Stop> {
        if let Some(why) = self.is_over() {
            return Ok(End::Done(why));
        }
        if !self.atlas.places.is_empty() && self.atlas.next(None, 0, &self.request.settings.limits).is_none() {
            return Ok(End::Done("everything was tried".into()));
        }
        self.begin().await?;
        self.heed_changes();
        self.set_out();
        let mut here = self.arrive_at_start().await?;
        let mut taken = 0;
        while let Some(state) = here {
            if let Some(why) = self.is_over() {
                return Ok(End::Done(why));
            }
            let limits = self.request.settings.limits.clone();
            let Some(goal) = self.atlas.next(Some(state), taken, &limits) else {
                return Ok(End::Done("everything was tried".into()));
            };
            if goal.fresh && (taken > 0 || state != 0) {
                return Ok(End::Again);
            }
            if !self.walk(&goal, &mut taken).await? {
                if self.got_lost(goal.state) {
                    return Ok(End::Again);
                }
                let attempts = self.attempts.entry(goal.state).or_default();
                *attempts += 1;
                if *attempts >= ATTEMPTS {
                    self.atlas.places[goal.state].lost = true;
                    self.atlas.refused(actions::Refused {
                        reason: "could not be reached again".into(),
                        what: format!("state {} ({})", goal.state, self.atlas.places[goal.state].url),
                    });
                }
                return Ok(End::Again);
            }
            self.attempts.remove(&goal.state);
            if !self.got_back(&goal).await {
                return Ok(End::Again);
            }
            here = self.attempt(goal.state, taken).await?;
            taken += 1;
            match here {
                Some(_) => self.mark(),
                None => self.heed_changes(),
            }
            self.tell();
        }
        Ok(End::Again)
    }

    /// A new session with a trace of its own, signed in.
    async fn begin(&mut self) -> Result<(), Stop> {
        let number = self.atlas.traces.len() + 1;
        let mut name = format!("traces/{number:04}.trace");
        // What was begun and not finished when a crawl broke off stays as it is.
        let mut again = 1;
        while self.request.folder.join(&name).exists() {
            again += 1;
            name = format!("traces/{number:04}-{again}.trace");
        }
        let writer = TraceWriter::create(&self.request.folder.join(&name), self.manifest(), Redaction::none())?;
        self.session.start_over(Mode::Record(writer)).await?;
        self.atlas.traces.push(Path {
            trace: name,
            edges: Vec::new(),
        });
        if let Some(after) = &self.request.after
            && let Some(why) = login::repeat(&mut self.session, after, &self.request.patience).await?
        {
            let why = format!("what --after recorded cannot be done any more: {why}");
            return Err(match self.atlas.places.is_empty() {
                true => Stop::Error(CrawlError::NoStart(why)),
                false => Stop::Broken(why),
            });
        }
        Ok(())
    }

    /// Nothing where the trace that leads back does not even lead there.
    async fn arrive_at_start(&mut self) -> Result<Option<usize>, Stop> {
        let url = &self.request.start_url;
        let arrival = visit::open(&mut self.session, url, &self.scope, &self.request.patience).await?;
        let is_first = self.atlas.places.is_empty();
        match arrival {
            Arrival::Page(arrived) if is_first => {
                let state = self.note(&arrived, 0).await?;
                self.shown = Some(arrived.page);
                self.mark();
                Ok(Some(state))
            }
            Arrival::Page(arrived) => {
                if !self.atlas.states.recognise(0, &arrived.url, &arrived.page) {
                    tracing::debug!(url = arrived.url, "the start page is not as it was");
                    if self.led.is_some() && self.got_lost(0) {
                        return Ok(None);
                    }
                }
                self.shown = Some(arrived.page);
                self.mark();
                Ok(Some(0))
            }
            _ if self.led.is_some() && self.got_lost(0) => Ok(None),
            Arrival::Outside { what } | Arrival::NotFound(what) => Err(match is_first {
                true => Stop::Error(CrawlError::NoStart(what)),
                false => Stop::Broken(format!("the start page cannot be opened any more: {what}")),
            }),
        }
    }

    /// Goes to a state by edges that are known. False when something else came.
    async fn walk(&mut self, goal: &Goal, taken: &mut usize) -> Result<bool, Stop> {
        for &number in &goal.way {
            let edge = self.atlas.edges[number].clone();
            self.lead_on();
            let arrival = self.take(&edge.steps).await;
            self.atlas.actions += 1;
            *taken += 1;
            let arrived = match arrival {
                Ok(Arrival::Page(arrived)) => arrived,
                Ok(_) => return Ok(self.strayed(number, None)),
                Err(error) if error.is_hang() => return Ok(self.strayed(number, None)),
                Err(error) => return Err(error.into()),
            };
            let wanted = edge.to.unwrap_or(edge.from);
            if !self.atlas.states.recognise(wanted, &arrived.url, &arrived.page) {
                return Ok(self.strayed(number, Some(address(&arrived.url))));
            }
            self.shown = Some(arrived.page);
            if let Some(trace) = self.atlas.traces.last_mut() {
                trace.edges.push(number);
            }
            self.mark();
            if self.led.is_none()
                && let Some(suspect) = self.suspects.remove(&Suspect::Edge(number))
            {
                // In a new session it leads where it should: the other address is where old sessions end.
                self.sessions_end_at(suspect);
            }
        }
        Ok(true)
    }

    /// An edge did not lead where it did before.
    fn strayed(&mut self, edge: usize, to: Option<String>) -> bool {
        // What came of the trace tells nothing of the application.
        if self.led.is_some() {
            return false;
        }
        if let Some(to) = &to
            && self.atlas.expired.contains(to)
        {
            return false;
        }
        let known = self.suspects.contains_key(&Suspect::Edge(edge));
        if known {
            self.atlas.edges[edge].unsure = true;
        } else {
            self.suspects.insert(Suspect::Edge(edge), to.unwrap_or_default());
        }
        false
    }

    /// Takes note of what is shown, with what can be done there if it is new.
    async fn note(&mut self, arrived: &Arrived, action: u64) -> Result<usize, Stop> {
        self.atlas.saw_page(&arrived.url);
        let Met::New(state) = self.atlas.states.meet(&arrived.url, &arrived.page) else {
            return Ok(self.atlas.states.meet(&arrived.url, &arrived.page).state());
        };
        self.atlas.was_led_to(&arrived.url, action);
        let settings = &self.request.settings;
        let mut candidates = self.session.candidates(&settings.click, &settings.never).await?;
        if settings.links_only {
            candidates.retain(|candidate| candidate.href.is_some());
        }
        let (open, refused) = actions::possible(
            &candidates,
            &self.scope,
            settings.seed,
            &settings.values,
            settings.destructive,
        );
        for refused in refused {
            self.atlas.refused(refused);
        }
        let picture = match settings.pictures {
            true => self.picture(state).await?,
            false => None,
        };
        self.atlas.places.push(Place {
            url: arrived.url.clone(),
            title: arrived.page.title.clone(),
            status: arrived.status,
            picture,
            content: arrived.page.marks().into_iter().map(|(_, content)| content).collect(),
            actions: open.len(),
            open,
            lost: false,
        });
        self.tell();
        Ok(state)
    }

    /// The picture is made small and written while the crawl goes on.
    async fn picture(&mut self, state: usize) -> Result<Option<String>, Stop> {
        let png = self.session.browser().screenshot().await.map_err(LiveError::from)?;
        let name = format!("states/{state:04}.png");
        let path = self.request.folder.join(&name);
        self.unsaved.push(tokio::task::spawn_blocking(move || {
            if let Err(error) = export::thumbnail(&png).and_then(|small| small.save(&path)) {
                tracing::warn!(%error, path = %path.display(), "a picture could not be kept");
            }
        }));
        Ok(Some(name))
    }

    async fn take(&mut self, steps: &[Step]) -> Result<Arrival, LiveError> {
        visit::take(&mut self.session, steps, &self.scope, &self.request.patience).await
    }

    fn is_over(&mut self) -> Option<String> {
        self.atlas.elapsed_ms = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        if self.request.stop.load(Ordering::Relaxed) {
            return Some("stopped by the person".into());
        }
        self.atlas.over(&self.request.settings.limits)
    }

    fn elapsed(&self) -> Duration {
        self.spent + self.began.elapsed()
    }

    fn tell(&self) {
        (self.progress)(Progress {
            states: self.atlas.places.len(),
            edges: self.atlas.edges.len(),
            untried: self.atlas.untried(),
            actions: self.atlas.actions,
            traces: self.atlas.traces.len(),
            elapsed: self.elapsed(),
        });
    }

    async fn keep_pictures(&mut self) {
        for picture in self.unsaved.drain(..) {
            if let Err(error) = picture.await {
                tracing::warn!(%error, "a picture could not be kept");
            }
        }
    }
}
