//! Writes tokens with no more between them than what keeps them apart.

use super::scopes::{Scopes, Use};
use super::tokens::{Token, is_name_char};
use std::collections::BTreeMap;

/// Other words for the same. Nothing is assigned to what was `const`: the type checker has seen to that.
const SHORTER: &[(&str, &str)] = &[
    ("const", "let"),
    ("true", "!0"),
    ("false", "!1"),
    ("undefined", "void 0"),
];

pub(crate) fn write(tokens: &[Token<'_>], scopes: &Scopes<'_>, names: &BTreeMap<usize, String>) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if ends_last_statement(tokens, scopes, index) {
            continue;
        }
        let text = renamed(token, scopes.uses[index], names);
        if index > 0 && token.new_line && may_end_statement(tokens, scopes, index - 1, token) {
            out.push('\n');
        } else if sticks(&out, &text) {
            out.push(' ');
        }
        out.push_str(&text);
    }
    out.push('\n');
    out
}

/// A semicolon before the end of a block, where it is not itself the body of a loop or condition.
fn ends_last_statement(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    let closes_block =
        tokens.get(index + 1).is_some_and(|next| next.is("}")) && scopes.is_block[scopes.brackets.opening[index + 1]];
    if !closes_block || !tokens[index].is(";") || index == 0 {
        return false;
    }
    let before = &tokens[index - 1];
    let is_head = before.is(")") && {
        let open = scopes.brackets.opening[index - 1];
        open > 0 && ["if", "for", "while"].iter().any(|word| tokens[open - 1].is(word))
    };
    !is_head && !before.is("else") && !before.is(";") && !before.is("{")
}

/// The end of a line may stand for a semicolon, unless one is there or a block ends with it.
fn may_end_statement(tokens: &[Token<'_>], scopes: &Scopes<'_>, last: usize, next: &Token<'_>) -> bool {
    let token = &tokens[last];
    let goes_on = [";", "{", ",", "(", "[", ":", "?", "=", "&&", "||", "??", "=>", "+"];
    if goes_on.iter().any(|mark| token.is(mark)) || next.closes() || (!next.is_name() && next.is(".")) {
        return false;
    }
    !(token.is("}") && scopes.is_statement[scopes.brackets.opening[last]])
}

fn renamed(token: &Token<'_>, used: Use, names: &BTreeMap<usize, String>) -> String {
    match used {
        Use::Variable { number, shorthand, .. } if names[&number] != token.text => match shorthand {
            true => format!("{}:{}", token.text, names[&number]),
            false => names[&number].clone(),
        },
        Use::Free { .. } => {
            let shorter = SHORTER.iter().find(|(word, _)| *word == token.text);
            shorter.map_or(token.text, |(_, shorter)| shorter).to_owned()
        }
        _ => token.text.to_owned(),
    }
}

/// Whether two tokens would become one without a space.
fn sticks(before: &str, text: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), text.chars().next()) else {
        return false;
    };
    (is_name_char(last) && is_name_char(first))
        || (last == first && "+-/".contains(last))
        || (last == '/' && is_name_char(first))
}
