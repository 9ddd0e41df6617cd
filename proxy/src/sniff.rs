//! What is spoken inside a CONNECT tunnel, told by its first bytes.

/// Methods are short; a longer run of token characters is some other protocol.
const LONGEST_METHOD: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoken {
    Tls,
    Http,
    Other,
    /// Cannot be told from so few bytes.
    NotYet,
}

pub(crate) fn spoken(first: &[u8]) -> Spoken {
    match first {
        [] | [0x16] => Spoken::NotYet,
        // A TLS record of type handshake, whatever its 3.x version says.
        [0x16, 3, ..] => Spoken::Tls,
        _ => http(first),
    }
}

fn http(first: &[u8]) -> Spoken {
    let method = first
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-')
        .count();
    match first.get(method) {
        Some(b' ') if method > 0 => Spoken::Http,
        None if method < LONGEST_METHOD => Spoken::NotYet,
        _ => Spoken::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_what_is_spoken() {
        let check = |first: &[u8], expected| assert_eq!(spoken(first), expected, "{first:?}");
        check(b"", Spoken::NotYet);
        check(b"\x16", Spoken::NotYet);
        check(b"\x16\x03", Spoken::Tls);
        check(b"\x16\x03\x01\x02\x00", Spoken::Tls);
        check(b"\x16\x02", Spoken::Other);
        check(b"GE", Spoken::NotYet);
        check(b"GET ", Spoken::Http);
        check(b"PRI * HTTP/2.0\r\n", Spoken::Http);
        check(b"M-SEARCH * HTTP/1.1", Spoken::Http);
        check(b"SSH-2.0-OpenSSH", Spoken::Other);
        check(b" GET", Spoken::Other);
        check(&[b'A'; 30], Spoken::Other);
        check(b"\x00\x01", Spoken::Other);
    }
}
