//! Looks for `<meta charset>` as browsers do before they parse, in the bytes alone
//! (<https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>).
//!
//! Needed because what we insert moves a document's bytes: a declaration that ended within the first 1,024 bytes must
//! still be seen by the browser afterwards.

use super::charset::declared_in_document;
use super::media_type::is_space;
use encoding_rs::Encoding;

/// How far browsers look.
pub(super) const WINDOW: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) encoding: &'static Encoding,
    /// Offset of the byte after the tag.
    pub(super) end: usize,
}

/// The first declaration that is whole within `bytes`.
pub(super) fn declaration(bytes: &[u8]) -> Option<Declaration> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // The closing `-->` may share its dashes with the opening.
            at += 2 + find(&rest[2..], b"-->")? + 3;
        } else if is_meta(rest) {
            let mut scan = Attributes { bytes, at: at + 5 };
            let label = scan.declared_label();
            // The attributes must be whole: a tag that runs out of bytes declares nothing.
            if scan.at >= bytes.len() {
                return None;
            }
            if let Some(encoding) = label.and_then(|label| declared_in_document(&label)) {
                return Some(Declaration {
                    encoding,
                    end: scan.at + 1,
                });
            }
            at = scan.at + 1;
        } else if is_tag(rest) {
            at += 1 + rest[1..].iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            at = after_attributes(bytes, at);
        } else if rest[0] == b'<' && matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += find(rest, b">")? + 1;
        } else {
            at += 1;
        }
    }
    None
}

/// The end tags in what has no others, each with its name as a parser reads it.
pub(super) fn end_tags(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes.get(at..).and_then(|rest| find(rest, b"</")) {
        let start = at + next;
        at = start + 2;
        if is_tag(&bytes[start..]) {
            let is_over = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
            let name: Vec<u8> = bytes[at..].iter().copied().take_while(|byte| !is_over(byte)).collect();
            at = after_attributes(bytes, at + name.len());
            found.push((start, name.to_ascii_lowercase()));
        }
    }
    found
}

/// Behind the tag whose name ends at `at`.
fn after_attributes(bytes: &[u8], at: usize) -> usize {
    let mut scan = Attributes { bytes, at };
    while scan.next().is_some() {}
    scan.at + 1
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = rest.strip_prefix(b"</").or_else(|| rest.strip_prefix(b"<"));
    name.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic)
}

/// Reads attributes up to the tag's `>`, where it stays.
struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Attributes<'_> {
    fn declared_label(&mut self) -> Option<Vec<u8>> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut need_pragma, mut charset) = (false, None, None);
        while let Some((name, value)) = self.next() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => got_pragma = value == b"content-type",
                b"content" if charset.is_none() => {
                    if let Some(label) = charset_in_content(&value) {
                        charset = Some(label);
                        need_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(value.clone());
                    need_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        match need_pragma? {
            true if !got_pragma => None,
            _ => charset,
        }
    }

    /// Name and value in lower case (<https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing>).
    fn next(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip(|byte| is_space(byte) || byte == b'/');
        if self.byte()? == b'>' {
            return None;
        }
        let mut name = vec![self.byte()?.to_ascii_lowercase()];
        self.at += 1;
        name.extend(self.take(|byte| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>')));
        self.skip(is_space);
        if self.byte()? != b'=' {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip(is_space);
        let value = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take(|byte| byte != quote);
                self.at += 1;
                value
            }
            _ => self.take(|byte| !is_space(byte) && byte != b'>'),
        };
        Some((name, value))
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, skips: impl Fn(u8) -> bool) {
        while self.byte().is_some_and(&skips) {
            self.at += 1;
        }
    }

    fn take(&mut self, takes: impl Fn(u8) -> bool) -> Vec<u8> {
        let start = self.at.min(self.bytes.len());
        self.skip(takes);
        self.bytes[start..self.at.max(start)].to_ascii_lowercase()
    }
}

/// <https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element>
fn charset_in_content(content: &[u8]) -> Option<Vec<u8>> {
    let mut rest = content;
    loop {
        rest = &rest[find(rest, b"charset")? + 7..];
        let after = rest.trim_ascii_start();
        let Some(value) = after.strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => {
                let end = value[1..].iter().position(|byte| byte == quote)?;
                Some(value[1..=end].to_vec())
            }
            _ => {
                let end = value
                    .iter()
                    .position(|byte| is_space(*byte) || *byte == b';')
                    .unwrap_or(value.len());
                Some(value[..end].to_vec())
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: Option<(&str, usize)>) {
        let found = declaration(html.as_bytes()).map(|found| (found.encoding.name(), found.end));
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn declarations_are_found_in_all_their_forms() {
        check("<meta charset=gbk>", Some(("GBK", 18)));
        check("<p><META/Charset = 'UTF-8' />x", Some(("UTF-8", 29)));
        check(
            "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
            Some(("KOI8-R", 66)),
        );
        check(
            "<meta content='charset charset=\"koi8-r\"' http-equiv='CONTENT-TYPE'>",
            Some(("KOI8-R", 67)),
        );
        check(
            "<meta content='charset x charset=koi8-r' http-equiv='CONTENT-TYPE'>",
            Some(("KOI8-R", 67)),
        );
        check("<meta charset=utf-16>", Some(("UTF-8", 21)));
        check("<script>'<meta charset=gbk>'</script>", Some(("GBK", 27)));
    }

    #[test]
    fn what_only_looks_like_a_declaration_is_none() {
        check("<meta content='charset koi8-r' http-equiv='CONTENT-TYPE'>", None);
        check("<!-- <meta charset=gbk> -->", None);
        check("<!--><meta charset=gbk>", Some(("GBK", 23)));
        check("<meta content='text/html; charset=koi8-r'>", None);
        check("<metadata charset=gbk>", None);
        check("<meta charset=nonsense><meta charset=gbk>", Some(("GBK", 41)));
        check("<a title='<meta charset=gbk>'>", None);
        check("</a <meta charset=gbk>", None);
        check("<!doctype <meta charset=gbk>", None);
    }

    #[test]
    fn a_declaration_that_is_cut_off_counts_as_none() {
        let whole = "<meta charset=gbk>";
        for end in 0..whole.len() {
            check(&whole[..end], None);
        }
    }
}
