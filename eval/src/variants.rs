//! Browsers that lack one thing, against the same browser that has it: whose effect is known, and so what has to be found.
//!
//! `variants.toml` names what is taken away, and for each subject what it must show in, before any run. A preference of Firefox
//! or a switch of Chromium takes it away in the browser itself; a *handicap* is a script that every document runs before its
//! own, and *without* is CSS that the browser's parser does not know, by another name in the trace's style sheets.

use crate::accuracy::{self, Finding, Findings, Way};
use crate::store::Store;
use crate::subjects::{Subject, all};
use crate::{recorded, replays};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use xcheck_agent::replay::ReplayOptions;
use xcheck_analyzer::findings::Kind;
use xcheck_proxy::ServeRules;
use xcheck_tests::traces;

/// A browser that lacks something.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) engine: String,
    #[serde(default)]
    preferences: BTreeMap<String, Value>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    handicap: String,
    /// `gap`, `display: grid`, `:has`, `@supports`.
    #[serde(default)]
    without: Vec<String>,
    on: Vec<Expected>,
}

/// What it must show in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    pub(crate) subject: String,
    pub(crate) kinds: Vec<Kind>,
    /// Parts of the selector, path, tag, event or cause of a finding, one of which it must have.
    pub(crate) at: Vec<String>,
    /// What a person sees who looks.
    pub(crate) sees: String,
    /// Why a person who looked sees nothing at all: there is nothing to find.
    #[serde(default)]
    without_effect: Option<String>,
}

/// One variant on one subject.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trial {
    pub(crate) variant: &'static Variant,
    pub(crate) expected: &'static Expected,
    pub(crate) subject: Subject,
}

#[derive(Deserialize)]
struct File {
    variant: Vec<Variant>,
}

/// All of the list, which lives as long as the program.
pub(crate) fn trials() -> Result<Vec<Trial>> {
    let path = xcheck_tests::workspace().join("eval/variants.toml");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let file: &'static File = Box::leak(Box::new(toml::from_str(&text).context("variants.toml")?));
    let subjects = all();
    let mut trials = Vec::new();
    for variant in &file.variant {
        for expected in &variant.on {
            let subject = subjects.iter().find(|subject| subject.name() == expected.subject);
            let subject = *subject.with_context(|| format!("{}: no subject is {}", variant.name, expected.subject))?;
            trials.push(Trial {
                variant,
                expected,
                subject,
            });
        }
    }
    Ok(trials)
}

impl Trial {
    pub(crate) fn key(&self) -> String {
        format!("variant/{}/{}", self.variant.name, self.subject.slug())
    }

    pub(crate) fn engine(&self) -> &'static str {
        &self.variant.engine
    }

    pub(crate) async fn run(&self, store: &Store) -> Result<Findings> {
        if let Some(why) = &self.expected.without_effect {
            bail!("without effect there: {why}");
        }
        let variant = self.variant;
        let mut browser = xcheck_agent::find(&variant.engine, &[])?;
        browser.name = variant.name.clone();
        browser.arguments.extend(variant.arguments.iter().cloned());
        browser.preferences.extend(variant.preferences.clone());
        let files = tempfile::tempdir()?;
        let trace = files.path().join("trace");
        traces::copy(&recorded::trace(store, &self.subject), &trace)?;
        for what in &variant.without {
            take_from_sheets(&trace, what)?;
        }
        let options = ReplayOptions {
            rules: ServeRules {
                handicap: variant.handicap.clone(),
                ..ServeRules::default()
            },
            ..ReplayOptions::default()
        };
        let into = store.path("variants").join(&variant.name).join(self.subject.slug());
        replays::of_trace(&trace, browser, options, &into).await?;
        let whole = |number| replays::open(&replays::folder(store, &self.subject, &variant.engine, number));
        let (reference, again) = (whole(1).context("the browser that lacks nothing")?, whole(2).ok());
        let other = replays::open(&into)?;
        let (result, findings) =
            tokio::task::block_in_place(|| accuracy::analyze(&reference, &other, again.as_ref(), Way::XCheck))?;
        let pictures = store.path("pictures/variants");
        let name = format!("{}.{}", variant.name, self.subject.slug());
        crate::pictures::of_findings(&result.xbis, &reference.run, &other.run, &pictures, &name)?;
        ensure!(
            self.found(&findings).is_some() || !other.does_as(&reference),
            "it takes nothing away there: all events and pictures are those of the browser that has it"
        );
        Ok(findings)
    }

    /// The finding that was asked for, if it is among them.
    pub(crate) fn found<'a>(&self, findings: &'a Findings) -> Option<&'a Finding> {
        findings.found.iter().find(|finding| self.expected.is(finding))
    }
}

impl Expected {
    fn is(&self, finding: &Finding) -> bool {
        let places = [
            &finding.selector,
            &finding.xpath,
            &finding.element,
            &finding.event,
            &finding.title,
        ];
        let named = |part: &String| {
            places.iter().any(|place| place.contains(part.as_str()))
                || finding
                    .cause
                    .as_ref()
                    .is_some_and(|cause| cause.contains(part.as_str()))
                || finding.differences.iter().any(|found| found.contains(part.as_str()))
        };
        let is_kind = |kind: &Kind| *kind == finding.kind || *kind == Kind::Structure && finding.tells_of_boxes();
        self.kinds.iter().any(is_kind) && self.at.iter().any(named)
    }
}

fn take_from_sheets(trace: &Path, what: &str) -> Result<()> {
    let mut taken = 0;
    traces::change_bodies(trace, "text/css", |text| {
        let (changed, count) = without(text, what);
        taken += count;
        changed
    })?;
    ensure!(taken > 0, "no style sheet of the trace has `{what}`");
    Ok(())
}

/// The sheet as a browser reads it that does not know `what`, and how often it stood there. `what` is a property, a property
/// with a word of its value, a pseudo-class or an at-rule.
fn without(css: &str, what: &str) -> (String, usize) {
    if what.starts_with([':', '@']) {
        let (sign, name) = what.split_at(1);
        return renamed(css, |rest, before| {
            let here = rest.strip_prefix(what)?;
            let whole = !here.starts_with(is_name) && (sign == "@" || before != Some(':'));
            whole.then(|| (what.len(), format!("{sign}x-{name}")))
        });
    }
    let (property, word) = match what.split_once(':') {
        Some((property, word)) => (property.trim(), Some(word.trim())),
        None => (what.trim(), None),
    };
    renamed(css, |rest, before| {
        let after = rest.strip_prefix(property)?;
        let value = after.trim_start().strip_prefix(':')?;
        let value = value.split([';', '}']).next().unwrap_or_default();
        let has = word.is_none_or(|word| value.contains(word));
        (has && !before.is_some_and(is_name)).then(|| (property.len(), format!("x-{property}")))
    })
}

/// `change` sees the rest of the text and the character before, and says how much of it becomes what.
fn renamed(text: &str, change: impl Fn(&str, Option<char>) -> Option<(usize, String)>) -> (String, usize) {
    let (mut out, mut count) = (String::with_capacity(text.len() + 64), 0);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before = out.chars().next_back();
        if let Some((length, new)) = change(rest, before) {
            out += &new;
            count += 1;
            rest = &rest[length..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    (out, count)
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '-' || character == '_'
}

/// Whether the list says what it must, before any run.
pub(crate) fn check(trials: &[Trial]) -> Result<()> {
    let mut keys: Vec<String> = trials.iter().map(Trial::key).collect();
    keys.sort();
    if let Some(twice) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("{} is there twice", twice[0]);
    }
    for trial in trials {
        let complete = !trial.expected.kinds.is_empty() && !trial.expected.at.is_empty();
        ensure!(
            complete && !trial.expected.sees.is_empty(),
            "{}: nothing is expected",
            trial.key()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_variants_names_what_to_expect_of_each() {
        check(&trials().unwrap()).unwrap();
    }

    #[test]
    fn what_a_browser_does_not_know_has_another_name_and_everything_else_stays() {
        let is = |css: &str, what: &str, changed: &str, count| assert_eq!(without(css, what), (changed.into(), count));
        is("a{gap:1px;row-gap:2px}", "gap", "a{x-gap:1px;row-gap:2px}", 1);
        is(
            "a{display : flex}b{display:block}",
            "display: flex",
            "a{x-display : flex}b{display:block}",
            1,
        );
        is("a:has(b){color:red}", ":has", "a:x-has(b){color:red}", 1);
        is("a::before{}a:before{}", ":before", "a::before{}a:x-before{}", 1);
        is("@supports (gap:1px){}", "@supports", "@x-supports (gap:1px){}", 1);
        is("a{color:red}", "gap", "a{color:red}", 0);
    }
}
