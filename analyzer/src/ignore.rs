//! Rules by which a person takes XBIs out of the count. They stay in the result, with the reason.

use crate::findings::{Ignored, Kind, Xbi};
use serde::{Deserialize, Serialize};

/// `[[ignore]]` in `xcheck.toml`. What is absent matches everything; a rule needs at least one condition and a reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreRule {
    pub reason: String,
    /// An XBI's id, as `accept` writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The XBI's selector, exactly, or the beginning of its path: `#ads` also takes `#ads > div:nth-of-type(2)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The browser's name as on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadRule {
    #[error("ignore rule {0} has no reason; say why, for the next person")]
    NoReason(usize),
    #[error("ignore rule {0} would ignore everything: give it an id, a selector, a kind or a browser")]
    TakesAll(usize),
}

impl IgnoreRule {
    /// Refuses rules nobody should write, counted from 1.
    pub fn check(rules: &[IgnoreRule]) -> Result<(), BadRule> {
        for (at, rule) in rules.iter().enumerate() {
            if rule.reason.trim().is_empty() {
                return Err(BadRule::NoReason(at + 1));
            }
            let empty = IgnoreRule {
                reason: rule.reason.clone(),
                ..IgnoreRule::default()
            };
            if *rule == empty {
                return Err(BadRule::TakesAll(at + 1));
            }
        }
        Ok(())
    }

    fn takes(&self, xbi: &Xbi, browser: &str) -> bool {
        let selector = |wanted: &String| {
            let rest = xbi.selector.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" >"))
        };
        self.id.as_ref().is_none_or(|id| *id == xbi.id)
            && self.selector.as_ref().is_none_or(selector)
            && self.kind.is_none_or(|kind| kind == xbi.kind)
            && self.browser.as_ref().is_none_or(|name| name == browser)
    }
}

/// Parts what counts from what a rule takes; the first rule that fits gives its reason.
pub(crate) fn split(xbis: Vec<Xbi>, rules: &[IgnoreRule], browser: &str) -> (Vec<Xbi>, Vec<Ignored>) {
    let (mut counted, mut ignored) = (Vec::new(), Vec::new());
    for xbi in xbis {
        match rules.iter().find(|rule| rule.takes(&xbi, browser)) {
            Some(rule) => ignored.push(Ignored {
                reason: rule.reason.clone(),
                xbi,
            }),
            None => counted.push(xbi),
        }
    }
    (counted, ignored)
}
