//! Codings, chunks and charsets on the way.

use super::*;
use compression_codecs::brotli::params::EncoderParams as BrotliParams;
use compression_codecs::core::Level;
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::{BrotliEncoder, DeflateEncoder, EncodeV2, GzipEncoder, ZlibEncoder, ZstdEncoder};

fn encode(mut encoder: impl EncodeV2, text: &[u8]) -> Vec<u8> {
    let mut out = vec![0; text.len() + 4096];
    let mut buffer = WriteBuffer::new_initialized(&mut out);
    if !text.is_empty() {
        encoder.encode(&mut PartialBuffer::new(text), &mut buffer).unwrap();
    }
    assert!(encoder.finish(&mut buffer).unwrap());
    let length = buffer.written_len();
    out.truncate(length);
    out
}

pub(super) fn encoded(name: &str, text: &[u8]) -> Vec<u8> {
    match name {
        "gzip" => encode(GzipEncoder::new(Level::Fastest.into()), text),
        "deflate" => encode(ZlibEncoder::new(Level::Fastest.into()), text),
        "raw deflate" => encode(DeflateEncoder::new(Level::Fastest.into()), text),
        "br" => encode(
            BrotliEncoder::new(BrotliParams::default().quality(Level::Fastest)),
            text,
        ),
        _ => encode(ZstdEncoder::new(3), text),
    }
}

fn deliver_encoded(coding: &str, body: &[u8], chunk: usize) -> Delivered {
    let lines = [("content-type", "text/html"), ("content-encoding", coding)];
    deliver(&document_request(), 200, &lines, body.chunks(chunk.max(1)))
}

fn page(bytes: usize) -> Vec<u8> {
    let mut page = b"<!doctype html><html><head><title>t</title></head><body>".to_vec();
    let mut seed = 1_u32;
    while page.len() < bytes {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        page.extend_from_slice(format!("<p>{seed}</p>").as_bytes());
    }
    page
}

fn expected(page: &[u8]) -> Vec<u8> {
    deliver_html(page).body
}

#[test]
fn every_coding_is_taken_off_whatever_the_chunks() {
    for size in [0, 100, 200_000] {
        let page = page(size);
        for coding in ["gzip", "deflate", "raw deflate", "br", "zstd"] {
            let body = encoded(coding, &page);
            for chunk in [1, 2, 7, 1000, usize::MAX] {
                if chunk < 7 && size > 1000 {
                    continue;
                }
                let delivered = deliver_encoded(coding.trim_start_matches("raw "), &body, chunk.min(body.len()));
                assert!(
                    delivered.body == expected(&page),
                    "{coding}, {size} bytes in chunks of {chunk}"
                );
                assert_eq!(delivered.ending, Some(Ending::Whole));
                assert!(delivered.notices.is_empty(), "{:?}", delivered.notices);
                assert!(!delivered.headers.contains_key("content-encoding"));
            }
        }
    }
}

#[test]
fn codings_may_be_stacked() {
    let page = page(100_000);
    let body = encoded("br", &encoded("gzip", &page));
    for chunk in [1, 777, body.len()] {
        assert!(deliver_encoded("gzip, br", &body, chunk).body == expected(&page));
    }
}

#[test]
fn gzip_members_and_zstd_frames_follow_each_other_and_anything_else_is_ignored() {
    let page = page(1000);
    for coding in ["gzip", "zstd"] {
        let (first, second) = page.split_at(500);
        let mut body = [encoded(coding, first), encoded(coding, second)].concat();
        for rest in [&b""[..], b"\0\0\0\0", b"\x1fgarbage", b"\x28\xb5/no"] {
            let whole = [&body[..], rest].concat();
            for chunk in [1, 33, whole.len()] {
                let delivered = deliver_encoded(coding, &whole, chunk);
                assert!(delivered.body == expected(&page), "{coding} and {rest:?}");
                assert_eq!(delivered.ending, Some(Ending::Whole));
            }
        }
        body.truncate(0);
    }
}

#[test]
fn what_could_be_decoded_of_a_truncated_body_goes_out_and_is_told() {
    let page = page(500_000);
    for coding in ["gzip", "deflate", "raw deflate", "br", "zstd"] {
        let body = encoded(coding, &page);
        let cut = &body[..body.len() / 2];
        let delivered = deliver_encoded(coding.trim_start_matches("raw "), cut, 100);
        assert!(expected(&page).starts_with(&delivered.body), "{coding}");
        assert!(
            delivered.body.len() > 1000,
            "{coding} gave {} bytes",
            delivered.body.len()
        );
        assert_eq!(delivered.ending, Some(Ending::Whole), "{coding}");
        assert_eq!(delivered.notices_of(NoticeKind::Upstream).len(), 1, "{coding}");
    }
}

#[test]
fn a_corrupt_body_breaks_off_where_it_is_corrupt() {
    let page = page(300_000);
    for coding in ["gzip", "deflate", "zstd", "br"] {
        let mut body = encoded(coding, &page);
        let middle = body.len() / 2;
        body[middle..middle + 50].fill(0xff);
        let delivered = deliver_encoded(coding, &body, 1000);
        assert!(delivered.body.starts_with(b"<!doctype html>"), "{coding}");
        // The others carry no checksum here: what is corrupt may decode to something else.
        if matches!(coding, "gzip" | "deflate") {
            assert_eq!(delivered.notices_of(NoticeKind::Upstream).len(), 1, "{coding}");
        }
    }
}

#[test]
fn a_wrong_checksum_is_told_and_harms_nothing() {
    let page = page(1000);
    let mut body = encoded("gzip", &page);
    let at = body.len() - 6;
    body[at] ^= 1;
    let delivered = deliver_encoded("gzip", &body, 100);
    assert!(delivered.body == expected(&page));
    assert_eq!(delivered.ending, Some(Ending::Whole));
    assert_eq!(delivered.notices_of(NoticeKind::Upstream).len(), 1);
}

#[test]
fn an_empty_body_with_a_coding_is_an_empty_document() {
    let delivered = deliver_encoded("gzip", b"", 1);
    assert_eq!((delivered.text().as_str(), delivered.notices.len()), (TAG, 0));
}

#[test]
fn a_bomb_streams_through_in_bounded_steps() {
    let zeros = vec![b'0'; 8_000_000];
    for coding in ["gzip", "zstd", "br"] {
        let body = encoded(coding, &zeros);
        let stacked = encoded("gzip", &body);
        let lines = headers(&[
            ("content-type", "text/html"),
            ("content-encoding", &format!("{coding}, gzip")),
        ]);
        let facts = document_request();
        let Decision::Inject(mut plan) = decide(&facts, StatusCode::OK, &lines, &stacked, true, &script()) else {
            panic!("{coding} is decoded");
        };
        let (mut rest, mut total) = (stacked.as_slice(), 0);
        loop {
            let mut out = Vec::new();
            let flow = plan.push(&mut rest, &mut out);
            assert!(out.len() < 256 * 1024, "{} bytes in one step of {coding}", out.len());
            total += out.len();
            if flow == Flow::Hungry {
                break;
            }
        }
        let mut out = Vec::new();
        assert_eq!(plan.finish(&mut out), Ending::Whole);
        assert_eq!(total + out.len(), zeros.len() + TAG.len());
    }
}

#[test]
fn a_large_window_is_refused_as_browsers_refuse_it() {
    let delivered = deliver_encoded("br", &[0x11, 0x1e, 0, 0, 0, 0], 10);
    assert!(!delivered.injected && delivered.notices.len() == 1);
}

#[test]
fn first_bytes_leave_before_the_rest_comes() {
    for (lines, html) in [
        (
            vec![("content-type", "text/html; charset=utf-8")],
            "<!doctype html><html><head><title>x",
        ),
        (
            vec![("content-type", "text/html")],
            "<!doctype html><html><head><title>x</title><body>first",
        ),
    ] {
        let decision = decide(
            &document_request(),
            StatusCode::OK,
            &headers(&lines),
            html.as_bytes(),
            false,
            &script(),
        );
        let Decision::Inject(mut plan) = decision else {
            panic!("{decision:?}")
        };
        let mut out = Vec::new();
        assert_eq!(plan.push(&mut html.as_bytes(), &mut out), Flow::Hungry);
        plan.pause(&mut out);
        assert_eq!(
            String::from_utf8_lossy(&out),
            html.replace("<head>", &format!("<head>{TAG}")),
            "for {lines:?}"
        );
    }
}

/// Where a browser would find the declaration after injection; `None` when it would not.
fn declared_after(html: &str) -> Option<&'static str> {
    let delivered = deliver_html(html.as_bytes());
    let seen = &delivered.body[..delivered.body.len().min(prescan::WINDOW)];
    prescan::declaration(seen).map(|found| found.encoding.name())
}

#[test]
fn a_declaration_late_in_the_first_bytes_is_still_found_there() {
    let meta = "<meta charset=koi8-r>";
    for (before, script) in [
        ("", false),
        ("<script>1</script>", true),
        ("<link rel=x><title>y</title>", true),
    ] {
        for end in 900..=1030 {
            let padding = end - before.len() - meta.len() - "<!doctype html><head><!---->".len();
            let html = format!(
                "<!doctype html><head>{before}<!--{}-->{meta}<body>x",
                "x".repeat(padding)
            );
            let found = declared_after(&html);
            assert_eq!(
                found,
                (end <= 1024).then_some("KOI8-R"),
                "ending at {end} behind {before:?}"
            );
            if script {
                let delivered = deliver_html(html.as_bytes()).text();
                assert!(
                    delivered.find("/__xcheck/") < delivered.find(before),
                    "the script still comes first"
                );
            }
        }
    }
}

#[test]
fn a_late_declaration_in_the_body_is_left_where_it_is_found() {
    let html = format!("<!doctype html><p>{}<meta charset=koi8-r>x", "x".repeat(950));
    assert_eq!(declared_after(&html), Some("KOI8-R"));
    assert!(
        deliver_html(html.as_bytes())
            .text()
            .contains(&format!("<meta charset=koi8-r>{TAG}x"))
    );
}

/// Nothing can be done about its place: our script has to come first.
#[test]
fn a_late_declaration_in_the_body_behind_a_script_is_said_by_the_head() {
    let declared = |lines: &[(&str, &str)], html: &str| {
        let delivered = deliver(&document_request(), 200, lines, [html.as_bytes()]);
        delivered
            .headers
            .get("content-type")
            .map(|value| value.to_str().unwrap().to_owned())
    };
    let html = |filler: usize| {
        let filler = "x".repeat(filler);
        format!("<!doctype html><body><script>1</script><p>{filler}<meta charset=koi8-r>x")
    };
    let plain = [("content-type", "text/html")];
    assert_eq!(
        declared(&plain, &html(940)).as_deref(),
        Some("text/html; charset=KOI8-R")
    );
    // Near enough, too late, and declared by the head itself.
    assert_eq!(declared(&plain, &html(100)).as_deref(), Some("text/html"));
    assert_eq!(declared(&plain, &html(990)).as_deref(), Some("text/html"));
    let utf8 = [("content-type", "text/html; charset=utf-8")];
    assert_eq!(declared(&utf8, &html(940)).as_deref(), Some("text/html; charset=utf-8"));
}

#[test]
fn the_tag_goes_behind_a_declaration_that_leaves_no_room_before_it() {
    let html = format!("<!--{}--><head><meta charset=koi8-r><title>x</title>", "x".repeat(980));
    assert_eq!(declared_after(&html), Some("KOI8-R"));
    assert!(
        deliver_html(html.as_bytes())
            .text()
            .contains(&format!("<meta charset=koi8-r>{TAG}<title>"))
    );
}

#[test]
fn a_declared_charset_makes_no_difference_to_the_place() {
    let html = format!("<head><!--{}--><meta charset=koi8-r>", "x".repeat(970));
    let lines = [("content-type", "text/html; charset=utf-8")];
    let delivered = deliver(&document_request(), 200, &lines, [html.as_bytes()]);
    assert_eq!(delivered.text(), html.replace("<head>", &format!("<head>{TAG}")));
}

#[test]
fn utf16_stays_utf16() {
    let text = "<!doctype html><html><head><title>\u{4e3c}\u{1f600}</title>";
    let tagged = text.replace("<head>", &format!("<head>{TAG}"));
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let html = [("content-type", "text/html")];
    let check = |lines: &[(&str, &str)], body: Vec<u8>, expected: Vec<u8>| {
        for chunk in [1, 3, body.len()] {
            assert_eq!(
                deliver(&document_request(), 200, lines, body.chunks(chunk)).body,
                expected
            );
        }
    };
    let marked = |text: &str| format!("\u{feff}{text}");
    check(&html, little(&marked(text)), little(&marked(&tagged)));
    check(&html, big(&marked(text)), big(&marked(&tagged)));
    check(
        &[("content-type", "text/html; charset=UTF-16BE")],
        big(text),
        big(&tagged),
    );
    check(
        &[("content-type", "text/html; charset=utf-16")],
        little(text),
        little(&tagged),
    );
    let odd = [little(&marked("<!doctype html>")), vec![0xdc]].concat();
    check(
        &html,
        odd.clone(),
        [little(&marked(&format!("<!doctype html>{TAG}"))), vec![0xdc]].concat(),
    );
    let policy = "<meta http-equiv='content-security-policy' content='connect-src b.org'>";
    let widened = policy.replace("b.org", "b.org https://a.org/__xcheck/");
    check(&html, big(&marked(policy)), big(&marked(&format!("{TAG}{widened}"))));
}

#[test]
fn a_byte_order_mark_stays_first_and_opens_no_body() {
    let delivered = deliver_html(b"\xef\xbb\xbf\n<!doctype html><p>x");
    assert_eq!(delivered.body, format!("\u{feff}\n<!doctype html>{TAG}<p>x").as_bytes());
    let late = deliver_html("\n\u{feff}<head>".as_bytes());
    assert_eq!(late.body, format!("\n{TAG}\u{feff}<head>").as_bytes());
}

#[test]
fn characters_with_ascii_looking_bytes_are_no_markup() {
    let check = |charset: &str, body: &[u8], expected: &[u8]| {
        let kind = format!("text/html; charset={charset}");
        let delivered = deliver(&document_request(), 200, &[("content-type", &kind)], [body]);
        assert_eq!(delivered.body, expected, "{charset}");
    };
    let tagged = |before: &[u8], after: &[u8]| [before, TAG.as_bytes(), after].concat();
    // 〜 and others whose bytes spell `<head>` between escapes.
    let jp = b"<!doctype html><!--\x1b$B-->\x1b(B--><html>\x1b$B<head>\x1b(B";
    check(
        "iso-2022-jp",
        jp,
        &tagged(b"<!doctype html><!--\x1b$B-->\x1b(B--><html>", b"\x1b$B<head>\x1b(B"),
    );
    check(
        "shift_jis",
        b"<html x='\x83\x5c'><head>",
        &tagged(b"<html x='\x83\x5c'><head>", b""),
    );
    check(
        "big5",
        b"<html x=\"\xb3\x5c\"><head>",
        &tagged(b"<html x=\"\xb3\x5c\"><head>", b""),
    );
    check(
        "gb18030",
        b"<html x='\x81\x30\x81\x30'><head>",
        &tagged(b"<html x='\x81\x30\x81\x30'><head>", b""),
    );
    check("x-user-defined", b"<head>\x80\xff", &tagged(b"<head>", b"\x80\xff"));
}

#[test]
fn xhtml_stays_well_formed() {
    let ns = "xmlns=\"http://www.w3.org/1999/xhtml\"";
    let check = |marked: String, expected: String| {
        let document = marked.as_bytes();
        for chunk in [1, document.len()] {
            let lines = [("content-type", "application/xhtml+xml")];
            let delivered = deliver(&document_request(), 200, &lines, document.chunks(chunk));
            assert_eq!(delivered.text(), expected);
            assert!(delivered.notices.is_empty());
        }
    };
    let at = |marked: String| check(marked.replace('|', ""), marked.replace('|', XML_TAG));
    at(format!(
        "<?xml version='1.0'?>\n<!DOCTYPE html [<!ENTITY e '<head>'>]><html {ns}><!-- c --><head>|<title/>"
    ));
    at(format!(
        "<?x <html>?><!--<html>--><html {ns} a='>'> <head a=\"/>\">|<![CDATA[<head>]]></head></html>"
    ));
    at(format!("<html {ns}>|<body/></html>"));
    at(format!("<html {ns}>|text<head/></html>"));
    at("<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head>|</h:head></h:html>".to_owned());
    at("<svg xmlns='http://www.w3.org/2000/svg'>|<rect/></svg>".replace("image", "svg"));
    check(
        format!("<html {ns}><head /><body/></html>"),
        format!("<html {ns}><head >{XML_TAG}</head><body/></html>"),
    );
    check(format!("<html {ns}/>"), format!("<html {ns}>{XML_TAG}</html>"));
}
