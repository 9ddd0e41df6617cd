//! Writes tokens with no more between them than what keeps them apart.

use super::scopes::{Scopes, Use};
use super::tokens::{Kind, Token, is_name_char};
use std::collections::BTreeMap;

/// Other words for the same. Nothing is assigned to what was `const`: the type checker has seen to that.
const SHORTER: &[(&str, &str)] = &[
    ("const", "let"),
    ("true", "!0"),
    ("false", "!1"),
    ("undefined", "void 0"),
];

pub(crate) fn write(
    tokens: &[Token<'_>],
    scopes: &Scopes<'_>,
    names: &BTreeMap<usize, String>,
    members: &BTreeMap<&str, String>,
) -> String {
    let mut out = String::new();
    // For each bracket that is open, whether the statement in it is a declaration.
    let mut declares = vec![false];
    for (index, token) in tokens.iter().enumerate() {
        if ends_last_statement(tokens, scopes, index)
            || ends_list(tokens, index)
            || is_around_parameter(tokens, index)
            || is_around_operand(tokens, scopes, index)
            || is_nothing_returned(tokens, index)
            || (index > 0 && is_counted_on(tokens, index - 1))
            || (index > 1 && is_counted_on(tokens, index - 2))
        {
            continue;
        }
        if holds_one_statement(tokens, scopes, index) {
            if token.is("}") && !closes_block(tokens, scopes, index + 1) {
                out.push(';');
            }
            continue;
        }
        if token.closes() {
            declares.pop();
        }
        let goes_on = declares.last_mut().expect("no more brackets close than open");
        if is_declaration(token) && *goes_on && index > 0 && tokens[index - 1].is(";") {
            out.pop();
            out.push(',');
            continue;
        }
        let text = if compares_type(tokens, index) {
            token.text[..2].to_owned()
        } else if is_counted_on(tokens, index) {
            token.text[..1].repeat(2)
        } else {
            renamed(token, scopes.uses[index], names, members)
        };
        let may_end =
            |last: usize| may_end_statement(tokens, scopes, last, token) && !is_around_operand(tokens, scopes, last);
        let new_line = index > 0 && token.new_line && may_end(index - 1);
        if new_line || (index > 0 && tokens[index - 1].is(";")) {
            *goes_on = false;
        }
        *goes_on |= is_declaration(token);
        if token.opens() {
            declares.push(false);
        }
        if new_line {
            out.push('\n');
        } else if sticks(&out, &text) || (index > 0 && ends_with_flags(&tokens[index - 1]) && token.is_name()) {
            out.push(' ');
        }
        out.push_str(&text);
    }
    out.push('\n');
    out
}

/// Of several variables, if another such statement follows.
fn is_declaration(token: &Token<'_>) -> bool {
    token.is("let") || token.is("const")
}

/// A comma behind the last member of a list.
fn ends_list(tokens: &[Token<'_>], index: usize) -> bool {
    let is_empty = |before: &Token<'_>| before.is(",") || before.is("[");
    tokens[index].is(",") && tokens.get(index + 1).is_some_and(Token::closes) && !is_empty(&tokens[index - 1])
}

/// A bracket around the only parameter of an arrow function.
fn is_around_parameter(tokens: &[Token<'_>], index: usize) -> bool {
    let begins = |at: usize| {
        let is = |behind: usize, text: &str| tokens.get(at + behind).is_some_and(|token| token.is(text));
        is(0, "(") && tokens.get(at + 1).is_some_and(Token::is_name) && is(2, ")") && is(3, "=>")
    };
    begins(index) || (index >= 2 && begins(index - 2))
}

/// A bracket around what is a whole operand without it, as type casts leave them.
fn is_around_operand(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    let brackets = &scopes.brackets;
    let open = match tokens[index].text {
        "(" => index,
        ")" => brackets.opening[index],
        _ => return false,
    };
    let close = brackets.closing[open];
    let is_behind = || open > 0 && tokens[open - 1].is_one_of(&["=", ",", "(", "[", ":", "return"]);
    let next = tokens.get(close + 1);
    tokens[open].is("(")
        && close > open + 1
        && is_behind()
        && next.is_some_and(|token| token.is_one_of(&[",", ";", ")", "]"]))
        && first_between(tokens, scopes, open, ",").is_none()
}

/// Where the first token of this text stands in a bracket, outside of further brackets.
fn first_between(tokens: &[Token<'_>], scopes: &Scopes<'_>, open: usize, text: &str) -> Option<usize> {
    let mut at = open + 1;
    while at < scopes.brackets.closing[open] {
        if tokens[at].is(text) {
            return Some(at);
        }
        at = match tokens[at].opens() {
            true => scopes.brackets.closing[at] + 1,
            false => at + 1,
        };
    }
    None
}

/// The `undefined` of `return undefined;`.
fn is_nothing_returned(tokens: &[Token<'_>], index: usize) -> bool {
    tokens[index].is("undefined") && index > 0 && tokens[index - 1].is("return") && tokens[index + 1].is(";")
}

/// The sign in the `+= 1` or `-= 1` of a statement that changes a variable or a member by one.
fn is_counted_on(tokens: &[Token<'_>], index: usize) -> bool {
    let Some([sign, equals, one, end]) = tokens.get(index..index + 4) else {
        return false;
    };
    if !sign.is_one_of(&["+", "-"]) || !equals.is("=") || one.text != "1" || !end.is_one_of(&[";", ")"]) {
        return false;
    }
    let mut first = index.saturating_sub(1);
    while first > 1 && tokens[first].is_name() && tokens[first - 1].is(".") {
        first -= 2;
    }
    first > 0 && tokens[first].is_name() && tokens[first - 1].is_one_of(&[";", "{", "}", ")"])
}

/// A semicolon before the end of a block, where it is not itself the body of a loop or condition.
fn ends_last_statement(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    if !closes_block(tokens, scopes, index + 1) || !tokens[index].is(";") || index == 0 {
        return false;
    }
    !awaits_body(tokens, scopes, index) && !tokens[index - 1].is(";") && !tokens[index - 1].is("{")
}

fn closes_block(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    tokens.get(index).is_some_and(|token| token.is("}")) && scopes.is_block[scopes.brackets.opening[index]]
}

/// What comes here is the body of a loop or condition.
fn awaits_body(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    let before = &tokens[index - 1];
    let is_head = before.is(")") && {
        let open = scopes.brackets.opening[index - 1];
        open > 0 && tokens[open - 1].is_one_of(&["if", "for", "while"])
    };
    is_head || before.is("else")
}

/// A brace around a body that is one statement without a block of its own.
fn holds_one_statement(tokens: &[Token<'_>], scopes: &Scopes<'_>, index: usize) -> bool {
    let open = match tokens[index].text {
        "{" => index,
        "}" if closes_block(tokens, scopes, index) => scopes.brackets.opening[index],
        _ => return false,
    };
    if open == 0 || !tokens[open].is("{") || !awaits_body(tokens, scopes, open) {
        return false;
    }
    let last = scopes.brackets.closing[open] - 1;
    if tokens[open + 1].is_one_of(&[
        "{", "if", "for", "while", "do", "switch", "try", "function", "class", "let", "const", "async",
    ]) {
        return false;
    }
    // What stands in brackets does not end the statement, the blocks of functions included.
    last > open + 1 && first_between(tokens, scopes, open, ";") == Some(last)
}

/// The end of a line may stand for a semicolon, unless one is there or a block ends with it.
fn may_end_statement(tokens: &[Token<'_>], scopes: &Scopes<'_>, last: usize, next: &Token<'_>) -> bool {
    let token = &tokens[last];
    let goes_on = [";", "{", ",", "(", "[", ":", "?", "=", "&&", "||", "??", "=>", "+"];
    if token.is_one_of(&goes_on) || next.closes() || (!next.is_name() && next.is(".")) {
        return false;
    }
    !(token.is("}") && scopes.is_statement[scopes.brackets.opening[last]])
}

/// `===` between `typeof`, a name or its member, and a string: both are strings, and `==` is enough.
fn compares_type(tokens: &[Token<'_>], index: usize) -> bool {
    let is_type = || {
        let mut before = tokens[..index]
            .rchunks(2)
            .skip_while(|pair| pair.len() == 2 && pair[0].is(".") && pair[1].is_name());
        before
            .next()
            .is_some_and(|pair| pair.len() == 2 && pair[0].is("typeof") && pair[1].is_name())
    };
    let is_string = |token: &Token<'_>| token.kind == Kind::Literal && token.text.starts_with('\'');
    tokens[index].is_one_of(&["===", "!=="]) && is_type() && tokens.get(index + 1).is_some_and(is_string)
}

fn renamed(token: &Token<'_>, used: Use, names: &BTreeMap<usize, String>, members: &BTreeMap<&str, String>) -> String {
    let member = members.get(token.text).map_or(token.text, String::as_str);
    match used {
        Use::Variable { number, shorthand, .. } => match shorthand && names[&number] != member {
            true => format!("{member}:{}", names[&number]),
            false => names[&number].clone(),
        },
        Use::None if token.is_name() => member.to_owned(),
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
    (is_name_char(last) && is_name_char(first)) || (last == first && "+-/".contains(last))
}

/// A regular expression, whose flags a name behind it would be.
fn ends_with_flags(token: &Token<'_>) -> bool {
    token.kind == Kind::Literal && token.text.ends_with('/')
}
