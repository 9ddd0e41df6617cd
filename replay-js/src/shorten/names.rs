//! Chooses short names for variables: in each scope the shortest ones that nothing seen from there has already.
//!
//! The outermost scope's go by how often they are used. All others go by the order in which they are declared, so that
//! functions begin alike, which is what compresses well: `function(a,b){`.

use super::scopes::{Scopes, Use};
use super::tokens::Token;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Words that are no names, as far as they are short enough to be chosen.
const RESERVED: &str = "as at by do if in is of let new for get set try var";

/// Names of one letter that the outermost scope does without.
const LEFT_TO_PARAMETERS: usize = 8;

/// The new name of each variable, by number. `kept` are those of the outermost scope that are known outside.
pub(crate) fn choose<'a>(tokens: &[Token<'a>], scopes: &Scopes<'a>, kept: &[&str]) -> BTreeMap<usize, String> {
    let seen = Seen::new(tokens, scopes);
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    for (index, scope) in scopes.scopes.iter().enumerate() {
        let mut taken: BTreeSet<&str> = RESERVED.split_whitespace().chain(kept.iter().copied()).collect();
        taken.extend(&seen.free[index]);
        taken.extend(seen.outer[index].iter().map(|number| names[number].as_str()));
        let mut variables: Vec<(&str, usize)> = scope.variables.iter().map(|(name, number)| (*name, *number)).collect();
        let is_outermost = index == 0;
        variables.sort_by_key(|(_, number)| (is_outermost.then(|| Reverse(seen.counts.get(number))), *number));
        let left = if is_outermost { LEFT_TO_PARAMETERS } else { 0 };
        let mut short = short_names().skip(left).filter(|name| !taken.contains(name.as_str()));
        let chosen: Vec<(usize, String)> = variables
            .into_iter()
            .map(|(name, number)| match is_outermost && kept.contains(&name) {
                true => (number, name.to_owned()),
                false => (number, short.next().expect("there is always a longer name")),
            })
            .collect();
        names.extend(chosen);
    }
    names
}

/// What is used within each scope, however deep, and comes from further out.
struct Seen<'a> {
    free: Vec<BTreeSet<&'a str>>,
    outer: Vec<BTreeSet<usize>>,
    counts: BTreeMap<usize, usize>,
}

impl<'a> Seen<'a> {
    fn new(tokens: &[Token<'a>], scopes: &Scopes<'a>) -> Seen<'a> {
        let length = scopes.scopes.len();
        let mut seen = Seen {
            free: vec![BTreeSet::new(); length],
            outer: vec![BTreeSet::new(); length],
            counts: BTreeMap::new(),
        };
        for (token, used) in tokens.iter().zip(&scopes.uses) {
            match *used {
                Use::None => {}
                Use::Free { scope } => seen.reach(scopes, scope, |seen, at| {
                    seen.free[at].insert(token.text);
                    false
                }),
                Use::Variable { scope, number, .. } => {
                    *seen.counts.entry(number).or_default() += 1;
                    seen.reach(scopes, scope, |seen, at| {
                        let is_own = scopes.scopes[at].variables.get(token.text) == Some(&number);
                        if !is_own {
                            seen.outer[at].insert(number);
                        }
                        is_own
                    });
                }
            }
        }
        for index in 0..tokens.len() {
            if let Some((name, scope)) = named_with_patterns(tokens, scopes, index) {
                seen.outer[scope].insert(name);
            }
        }
        seen
    }

    /// From `scope` outwards, until `visit` says that it is far enough.
    fn reach(&mut self, scopes: &Scopes<'a>, scope: usize, visit: impl Fn(&mut Self, usize) -> bool) {
        let mut at = scope;
        while !visit(self, at) && at != 0 {
            at = scopes.scopes[at].parent;
        }
    }
}

/// The name of the function that `index` begins, and the scope of its parameters, if one of these is more than a name: WebKit before
/// Safari 16.4 refuses such a function if one of its parameters is called as it is.
fn named_with_patterns(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> Option<(usize, usize)> {
    let opening = index + 2;
    if !tokens[index].is("function") || !tokens.get(opening)?.is("(") {
        return None;
    }
    let Use::Variable { number, .. } = scopes.uses[index + 1] else {
        return None;
    };
    let mut parameters = opening + 1..scopes.brackets.closing[opening];
    let has_patterns = parameters.any(|at| !tokens[at].is_name() && !tokens[at].is(","));
    has_patterns
        .then(|| scopes.scope_from(opening))
        .flatten()
        .map(|scope| (number, scope))
}

/// a, b, … z, aa, ab, …
pub(super) fn short_names() -> impl Iterator<Item = String> {
    (0_usize..).map(|mut number| {
        let mut name = String::new();
        loop {
            name.insert(0, char::from(b'a' + (number % 26) as u8));
            number /= 26;
            if number == 0 {
                return name;
            }
            number -= 1;
        }
    })
}
