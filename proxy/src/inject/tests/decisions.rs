//! Which responses get the script, and what their heads become.

use super::*;

const HTML: &[u8] = b"<!doctype html><title>x</title><p>y";

fn check(request: &RequestFacts, status: u16, lines: &[(&str, &str)], body: &[u8], injected: bool, noticed: bool) {
    let delivered = deliver(request, status, lines, [body]);
    let why = format!("{request:?} {status} {lines:?}: {:?}", delivered.notices);
    assert_eq!(delivered.injected, injected, "{why}");
    assert_eq!(!delivered.notices.is_empty(), noticed, "{why}");
    if !injected {
        assert_eq!(delivered.body, body, "{why}");
    }
}

fn check_document(status: u16, lines: &[(&str, &str)], injected: bool, noticed: bool) {
    let mut lines = lines.to_vec();
    if !lines.iter().any(|(name, _)| *name == "content-type") {
        lines.push(("content-type", "text/html; charset=utf-8"));
    }
    check(&document_request(), status, &lines, HTML, injected, noticed);
}

#[test]
fn documents_are_instrumented_error_pages_too() {
    for status in [200, 201, 203, 300, 400, 401, 403, 404, 451, 500, 502, 503] {
        check_document(status, &[], true, false);
    }
    check_document(302, &[], true, false);
}

#[test]
fn what_shows_no_page_passes_in_silence() {
    check_document(204, &[], false, false);
    check_document(205, &[], false, false);
    check_document(302, &[("location", "/")], false, false);
    check_document(
        200,
        &[("content-disposition", "attachment; filename=x.html")],
        false,
        false,
    );
    check_document(200, &[("content-disposition", "Inline; filename=x.html")], true, false);
    check_document(200, &[("content-disposition", "filename=x.html")], true, false);
    check_document(200, &[("content-type", "image/png")], false, false);
    check_document(200, &[("content-type", "text/plain")], false, false);
}

#[test]
fn a_page_that_can_not_be_instrumented_is_never_silent() {
    check_document(304, &[], false, true);
    check_document(206, &[], false, true);
    check_document(200, &[("content-encoding", "dcb")], false, true);
    check_document(200, &[("content-encoding", "gzip")], false, true);
    check_document(200, &[("content-encoding", "br")], false, true);
    check_document(200, &[("content-type", "text/html; charset=iso-2022-kr")], false, true);
    check_document(
        200,
        &[("content-type", "multipart/x-mixed-replace; boundary=x")],
        false,
        true,
    );
    check_document(
        200,
        &[("content-security-policy", "default-src *, sandbox allow-forms")],
        false,
        true,
    );
    check_document(
        200,
        &[("content-security-policy", "sandbox allow-scripts")],
        true,
        false,
    );
    check_document(200, &[("content-security-policy-report-only", "sandbox")], true, false);
}

#[test]
fn what_is_asked_for_as_data_stays_as_it_is() {
    let lines = [
        ("content-type", "text/html"),
        ("etag", "\"x\""),
        ("content-length", "34"),
    ];
    for destination in ["empty", "script", "image", "worker"] {
        check(
            &request(&[("sec-fetch-dest", destination)]),
            200,
            &lines,
            HTML,
            false,
            false,
        );
    }
    let delivered = deliver(&request(&[("sec-fetch-dest", "empty")]), 200, &lines, [HTML]);
    assert_eq!(delivered.headers["etag"], "\"x\"");
    assert_eq!(delivered.headers["content-length"], "34");
    assert_eq!(delivered.headers["vary"], "Accept, Sec-Fetch-Dest");
}

#[test]
fn a_head_request_gets_its_head() {
    let facts = prepare_request(&Method::HEAD, &Uri::from_static("/"), &mut HeaderMap::new());
    check(
        &facts,
        200,
        &[("content-type", "text/html"), ("content-encoding", "gzip")],
        b"",
        false,
        false,
    );
}

#[test]
fn html_without_a_type_is_taken_for_what_a_browser_takes_it_for() {
    let document = document_request();
    check(&document, 200, &[], HTML, true, false);
    check(
        &document,
        200,
        &[("content-type", "unknown/unknown")],
        b" \n<a href=x>",
        true,
        false,
    );
    check(
        &document,
        200,
        &[("x-content-type-options", "nosniff")],
        HTML,
        false,
        false,
    );
    check(&document, 200, &[], b"just text", false, false);
    check(&document, 200, &[], b"", false, false);
    check(&document, 200, &[], b"<!doctype htm", false, false);
}

#[test]
fn xml_is_instrumented_where_scripts_can_run_in_it() {
    let document = document_request();
    let xml = |kind| [("content-type", kind)];
    let xhtml = b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head/></html>";
    check(&document, 200, &xml("application/xml"), xhtml, true, false);
    check(&document, 200, &[], xhtml, true, false);
    check(&document, 200, &xml("text/xml"), b"<feed><entry/></feed>", false, false);
    check(&document, 200, &xml("application/rss+xml"), b"<rss/>", false, false);
    let transformed = b"<?xml-stylesheet type='text/xsl' href='x'?><html xmlns='http://www.w3.org/1999/xhtml'/>";
    check(&document, 200, &xml("text/xml"), transformed, false, false);
    check(&document, 200, &xml("application/xhtml+xml"), b"<html", true, true);
}

#[test]
fn the_head_no_longer_describes_bytes_that_were_replaced() {
    let lines = [
        ("content-type", "text/html; charset=utf-8"),
        ("content-length", "34"),
        ("content-encoding", "identity"),
        ("etag", "\"x\""),
        ("last-modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
        ("cache-control", "max-age=60"),
        ("accept-ranges", "bytes"),
        ("content-md5", "x"),
        ("repr-digest", "sha-256=:x:"),
        ("link", "</x.css>; rel=preload"),
        ("vary", "Cookie"),
    ];
    let delivered = deliver(&document_request(), 200, &lines, [HTML]);
    let mut left: Vec<&str> = delivered.headers.keys().map(HeaderName::as_str).collect();
    left.sort_unstable();
    assert_eq!(left, ["cache-control", "content-type", "last-modified", "link", "vary"]);
    let vary: Vec<_> = delivered.headers.get_all("vary").iter().collect();
    assert_eq!(vary, ["Cookie", "Accept, Sec-Fetch-Dest"]);
}

fn policies(lines: &[(&str, &str)]) -> Delivered {
    let mut lines = lines.to_vec();
    lines.push(("content-type", "text/html"));
    deliver(&document_request(), 200, &lines, [HTML])
}

#[test]
fn every_policy_of_every_header_is_widened_and_none_is_dropped() {
    let csp = "content-security-policy";
    let delivered = policies(&[
        (csp, "script-src 'self', script-src b.org"),
        (csp, "default-src 'none'; report-uri /r"),
        ("content-security-policy-report-only", "connect-src 'none'"),
    ]);
    let values: Vec<_> = delivered.headers.get_all(csp).iter().collect();
    let ours = "https://a.org/__xcheck/";
    assert_eq!(values[0], &format!("script-src 'self', script-src b.org {ours}"));
    assert_eq!(values[1], &format!("default-src {ours}; report-uri /r"));
    let report_only = &delivered.headers["content-security-policy-report-only"];
    assert_eq!(report_only, &format!("connect-src {ours}"));
    assert_eq!(
        delivered.notices_of(NoticeKind::PolicyRelaxed),
        [
            format!("A policy was widened for the recorder. Content-Security-Policy: script-src got {ours}."),
            format!("A policy was widened for the recorder. Content-Security-Policy: default-src got {ours}."),
            format!(
                "A policy was widened for the recorder. Content-Security-Policy-Report-Only: connect-src got {ours}."
            ),
        ]
    );
}

#[test]
fn the_tag_carries_the_nonce_where_a_policy_goes_by_nonces() {
    let delivered = policies(&[("content-security-policy", "script-src 'nonce-x' 'strict-dynamic'")]);
    assert!(
        delivered
            .text()
            .contains("<script src=\"/__xcheck/t.js\" nonce=\"N\"></script>")
    );
    let without = policies(&[("content-security-policy", "script-src 'unsafe-inline' b.org")]);
    assert!(without.text().contains(TAG));
}

#[test]
fn a_policy_that_demands_hashes_of_scripts_is_widened_too() {
    let delivered = policies(&[("integrity-policy", "blocked-destinations=(script)")]);
    assert_eq!(delivered.headers["integrity-policy"], "blocked-destinations=()");
    assert_eq!(delivered.notices_of(NoticeKind::PolicyRelaxed).len(), 1);
}

#[test]
fn a_policy_in_the_document_is_widened_where_it_stands() {
    let before =
        "<head><meta http-equiv=\"Content-Security-Policy\" content=\"connect-src &#39;none&#39;; img-src *\" id=x>";
    let delivered = deliver_html(before.as_bytes());
    let expected = format!(
        "<head>{TAG}<meta http-equiv=\"Content-Security-Policy\" \
         content=\"connect-src https://a.org/__xcheck/; img-src *\" id=x>"
    );
    assert_eq!(delivered.text(), expected);
    assert_eq!(
        delivered.notices_of(NoticeKind::PolicyRelaxed),
        ["A policy was widened for the recorder. policy in a meta element: connect-src got https://a.org/__xcheck/."]
    );
}

#[test]
fn a_policy_in_xhtml_is_widened_too() {
    let policy =
        |sources: &str| format!("<meta http-equiv='Content-Security-Policy' content='connect-src {sources}'/>");
    let document = |tag: &str, policy: &str| {
        format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>{tag}{policy}<title>x</title></head><body/></html>")
    };
    let before = document("", &policy("b.org"));
    for chunk in [1, before.len()] {
        let lines = [("content-type", "application/xhtml+xml")];
        let delivered = deliver(&document_request(), 200, &lines, before.as_bytes().chunks(chunk));
        let expected = document(XML_TAG, &policy("b.org https://a.org/__xcheck/"));
        assert_eq!(delivered.text(), expected);
        assert_eq!(delivered.notices_of(NoticeKind::PolicyRelaxed).len(), 1);
    }
}

#[test]
fn a_policy_without_quotes_gets_them_and_one_that_does_not_count_is_left() {
    let unquoted = deliver_html(b"<meta content=connect-src&#32;b.org http-equiv=content-security-policy>");
    assert!(
        unquoted
            .text()
            .contains("content=\"connect-src b.org https://a.org/__xcheck/\" http"),
        "{}",
        unquoted.text()
    );
    for ignored in [
        "<body><meta http-equiv=content-security-policy content='connect-src'>",
        "<template><meta http-equiv=content-security-policy content='connect-src'></template>",
        "<noscript><meta http-equiv=content-security-policy content='connect-src'></noscript>",
        "<!-- <meta http-equiv=content-security-policy content='connect-src'> -->",
        "<meta http-equiv=refresh content='connect-src'>",
    ] {
        let delivered = deliver_html(ignored.as_bytes());
        assert_eq!(delivered.text().replace(TAG, ""), ignored);
    }
}
