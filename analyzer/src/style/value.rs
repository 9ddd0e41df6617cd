//! Whether two engines mean the same by two computed values.

use super::path;
use crate::tolerances::Tolerances;

/// Numbers within rounding, colours by what they look like, the rest by its words.
pub(crate) fn same(a: &str, b: &str, tolerances: &Tolerances) -> bool {
    if a == b {
        return true;
    }
    if is_nothing(a) && is_nothing(b) {
        return true;
    }
    if let (Some(a), Some(b)) = (outline(a), outline(b)) {
        return same_outline(a, b, tolerances);
    }
    let (a, b) = (tokens(a), tokens(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_token(a, b, tolerances))
}

/// What stands before the data of a `path()`, and these.
fn outline(value: &str) -> Option<(&str, Vec<path::Piece>)> {
    let (before, data) = value.strip_prefix("path(")?.split_once('"')?;
    Some((before, path::absolute(data.strip_suffix("\")")?)?))
}

fn same_outline(
    (rule_a, a): (&str, Vec<path::Piece>),
    (rule_b, b): (&str, Vec<path::Piece>),
    tolerances: &Tolerances,
) -> bool {
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= tolerances.style_length;
    let mut pieces = a.iter().zip(&b);
    rule_a == rule_b
        && a.len() == b.len()
        && pieces.all(|(a, b)| a.0 == b.0 && a.1.len() == b.1.len() && a.1.iter().zip(&b.1).all(near))
}

/// Red, green, blue, alpha in 0…1.
fn colour(text: &str) -> Option<[f32; 4]> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "transparent" => return Some([0.0; 4]),
        "black" => return Some([0.0, 0.0, 0.0, 1.0]),
        "white" => return Some([1.0; 4]),
        _ => {}
    }
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let parts: Vec<&str> = inner.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let number = |part: &str, percent: f32| -> Option<f32> {
        match part.strip_suffix('%') {
            Some(share) => Some(share.parse::<f32>().ok()? / 100.0 * percent),
            None if part == "none" => Some(0.0),
            None => part.parse().ok(),
        }
    };
    let (channels, scale) = match name {
        "rgb" | "rgba" => (parts.as_slice(), 255.0),
        "color" if parts.first() == Some(&"srgb") => (&parts[1..], 1.0),
        _ => return None,
    };
    if channels.len() < 3 {
        return None;
    }
    let mut rgba = [0.0, 0.0, 0.0, 1.0];
    for (at, channel) in channels.iter().take(3).enumerate() {
        rgba[at] = number(channel, scale)? / scale;
    }
    if let Some(alpha) = channels.get(3) {
        rgba[3] = number(alpha, 1.0)?;
    }
    Some(rgba)
}

/// Whether both are colours, and not the same.
pub(super) fn other_colours(a: &str, b: &str) -> bool {
    matches!((colour(a), colour(b)), (Some(a), Some(b)) if a != b)
}

fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "none" | "normal" | "auto" | "initial")
        || colour(value).is_some_and(|rgba| rgba[3] == 0.0)
        || matches!(value, "matrix(1, 0, 0, 1, 0, 0)" | "0px" | "0px 0px" | "1")
}

#[derive(Debug, PartialEq)]
enum Token {
    Colour([f32; 4]),
    Number(f32, String),
    Word(String),
}

/// Words, numbers with units and whole colours; commas and brackets only part them.
fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() || matches!(first, ',' | '(' | ')' | '/' | '"' | '\'') {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        if let Some((colour, length)) = leading_colour(rest) {
            found.push(Token::Colour(colour));
            rest = &rest[length..];
            continue;
        }
        let length = rest
            .find(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | '/' | '"' | '\''))
            .unwrap_or(rest.len());
        found.push(token(&rest[..length]));
        rest = &rest[length..];
    }
    found
}

fn leading_colour(text: &str) -> Option<([f32; 4], usize)> {
    ["rgb(", "rgba(", "color("]
        .iter()
        .find(|start| text.starts_with(**start))?;
    let length = text.find(')')? + 1;
    Some((colour(&text[..length])?, length))
}

/// `calc(infinity * 1px)` is the largest number that an engine has.
const ENDLESS: f32 = 10_000_000.0;

fn token(text: &str) -> Token {
    let digits = text
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | '-' | '+' | 'e'))
        .unwrap_or(text.len());
    match text[..digits].parse::<f32>() {
        Ok(number) if !number.is_nan() => {
            Token::Number(number.clamp(-ENDLESS, ENDLESS), text[digits..].to_ascii_lowercase())
        }
        _ => Token::Word(text.to_ascii_lowercase()),
    }
}

fn same_token(a: &Token, b: &Token, tolerances: &Tolerances) -> bool {
    match (a, b) {
        (Token::Colour(a), Token::Colour(b)) => {
            (a[3] == 0.0 && b[3] == 0.0) || a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.02)
        }
        (Token::Number(a, unit_a), Token::Number(b, unit_b)) => {
            let off = (a - b).abs();
            let slack = if unit_a == "px" || unit_b == "px" {
                tolerances.style_length
            } else {
                0.01
            };
            (unit_a == unit_b || *a == 0.0 || *b == 0.0)
                && off <= slack.max(tolerances.style_ratio * a.abs().max(b.abs()))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expected: bool) {
        assert_eq!(same(a, b, &Tolerances::default()), expected, "{a} / {b}");
    }

    #[test]
    fn ways_of_writing_the_same_are_the_same() {
        check("rgb(255, 0, 0)", "color(srgb 1 0 0)", true);
        check("rgba(0, 0, 0, 0)", "transparent", true);
        check("none", "normal", true);
        check(
            "0px 1px 2px 0px rgba(0, 0, 0, 0.5)",
            "0px 1px 2px 0px rgb(0 0 0 / 50%)",
            true,
        );
        check("matrix(1, 0, 0, 1, 10, 0)", "matrix(1, 0, 0, 1, 10.2, 0)", true);
        check("url(\"https://a/b.png\")", "url(https://a/b.png)", true);
        check("33554400px", "3.40282e+38px", true);
        check("path(\"M 1 2 L 3 4 Z\")", "path(\"m 1 2 l 2 2 z\")", true);
    }

    #[test]
    fn other_values_differ() {
        check("rgb(255, 0, 0)", "rgb(200, 0, 0)", false);
        check("none", "blur(4px)", false);
        check("700", "400", false);
        check("16px", "18px", false);
        check("", "rgb(1, 2, 3)", false);
        check("9999px", "3.40282e+38px", false);
        check("path(\"M 1 2 L 3 4 Z\")", "path(\"m 1 2 l 3 4 z\")", false);
        check("path(evenodd, \"M 1 2\")", "path(\"M 1 2\")", false);
    }
}
