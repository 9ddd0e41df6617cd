//! The spelling of names and values in queries and forms: `application/x-www-form-urlencoded`.

/// Never fails: what is no escape stands for itself, as browsers and servers take it.
pub(crate) fn decode(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        match (escaped, first) {
            (Some((high, low)), _) => bytes.push(high * 16 + low),
            (None, b'+') => bytes.push(b' '),
            (None, byte) => bytes.push(*byte),
        }
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

pub(crate) fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
