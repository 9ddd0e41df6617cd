//! Where the tag goes. `|` marks the place in each document.

use super::*;

fn check(marked: &str) {
    check_bytes(marked.replace('|', TAG).as_bytes(), marked.replace('|', "").as_bytes());
}

fn check_bytes(expected: &[u8], document: &[u8]) {
    let whole = deliver_html(document);
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(show(&whole.body), show(expected));
    assert_eq!(whole.body, expected);
    let single = document.chunks(1);
    let bytewise = deliver(&document_request(), 200, &[("content-type", "text/html")], single);
    assert_eq!(show(&bytewise.body), show(expected), "byte by byte");
}

#[test]
fn the_tag_is_the_first_thing_in_the_head() {
    check("<!doctype html><html><head>|<title>x</title></head><body>y</body></html>");
    check("<!DOCTYPE HTML>\n<HTML lang=en>\n<HEAD profile='>'>|\n<META charset=utf-8>");
    check("<html manifest=\"x.appcache\"><head>|</head><frameset><frame src=a></frameset>");
    check("<head>|<base href='//other/'><script>1</script>");
}

#[test]
fn without_a_head_it_stands_before_what_would_open_one() {
    check("<!doctype html>\n|<title>x</title>");
    check("<!doctype html><html>\n  |<body>");
    check("|<p>fragment");
    check("<html>|<frameset></frameset>");
    check("|<header>no head</header><head>");
    check("|<svg><script/></svg>");
    check("|<template><head></template>");
    check("|<noscript>x</noscript>");
    check("|<plaintext><head>");
}

#[test]
fn text_opens_the_head_too_but_white_space_does_not() {
    check("|text only");
    check(" \n\t|x <head>");
    check("<!doctype html> <!-- c --> |&nbsp;x");
    check("<html> |x");
    check("\0 |x");
    check("\0<!doctype html>\0|<p>");
    check("|<");
    check(" |< p>");
    check("|</");
}

#[test]
fn a_document_of_nothing_gets_it_at_its_end() {
    check("|");
    check("<!doctype html>|");
    check("<!-- c -->\n|");
    check("<html>|");
    check("<!doctype html><html></p> |");
    check("<html></head<!bogus> </p a='</head>'> </i/head></i </head>|");
}

#[test]
fn what_only_looks_like_a_head_is_none() {
    check("<!-- <head> --><html><head>|");
    check("<?xml version='1.0'?><!bogus <head><html x='<head>'><head>|");
    check("</notag <head>|>x");
    check("|<script>'<head>'</script><head>");
    check("|<title><head></title>");
    check("<!--><head>|");
    check("<!---><!--a--!><head>|");
}

#[test]
fn end_tags_that_open_a_head_come_after_it() {
    check("<!doctype html>|</br>x");
    check("<html>|</head><p>");
    check("|</body><script>1</script>");
    check("</p></div>\n|</HTML >");
}

#[test]
fn what_is_not_closed_does_not_swallow_it() {
    check("<!doctype html>|<div class='never closed");
    check("|<html lang='never closed");
    for (open, close) in [
        ("<!doctype html><!-- never closed <html><head>", "-->"),
        ("<!doctype html><!bogus", ">"),
        ("</<head", ">"),
        ("<?", ">"),
    ] {
        check_bytes(format!("{open}{close}{TAG}").as_bytes(), open.as_bytes());
    }
    for left in ["<!doctype html><!-- never closed -", "<!doctype html", "<!--"] {
        check_bytes(left.as_bytes(), left.as_bytes());
    }
}

/// What has to be done first has a tag of its own, which policies must let through as they do ours.
#[test]
fn a_script_that_runs_first_stands_before_ours() {
    let script = Script {
        errand: Some(Errand::Keep),
        talks: Talks::BothWays,
        ..script()
    };
    let check = |lines: &[(&str, &str)], document: &str, expected: &str| {
        let delivered = deliver_with(&script, &document_request(), 200, lines, [document.as_bytes()]);
        assert_eq!(delivered.text(), expected);
        delivered.headers
    };
    let first = "<script src=\"/__xcheck/t/first.js\"></script>";
    check(
        &[("content-type", "text/html")],
        "<!doctype html><head><title>x</title>",
        &format!("<!doctype html><head>{first}{TAG}<title>x</title>"),
    );
    let headers = check(
        &[
            ("content-type", "application/xhtml+xml"),
            ("content-security-policy", "script-src 'nonce-a'; connect-src 'none'"),
        ],
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head/></html>",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\
         <script xmlns=\"http://www.w3.org/1999/xhtml\" src=\"/__xcheck/t/first.js\" nonce=\"N\"/>\
         <script xmlns=\"http://www.w3.org/1999/xhtml\" src=\"/__xcheck/t.js\" nonce=\"N\"/></head></html>",
    );
    assert_eq!(
        headers["content-security-policy"],
        "script-src 'nonce-a' 'nonce-N'; connect-src https://a.org/__xcheck/ wss://a.org/__xcheck/"
    );
}
