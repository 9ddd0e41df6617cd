//! Replaces fields in forms and parameters in URLs, leaving every other byte as it was.

use super::pattern::{Pattern, any_matches};
use crate::form_text::{decode, encode};

/// `a=1&b=2`. `None` when nothing matched.
pub(super) fn redact_urlencoded(text: &[u8], fields: &[Pattern], replacement: &str) -> Option<Vec<u8>> {
    let mut changed = false;
    let parts: Vec<Vec<u8>> = text
        .split(|byte| *byte == b'&')
        .map(|pair| {
            let (name, _) = split_once(pair, b'=')?;
            any_matches(fields, &decode(name)).then(|| {
                changed = true;
                [name, b"=", encode(replacement).as_bytes()].concat()
            })
        })
        .zip(text.split(|byte| *byte == b'&'))
        .map(|(redacted, pair)| redacted.unwrap_or_else(|| pair.to_vec()))
        .collect();
    changed.then(|| parts.join(&b'&'))
}

/// Parameters in the query and, for tokens that come back from a login, in the fragment.
pub(super) fn redact_url(url: &str, parameters: &[Pattern], replacement: &str) -> Option<String> {
    if parameters.is_empty() {
        return None;
    }
    let (before, fragment) = url
        .split_once('#')
        .map_or((url, None), |(url, fragment)| (url, Some(fragment)));
    let (path, query) = before
        .split_once('?')
        .map_or((before, None), |(path, query)| (path, Some(query)));
    let redacted = |text: Option<&str>| {
        let bytes = redact_urlencoded(text?.as_bytes(), parameters, replacement)?;
        String::from_utf8(bytes).ok()
    };
    let (new_query, new_fragment) = (redacted(query), redacted(fragment));
    if new_query.is_none() && new_fragment.is_none() {
        return None;
    }
    let mut result = path.to_owned();
    for (mark, new, old) in [
        ('?', new_query.as_deref(), query),
        ('#', new_fragment.as_deref(), fragment),
    ] {
        if let Some(text) = new.or(old) {
            result.push(mark);
            result.push_str(text);
        }
    }
    Some(result)
}

/// `multipart/form-data`. `None` when nothing matched.
pub(super) fn redact_multipart(
    text: &[u8],
    boundary: &str,
    fields: &[Pattern],
    replacement: &str,
) -> Result<Option<Vec<u8>>, String> {
    let delimiter = format!("--{boundary}").into_bytes();
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    loop {
        let start = find(rest, &delimiter).ok_or("its form has no end")? + delimiter.len();
        result.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with(b"--") {
            result.extend_from_slice(rest);
            return Ok(changed.then_some(result));
        }
        let head = find(rest, b"\r\n\r\n").ok_or("a field of its form has no end")? + 4;
        let end = head + find(&rest[head..], &[b"\r\n", &delimiter[..]].concat()).ok_or("its form has no end")?;
        result.extend_from_slice(&rest[..head]);
        if field_name(&rest[..head]).is_some_and(|name| any_matches(fields, &name)) {
            changed = true;
            result.extend_from_slice(replacement.as_bytes());
        } else {
            result.extend_from_slice(&rest[head..end]);
        }
        rest = &rest[end..];
    }
}

fn field_name(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let line = head
        .lines()
        .find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let at = line.to_ascii_lowercase().find("; name=")? + "; name=".len();
    let value = &line[at..];
    match value.strip_prefix('"') {
        Some(quoted) => Some(quoted.split('"').next()?.to_owned()),
        None => Some(value.split(';').next()?.trim().to_owned()),
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn split_once(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|found| *found == byte)?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(names: &[&str]) -> Vec<Pattern> {
        names.iter().map(|name| Pattern::new(name)).collect()
    }

    #[test]
    fn fields_are_found_however_they_are_spelt() {
        let check = |text: &str, expected: Option<&str>| {
            let result = redact_urlencoded(text.as_bytes(), &patterns(&["pin", "card no"]), "[x]");
            assert_eq!(
                result.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(),
                expected
            );
        };
        check("a=1&PIN=77&b=2", Some("a=1&PIN=%5Bx%5D&b=2"));
        check("p%69n=77", Some("p%69n=%5Bx%5D"));
        check("card+no=5&pin=", Some("card+no=%5Bx%5D&pin=%5Bx%5D"));
        check("pinned=1&pin&=&%", None);
    }

    #[test]
    fn tokens_leave_urls_in_query_and_fragment() {
        let check = |url: &str, expected: Option<&str>| {
            assert_eq!(redact_url(url, &patterns(&["token"]), "X").as_deref(), expected);
        };
        check("https://a/b?token=1&c=2#d", Some("https://a/b?token=X&c=2#d"));
        check("https://a/b#token=1", Some("https://a/b#token=X"));
        check("https://a/token=1?c", None);
    }

    #[test]
    fn a_field_of_a_multipart_form_is_replaced() {
        let form = |pin: &str| {
            format!(
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfirst\r\n\
                 --B\r\ncontent-disposition: form-data; filename=\"x\"; name=\"pin\"\r\nContent-Type: text/plain\r\n\r\n{pin}\r\n--B--\r\n"
            )
        };
        let result = redact_multipart(form("12\r\n34").as_bytes(), "B", &patterns(&["pin"]), "X")
            .unwrap()
            .unwrap();
        assert_eq!(String::from_utf8(result).unwrap(), form("X"));
        let empty = redact_multipart(form("").as_bytes(), "B", &patterns(&["pin"]), "X")
            .unwrap()
            .unwrap();
        assert_eq!(String::from_utf8(empty).unwrap(), form("X"));
        assert_eq!(
            redact_multipart(form("1").as_bytes(), "B", &patterns(&["b"]), "X").unwrap(),
            None
        );
        let whole = form("1234");
        for length in 0..whole.len() - 4 {
            assert!(
                redact_multipart(&whole.as_bytes()[..length], "B", &patterns(&["pin"]), "X").is_err(),
                "{length}"
            );
        }
    }
}
