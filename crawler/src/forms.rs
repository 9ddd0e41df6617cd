//! What to type into a field: what the person said, or else something that fits its type, from the seed.
//!
//! The same field gets the same value in every session, or no path could be walked twice.

use crate::random::Random;
use serde::Deserialize;
use xcheck_agent::live::{Action, Candidate, Spot};

/// A value of the person's for the fields that a selector names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// `#id`, `[name=…]`, a field's name, or its type such as `password`.
    pub field: String,
    pub value: String,
}

const WORDS: [&str; 12] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll", "larch",
];
const NAMES: [&str; 6] = ["Ada", "Grace", "Alan", "Edith", "Niklaus", "Barbara"];
const CITIES: [&str; 5] = ["Lyon", "Oslo", "Graz", "Porto", "Leeds"];

/// Types of inputs that are filled, rather than clicked.
pub(crate) fn is_text(candidate: &Candidate) -> bool {
    match candidate.tag.as_str() {
        "textarea" => true,
        "input" => !matches!(
            candidate.kind.as_deref().unwrap_or("text"),
            "button" | "submit" | "reset" | "image" | "checkbox" | "radio" | "file" | "hidden"
        ),
        _ => false,
    }
}

pub(crate) fn is_field(candidate: &Candidate) -> bool {
    matches!(candidate.tag.as_str(), "input" | "textarea" | "select")
        && !matches!(
            candidate.kind.as_deref(),
            Some("button" | "submit" | "reset" | "image" | "file")
        )
}

/// Longer lists are of one kind.
const MOST_CHOICES: usize = 5;

/// What a list outside a form is tried with, with the value of each: its first entries, or what the person says.
pub(crate) fn choices(field: &Candidate, values: &[Value]) -> Vec<(String, Action)> {
    let given = values.iter().find(|value| names(&value.field, field));
    let mut entries = usable(field);
    match given {
        Some(given) => entries.retain(|entry| field.options[*entry].value == given.value),
        None => entries.truncate(MOST_CHOICES),
    }
    let choice = |entry: usize| {
        let action = Action::Choose {
            spot: Spot::target(&field.frame, &field.target),
            selected: u32::try_from(entry).ok(),
            value: None,
        };
        (field.options[entry].value.clone(), action)
    };
    entries.into_iter().map(choice).collect()
}

fn usable(field: &Candidate) -> Vec<usize> {
    let is_usable = |index: &usize| !field.options[*index].disabled && !field.options[*index].value.is_empty();
    (0..field.options.len()).filter(is_usable).collect()
}

/// How one field is filled; nothing where it is left as it is.
pub(crate) fn fill(field: &Candidate, seed: u64, values: &[Value]) -> Option<Action> {
    let spot = Spot::target(&field.frame, &field.target);
    let given = values.iter().find(|value| names(&value.field, field));
    let mut random = Random::of(seed, &identity(field));
    if field.tag == "select" {
        let usable = usable(field);
        let wanted = given.and_then(|given| field.options.iter().position(|option| option.value == given.value));
        let selected = wanted.or_else(|| random.pick(&usable).copied())?;
        return Some(Action::Choose {
            spot,
            selected: u32::try_from(selected).ok(),
            value: None,
        });
    }
    let kind = field.kind.as_deref().unwrap_or("text");
    if matches!(kind, "checkbox" | "radio") {
        let wanted = match given {
            Some(given) => !matches!(given.value.as_str(), "" | "off" | "false" | "no"),
            None => field.required,
        };
        return wanted.then_some(Action::Click { spot });
    }
    let text = match given {
        Some(given) => given.value.clone(),
        None => text(field, kind, &mut random),
    };
    if matches!(
        kind,
        "date" | "time" | "datetime-local" | "month" | "week" | "color" | "range"
    ) {
        return Some(Action::Choose {
            spot,
            selected: None,
            value: Some(text),
        });
    }
    Some(Action::Fill { spot, text })
}

fn text(field: &Candidate, kind: &str, random: &mut Random) -> String {
    let number = random.below(90) + 10;
    let word = random.pick(&WORDS).copied().unwrap_or_default();
    let hint = [
        field.target.field_name.as_deref(),
        field.target.id.as_deref(),
        field.target.name.as_deref(),
        field.autocomplete.as_deref(),
    ];
    let hint = hint
        .iter()
        .flatten()
        .fold(String::new(), |all, one| all + " " + &one.to_lowercase());
    let is_about = |words: &[&str]| words.iter().any(|word| hint.contains(word));
    let text = match kind {
        "email" => format!("{word}{number}@example.org"),
        "url" => format!("https://example.org/{word}"),
        "tel" => format!("55501{number}"),
        "number" | "range" => within(field, number),
        "date" => format!("2026-0{}-1{}", number % 9 + 1, number % 10),
        "month" => format!("2026-0{}", number % 9 + 1),
        "week" => format!("2026-W{:02}", number % 49 + 1),
        "time" => format!("1{}:{:02}", number % 10, number % 60),
        "datetime-local" => format!("2026-0{}-1{}T10:00", number % 9 + 1, number % 10),
        "color" => format!("#{:06x}", random.below(0x100_0000)),
        "password" => format!("Pass-{word}-{number}"),
        _ if is_about(&["email", "e-mail"]) => format!("{word}{number}@example.org"),
        _ if is_about(&["phone", "tel"]) => format!("55501{number}"),
        _ if is_about(&["zip", "postal", "plz"]) => format!("100{number}"),
        _ if is_about(&["city", "town"]) => random.pick(&CITIES).copied().unwrap_or_default().to_owned(),
        _ if is_about(&["name"]) => random.pick(&NAMES).copied().unwrap_or_default().to_owned(),
        _ if is_about(&["amount", "quantity", "count", "age", "number"]) => within(field, number),
        _ => format!("{word} {number}"),
    };
    match field.max_length {
        Some(most) => text.chars().take(most as usize).collect(),
        None => text,
    }
}

/// A whole number that the field takes.
fn within(field: &Candidate, number: u64) -> String {
    let bound = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<f64>().ok());
    let least = bound(&field.min).unwrap_or(1.0).ceil();
    let most = bound(&field.max).unwrap_or(least + 99.0).floor();
    let span = (most - least).max(0.0) + 1.0;
    format!("{}", least + (number as f64 % span))
}

fn names(selector: &str, field: &Candidate) -> bool {
    let target = &field.target;
    let is = |value: &Option<String>, wanted: &str| value.as_deref() == Some(wanted);
    if let Some(id) = selector.strip_prefix('#') {
        return is(&target.id, id);
    }
    let name = selector.strip_prefix("[name=").and_then(|rest| rest.strip_suffix(']'));
    let name = name.map_or(selector, |name| name.trim_matches(['"', '\'']));
    is(&target.field_name, name) || is(&target.name, selector) || is(&field.kind, selector)
}

fn identity(field: &Candidate) -> String {
    let target = &field.target;
    let name = target.field_name.as_deref().or(target.id.as_deref());
    name.or(target.path.as_deref()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_agent::live::Choice;
    use xcheck_trace::event::Target;

    fn field(tag: &str, kind: &str, name: &str) -> Candidate {
        Candidate {
            tag: tag.into(),
            kind: Some(kind.into()),
            target: Target {
                field_name: Some(name.into()),
                ..Target::default()
            },
            ..Candidate::default()
        }
    }

    fn typed(action: Option<Action>) -> String {
        match action {
            Some(Action::Fill { text, .. }) => text,
            Some(Action::Choose { value, selected, .. }) => value.unwrap_or_else(|| format!("{selected:?}")),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_field_gets_what_fits_its_type_and_the_same_again() {
        for (kind, expected) in [
            ("email", "@example.org"),
            ("url", "https://"),
            ("date", "2026-0"),
            ("color", "#"),
        ] {
            let field = field("input", kind, "x");
            let text = typed(fill(&field, 1, &[]));
            assert!(text.contains(expected), "{kind}: {text}");
            assert_eq!(text, typed(fill(&field, 1, &[])));
        }
        let number = Candidate {
            min: Some("3".into()),
            max: Some("4".into()),
            ..field("input", "number", "n")
        };
        assert!(["3", "4"].contains(&typed(fill(&number, 7, &[])).as_str()));
        let short = Candidate {
            max_length: Some(3),
            ..field("input", "text", "code")
        };
        assert_eq!(typed(fill(&short, 1, &[])).chars().count(), 3);
    }

    #[test]
    fn weeks_are_weeks() {
        for seed in 0..50 {
            let text = typed(fill(&field("input", "week", "w"), seed, &[]));
            let week: u32 = text.strip_prefix("2026-W").unwrap().parse().unwrap();
            assert!((1..=49).contains(&week), "{text}");
        }
    }

    #[test]
    fn what_the_person_said_goes_first() {
        let values = [
            Value {
                field: "[name=user]".into(),
                value: "ada".into(),
            },
            Value {
                field: "password".into(),
                value: "secret".into(),
            },
        ];
        assert_eq!(typed(fill(&field("input", "text", "user"), 1, &values)), "ada");
        assert_eq!(typed(fill(&field("input", "password", "p"), 1, &values)), "secret");
    }

    #[test]
    fn a_choice_is_one_that_can_be_chosen() {
        let choice = |value: &str, disabled| Choice {
            value: value.into(),
            disabled,
        };
        let select = Candidate {
            options: vec![choice("", false), choice("a", true), choice("b", false)],
            ..field("select", "select-one", "s")
        };
        assert_eq!(typed(fill(&select, 5, &[])), "Some(2)");
        assert_eq!(fill(&field("select", "select-one", "s"), 5, &[]), None);
    }
}
