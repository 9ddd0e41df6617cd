//! Makes the assembled script smaller without understanding it: spaces between tokens go, and names of our own get short.
//!
//! A real minifier needs a parser. This needs none, because within a top-level declaration a name is renamed everywhere
//! or nowhere: one to one, to a name that nothing else there has, so scopes do not matter. Top-level names are renamed
//! everywhere. What may not be renamed is what means something outside: properties and keys, shorthands (key and variable
//! at once), names with a capital (the browser's), and [`OUTSIDE`].

use std::collections::{BTreeMap, BTreeSet};

/// Words of the language, and names of the environment that begin with a small letter.
const OUTSIDE: &str = "arguments async await break case catch class const constructor continue debugger default delete do \
    else export extends false finally for from function get globalThis if import in instanceof let new null of \
    parseFloat return set static super switch this throw true try typeof undefined var void while with yield eval \
    startLive startRecorder startReplayer";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Name,
    Punctuation,
    /// Numbers, strings, templates and regular expressions.
    Literal,
    /// A name after a dot, or of a member in an object or class.
    Property,
    /// Key and variable at once: `{ name }`.
    Shorthand,
}

type Token<'a> = (Kind, &'a str, bool);

/// `declarations` are the top-level declarations of all modules, in order; `top` are their names. No literal spans lines.
pub(crate) fn shorten(declarations: &[String], top: &BTreeSet<String>) -> String {
    let parts: Vec<Vec<Token<'_>>> = declarations.iter().map(|text| with_roles(tokens(text))).collect();
    let all_kept = names_to_keep(parts.iter().flatten());
    let shared = choose_shared(&parts, top, &all_kept);
    let taken: BTreeSet<&str> = shared.values().map(String::as_str).collect();
    let mut out = String::new();
    for part in &parts {
        let mut kept = names_to_keep(part.iter());
        // A top-level name that is kept is nobody's local one.
        kept.extend(all_kept.iter().filter(|name| top.contains(**name)));
        write(part, &shared, &choose_local(part, &shared, &kept, &taken), &mut out);
    }
    out
}

type Renamed<'a> = BTreeMap<&'a str, String>;

fn write(tokens: &[Token<'_>], shared: &Renamed<'_>, local: &Renamed<'_>, out: &mut String) {
    for (index, (kind, token, new_line)) in tokens.iter().enumerate() {
        let new = shared
            .get(*token)
            .or_else(|| local.get(*token))
            .filter(|_| *kind == Kind::Name);
        let token = new.map_or(*token, String::as_str);
        let last = out.chars().next_back();
        let first = token.chars().next();
        // Lines stay lines: semicolons may be left to them.
        if index > 0 && *new_line {
            out.push('\n');
        } else if last.zip(first).is_some_and(|(last, first)| sticks(last, first)) {
            out.push(' ');
        }
        out.push_str(token);
    }
    out.push('\n');
}

/// Whether two tokens would become one without a space.
fn sticks(last: char, first: char) -> bool {
    (is_name_char(last) && is_name_char(first))
        || (last == first && "+-/".contains(last))
        || (last == '/' && is_name_char(first))
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '#'
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        let mut new_line = true;
        while !rest.is_empty() && !rest.starts_with("//") {
            let (kind, length) = next(rest, found.last());
            found.push((kind, &rest[..length], new_line));
            new_line = false;
            rest = rest[length..].trim_start();
        }
    }
    found
}

fn next(rest: &str, before: Option<&Token<'_>>) -> (Kind, usize) {
    let first = rest.chars().next().expect("there is more of the line");
    match first {
        '\'' | '"' | '`' => (Kind::Literal, quoted(rest, first)),
        '/' if begins_expression(before) => (Kind::Literal, regular_expression(rest)),
        '0'..='9' => {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
            (Kind::Literal, end.unwrap_or(rest.len()))
        }
        _ if is_name_char(first) => (Kind::Name, rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())),
        _ => {
            let long = [
                "...", "=>", "?.", "??=", "||=", "&&=", "===", "!==", "++", "--", "&&", "||", "??",
            ];
            let length = long
                .iter()
                .find(|operator| rest.starts_with(**operator))
                .map_or(first.len_utf8(), |o| o.len());
            (Kind::Punctuation, length)
        }
    }
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn begins_expression(before: Option<&Token<'_>>) -> bool {
    match before {
        None => true,
        Some((Kind::Literal, ..)) => false,
        Some((Kind::Punctuation, mark, _)) => !matches!(*mark, ")" | "]" | "}"),
        Some((_, word, _)) => matches!(*word, "return" | "typeof" | "case" | "in" | "of"),
    }
}

fn regular_expression(rest: &str) -> usize {
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = rest[at + 1..].find(|c: char| !c.is_ascii_alphabetic());
                return at + 1 + flags.unwrap_or(rest.len() - at - 1);
            }
            _ => {}
        }
    }
    rest.len()
}

fn with_roles(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut brackets: Vec<&str> = Vec::new();
    for index in 0..tokens.len() {
        match tokens[index] {
            (Kind::Punctuation, bracket @ ("(" | "[" | "{"), _) => brackets.push(bracket),
            (Kind::Punctuation, ")" | "]" | "}", _) => drop(brackets.pop()),
            (Kind::Name, ..) => tokens[index].0 = role(&tokens, index, brackets.last() == Some(&"{")),
            _ => {}
        }
    }
    tokens
}

fn role(tokens: &[Token<'_>], index: usize, in_braces: bool) -> Kind {
    let at = |index: usize| tokens.get(index).map_or("", |(_, token, _)| *token);
    let before = if index == 0 { "" } else { at(index - 1) };
    let opens = matches!(before, "{" | "," | "get" | "set" | "async" | "static");
    match at(index + 1) {
        _ if matches!(before, "." | "?.") => Kind::Property,
        ":" if in_braces && opens => Kind::Property,
        "," | "}" | "=" if in_braces && opens => Kind::Shorthand,
        "(" if in_braces && (opens || before == "}") && at(closing(tokens, index + 1) + 1) == "{" => Kind::Property,
        _ => Kind::Name,
    }
}

fn names_to_keep<'t, 'a: 't>(tokens: impl Iterator<Item = &'t Token<'a>>) -> BTreeSet<&'a str> {
    let mut kept: BTreeSet<&str> = OUTSIDE.split_whitespace().collect();
    for (kind, token, _) in tokens {
        match kind {
            Kind::Name if token.starts_with(|c: char| c.is_uppercase() || c == '#' || c == '_' || c == '$') => {
                kept.insert(token);
            }
            Kind::Shorthand => drop(kept.insert(token)),
            // A template's insertions are left as they are.
            Kind::Literal if token.starts_with('`') => {
                kept.extend(token.split(|c| !is_name_char(c)).filter(|word| !word.is_empty()));
            }
            _ => {}
        }
    }
    kept
}

/// Two letters for each top-level name; one letter is left to the many local ones.
fn choose_shared<'a>(parts: &[Vec<Token<'a>>], top: &BTreeSet<String>, kept: &BTreeSet<&str>) -> Renamed<'a> {
    let counts = count(parts.iter().flatten(), |name| {
        top.contains(name) && !kept.contains(name)
    });
    let used: BTreeSet<&str> = parts.iter().flatten().map(|(_, token, _)| *token).collect();
    assign(counts, |name| {
        name.len() > 1 && !used.contains(name) && !kept.contains(name)
    })
}

fn choose_local<'a>(
    part: &[Token<'a>],
    shared: &Renamed<'_>,
    kept: &BTreeSet<&str>,
    taken: &BTreeSet<&str>,
) -> Renamed<'a> {
    let counts = count(part.iter(), |name| !shared.contains_key(name) && !kept.contains(name));
    assign(counts, |name| !taken.contains(name) && !kept.contains(name))
}

fn count<'a: 't, 't>(
    tokens: impl Iterator<Item = &'t Token<'a>>,
    wanted: impl Fn(&str) -> bool,
) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for (_, name, _) in tokens.filter(|(kind, name, _)| *kind == Kind::Name && wanted(name)) {
        *counts.entry(*name).or_default() += 1;
    }
    counts
}

/// The shortest names that are free, for what is used most.
fn assign<'a>(counts: BTreeMap<&'a str, usize>, free: impl Fn(&str) -> bool) -> Renamed<'a> {
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let short = short_names().filter(|name| free(name));
    names.into_iter().map(|(name, _)| name).zip(short).collect()
}

/// The index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (index, (_, token, _)) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" => depth += 1,
            ")" => {
                depth -= 1;
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// a, b, … z, aa, ab, …
fn short_names() -> impl Iterator<Item = String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(declarations: &[&str], top: &[&str], expected: &str) {
        let declarations: Vec<String> = declarations.iter().map(|text| (*text).to_owned()).collect();
        let top = top.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(shorten(&declarations, &top).trim_end(), expected);
    }

    #[test]
    fn spaces_go_and_lines_stay() {
        check(
            &["if (this.x === 1) {\nreturn this .y + +2;\n}"],
            &[],
            "if(this.x===1){\nreturn this.y+ +2;\n}",
        );
    }

    #[test]
    fn a_local_name_is_renamed_within_its_declaration() {
        check(
            &["const first = 1, other = first;\nthis.other(first);", "let more = 1;"],
            &[],
            "const a=1,b=a;\nthis.other(a);\nlet a=1;",
        );
    }

    #[test]
    fn a_top_level_name_is_renamed_everywhere() {
        check(
            &["const first = 1;", "let second = first;"],
            &["first"],
            "const aa=1;\nlet a=aa;",
        );
    }

    #[test]
    fn keys_methods_and_shorthands_keep_their_names() {
        check(
            &["this.x = { two, three: 3, four(five) { return five; } };"],
            &[],
            "this.x={two,three:3,four(a){return a;}};",
        );
        check(
            &["const { one, two: three } = this;\none(three);"],
            &[],
            "const{one,two:a}=this;\none(a);",
        );
    }

    #[test]
    fn literals_are_left_alone() {
        check(
            &["this.x(/a b'[/]/g, 'a  b', \"c  // d\", this.y++);"],
            &[],
            "this.x(/a b'[/]/g,'a  b',\"c  // d\",this.y++);",
        );
    }

    #[test]
    fn comments_at_the_end_of_a_line_go() {
        check(&["this.x(); // `why`\nthis.y();"], &[], "this.x();\nthis.y();");
    }
}
