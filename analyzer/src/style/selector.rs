//! Reads selectors, as far as page data can answer them.
//!
//! What is not understood becomes [`Simple::Unknown`], which *may* match: a cause that is only possible is still worth
//! showing, one that is wrongly ruled out is lost.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Complex {
    /// Rightmost first: the compound itself, then how and to what it is bound.
    pub(super) subject: Vec<Simple>,
    pub(super) bound: Vec<(Combinator, Vec<Simple>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Simple {
    Universal,
    Tag(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        test: Option<(char, String)>,
        any_case: bool,
    },
    Is(Vec<Complex>),
    Not(Vec<Complex>),
    Nth {
        step: i32,
        offset: i32,
        from_end: bool,
        of_type: bool,
    },
    Root,
    /// What holds the shadow tree that the rule stands in, if it is one of these; any, if none is named.
    Host(Vec<Complex>),
    /// A pseudo-element: part of what its element shows. Alone it is every element's, and says nothing of any.
    Part,
    Unknown,
}

/// The selectors of a list. Malformed ones come out as unknown, so that they may match.
pub(super) fn parse(text: &str) -> Vec<Complex> {
    split_top(text, ',').iter().map(|one| complex(one.trim())).collect()
}

fn complex(text: &str) -> Complex {
    let mut parser = Parser {
        rest: text.chars().peekable(),
        depth: 0,
    };
    let mut compounds = vec![parser.compound()];
    let mut combinators = Vec::new();
    while let Some(combinator) = parser.combinator() {
        combinators.push(combinator);
        compounds.push(parser.compound());
        if compounds.len() > 64 {
            break;
        }
    }
    let subject = compounds.pop().unwrap_or_default();
    let bound = combinators.into_iter().rev().zip(compounds.into_iter().rev()).collect();
    Complex { subject, bound }
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    depth: u8,
}

impl Parser<'_> {
    fn combinator(&mut self) -> Option<Combinator> {
        let mut found = None;
        while let Some(&letter) = self.rest.peek() {
            found = match letter {
                letter if letter.is_whitespace() => found.or(Some(Combinator::Descendant)),
                '>' => Some(Combinator::Child),
                '+' => Some(Combinator::Next),
                '~' => Some(Combinator::Later),
                _ => return found,
            };
            self.rest.next();
        }
        None
    }

    fn compound(&mut self) -> Vec<Simple> {
        let mut simples = Vec::new();
        while let Some(&letter) = self.rest.peek() {
            let simple = match letter {
                letter if letter.is_whitespace() || matches!(letter, '>' | '+' | '~') => break,
                '*' => {
                    self.rest.next();
                    Simple::Universal
                }
                '#' => {
                    self.rest.next();
                    Simple::Id(self.name())
                }
                '.' => {
                    self.rest.next();
                    Simple::Class(self.name())
                }
                '[' => {
                    self.rest.next();
                    let inner = self.until(']');
                    attribute(&inner)
                }
                ':' => {
                    self.rest.next();
                    self.pseudo()
                }
                letter if is_name(letter) => Simple::Tag(self.name().to_ascii_lowercase()),
                _ => {
                    // `&`, `|`, and whatever comes next.
                    self.rest.next();
                    Simple::Unknown
                }
            };
            simples.push(simple);
        }
        simples
    }

    fn pseudo(&mut self) -> Simple {
        if self.rest.next_if_eq(&':').is_some() {
            self.name();
            if self.rest.next_if_eq(&'(').is_some() {
                self.until(')');
            }
            return Simple::Part;
        }
        let name = self.name().to_ascii_lowercase();
        let argument = self.rest.next_if_eq(&'(').map(|_| self.until(')'));
        self.depth += 1;
        let nth = |text: &str, from_end, of_type| {
            an_plus_b(text).map_or(Simple::Unknown, |(step, offset)| Simple::Nth {
                step,
                offset,
                from_end,
                of_type,
            })
        };
        match (name.as_str(), argument.as_deref()) {
            ("is" | "where" | "matches" | "-webkit-any" | "-moz-any", Some(list)) => Simple::Is(parse(list)),
            ("not", Some(list)) => Simple::Not(parse(list)),
            ("nth-child", Some(text)) => nth(text, false, false),
            ("nth-last-child", Some(text)) => nth(text, true, false),
            ("nth-of-type", Some(text)) => nth(text, false, true),
            ("nth-last-of-type", Some(text)) => nth(text, true, true),
            ("first-child", None) => nth("1", false, false),
            ("last-child", None) => nth("1", true, false),
            ("first-of-type", None) => nth("1", false, true),
            ("last-of-type", None) => nth("1", true, true),
            ("root", None) => Simple::Root,
            ("host", list) => Simple::Host(list.map_or_else(Vec::new, parse)),
            ("before" | "after" | "first-line" | "first-letter", None) => Simple::Part,
            ("link" | "any-link", None) => Simple::Universal,
            _ => Simple::Unknown,
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(&letter) = self.rest.peek() {
            if letter == '\\' {
                self.rest.next();
                name.extend(self.rest.next());
            } else if is_name(letter) {
                name.push(letter);
                self.rest.next();
            } else {
                break;
            }
        }
        name
    }

    /// Up to the matching closing sign, which is taken too.
    fn until(&mut self, close: char) -> String {
        let (mut inner, mut nested, mut quote) = (String::new(), 0_u32, None);
        for letter in self.rest.by_ref() {
            match (quote, letter) {
                (Some(open), letter) if letter == open => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(letter),
                (None, letter) if letter == close && nested == 0 => break,
                (None, '(' | '[') => nested += 1,
                (None, ')' | ']') => nested = nested.saturating_sub(1),
                _ => {}
            }
            inner.push(letter);
        }
        // Selectors nested this deep are nobody's; refusing them bounds the recursion.
        if nested_depth(&inner) > 16 {
            String::from("|")
        } else {
            inner
        }
    }
}

fn nested_depth(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

fn attribute(inner: &str) -> Simple {
    let Some(at) = inner.find('=') else {
        return Simple::Attribute {
            name: inner.trim().to_ascii_lowercase(),
            test: None,
            any_case: false,
        };
    };
    let (left, right) = (inner[..at].trim_end(), inner[at + 1..].trim());
    let operator = left.chars().next_back().filter(|sign| "~|^$*".contains(*sign));
    let name = left
        .trim_end_matches(['~', '|', '^', '$', '*'])
        .trim()
        .to_ascii_lowercase();
    let (value, flag) = match right.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let value: String = right[1..].chars().take_while(|&letter| letter != quote).collect();
            (value.clone(), right[1 + value.len()..].trim_start_matches(quote).trim())
        }
        _ => {
            let mut words = right.split_whitespace();
            (words.next().unwrap_or("").to_owned(), words.next().unwrap_or(""))
        }
    };
    Simple::Attribute {
        name,
        test: Some((operator.unwrap_or('='), value)),
        any_case: flag.eq_ignore_ascii_case("i"),
    }
}

fn an_plus_b(text: &str) -> Option<(i32, i32)> {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let Some((step, offset)) = text.split_once('n') else {
        return Some((0, text.parse().ok()?));
    };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        step => step.parse().ok()?,
    };
    let offset = if offset.is_empty() {
        0
    } else {
        offset.trim_start_matches('+').parse().ok()?
    };
    Some((step, offset))
}

/// Splits where the sign stands outside brackets and quotes.
pub(super) fn split_top(text: &str, sign: char) -> Vec<&str> {
    let (mut parts, mut from, mut nested, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[') => nested += 1,
            (None, ')' | ']') => nested -= 1,
            (None, letter) if letter == sign && nested <= 0 => {
                parts.push(&text[from..at]);
                from = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_') || !letter.is_ascii() || letter == '\\'
}
