//! Content codings by name: those we decode, what to ask an origin for, and what a response came in.

use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// All that [`super::Decoder`] understands, by the name that is asked for.
const OFFERED: [(&str, Coding); 4] = [
    ("gzip", Coding::Gzip),
    ("deflate", Coding::Deflate),
    ("br", Coding::Brotli),
    ("zstd", Coding::Zstd),
];

impl Coding {
    fn from_name(name: &str) -> Option<Coding> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("x-").filter(|rest| *rest == "gzip").unwrap_or(&name);
        OFFERED
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, coding)| *coding)
    }
}

/// Narrows `Accept-Encoding` to what we decode. Its weights stay; a wildcard becomes the names it stands for, since an
/// origin might otherwise choose what only the browser knows. No header at all stays none.
pub(super) fn narrow_accept_encoding(headers: &mut HeaderMap) {
    if !headers.contains_key(ACCEPT_ENCODING) {
        return;
    }
    let entries: Vec<(String, String)> = list(headers, ACCEPT_ENCODING)
        .map(|entry| {
            let (name, weight) = entry.split_once(';').unwrap_or((&entry, ""));
            (name.trim().to_ascii_lowercase(), weight.trim().to_owned())
        })
        .collect();
    let named = |wanted: &str| entries.iter().any(|(name, _)| name == wanted);
    let mut kept: Vec<String> = Vec::new();
    for (name, weight) in &entries {
        let mut keep = |name: &str| {
            kept.push(if weight.is_empty() {
                name.to_owned()
            } else {
                format!("{name};{weight}")
            });
        };
        match name.as_str() {
            "*" if is_refusal(weight) => keep("*"),
            "*" => OFFERED
                .iter()
                .filter(|(name, _)| !named(name))
                .for_each(|(name, _)| keep(name)),
            "identity" => keep(name),
            _ if Coding::from_name(name).is_some() => keep(name),
            _ => {}
        }
    }
    let narrowed = if kept.is_empty() {
        "identity".to_owned()
    } else {
        kept.join(", ")
    };
    if let Ok(value) = HeaderValue::from_str(&narrowed) {
        headers.insert(ACCEPT_ENCODING, value);
    }
}

fn is_refusal(weight: &str) -> bool {
    let value = weight.strip_prefix("q=").or_else(|| weight.strip_prefix("Q="));
    value.and_then(|value| value.trim().parse::<f32>().ok()) == Some(0.0)
}

/// The codings of a body, in the order in which they were applied; `Err` names one that nobody here decodes.
pub(crate) fn content_codings(headers: &HeaderMap) -> Result<Vec<Coding>, String> {
    list(headers, CONTENT_ENCODING)
        .filter(|name| !name.eq_ignore_ascii_case("identity"))
        .map(|name| Coding::from_name(&name).ok_or(name))
        .collect()
}

/// The members of a list header, over all its lines.
fn list(headers: &HeaderMap, name: hyper::header::HeaderName) -> impl Iterator<Item = String> {
    headers
        .get_all(name)
        .iter()
        .flat_map(|line| {
            String::from_utf8_lossy(line.as_bytes())
                .split(',')
                .map(|member| member.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|member| !member.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_accept(sent: &str, forwarded: &str) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(sent).unwrap());
        narrow_accept_encoding(&mut headers);
        assert_eq!(headers[ACCEPT_ENCODING], forwarded, "for {sent:?}");
    }

    #[test]
    fn an_origin_is_asked_only_for_what_both_the_client_and_we_decode() {
        check_accept("gzip, deflate, br, zstd", "gzip, deflate, br, zstd");
        check_accept("gzip, deflate, br, zstd, dcb, dcz", "gzip, deflate, br, zstd");
        check_accept("gzip;q=1.0, compress;q=0.5, identity; q=0", "gzip;q=1.0, identity;q=0");
        check_accept("identity", "identity");
        check_accept("compress", "identity");
        check_accept("", "identity");
        check_accept("X-GZip", "x-gzip");
    }

    #[test]
    fn a_wildcard_becomes_the_codings_it_stands_for() {
        check_accept("*", "gzip, deflate, br, zstd");
        check_accept("br;q=0, *;q=0.5", "br;q=0, gzip;q=0.5, deflate;q=0.5, zstd;q=0.5");
        check_accept("gzip, *;q=0", "gzip, *;q=0");
    }

    #[test]
    fn no_accept_encoding_stays_none() {
        let mut headers = HeaderMap::new();
        narrow_accept_encoding(&mut headers);
        assert!(headers.is_empty());
    }

    #[test]
    fn stacked_codings_are_read_over_all_lines() {
        let mut headers = HeaderMap::new();
        headers.append(CONTENT_ENCODING, HeaderValue::from_static("Gzip, identity"));
        headers.append(CONTENT_ENCODING, HeaderValue::from_static("br"));
        assert_eq!(content_codings(&headers), Ok(vec![Coding::Gzip, Coding::Brotli]));
        headers.append(CONTENT_ENCODING, HeaderValue::from_static("dcb"));
        assert_eq!(content_codings(&headers), Err("dcb".to_owned()));
    }
}
