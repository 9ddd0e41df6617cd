//! From what can be acted on to what is done: which elements are worth a try, in which order, and how each is tried.

use crate::consent;
use crate::forms::{self, Value};
use crate::model::{Label, Step, locator};
use crate::random::hash;
use crate::scope::Scope;
use crate::state;
use serde::{Deserialize, Serialize};
use xcheck_agent::live::{Action, Candidate, Spot};

/// Something that can be done in a state, as long as it has not been.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Possible {
    pub(crate) label: Label,
    pub(crate) steps: Vec<Step>,
    /// Where a link says that it leads.
    pub(crate) href: Option<String>,
    /// What makes it the same action elsewhere.
    pub(crate) kind: u64,
    /// How often it was tried and came to nothing that could be told.
    pub(crate) failures: u32,
}

impl Possible {
    /// Something that was done before.
    pub(crate) fn again(label: &Label, steps: &[Step]) -> Possible {
        Possible {
            kind: hash(&format!("{}|{}|{}", label.action, label.role, label.text)),
            label: label.clone(),
            steps: steps.to_vec(),
            href: None,
            failures: 0,
        }
    }
}

/// Why an element is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) reason: String,
    pub(crate) what: String,
}

/// In document order. `destructive`: the person has agreed to those, too.
pub(crate) fn possible(
    candidates: &[Candidate],
    scope: &Scope,
    seed: u64,
    values: &[Value],
    destructive: bool,
) -> (Vec<Possible>, Vec<Refused>) {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if is_around_others(candidate, candidates) || is_within_another(candidate, candidates) {
            continue;
        }
        let Some((action, steps)) = how(candidate, candidates, seed, values) else {
            continue;
        };
        let label = label(action, candidate);
        if let Some(reason) = refusal(candidate, scope, destructive) {
            refused.push(Refused {
                reason,
                what: label.to_string(),
            });
            continue;
        }
        // What is chosen from a list needs no pointer.
        if let Some(by) = candidate.covered.as_ref().filter(|_| action != "choose") {
            refused.push(Refused {
                reason: format!("covered by {}", state::strict(by)),
                what: "what lies below".into(),
            });
            continue;
        }
        if action == "choose" {
            let choices = forms::choices(candidate, values).into_iter();
            all.extend(choices.map(|(value, choose)| {
                let text = state::strict(&value);
                Possible::again(&Label { text, ..label.clone() }, &[Step::Act(choose)])
            }));
            continue;
        }
        all.push(Possible {
            href: candidate.href.clone(),
            ..Possible::again(&label, &steps)
        });
    }
    (all, refused)
}

fn refusal(candidate: &Candidate, scope: &Scope, destructive: bool) -> Option<String> {
    if candidate.download {
        return Some("a download".into());
    }
    let href = candidate
        .href
        .as_deref()
        .filter(|href| !href.starts_with("javascript:"));
    if let Some(reason) = href.and_then(|href| scope.refuses(href)) {
        return Some(reason);
    }
    if destructive {
        return None;
    }
    consent::destructive(candidate).map(|word| format!("looks destructive (“{word}”): --destructive would do it"))
}

fn how(candidate: &Candidate, all: &[Candidate], seed: u64, values: &[Value]) -> Option<(&'static str, Vec<Step>)> {
    let spot = Spot::target(&candidate.frame, &candidate.target);
    let click = || Step::Act(Action::Click { spot: spot.clone() });
    let press = |chord: &str| {
        Step::Act(Action::Press {
            chord: chord.to_owned(),
        })
    };
    let kind = candidate.kind.as_deref().unwrap_or_default();
    if kind == "file" {
        return None;
    }
    if forms::is_field(candidate) {
        if candidate.form.is_some() && has_submit(candidate, all) {
            // Filled together with the others when the form is submitted.
            return None;
        }
        if forms::is_text(candidate) {
            let fill = forms::fill(candidate, seed, values)?;
            let is_typed = matches!(fill, Action::Fill { .. });
            let mut steps = vec![Step::Act(fill)];
            if is_typed && candidate.tag == "input" {
                steps.push(press("Enter"));
            }
            return Some(("fill", steps));
        }
        if candidate.tag == "select" {
            return Some(("choose", vec![Step::Act(forms::fill(candidate, seed, values)?)]));
        }
        return Some(("click", vec![click()]));
    }
    let submits = candidate.form.is_some() && matches!(kind, "submit" | "image");
    if submits {
        let fields = all
            .iter()
            .filter(|other| same_form(other, candidate) && forms::is_field(other));
        let mut radios: Vec<&str> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        for field in fields {
            if field.kind.as_deref() == Some("radio") {
                let name = field.target.field_name.as_deref().unwrap_or_default();
                if radios.contains(&name) {
                    continue;
                }
                radios.push(name);
            }
            steps.extend(forms::fill(field, seed, values).map(Step::Act));
        }
        steps.push(click());
        return Some(("submit", steps));
    }
    let only_keys = !candidate.heard.is_empty() && candidate.heard.iter().all(|heard| heard.starts_with("key"));
    if only_keys && candidate.why == "listener" {
        return Some(("press", vec![click(), press("Enter")]));
    }
    Some(("click", vec![click()]))
}

fn same_form(one: &Candidate, other: &Candidate) -> bool {
    one.frame == other.frame && one.form.is_some() && one.form == other.form
}

fn has_submit(field: &Candidate, all: &[Candidate]) -> bool {
    let submits = |other: &&Candidate| matches!(other.kind.as_deref(), Some("submit" | "image"));
    all.iter()
        .filter(|other| same_form(other, field))
        .any(|other| submits(&other))
}

/// What listens for others, or points for them: its middle belongs to one of them.
fn is_around_others(candidate: &Candidate, all: &[Candidate]) -> bool {
    matches!(candidate.why.as_str(), "listener" | "cursor") && all.iter().any(|other| is_below(other, candidate))
}

/// What stands in a link or a button does what that does.
fn is_within_another(candidate: &Candidate, all: &[Candidate]) -> bool {
    let carries = |other: &&Candidate| matches!(other.tag.as_str(), "a" | "button" | "summary");
    !forms::is_field(candidate) && all.iter().filter(carries).any(|other| is_below(candidate, other))
}

fn is_below(one: &Candidate, other: &Candidate) -> bool {
    let (Some(one_path), Some(other_path)) = (&one.target.path, &other.target.path) else {
        return false;
    };
    one.frame == other.frame
        && one_path
            .strip_prefix(other_path.as_str())
            .is_some_and(|rest| rest.starts_with('>'))
}

fn label(action: &str, candidate: &Candidate) -> Label {
    let target = &candidate.target;
    let named = target.name.clone().filter(|name| !name.is_empty());
    let text = named.unwrap_or_else(|| candidate.text.clone());
    let mut locator = state::strict(&locator(target));
    for frame in candidate.frame.iter().rev() {
        locator = format!("frame {frame} {locator}");
    }
    Label {
        action: action.to_owned(),
        role: target.role.clone().unwrap_or_default(),
        text: state::strict(&text),
        locator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::Robots;
    use xcheck_agent::live::Choice;
    use xcheck_trace::event::Target;

    fn at(tag: &str, why: &str, path: &str) -> Candidate {
        Candidate {
            tag: tag.into(),
            why: why.into(),
            target: Target {
                path: Some(path.into()),
                ..Target::default()
            },
            ..Candidate::default()
        }
    }

    fn in_form(kind: &str, path: &str) -> Candidate {
        Candidate {
            kind: Some(kind.into()),
            form: Some("form:1".into()),
            ..at(if kind == "submit" { "button" } else { "input" }, "tag", path)
        }
    }

    fn tried(candidates: &[Candidate]) -> Vec<(String, usize)> {
        let scope = Scope::new("http://a.test/", &[])
            .unwrap()
            .with_robots(Robots::default());
        let (all, _) = possible(candidates, &scope, 1, &[], false);
        all.into_iter()
            .map(|one| (one.label.to_string(), one.steps.len()))
            .collect()
    }

    #[test]
    fn a_form_is_filled_and_submitted_as_one() {
        let form = [in_form("text", "a"), in_form("email", "b"), in_form("submit", "c")];
        assert_eq!(tried(&form), [("submit c".to_owned(), 3)]);
        // Without a button, a field is submitted by its own key.
        assert_eq!(tried(&form[..1]), [("fill a".to_owned(), 2)]);
    }

    #[test]
    fn each_entry_of_a_list_is_something_to_do() {
        let entry = |value: &str| Choice {
            value: value.into(),
            disabled: false,
        };
        let list = Candidate {
            options: ["", "lunch", "dinner"].map(entry).to_vec(),
            ..at("select", "tag", "s")
        };
        assert_eq!(
            tried(&[list]),
            [("choose “lunch”".to_owned(), 1), ("choose “dinner”".to_owned(), 1)]
        );
    }

    #[test]
    fn what_only_listens_for_others_is_left_to_them() {
        let all = [
            at("div", "listener", "div:1"),
            at("button", "tag", "div:1>button:1"),
            at("span", "cursor", "div:1>button:1>span:1"),
        ];
        assert_eq!(tried(&all), [("click div:1>button:1".to_owned(), 1)]);
    }

    #[test]
    fn what_is_covered_is_left_alone_unless_it_needs_no_pointer() {
        let covered = |tag: &str, path: &str| Candidate {
            covered: Some("#dialog".into()),
            ..at(tag, "tag", path)
        };
        let list = Candidate {
            options: vec![Choice {
                value: "lunch".into(),
                disabled: false,
            }],
            ..covered("select", "s")
        };
        let all = [covered("button", "a"), at("button", "tag", "b"), list];
        assert_eq!(
            tried(&all),
            [("click b".to_owned(), 1), ("choose “lunch”".to_owned(), 1)]
        );
    }

    #[test]
    fn out_of_scope_downloads_and_destruction_are_refused_by_name() {
        let link = |href: &str| Candidate {
            href: Some(href.into()),
            ..at("a", "tag", href)
        };
        let scope = Scope::new("http://a.test/", &[])
            .unwrap()
            .with_robots(Robots::parse("User-agent: *\nDisallow: /x"));
        let all = [
            link("http://b.test/"),
            link("http://a.test/x"),
            link("http://a.test/logout"),
            link("mailto:x@a.test"),
            link("http://a.test/ok"),
        ];
        let (possible, refused) = possible(&all, &scope, 1, &[], false);
        assert_eq!(possible.len(), 1);
        let reasons: Vec<&str> = refused.iter().map(|one| one.reason.as_str()).collect();
        assert!(
            reasons[0].contains("b.test") && reasons[1].contains("robots.txt"),
            "{reasons:?}"
        );
        assert!(
            reasons[2].contains("logout") && reasons[3].contains("mailto"),
            "{reasons:?}"
        );
    }
}
