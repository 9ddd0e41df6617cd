//! What headers say about a body, and its content codings taken off and put on again.

use std::io::{self, Read, Write};

/// Content type and codings of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    /// Lower case, without parameters; empty when none was given.
    pub(crate) media_type: String,
    pub(crate) boundary: Option<String>,
    pub(crate) charset: Option<String>,
    /// In the order in which they were applied.
    codings: Vec<String>,
}

impl Content {
    pub(crate) fn of(headers: &[(String, String)]) -> Content {
        let content_type = header(headers, "content-type").unwrap_or_default();
        let mut parts = content_type.split(';');
        let media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let parameter = |wanted: &str| {
            parts.clone().find_map(|part| {
                let (name, value) = part.split_once('=')?;
                let value = value.trim().trim_matches('"');
                name.trim().eq_ignore_ascii_case(wanted).then(|| value.to_owned())
            })
        };
        let codings = headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("content-encoding"))
            .flat_map(|(_, value)| value.split(','))
            .map(|coding| coding.trim().to_ascii_lowercase())
            .filter(|coding| !coding.is_empty() && coding != "identity")
            .collect();
        Content {
            boundary: parameter("boundary"),
            charset: parameter("charset").map(|charset| charset.to_ascii_lowercase()),
            media_type,
            codings,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        let kind = self.media_type.as_str();
        matches!(kind, "application/json" | "text/json") || kind.ends_with("+json")
    }

    /// Text of which every line may be JSON of its own.
    pub(crate) fn is_json_lines(&self) -> bool {
        let kinds = [
            "application/x-ndjson",
            "application/jsonl",
            "application/x-jsonlines",
            "text/event-stream",
        ];
        kinds.contains(&self.media_type.as_str())
    }

    /// Takes the codings off. Bounded, because a kilobyte can hold a gigabyte.
    pub(crate) fn decoded(&self, bytes: &[u8], limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = bytes.to_vec();
        for coding in self.codings.iter().rev() {
            let decoded = bounded(decoder(coding, &bytes)?, limit)?;
            bytes = decoded;
        }
        Ok(bytes)
    }

    /// Puts the codings on again.
    pub(crate) fn coded(&self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        self.codings
            .iter()
            .try_fold(bytes, |bytes, coding| encode(coding, &bytes))
    }
}

pub(crate) fn header<'a, T: AsRef<str>>(headers: &'a [(T, T)], wanted: &str) -> Option<&'a str> {
    let mut headers = headers.iter();
    let found = headers.find(|(name, _)| name.as_ref().eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| value.as_ref())
}

fn decoder<'a>(coding: &str, bytes: &'a [u8]) -> io::Result<Box<dyn Read + 'a>> {
    Ok(match coding {
        "gzip" | "x-gzip" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        "deflate" if has_zlib_header(bytes) => Box::new(flate2::read::ZlibDecoder::new(bytes)),
        "deflate" => Box::new(flate2::read::DeflateDecoder::new(bytes)),
        "br" => Box::new(brotli::Decompressor::new(bytes, 4096)),
        "zstd" => {
            let mut decoder = zstd::stream::read::Decoder::new(bytes)?;
            decoder.window_log_max(23)?;
            Box::new(decoder)
        }
        other => return Err(io::Error::other(format!("the content coding `{other}` is not known"))),
    })
}

/// RFC 9110 means zlib by "deflate", and some servers send the bare stream.
fn has_zlib_header(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..]
        if first & 15 == 8 && (u32::from(*first) * 256 + u32::from(*second)) % 31 == 0)
}

fn encode(coding: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let level = flate2::Compression::default();
    match coding {
        "gzip" | "x-gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        "deflate" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        "br" => {
            let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 4, 20);
            encoder.write_all(bytes)?;
            encoder.flush()?;
            Ok(encoder.into_inner())
        }
        "zstd" => zstd::stream::encode_all(bytes, 3),
        other => Err(io::Error::other(format!("the content coding `{other}` is not known"))),
    }
}

fn bounded(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!(
            "it is larger than {limit} bytes when decoded"
        )));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(coding: &str) -> Content {
        Content::of(&[("Content-Encoding".into(), coding.into())])
    }

    #[test]
    fn every_coding_comes_off_as_it_was_put_on() {
        let text = b"what was sent ".repeat(5000);
        for coding in [
            "gzip",
            "x-gzip",
            "deflate",
            "br",
            "zstd",
            "identity",
            "",
            "gzip, br",
            "deflate,zstd , gzip",
        ] {
            let content = content(coding);
            let coded = content.coded(text.clone()).unwrap();
            assert_eq!(content.decoded(&coded, 100_000).unwrap(), text, "{coding}");
            assert!(
                content.codings.is_empty() || content.decoded(&coded, 1000).is_err(),
                "{coding}"
            );
            assert!(
                content.codings.is_empty() || content.decoded(&coded[..coded.len() / 2], 100_000).is_err(),
                "{coding}"
            );
        }
    }

    #[test]
    fn a_bare_deflate_stream_is_understood() {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(b"bare").unwrap();
        assert_eq!(
            content("deflate").decoded(&encoder.finish().unwrap(), 10).unwrap(),
            b"bare"
        );
    }

    #[test]
    fn an_unknown_coding_is_named() {
        let error = content("dcb").decoded(b"", 10).unwrap_err();
        assert!(error.to_string().contains("`dcb`"), "{error}");
    }

    #[test]
    fn parameters_of_the_content_type_are_read() {
        let headers = [(
            "content-type".into(),
            "Multipart/Form-Data; charset=UTF-8; boundary=\"a b\"".into(),
        )];
        let content = Content::of(&headers);
        assert_eq!(content.media_type, "multipart/form-data");
        assert_eq!(content.boundary.as_deref(), Some("a b"));
        assert_eq!(content.charset.as_deref(), Some("utf-8"));
    }
}
