//! `NAME.toml`, which stands beside a labelled page.

use crate::session::{Step, at, click, on};
use anyhow::{Result, bail};
use serde::Deserialize;
use xcheck_analyzer::findings::Kind;

/// What a person sees when comparing each browser with the reference.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    pub sees: String,
    /// What it may be called, the best word first; none where there is nothing to see.
    pub kinds: Vec<Kind>,
    /// The element concerned; empty where no element is.
    #[serde(default)]
    pub selector: String,
    /// Where it is seen.
    #[serde(default)]
    pub browsers: Vec<String>,
    /// Custom browsers of `xcheck.toml` that this page is replayed in too.
    #[serde(default)]
    pub also: Vec<String>,
    /// What is done with the page.
    #[serde(default)]
    steps: Vec<Vec<toml::Value>>,
}

impl Label {
    pub fn expected_in(&self, browser: &str) -> bool {
        self.browsers.iter().any(|name| name == browser)
    }

    pub fn steps(&self) -> Result<Vec<Step>> {
        self.steps.iter().map(|words| step(words)).collect()
    }
}

fn step(words: &[toml::Value]) -> Result<Step> {
    let text = |value: &toml::Value| value.as_str().map(kept);
    let number = |value: &toml::Value| value.as_integer().map(|number| number as f64);
    let [verb, rest @ ..] = words else {
        bail!("an empty step");
    };
    let arguments: Vec<&'static str> = rest.iter().filter_map(text).collect();
    let numbers: Vec<f64> = rest.iter().filter_map(number).collect();
    let step = match (verb.as_str().unwrap_or_default(), &arguments[..], &numbers[..]) {
        ("click", [selector], []) => click(selector),
        ("click-at", [], [x, y]) => Step::Click(at("html", *x, *y)),
        ("click-at", [selector], [x, y]) => Step::Click(at(selector, *x, *y)),
        ("double-click", [selector], []) => Step::DoubleClick(on(selector)),
        ("hover", [selector], []) => Step::Hover(on(selector)),
        ("type", [text], []) => Step::Type(text),
        ("press", [chord], []) => Step::Press(chord),
        ("drag", [from, to], []) => Step::Drag(on(from), on(to)),
        ("drag", [from, to], [x, y]) => Step::Drag(on(from), at(to, *x, *y)),
        ("wheel", [selector], [dx, dy]) => Step::Wheel(on(selector), *dx, *dy),
        ("until", [condition], []) => Step::Until(condition),
        _ => bail!("no step is {words:?}"),
    };
    Ok(step)
}

/// Sessions are constants everywhere else; a label's words live as long as the program too.
fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
