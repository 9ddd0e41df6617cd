//! Frames whose document stands in an attribute, and scripts that stand in the document.

use super::*;

const FIRST: &str =
    "&lt;!doctype&#32;html&gt;&lt;script&gt;frameElement?.contentWindow;document.currentScript.remove()&lt;/script&gt;";

fn delivered(policy: Option<&str>, body: &[u8], chunk: usize) -> String {
    let mut lines = vec![("content-type", "text/html; charset=utf-8")];
    lines.extend(policy.map(|policy| ("content-security-policy", policy)));
    deliver(&document_request(), 200, &lines, body.chunks(chunk)).text()
}

fn check_in_pieces(page: &str, expected: &str) {
    for chunk in 1..=page.len() {
        let delivered = delivered(None, page.as_bytes(), chunk);
        assert_eq!(delivered, expected, "in pieces of {chunk}");
    }
}

#[test]
fn each_begins_with_a_script_by_which_its_page_notices_it() {
    let page = "<!doctype html><head></head><p>é</p><iframe srcdoc=\"<b>1</b>\" id=a></iframe>\n\
        <IFRAME class='x' SRCDOC='2'></IFRAME><iframe srcdoc=3></iframe><!-- <iframe srcdoc=4> --><iframe src=5></iframe><iframe sandbox srcdoc='6'></iframe><iframe srcdoc>";
    let expected = page
        .replace("<b>1", &format!("{FIRST}<b>1"))
        .replace("'2'", &format!("'{FIRST}2'"))
        .replace("=3", &format!("={FIRST}3"))
        .replace("<head>", &format!("<head>{TAG}"));
    check_in_pieces(page, &expected);
}

#[test]
fn none_is_changed_where_a_policy_may_refuse_the_script() {
    let page = "<!doctype html><head></head><iframe srcdoc='2'></iframe>";
    assert!(delivered(Some("img-src *; script-src 'unsafe-inline' *"), page.as_bytes(), 100).contains(FIRST));
    assert!(!delivered(Some("script-src *"), page.as_bytes(), 100).contains(FIRST));
}

#[test]
fn a_page_in_code_units_of_two_bytes_is_read_as_such() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let lines = [("content-type", "text/html; charset=utf-16le")];
    let page = utf16("<!doctype html><head></head><iframe srcdoc='2'></iframe>");
    for chunk in 1..page.len() {
        let delivered = deliver(&document_request(), 200, &lines, page.chunks(chunk)).body;
        let wanted = utf16(&format!("srcdoc='{FIRST}2'></iframe>"));
        assert!(delivered.ends_with(&wanted), "in pieces of {chunk}");
    }
}

#[test]
fn scripts_say_what_their_imports_promise() {
    let (before, behind) = xcheck_replay_js::AROUND_IMPORT;
    let page = "<!doctype html><head></head><p>é import(a)</p><script>import('b')</script>\n\
        <script type=module>let é = 'import(c)'; await import('d')</script><script type=importmap>import(e)</script>\
        <script src=f>import(f)</script><script>import(</script><script>impor</script>";
    let expected = page
        .replace("import('b')", &format!("{before}import('b'){behind}"))
        .replace("import('d')", &format!("{before}import('d'){behind}"))
        .replace("<head>", &format!("<head>{TAG}"));
    check_in_pieces(page, &expected);
}

#[test]
fn a_script_whose_hash_a_policy_may_give_stays_as_it_is() {
    let (before, _) = xcheck_replay_js::AROUND_IMPORT;
    let page = "<!doctype html><head></head><script nonce=n>import('a')</script>";
    assert!(delivered(Some("script-src 'nonce-n'"), page.as_bytes(), 100).contains(before));
    assert!(!delivered(Some("script-src 'sha256-x'"), page.as_bytes(), 100).contains(before));
    let page = page.replace(
        "</head>",
        "<meta http-equiv=content-security-policy content=\"script-src 'sha256-x'\"></head>",
    );
    assert!(!delivered(None, page.as_bytes(), 100).contains(before));
}
