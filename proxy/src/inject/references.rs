//! Character references in an attribute's value, as far as policies are written with them.

const NAMED: [(&str, char); 12] = [
    ("apos;", '\''),
    ("quot;", '"'),
    ("amp;", '&'),
    ("lt;", '<'),
    ("gt;", '>'),
    ("semi;", ';'),
    ("colon;", ':'),
    ("sol;", '/'),
    ("ast;", '*'),
    ("period;", '.'),
    ("equals;", '='),
    ("nbsp;", '\u{a0}'),
];

pub(super) fn decode(value: &str) -> String {
    let mut decoded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(index) = rest.find('&') {
        decoded.push_str(&rest[..index]);
        let after = &rest[index + 1..];
        let (character, length) = reference(after).unwrap_or(('&', 0));
        decoded.push(character);
        rest = &after[length..];
    }
    decoded + rest
}

/// The character that what follows an `&` stands for, and how much of it is the reference.
fn reference(after: &str) -> Option<(char, usize)> {
    if let Some((name, character)) = NAMED.iter().find(|(name, _)| after.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let digits = after.strip_prefix('#')?;
    let (digits, radix, skipped) = match digits.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16, 2),
        None => (digits, 10, 1),
    };
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let character = u32::from_str_radix(&digits[..length], radix)
        .ok()
        .and_then(char::from_u32)?;
    let semicolon = usize::from(digits[length..].starts_with(';'));
    Some((character, skipped + length + semicolon))
}

/// Safe within either kind of quotes.
pub(super) fn encode(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_for_their_characters() {
        assert_eq!(decode("a &#39;self&#x27; &quot;&amp;amp; &apos;"), "a 'self' \"&amp; '");
        assert_eq!(decode("a&b &; &#; &#xg &unknown; &"), "a&b &; &#; &#xg &unknown; &");
        assert_eq!(decode("&#39"), "'");
    }

    #[test]
    fn what_was_encoded_decodes_to_itself() {
        let value = "script-src 'self' \"x\" & &amp;";
        assert_eq!(decode(&encode(value)), value);
    }
}
