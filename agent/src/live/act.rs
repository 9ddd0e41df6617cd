//! Doing something in the window, by the browser's own input.

use super::session::{LiveError, Session};
use crate::browser::{History, Input, PointerButton};
use crate::keys;
use crate::pages::PageError;
use crate::replay::hands;
use crate::replay::look::{Seats, offset_of, point_in};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use xcheck_trace::event::{DomEvent, Target};

/// An element, and where in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// The document it is in: index of each frame within its parent, from the top.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frame: Vec<u32>,
    pub at: Where,
    /// 0 to 1 across its box, and down.
    #[serde(default = "middle")]
    pub within: (f64, f64),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// By its locators, as they are recorded.
    Target(Box<Target>),
    /// By a selector; ` >> ` steps into a frame of the same origin or an open shadow root.
    Selector(String),
}

fn middle() -> (f64, f64) {
    (0.5, 0.5)
}

impl Spot {
    pub fn target(frame: &[u32], target: &Target) -> Spot {
        Spot {
            frame: frame.to_vec(),
            at: Where::Target(Box::new(target.clone())),
            within: middle(),
        }
    }

    pub fn selector(selector: &str) -> Spot {
        Spot {
            frame: Vec::new(),
            at: Where::Selector(selector.to_owned()),
            within: middle(),
        }
    }

    fn question(&self) -> Value {
        match &self.at {
            Where::Target(target) => json!({"target": target}),
            Where::Selector(selector) => json!({"css": selector}),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum Action {
    Click {
        spot: Spot,
    },
    DoubleClick {
        spot: Spot,
    },
    Hover {
        spot: Spot,
    },
    /// Empties a text field and types into it.
    Fill {
        spot: Spot,
        text: String,
    },
    /// What is chosen in a window of the browser's own: an option's index, or a value such as a date.
    Choose {
        spot: Spot,
        selected: Option<u32>,
        value: Option<String>,
    },
    /// Into whatever has the focus.
    Type {
        text: String,
    },
    /// A key by its name, with modifiers in front: `Enter`, `Control+z`.
    Press {
        chord: String,
    },
    Wheel {
        spot: Spot,
        dx: f64,
        dy: f64,
    },
    Back,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Acted {
    /// With notes on what could not be given.
    Done(Vec<String>),
    /// There was nothing to act on.
    NotFound(String),
}

/// How long an element may take to be there, uncovered and still. The page is at rest when it is asked.
const AIM: Duration = Duration::from_millis(1_500);

impl Session {
    pub async fn act(&mut self, action: &Action) -> Result<Acted, LiveError> {
        match action {
            Action::Click { spot } => self.point(spot, |x, y| clicks(x, y, 1)).await,
            Action::DoubleClick { spot } => self.point(spot, |x, y| clicks(x, y, 2)).await,
            Action::Hover { spot } => self.point(spot, |x, y| vec![Input::PointerMove { x, y }]).await,
            Action::Wheel { spot, dx, dy } => {
                let (dx, dy) = (*dx, *dy);
                self.point(spot, |x, y| vec![Input::Wheel { x, y, dx, dy }]).await
            }
            Action::Fill { spot, text } => {
                let mut typing = keys::pressed("Control+a")?;
                typing.extend(match text.is_empty() {
                    true => keys::pressed("Delete")?,
                    false => keys::typed(text)?,
                });
                match self.point(spot, |x, y| clicks(x, y, 1)).await? {
                    Acted::Done(_) => self.give(&typing).await,
                    not_found => Ok(not_found),
                }
            }
            Action::Choose { spot, selected, value } => {
                let mut change = spot.question();
                if let Some(selected) = selected {
                    change["selected"] = json!([selected]);
                }
                if let Some(value) = value {
                    change["value"] = json!(value);
                }
                self.change(&spot.frame, change).await
            }
            Action::Type { text } => self.give(&keys::typed(text)?).await,
            Action::Press { chord } => self.give(&keys::pressed(chord)?).await,
            Action::Back => {
                self.browser.history(History::Back).await?;
                Ok(Acted::Done(Vec::new()))
            }
        }
    }

    /// A gesture of a trace, at its recorded target.
    pub async fn perform(&mut self, frame: &[u32], gesture: &DomEvent) -> Result<Acted, LiveError> {
        let number = |name: &str| gesture.data.get(name).and_then(Value::as_f64);
        let spot = Spot {
            within: (number("rx").unwrap_or(0.5), number("ry").unwrap_or(0.5)),
            ..Spot::target(frame, &gesture.target)
        };
        let engine = self.browser.info().engine;
        if gesture.name == "focus" {
            // Whatever is entered next is entered into its own target.
            return Ok(Acted::Done(Vec::new()));
        }
        if !hands::has_place(gesture) && !hands::by_other_means(gesture) {
            let inputs = hands::inputs(gesture, (0.0, 0.0), engine);
            return match inputs {
                Some(inputs) => self.give(&inputs).await,
                None => Ok(Acted::NotFound(format!("no input gives {}", gesture.name))),
            };
        }
        if hands::inputs(gesture, (0.0, 0.0), engine).is_none() {
            let mut change = spot.question();
            for name in ["value", "selected"] {
                if let Some(value) = gesture.data.get(name) {
                    change[name] = value.clone();
                }
            }
            return self.change(frame, change).await;
        }
        match self.aim(&spot).await? {
            Ok(point) => match hands::inputs(gesture, point, engine) {
                Some(inputs) => self.give(&inputs).await,
                None => Ok(Acted::NotFound(format!("no input gives {}", gesture.name))),
            },
            Err(problem) => Ok(Acted::NotFound(problem)),
        }
    }

    /// Real input.
    pub async fn give(&mut self, inputs: &[Input]) -> Result<Acted, LiveError> {
        Ok(Acted::Done(self.browser.perform(inputs).await?))
    }

    async fn point(&mut self, spot: &Spot, inputs: impl FnOnce(f64, f64) -> Vec<Input>) -> Result<Acted, LiveError> {
        match self.aim(spot).await? {
            Ok((x, y)) => self.give(&inputs(x, y)).await,
            Err(problem) => Ok(Acted::NotFound(problem)),
        }
    }

    /// Where a spot is in the window's viewport, or why it is nowhere.
    async fn aim(&mut self, spot: &Spot) -> Result<Result<(f64, f64), String>, LiveError> {
        let Some(page) = self.documents.at(0, &spot.frame).cloned() else {
            return Ok(Err("its document is not there".to_owned()));
        };
        let mut question = spot.question();
        question["rx"] = json!(spot.within.0);
        question["ry"] = json!(spot.within.1);
        question["deadline_ms"] = json!(AIM.as_millis() as u64);
        let answer = match page.command("aim", question, AIM + self.deadline()).await {
            Ok(answer) => answer,
            Err(PageError::Gone(_)) => return Ok(Err("its document went away".to_owned())),
            Err(error) => return Err(error.into()),
        };
        if answer["found"] != true {
            let problem = answer["problem"].as_str().unwrap_or("it is not there");
            return Ok(Err(problem.to_owned()));
        }
        let (mut x, mut y) = point_in(&answer, "aim")?;
        for depth in 0..spot.frame.len() {
            let Some(parent) = self.documents.at(0, &spot.frame[..depth]).cloned() else {
                return Ok(Err("the document around it is not there".to_owned()));
            };
            match offset_of(&parent, spot.frame[depth], self.deadline()).await? {
                Some((right, down)) => (x, y) = (x + right, y + down),
                None => return Ok(Err("its frame is not shown".to_owned())),
            }
        }
        Ok(Ok((x, y)))
    }

    async fn change(&mut self, frame: &[u32], change: Value) -> Result<Acted, LiveError> {
        let Some(page) = self.documents.at(0, frame).cloned() else {
            return Ok(Acted::NotFound("its document is not there".to_owned()));
        };
        match page.command("change", change, self.deadline()).await {
            Ok(answer) if answer["found"] == true => Ok(Acted::Done(Vec::new())),
            Ok(_) => Ok(Acted::NotFound("it is not there".to_owned())),
            // The page goes elsewhere when something is chosen.
            Err(PageError::Gone(_)) => Ok(Acted::Done(Vec::new())),
            Err(error) => Err(error.into()),
        }
    }
}

fn clicks(x: f64, y: f64, clicks: u8) -> Vec<Input> {
    let button = PointerButton::Left;
    let mut inputs = vec![Input::PointerMove { x, y }];
    for clicks in 1..=clicks {
        inputs.push(Input::PointerDown { button, clicks });
        inputs.push(Input::PointerUp { button });
    }
    inputs
}
