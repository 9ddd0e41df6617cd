//! However a document is cut into chunks, the browser gets the same; and with the tag taken out, it gets the document.

use super::bodies::encoded;
use super::pieces::PIECES;
use super::*;
use proptest::prelude::*;

/// Beside the shared ones: what nothing can follow, and what has to come after the script.
const MORE_PIECES: [&str; 3] = ["<plaintext>", "<base href=//x/>", "<link rel=x>"];

fn document() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => proptest::sample::select([&PIECES[..], &MORE_PIECES].concat()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => (0_usize..1100).prop_map(|length| vec![b'x'; length]),
        1 => (0_usize..1100).prop_map(|length| vec![b' '; length]),
        1 => (0_usize..1000).prop_map(|length| format!("<!--{}-->", "c".repeat(length)).into_bytes()),
        2 => proptest::collection::vec(any::<u8>(), 0..8),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Cuts `bytes` into pieces of the given lengths, over and over.
fn cut<'a>(bytes: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut rest = bytes;
    let mut chunks = Vec::new();
    for length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(rest.len().min(*length));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

fn check_cut(lines: &[(&str, &str)], body: &[u8], lengths: &[usize]) -> Delivered {
    let whole = deliver(&document_request(), 200, lines, [body]);
    let pieces = deliver(&document_request(), 200, lines, cut(body, lengths));
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        show(&pieces.body),
        show(&whole.body),
        "{:?} cut by {lengths:?}",
        show(body)
    );
    assert_eq!(pieces.body, whole.body);
    assert_eq!(pieces.notices, whole.notices);
    whole
}

/// Takes out what was inserted: the one tag, with or without a declaration in it, and an end of a comment before it.
fn without_tag(delivered: &Delivered) -> Option<Vec<u8>> {
    let find = |wanted: &[u8]| delivered.body.windows(wanted.len()).position(|window| window == wanted);
    let start = find(b"<script src=\"/__xcheck/t.js\">")?;
    let length = delivered.body[start..]
        .windows(9)
        .position(|window| window == b"</script>")?
        + 9;
    Some([&delivered.body[..start], &delivered.body[start + length..]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_make_no_difference_and_all_but_the_tag_is_the_document(
        document in document(),
        lengths in proptest::collection::vec(1_usize..40, 1..6),
        declared in any::<bool>(),
    ) {
        let kind = if declared { "text/html; charset=utf-8" } else { "text/html" };
        let delivered = check_cut(&[("content-type", kind)], &document, &lengths);
        prop_assert!(delivered.injected);
        match without_tag(&delivered) {
            None => {
                prop_assert_eq!(&delivered.body, &document);
                prop_assert_eq!(delivered.notices_of(NoticeKind::NotInstrumented).len(), 1);
            }
            Some(mut rest) => {
                if rest.len() > document.len() {
                    prop_assert!([&b">"[..], b"-->"].contains(&&rest[document.len()..]));
                    rest.truncate(document.len());
                }
                prop_assert_eq!(rest, document);
                prop_assert!(delivered.notices.is_empty());
            }
        }
    }

    #[test]
    fn chunks_make_no_difference_to_coded_documents(
        document in document(),
        lengths in proptest::collection::vec(1_usize..40, 1..6),
        coding in proptest::sample::select(&["gzip", "deflate", "br", "zstd"][..]),
        cut_off in 0_usize..200,
    ) {
        let mut body = encoded(coding, &document);
        body.truncate(body.len() - cut_off.min(body.len()).saturating_sub(100));
        check_cut(&[("content-type", "text/html"), ("content-encoding", coding)], &body, &lengths);
    }

    #[test]
    fn chunks_make_no_difference_to_utf16_and_iso_2022_jp(
        document in document(),
        lengths in proptest::collection::vec(1_usize..40, 1..6),
        charset in proptest::sample::select(&["utf-16le", "utf-16be", "iso-2022-jp"][..]),
    ) {
        let kind = format!("text/html; charset={charset}");
        check_cut(&[("content-type", &kind)], &document, &lengths);
    }

    #[test]
    fn chunks_make_no_difference_to_xml_or_to_what_has_to_be_sniffed(
        start in proptest::sample::select(&[
            "", "<?xml version='1.0'?>", "<!DOCTYPE html [<!ENTITY a '>'>]>", "<html xmlns='http://www.w3.org/1999/xhtml'>",
            "<svg xmlns='http://www.w3.org/2000/svg'/>", "<feed>", "<p>", "<!doctype html>", "plain",
        ][..]),
        document in document(),
        lengths in proptest::collection::vec(1_usize..40, 1..6),
        kind in proptest::sample::select(&["application/xhtml+xml", "text/xml", "*/*"][..]),
    ) {
        check_cut(&[("content-type", kind)], &[start.as_bytes(), &document].concat(), &lengths);
    }
}

/// The documents that browsers are shown, cut in two at every place.
#[test]
fn documents_cut_in_two_anywhere_stay_the_same() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut cuts = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let end = bytes.windows(2).position(|window| window == b"\n\n").unwrap_or(0);
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let lines: Vec<(&str, &str)> = head.lines().filter_map(|line| line.split_once(": ")).collect();
        let body = &bytes[(end + 2).min(bytes.len())..];
        let whole = deliver(&document_request(), 200, &lines, [body]);
        let step = body.len() / 1500 + 1;
        for at in (1..body.len()).step_by(step) {
            let (first, second) = body.split_at(at);
            let halves = deliver(&document_request(), 200, &lines, [first, second]);
            assert!(
                halves.body == whole.body,
                "{head}\n{}\ncut at {at}",
                String::from_utf8_lossy(body)
            );
            cuts += 1;
        }
    }
    assert!(cuts > 10_000, "only {cuts} cuts");
}
