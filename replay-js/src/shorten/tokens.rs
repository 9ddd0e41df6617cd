//! Cuts the assembled script into tokens. No literal spans lines, and comments are whole lines or ends of lines.

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Name,
    Punctuation,
    /// Numbers, strings, regular expressions, and the pieces of templates: `` `a${ ``, `}b${`, `` }c` ``.
    Literal,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// It is the first of its line.
    pub(crate) new_line: bool,
}

impl Token<'_> {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Literal
    }

    pub(crate) fn is_one_of(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    pub(crate) fn is_name(&self) -> bool {
        self.kind == Kind::Name
    }

    pub(crate) fn opens(&self) -> bool {
        self.is("(") || self.is("[") || self.is("{") || (self.is_template() && self.text.ends_with("${"))
    }

    pub(crate) fn closes(&self) -> bool {
        self.is(")") || self.is("]") || self.is("}") || (self.is_template() && self.text.starts_with('}'))
    }

    fn is_template(&self) -> bool {
        self.kind == Kind::Literal && self.text.starts_with(['`', '}'])
    }
}

pub(crate) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '#'
}

pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    // For each template that is open, how many braces are open within its insertion.
    let mut insertions: Vec<usize> = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        let mut new_line = true;
        while !rest.is_empty() && !rest.starts_with("//") {
            let (kind, length) = next(rest, found.last(), &mut insertions);
            let text = &rest[..length];
            found.push(Token { kind, text, new_line });
            new_line = false;
            rest = rest[length..].trim_start();
        }
    }
    found
}

fn next(rest: &str, before: Option<&Token<'_>>, insertions: &mut Vec<usize>) -> (Kind, usize) {
    let first = rest.chars().next().expect("there is more of the line");
    match first {
        '\'' | '"' => (Kind::Literal, quoted(rest, first)),
        '`' => (Kind::Literal, template(rest, insertions)),
        '}' if insertions.last() == Some(&0) => {
            insertions.pop();
            (Kind::Literal, template(rest, insertions))
        }
        '/' if begins_expression(before) => (Kind::Literal, regular_expression(rest)),
        '0'..='9' => {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
            (Kind::Literal, end.unwrap_or(rest.len()))
        }
        _ if is_name_char(first) => (Kind::Name, rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())),
        _ => {
            match (first, insertions.last_mut()) {
                ('{', Some(depth)) => *depth += 1,
                ('}', Some(depth)) => *depth -= 1,
                _ => {}
            }
            (Kind::Punctuation, operator(rest).unwrap_or(first.len_utf8()))
        }
    }
}

fn operator(rest: &str) -> Option<usize> {
    let long = [
        "...", "=>", "?.", "??=", "||=", "&&=", "===", "!==", "==", "!=", "<=", ">=", "++", "--", "&&", "||", "??",
    ];
    long.iter()
        .find(|operator| rest.starts_with(**operator))
        .map(|o| o.len())
}

fn quoted(rest: &str, quote: char) -> usize {
    unescaped(rest, |text| text.starts_with(quote)).map_or(rest.len(), |at| at + 1)
}

/// A piece of a template, to its end or to where an insertion begins.
fn template(rest: &str, insertions: &mut Vec<usize>) -> usize {
    let Some(at) = unescaped(rest, |text| text.starts_with('`') || text.starts_with("${")) else {
        return rest.len();
    };
    if rest[at..].starts_with('`') {
        return at + 1;
    }
    insertions.push(0);
    at + 2
}

/// Where `ends` holds first, behind the first character and not behind a backslash.
fn unescaped(rest: &str, ends: impl Fn(&str) -> bool) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if ends(&rest[at..]) => return Some(at),
            _ => {}
        }
    }
    None
}

fn begins_expression(before: Option<&Token<'_>>) -> bool {
    let Some(before) = before else { return true };
    match before.kind {
        Kind::Literal => before.text.ends_with("${"),
        Kind::Punctuation => !matches!(before.text, ")" | "]" | "}"),
        Kind::Name => matches!(before.text, "return" | "typeof" | "case" | "in" | "of"),
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
