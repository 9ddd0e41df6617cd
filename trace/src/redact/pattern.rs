//! Names in rules: `*` stands for anything, and case does not count.

use crate::event::Target;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn new(text: &str) -> Pattern {
        Pattern(text.trim().to_lowercase())
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

pub(super) fn any_matches(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}

/// Names an input among the locators that a trace has of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputRule {
    Id(String),
    Attribute {
        name: String,
        value: Pattern,
    },
    Path(String),
    /// A bare word: the field's name, id or label.
    Name(Pattern),
}

#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` cannot be told from what a recording knows of an input: use `#id`, `[name=…]`, `[type=…]`, `[data-testid=…]`, \
     its label, or its path such as `html>body>form:1>input:2`"
)]
pub struct NotAnInput(String);

impl InputRule {
    pub(super) fn parse(text: &str) -> Result<InputRule, NotAnInput> {
        let refused = || NotAnInput(text.to_owned());
        let rule = text.trim();
        if let Some(id) = rule.strip_prefix('#') {
            return match id.contains(['.', '[', ' ', '>', ':']) {
                true => Err(refused()),
                false => Ok(InputRule::Id(id.to_owned())),
            };
        }
        if let Some(inside) = rule.strip_prefix('[') {
            let (name, value) = inside
                .strip_suffix(']')
                .and_then(|inside| inside.split_once('='))
                .ok_or_else(refused)?;
            let known = ["name", "type", "data-testid", "data-test", "data-cy", "id"];
            if !known.contains(&name) {
                return Err(refused());
            }
            return Ok(InputRule::Attribute {
                name: name.to_owned(),
                value: Pattern::new(value.trim_matches(['"', '\''])),
            });
        }
        if rule.contains('>') {
            return Ok(InputRule::Path(rule.replace(' ', "")));
        }
        if rule.starts_with('.') || rule.contains(['[', ']', '#']) {
            return Err(refused());
        }
        Ok(InputRule::Name(Pattern::new(rule)))
    }

    pub(super) fn matches(&self, target: &Target) -> bool {
        match self {
            InputRule::Id(id) => target.id.as_ref() == Some(id),
            InputRule::Path(path) => target.path.as_ref() == Some(path),
            InputRule::Attribute { name, value } => attributes(target).any(|(n, v)| n == name && value.matches(&v)),
            InputRule::Name(pattern) => {
                attributes(target).any(|(name, value)| name != "type" && pattern.matches(&value))
                    || target.name.iter().any(|label| pattern.matches(label))
            }
        }
    }
}

/// What a target says of its element's attributes.
fn attributes(target: &Target) -> impl Iterator<Item = (&str, String)> {
    let known = [
        ("id", &target.id),
        ("name", &target.field_name),
        ("type", &target.field_type),
    ];
    let known = known
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.clone()?)));
    let test_id = target.test_id.as_deref().and_then(|selector| {
        let (name, value) = selector.strip_prefix('[')?.strip_suffix(']')?.split_once('=')?;
        Some((name, value.trim_matches('"').replace('\\', "")))
    });
    known.chain(test_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let check = |pattern: &str, name: &str| Pattern::new(pattern).matches(name);
        assert!(check("x-api-*", "X-API-Key"));
        assert!(check("*token*", "access_token_2"));
        assert!(check("a*b*c", "aXbYc"));
        assert!(check("*", ""));
        assert!(!check("token", "tokens"));
        assert!(!check("a*a", "a"));
        assert!(!check("a*b*c", "acb"));
    }

    #[test]
    fn an_input_is_known_by_any_of_its_locators() {
        let target = Target {
            id: Some("pin".into()),
            test_id: Some("[data-testid=\"pin-field\"]".into()),
            field_name: Some("card_pin".into()),
            field_type: Some("password".into()),
            name: Some("Your PIN".into()),
            path: Some("html>body>input:1".into()),
            ..Target::default()
        };
        let check = |rule: &str| InputRule::parse(rule).unwrap().matches(&target);
        for rule in [
            "#pin",
            "[name=card_pin]",
            "[type='password']",
            "[data-testid=\"pin-*\"]",
            "your pin",
            "card_*",
        ] {
            assert!(check(rule), "{rule}");
        }
        assert!(check("html > body > input:1"));
        for rule in ["#p", "[name=pin]", "html>body>input:2", "pi", "password"] {
            assert!(!check(rule), "{rule}");
        }
    }

    #[test]
    fn what_can_never_match_is_refused() {
        for rule in [".secret", "input[type=password]", "#a .b", "[aria-label=x]", "[name]"] {
            let error = InputRule::parse(rule).unwrap_err();
            assert!(error.to_string().contains("[name=…]"), "{rule}");
        }
    }
}
