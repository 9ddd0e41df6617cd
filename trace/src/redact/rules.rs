//! The rules as people write them, in TOML:
//!
//! ```toml
//! replacement = "[redacted]"                           # this is the default
//! headers = ["authorization", "cookie", "x-api-*"]     # of requests and responses
//! query   = ["token", "session"]                       # parameters in URLs
//! json    = ["$.password", "$..token", "$.users[*].email"]
//! form    = ["password", "card*"]                      # fields of urlencoded and multipart forms
//! inputs  = ["#pin", "[name=card]", "[type=password]"] # what is typed into these
//! storage = ["session*"]                               # cookies and storage present at the start
//! ```
//!
//! A rule that could not be understood is an error: one that silently never applies would keep the secret.

use super::json_path::{JsonPath, NotAPath};
use super::pattern::{InputRule, NotAnInput, Pattern};
use serde::Deserialize;

#[derive(Debug)]
pub(super) struct Rules {
    pub(super) replacement: String,
    pub(super) headers: Vec<Pattern>,
    pub(super) query: Vec<Pattern>,
    pub(super) json: Vec<JsonPath>,
    pub(super) form: Vec<Pattern>,
    pub(super) inputs: Vec<InputRule>,
    pub(super) storage: Vec<Pattern>,
    pub(super) names: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    #[error("the redaction rules cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    #[error(transparent)]
    Path(#[from] NotAPath),
    #[error(transparent)]
    Input(#[from] NotAnInput),
    #[error("a redaction rule under `{0}` is empty")]
    Empty(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default = "default_replacement")]
    replacement: String,
    #[serde(default)]
    headers: Vec<String>,
    #[serde(default)]
    query: Vec<String>,
    #[serde(default)]
    json: Vec<String>,
    #[serde(default)]
    form: Vec<String>,
    #[serde(default)]
    inputs: Vec<String>,
    #[serde(default)]
    storage: Vec<String>,
}

fn default_replacement() -> String {
    "[redacted]".into()
}

impl Rules {
    pub(super) fn none() -> Rules {
        Rules {
            replacement: default_replacement(),
            headers: Vec::new(),
            query: Vec::new(),
            json: Vec::new(),
            form: Vec::new(),
            inputs: Vec::new(),
            storage: Vec::new(),
            names: Vec::new(),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Rules, RulesError> {
        let written: Written = toml::from_str(text)?;
        let lists = [
            ("headers", &written.headers),
            ("query", &written.query),
            ("json", &written.json),
            ("form", &written.form),
            ("inputs", &written.inputs),
            ("storage", &written.storage),
        ];
        let mut names = Vec::new();
        for (list, rules) in lists {
            if rules.iter().any(|rule| rule.trim().is_empty()) {
                return Err(RulesError::Empty(list));
            }
            names.extend(rules.iter().map(|rule| format!("{list}: {rule}")));
        }
        let patterns = |rules: &[String]| rules.iter().map(|rule| Pattern::new(rule)).collect();
        Ok(Rules {
            headers: patterns(&written.headers),
            query: patterns(&written.query),
            json: written
                .json
                .iter()
                .map(|rule| JsonPath::parse(rule))
                .collect::<Result<_, _>>()?,
            form: patterns(&written.form),
            inputs: written
                .inputs
                .iter()
                .map(|rule| InputRule::parse(rule))
                .collect::<Result<_, _>>()?,
            storage: patterns(&written.storage),
            replacement: written.replacement,
            names,
        })
    }
}
