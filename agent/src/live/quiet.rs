//! Waiting until what was done has had its consequences, and saying what the browser shows then.
//!
//! The page knows of its own requests, timers, changes and animations; when it is being left, only the proxy and the
//! browser know what comes. A navigation may end in another document, in a download, in an error page of the browser's, or
//! in the next navigation, for ever: each of them is an outcome, none is waited for longer than was asked for.

use super::documents::News;
use super::session::{LiveError, Session};
use crate::browser::{DriverError, WindowId};
use crate::pages::{Page, PageError};
use crate::replay::look::Seats;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;
use xcheck_proxy::DocumentAnswer;
use xcheck_trace::event::LoadId;

/// What counts as rest.
#[derive(Debug, Clone)]
pub struct Patience {
    /// So long nothing must have happened.
    pub still: Duration,
    /// Longer nobody waits.
    pub deadline: Duration,
    /// Timers that are due later are not waited for.
    pub timers: Duration,
    /// A request under way for longer is one that stays open.
    pub open: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            still: Duration::from_millis(40),
            deadline: Duration::from_secs(15),
            timers: Duration::from_millis(500),
            open: Duration::from_secs(4),
        }
    }
}

/// What there is after waiting.
#[derive(Debug, Clone)]
pub struct Quiet {
    pub shown: Shown,
    /// What had not come to rest by the deadline; empty when all had.
    pub busy: Vec<String>,
    /// Requests that stay open, and were not waited for.
    pub stays: Vec<String>,
    /// How often the window's document was replaced meanwhile.
    pub navigations: u32,
    /// Dialogs that were answered, as `confirm: Really?`.
    pub dialogs: Vec<String>,
    /// What requests for documents came to.
    pub answers: Vec<DocumentAnswer>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    Document {
        load: LoadId,
        url: String,
    },
    /// No page of ours: a picture, a PDF, an error page of the browser's.
    Other {
        url: String,
    },
}

/// A window that the page opened; it was looked at and closed.
#[derive(Debug, Clone)]
pub struct Popup {
    pub url: String,
    pub shown: Shown,
}

/// Between two questions to the browser while nothing else tells.
const TICK: Duration = Duration::from_millis(25);

/// A page that goes on to the next again and again does not come to rest.
const MOST_NAVIGATIONS: u32 = 20;

/// For what frames have to say: the window's own document has come to rest already.
const FRAMES: Duration = Duration::from_secs(3);

struct Here {
    url: String,
    complete: bool,
    load: Option<LoadId>,
}

impl Session {
    /// Opens an address, and waits until the page is at rest.
    pub async fn open(&mut self, url: &str, patience: &Patience) -> Result<Quiet, LiveError> {
        self.answers.clear();
        match self.browser.navigate(url).await {
            Ok(()) | Err(DriverError::Interrupted { .. }) => {}
            // The browser shows why.
            Err(DriverError::Refused { message, .. }) => tracing::debug!(message, url, "a page could not be opened"),
            Err(error) => return Err(error.into()),
        }
        self.quiet(patience).await
    }

    /// Waits until the window is at rest.
    pub async fn quiet(&mut self, patience: &Patience) -> Result<Quiet, LiveError> {
        let began = Instant::now();
        let end = began + patience.deadline;
        let before = self.documents.top().map(|page| page.load);
        let mut last = before;
        let mut navigations = 0;
        let mut stays_here = false;
        let (busy, stays, shown) = loop {
            self.listen();
            let late = Instant::now() >= end;
            let Some(here) = self.here().await? else {
                if late {
                    break (
                        vec!["a navigation".to_owned()],
                        vec![],
                        Shown::Other { url: String::new() },
                    );
                }
                self.tick(TICK).await;
                continue;
            };
            let Some(load) = here.load else {
                // A document that has just been asked for makes way for this one a moment later.
                let is_to_come = here.url == "about:blank" && Instant::now() < began + patience.open;
                if here.complete && !is_to_come || late {
                    let busy = if here.complete {
                        vec![]
                    } else {
                        vec!["the document is loading".to_owned()]
                    };
                    break (busy, vec![], Shown::Other { url: here.url });
                }
                self.tick(TICK).await;
                continue;
            };
            self.documents.is_top(load);
            if last != Some(load) {
                navigations += u32::from(last.is_some());
                last = Some(load);
                stays_here = false;
            }
            let shown = Shown::Document {
                load,
                url: here.url.clone(),
            };
            if navigations > MOST_NAVIGATIONS {
                break (vec!["one page leads to the next by itself".to_owned()], vec![], shown);
            }
            let Some(page) = self.documents.page(load).cloned() else {
                if late {
                    break (vec!["the document does not answer".to_owned()], vec![], shown);
                }
                self.tick(TICK).await;
                continue;
            };
            let answer = match self.ask_quiet(&page, patience, end, stays_here).await {
                Ok(Some(answer)) => answer,
                Ok(None) | Err(PageError::Gone(_)) if !late => continue,
                Ok(None) | Err(PageError::Gone(_)) => break (vec!["a navigation".to_owned()], vec![], shown),
                Err(error) => return Err(error.into()),
            };
            if answer["leaving"] == true && !late {
                let until = end.min(Instant::now() + patience.open);
                stays_here = self.left_or_not(load, until).await?;
                continue;
            }
            let shown = match answer["url"].as_str() {
                Some(url) => Shown::Document {
                    load,
                    url: url.to_owned(),
                },
                None => shown,
            };
            let (mut busy, stays) = (texts(&answer["busy"]), texts(&answer["stays"]));
            if busy.is_empty() {
                busy = self.frames_quiet(patience, end).await;
            }
            // What came while frames were asked, or a popup that took the page along.
            let again = self.here().await?;
            if again.is_some_and(|again| again.load == Some(load)) || late {
                break (busy, stays, shown);
            }
        };
        self.listen();
        self.meet_popups(patience).await?;
        Ok(Quiet {
            shown,
            busy,
            stays,
            navigations,
            dialogs: self.dialogs(),
            answers: std::mem::take(&mut self.answers),
        })
    }

    /// Windows that the page opened, since this was asked for the last time. They are closed.
    pub fn popups(&mut self) -> Vec<Popup> {
        std::mem::take(&mut self.popups)
    }

    /// Asks the document, and stops when news come: they may be that it is not the window's own any more.
    async fn ask_quiet(
        &mut self,
        page: &Page,
        patience: &Patience,
        end: Instant,
        stays: bool,
    ) -> Result<Option<Value>, PageError> {
        let asked = question(patience, end, stays);
        let deadline = left(end) + self.deadline();
        let command = page.command("quiet", asked, deadline);
        tokio::pin!(command);
        loop {
            tokio::select! {
                answer = &mut command => return answer.map(Some),
                news = self.documents.news() => match news {
                    News::Answer(answer) => self.answers.push(answer),
                    News::Document => return Ok(None),
                },
            }
        }
    }

    /// A navigation was begun: waits until there is another document. True when it came to nothing and this one stays.
    async fn left_or_not(&mut self, load: LoadId, until: Instant) -> Result<bool, LiveError> {
        let seen = self.answers.len();
        while Instant::now() < until {
            let fruitless = |answer: &DocumentAnswer| {
                answer.top && !answer.scripted && !answer.status.is_some_and(|status| (300..400).contains(&status))
            };
            let came_to_nothing = self.answers[seen.min(self.answers.len())..].iter().any(fruitless);
            match self.here().await? {
                Some(here) if here.load == Some(load) && came_to_nothing => return Ok(true),
                Some(here) if here.load != Some(load) => return Ok(false),
                _ => self.tick(TICK).await,
            }
        }
        Ok(true)
    }

    async fn frames_quiet(&mut self, patience: &Patience, end: Instant) -> Vec<String> {
        let frames = self.documents.frames_of(0);
        let end = end.min(Instant::now() + FRAMES);
        let asked = frames.iter().map(|frame| {
            let question = question(patience, end, true);
            async move {
                (
                    frame.url.clone(),
                    frame.command("quiet", question, left(end) + FRAMES).await,
                )
            }
        });
        let mut busy = Vec::new();
        for (url, answer) in futures_util::future::join_all(asked).await {
            match answer {
                Ok(answer) => busy.extend(
                    texts(&answer["busy"])
                        .into_iter()
                        .map(|what| format!("{what} in the frame {url}")),
                ),
                // It was taken out of the page.
                Err(PageError::Gone(_)) => {}
                Err(error) => busy.push(format!("the frame {url}: {error}")),
            }
        }
        busy
    }

    /// Waits for news, at most so long.
    async fn tick(&mut self, most: Duration) {
        if let Ok(News::Answer(answer)) = tokio::time::timeout(most, self.documents.news()).await {
            self.answers.push(answer);
        }
    }

    /// Takes what has come.
    fn listen(&mut self) {
        use futures_util::FutureExt;
        while let Some(news) = self.documents.news().now_or_never() {
            if let News::Answer(answer) = news {
                self.answers.push(answer);
            }
        }
    }

    fn dialogs(&mut self) -> Vec<String> {
        let mut dialogs = Vec::new();
        while let Ok(said) = self.documents.said.try_recv() {
            if let Some(text) = said.message["dialog"]["text"].as_str() {
                dialogs.push(text.to_owned());
            }
        }
        dialogs
    }

    /// What the current window shows; nothing while one document makes way for another.
    async fn here(&mut self) -> Result<Option<Here>, LiveError> {
        let question = format!(
            "(() => {{ const question = {{answer: null}};
                window.dispatchEvent(new CustomEvent('xcheck-{}', {{detail: question}}));
                return [location.href, document.readyState, question.answer && question.answer.load]; }})()",
            self.proxy_name()
        );
        match self.browser.evaluate(&question).await {
            Ok(answer) => Ok(answer[0].as_str().map(|url| Here {
                url: url.to_owned(),
                complete: answer[1] == "complete",
                load: answer[2].as_u64().and_then(|load| LoadId::try_from(load).ok()),
            })),
            Err(DriverError::Interrupted { .. } | DriverError::Thrown(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes the windows that the page opened, and closes them.
    async fn meet_popups(&mut self, patience: &Patience) -> Result<(), LiveError> {
        let windows = self.browser.windows().await?;
        let [main, popups @ ..] = windows.as_slice() else {
            return Ok(());
        };
        for popup in popups {
            if let Some(popup) = self.meet(popup, patience).await? {
                self.popups.push(popup);
            }
        }
        if !popups.is_empty() {
            self.browser.switch_window(main).await?;
        }
        Ok(())
    }

    async fn meet(&mut self, window: &WindowId, patience: &Patience) -> Result<Option<Popup>, LiveError> {
        match self.browser.switch_window(window).await {
            Ok(()) => {}
            // It closed by itself.
            Err(DriverError::Refused { .. } | DriverError::Interrupted { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let end = Instant::now() + patience.open;
        let mut met = None;
        while Instant::now() < end {
            self.listen();
            let here = self.here().await?;
            if let Some(here) = here.filter(|here| here.complete && here.url != "about:blank") {
                let shown = match here.load {
                    Some(load) => Shown::Document {
                        load,
                        url: here.url.clone(),
                    },
                    None => Shown::Other { url: here.url.clone() },
                };
                met = Some(Popup { url: here.url, shown });
                break;
            }
            self.tick(TICK).await;
        }
        match self.browser.close_window().await {
            Ok(()) | Err(DriverError::Refused { .. } | DriverError::Interrupted { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let blank = || Popup {
            url: "about:blank".to_owned(),
            shown: Shown::Other {
                url: "about:blank".to_owned(),
            },
        };
        Ok(Some(met.unwrap_or_else(blank)))
    }
}

fn question(patience: &Patience, end: Instant, stays: bool) -> Value {
    let ms = |duration: Duration| duration.as_millis() as u64;
    json!({
        "for_ms": ms(patience.still),
        "deadline_ms": ms(left(end)),
        "timers_ms": ms(patience.timers),
        "open_ms": ms(patience.open),
        "stays": stays,
    })
}

fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}
