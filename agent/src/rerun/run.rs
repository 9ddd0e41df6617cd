//! One run of a session, from opening its first page to looking at what its last gesture left.

use super::actions::{Action, Does};
use super::documents::Documents;
use super::injections::Done;
use super::storage;
use crate::browser::{Browser, DriverError};
use crate::pages::PageError;
use crate::replay::windows::Windows;
use std::time::{Duration, Instant};
use xcheck_trace::Trace;
use xcheck_trace::page::PageData;
use xcheck_trace::run::Place;

#[derive(Debug, Clone)]
pub struct RerunOptions {
    /// Requests go to the application; otherwise they are answered from the trace.
    pub live: bool,
    /// Where the application is now, when not where it was: its origin, `http://localhost:3001`.
    pub at: Option<String>,
    pub headless: bool,
    /// For each thing that a browser or a page is asked for.
    pub deadline: Duration,
    /// How long a page may take to come to rest after an action.
    pub patience: Duration,
    /// A request that takes longer is taken for one that stays open.
    pub open: Duration,
}

impl Default for RerunOptions {
    fn default() -> Self {
        RerunOptions {
            live: false,
            at: None,
            headless: true,
            deadline: Duration::from_secs(30),
            patience: Duration::from_secs(15),
            open: Duration::from_secs(2),
        }
    }
}

/// What the page was after an action.
#[derive(Debug, Clone)]
pub struct Look {
    pub place: Place,
    pub label: String,
    pub page: PageData,
    /// PNG, where one was wanted.
    pub picture: Option<Result<Vec<u8>, String>>,
    pub notes: Vec<String>,
}

/// How far a run came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// To the end.
    Through,
    /// The page was not what the trace needs to go on.
    Diverged { at: Place, label: String, why: String },
    /// Its first page was not there at all.
    NotThere { why: String },
    /// It asks who one is, which it did not when it was recorded.
    LoginExpired { why: String },
}

#[derive(Debug, Clone)]
pub struct Ran {
    pub looks: Vec<Look>,
    pub ended: Ended,
    pub took: Duration,
    /// How often the fault that was asked for was met.
    pub met: u32,
}

/// What an onlooker wants of a page that came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    Nothing,
    Picture,
}

/// Told after every action, while the page is there to be photographed.
pub type Onlooker<'a> = &'a mut (dyn FnMut(&Action<'_>, &PageData) -> Wants + Send);

/// Why a run ends before its end.
#[derive(Debug)]
pub(super) enum Stop {
    Diverged(String),
    Ended(Ended),
    /// Nothing is known: the browser or the page cannot be asked.
    Broken(String),
}

impl Stop {
    pub(super) fn page(error: PageError) -> Stop {
        match error {
            PageError::Gone(_) => Stop::Diverged(error.to_string()),
            error => Stop::Broken(error.to_string()),
        }
    }
}

impl From<DriverError> for Stop {
    fn from(error: DriverError) -> Stop {
        Stop::Broken(error.to_string())
    }
}

pub(super) struct Running<'a> {
    pub(super) trace: &'a Trace,
    pub(super) options: &'a RerunOptions,
    pub(super) browser: &'a mut dyn Browser,
    pub(super) documents: Documents,
    pub(super) windows: Windows,
    pub(super) notes: Vec<String>,
}

impl Running<'_> {
    /// `Err` when the browser or the page could not be asked.
    pub(super) async fn run(
        mut self,
        actions: &[Action<'_>],
        wrong: Option<&Done>,
        onlooker: Onlooker<'_>,
    ) -> Result<Ran, String> {
        let started = Instant::now();
        let mut looks = Vec::new();
        let mut ended = Ended::Through;
        storage::restore(&mut self).await.map_err(|stop| format!("{stop:?}"))?;
        for action in actions {
            if matches!(wrong, Some(Done::Skip(place)) if *place == action.place) {
                // The page is looked at all the same: it stays as it was.
                match self.look(action, onlooker).await {
                    Ok(look) => looks.push(look),
                    Err(stop) => {
                        ended = self.ends(action, stop)?;
                        break;
                    }
                }
                continue;
            }
            let done = self.act(action, looks.is_empty()).await;
            let looked = match done {
                Ok(()) => self.look(action, onlooker).await,
                Err(stop) => Err(stop),
            };
            match looked {
                Ok(look) => looks.push(look),
                Err(stop) => {
                    ended = self.ends(action, stop)?;
                    break;
                }
            }
        }
        Ok(Ran {
            looks,
            ended,
            took: started.elapsed(),
            met: 0,
        })
    }

    async fn act(&mut self, action: &Action<'_>, first: bool) -> Result<(), Stop> {
        match &action.does {
            Does::Opens { url } => self.open(url, action, first).await,
            Does::Gestures { load, gestures } => {
                self.documents.begin_navigation();
                self.give(*load, gestures).await
            }
        }
    }

    async fn open(&mut self, url: &str, action: &Action<'_>, first: bool) -> Result<(), Stop> {
        let window = self.trace.load(action.place.load).map_or(0, |load| load.window);
        let url = moved(url, self.trace, self.options.at.as_deref());
        self.documents.begin_navigation();
        self.windows.switch(self.browser, window).await?;
        let before = self.documents.at(&(window, Vec::new())).map(|page| page.load);
        match self.browser.navigate(&url).await {
            Ok(()) | Err(DriverError::Interrupted { .. }) => {}
            Err(DriverError::Refused { message, .. }) => return Err(not_opened(first, message)),
            Err(error) => return Err(error.into()),
        }
        if self
            .documents
            .another(&(window, Vec::new()), before, self.options.deadline)
            .await
        {
            return Ok(());
        }
        let why = self
            .documents
            .failure()
            .unwrap_or_else(|| format!("{url} did not come to life"));
        Err(not_opened(first, why))
    }

    async fn look(&mut self, action: &Action<'_>, onlooker: Onlooker<'_>) -> Result<Look, Stop> {
        let load = self.trace.load(action.place.load);
        let window = load.map_or(0, |load| load.window);
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.rest(window, action.waits_ms).await?);
        let page = self
            .documents
            .collect(window, self.options.deadline)
            .await
            .map_err(Stop::page)?;
        notes.extend(self.documents.notes());
        if let (Does::Opens { .. }, Some(load)) = (&action.does, load)
            && let Some(why) = leads_elsewhere(self.trace, load, &page)
        {
            return Err(why);
        }
        let picture = match onlooker(action, &page) {
            Wants::Nothing => None,
            Wants::Picture => {
                self.windows.switch(self.browser, window).await?;
                match self.browser.screenshot().await {
                    Ok(png) => Some(Ok(png)),
                    Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
                    Err(error) => Some(Err(error.to_string())),
                }
            }
        };
        Ok(Look {
            place: action.place,
            label: action.label.clone(),
            page,
            picture,
            notes,
        })
    }

    fn ends(&self, action: &Action<'_>, stop: Stop) -> Result<Ended, String> {
        match stop {
            Stop::Ended(ended) => Ok(ended),
            Stop::Diverged(why) => Ok(Ended::Diverged {
                at: action.place,
                label: action.label.clone(),
                why,
            }),
            Stop::Broken(why) => Err(why),
        }
    }
}

/// Without its first page nothing can be said of an application; without a later one the session ends there.
fn not_opened(first: bool, why: String) -> Stop {
    match first {
        true => Stop::Ended(Ended::NotThere { why }),
        false => Stop::Diverged(why),
    }
}

/// A page that was opened leads to another one than it did: to a login, most often.
fn leads_elsewhere(trace: &Trace, load: &xcheck_trace::event::Load, page: &PageData) -> Option<Stop> {
    let top = page.documents.first()?;
    let asks_who = |node: &xcheck_trace::page::Node| {
        let has = |value: &(String, String)| value.0 == "type" && value.1.eq_ignore_ascii_case("password");
        node.tag == "input" && node.visible && node.attributes.iter().any(has)
    };
    let asks = top.nodes.iter().any(asks_who);
    let typed_one = trace.events_of(load.load).iter().any(|event| {
        let dom = crate::replay::classify::dom(event);
        dom.is_some_and(|dom| dom.target.field_type.as_deref() == Some("password"))
    });
    let path = |url: &str| {
        url::Url::parse(url)
            .map(|url| url.path().to_owned())
            .unwrap_or_default()
    };
    let elsewhere = path(&top.url) != path(&load.url);
    if asks && !typed_one && elsewhere {
        let why = format!("{} leads to {} now, which asks for a password", load.url, top.url);
        return Some(Stop::Ended(Ended::LoginExpired { why }));
    }
    None
}

/// The same page of the application, where it is now.
pub(super) fn moved(url: &str, trace: &Trace, at: Option<&str>) -> String {
    let origin = |url: &str| url::Url::parse(url).map(|url| url.origin().ascii_serialization()).ok();
    let (Some(at), Some(first)) = (at, trace.loads.first()) else {
        return url.to_owned();
    };
    match (origin(url), origin(&first.url)) {
        (Some(of), Some(own)) if of == own => format!("{}{}", at.trim_end_matches('/'), &url[of.len()..]),
        _ => url.to_owned(),
    }
}
