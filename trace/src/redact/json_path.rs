//! Paths such as `$.users[*].email` and `$..token`, matched while a document is walked.

/// A set of positions in a path fits a word.
const MOST_STEPS: usize = 63;

/// The steps of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// `..`: any number of levels may lie between.
    descend: bool,
    to: To,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum To {
    Key(String),
    Index(usize),
    Any,
}

/// Where a value stands in the document: the last part of its own path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'a> {
    Key(&'a str),
    Index(usize),
}

/// How far into each step a place in the document has come: bit n says that n steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached(u64);

#[derive(Debug, thiserror::Error)]
#[error("`{path}` is not a path such as `$.user.password`, `$..token` or `$.items[*].email`: {reason}")]
pub struct NotAPath {
    path: String,
    reason: &'static str,
}

impl Reached {
    /// No step taken yet: the document's root.
    pub(super) const ROOT: Reached = Reached(1);

    pub(super) fn is_nowhere(self) -> bool {
        self.0 == 0
    }
}

impl JsonPath {
    pub(super) fn parse(text: &str) -> Result<JsonPath, NotAPath> {
        let refused = |reason| NotAPath {
            path: text.to_owned(),
            reason,
        };
        let mut rest = text.trim();
        rest = rest.strip_prefix('$').unwrap_or(rest);
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = step(rest, steps.is_empty()).map_err(refused)?;
            steps.push(step);
            rest = after;
        }
        match steps.len() {
            0 => Err(refused("it names the whole document")),
            1..=MOST_STEPS => Ok(JsonPath { steps }),
            _ => Err(refused("it has too many steps")),
        }
    }

    /// What lies below these keys; by the rest of a path, if there is one. `None` where that has too many steps.
    pub(super) fn below(keys: &[&str], rest: Option<&JsonPath>) -> Option<JsonPath> {
        let key = |key: &&str| Step {
            descend: false,
            to: To::Key((*key).to_owned()),
        };
        let rest = rest.into_iter().flat_map(|path| path.steps.iter().cloned());
        let steps: Vec<Step> = keys.iter().map(key).chain(rest).collect();
        (steps.len() <= MOST_STEPS).then_some(JsonPath { steps })
    }

    pub(super) fn go(&self, from: Reached, part: Part<'_>) -> Reached {
        let mut reached = 0;
        for (number, step) in self.steps.iter().enumerate() {
            if from.0 & (1 << number) == 0 {
                continue;
            }
            if step.descend {
                reached |= 1 << number;
            }
            if step.to.is(part) {
                reached |= 1 << (number + 1);
            }
        }
        Reached(reached)
    }

    pub(super) fn is_at_end(&self, reached: Reached) -> bool {
        reached.0 & (1 << self.steps.len()) != 0
    }
}

impl To {
    fn is(&self, part: Part<'_>) -> bool {
        match (self, part) {
            (To::Any, _) => true,
            (To::Key(key), Part::Key(name)) => key == name,
            (To::Index(index), Part::Index(number)) => *index == number,
            _ => false,
        }
    }
}

fn step(text: &str, first: bool) -> Result<(Step, &str), &'static str> {
    let (descend, rest) = match text.strip_prefix("..") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if let Some(inside) = rest.strip_prefix('[') {
        let (to, rest) = bracket(inside)?;
        return Ok((Step { descend, to }, rest));
    }
    let rest = match rest.strip_prefix('.') {
        _ if descend => rest,
        Some(rest) => rest,
        None if first => rest,
        None => return Err("a step begins with `.` or `[`"),
    };
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let to = match &rest[..end] {
        "" => return Err("a step is empty"),
        "*" => To::Any,
        key => To::Key(key.to_owned()),
    };
    Ok((Step { descend, to }, &rest[end..]))
}

fn bracket(inside: &str) -> Result<(To, &str), &'static str> {
    for quote in ['\'', '"'] {
        if let Some(inside) = inside.strip_prefix(quote) {
            let end = inside.find(quote).ok_or("a quote is not closed")?;
            let rest = inside[end + 1..].strip_prefix(']').ok_or("a bracket is not closed")?;
            return Ok((To::Key(inside[..end].to_owned()), rest));
        }
    }
    let (index, rest) = inside.split_once(']').ok_or("a bracket is not closed")?;
    let to = match index.trim() {
        "*" => To::Any,
        number => To::Index(
            number
                .parse()
                .map_err(|_| "brackets hold a number, `*` or a quoted key")?,
        ),
    };
    Ok((to, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_step_by_step() {
        let check = |path: &str, parts: &[Part<'_>]| {
            let path = JsonPath::parse(path).unwrap();
            let reached = parts
                .iter()
                .fold(Reached::ROOT, |reached, part| path.go(reached, *part));
            path.is_at_end(reached)
        };
        let [a, b, one] = [Part::Key("a"), Part::Key("b"), Part::Index(1)];
        assert!(check("$.a.b", &[a, b]) && check("a.b", &[a, b]) && check("$['a'][\"b\"]", &[a, b]));
        assert!(check("$..b", &[b]) && check("$..b", &[a, one, b]) && check("$.a..b", &[a, a, b]));
        assert!(check("$.a[1]", &[a, one]) && check("$.*[*].b", &[a, one, b]) && check("$..[1]", &[a, one]));
        assert!(!check("$.a", &[a, b]) && !check("$.a.b", &[a]) && !check("$.a[0]", &[a, one]));
        assert!(!check("$.a..b", &[b, b]) && !check("$[1]", &[Part::Key("1")]));
    }

    #[test]
    fn what_is_no_path_is_refused_with_a_reason() {
        for path in ["", "$", "$.", "$.a[", "$.a['b", "$a..", "$.a[b]", "$.a b]c["] {
            assert!(JsonPath::parse(path).is_err(), "{path}");
        }
    }
}
