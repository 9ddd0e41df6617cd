//! Numbers in texts.

/// `M 1.5` is `M ` and `1.5`.
pub(crate) fn numbers_and_words(text: &str) -> Vec<&str> {
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_another_kind = |letter: char| is_digit(letter) != is_digit(first);
        let (part, left) = rest.split_at(rest.find(of_another_kind).unwrap_or(rest.len()));
        parts.push(part);
        rest = left;
    }
    parts
}
