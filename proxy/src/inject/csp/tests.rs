use super::*;

fn script(talks: Talks, origin: &str) -> Script {
    Script {
        path: "/__xcheck/t.js".into(),
        origin: origin.into(),
        nonce: "N".into(),
        talks,
        sockets: false,
        inline: false,
        tells_imports: true,
        errand: None,
    }
}

fn check(policy: &str, expected: &str) {
    let needs = Needs::new(&script(Talks::ByPost, "https://a.org"));
    let relaxed = relax(policy, &needs);
    assert_eq!(relaxed.policy, expected, "for {policy:?}");
    assert_eq!(relaxed.changes.is_empty(), policy == expected, "{relaxed:?}");
    assert_eq!(relaxed.uses_nonce, expected.contains("'nonce-N'"), "{relaxed:?}");
}

#[test]
fn a_policy_that_allows_us_already_is_left_alone() {
    check("script-src 'self' 'unsafe-inline'", "script-src 'self' 'unsafe-inline'");
    check("default-src *", "default-src *");
    check(
        "script-src https:; connect-src 'self'",
        "script-src https:; connect-src 'self'",
    );
    check("img-src 'none'; style-src 'none'", "img-src 'none'; style-src 'none'");
    check("default-src https://a.org", "default-src https://a.org");
    check("", "");
}

#[test]
fn inline_scripts_stay_allowed_where_they_were() {
    check(
        "script-src 'unsafe-inline' b.org",
        "script-src 'unsafe-inline' b.org https://a.org/__xcheck/",
    );
}

#[test]
fn a_list_that_goes_by_nonces_or_hashes_gets_a_nonce() {
    check(
        "script-src 'nonce-x' 'unsafe-inline'",
        "script-src 'nonce-x' 'unsafe-inline' 'nonce-N'",
    );
    check("script-src 'SHA256-abc='", "script-src 'SHA256-abc=' 'nonce-N'");
    check(
        "script-src 'self' 'strict-dynamic' 'nonce-x'",
        "script-src 'self' 'strict-dynamic' 'nonce-x' 'nonce-N'",
    );
}

#[test]
fn where_workers_are_made_of_blobs_they_may_call_for_our_script() {
    check(
        "script-src 'nonce-x'; worker-src blob:",
        "script-src 'nonce-x' 'nonce-N' https://a.org/__xcheck/; worker-src blob:",
    );
    check(
        "script-src 'nonce-x' blob:",
        "script-src 'nonce-x' blob: 'nonce-N' https://a.org/__xcheck/",
    );
    check(
        "script-src 'nonce-x' 'strict-dynamic'; worker-src blob:",
        "script-src 'nonce-x' 'strict-dynamic' 'nonce-N'; worker-src blob:",
    );
    check(
        "script-src 'nonce-x' blob:; worker-src 'self'",
        "script-src 'nonce-x' blob: 'nonce-N'; worker-src 'self'",
    );
}

#[test]
fn none_gives_way_to_our_path() {
    check("script-src 'none'", "script-src https://a.org/__xcheck/");
    check(
        "default-src 'NONE' ; img-src *",
        "default-src https://a.org/__xcheck/ ; img-src *",
    );
    check("script-src;", "script-src https://a.org/__xcheck/;");
    check("connect-src 'none'", "connect-src https://a.org/__xcheck/");
}

#[test]
fn the_directive_that_governs_is_widened_where_it_stands() {
    check(
        "default-src 'self'; script-src-elem b.org; script-src c.org",
        "default-src 'self'; script-src-elem b.org https://a.org/__xcheck/; script-src c.org https://a.org/__xcheck/",
    );
    check(
        "SCRIPT-SRC b.org; script-src 'self'; script-src-attr 'none'",
        "SCRIPT-SRC b.org https://a.org/__xcheck/; script-src 'self'; script-src-attr 'none'",
    );
    check("default-src b.org", "default-src b.org https://a.org/__xcheck/");
    check(
        "default-src 'nonce-x'",
        "default-src 'nonce-x' 'nonce-N' https://a.org/__xcheck/",
    );
}

#[test]
fn a_channel_is_allowed_by_name_also_where_self_is() {
    let needs = Needs::new(&script(Talks::ByWebSocket, "http://a.org:81"));
    let relaxed = relax("connect-src 'self'", &needs);
    assert_eq!(relaxed.policy, "connect-src 'self' ws://a.org:81/__xcheck/");
    assert_eq!(relaxed.changes, ["connect-src got ws://a.org:81/__xcheck/"]);
}

#[test]
fn scripts_that_stand_in_a_document_run_where_nothing_forbids_them() {
    for policy in [
        "img-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "default-src *; script-src-elem 'UNSAFE-inline'",
    ] {
        assert!(lets_inline(policy), "{policy}");
    }
    for policy in [
        "default-src 'self'",
        "script-src *",
        "script-src 'unsafe-inline' 'nonce-abc'",
        "script-src 'unsafe-inline' 'strict-dynamic'",
        "default-src 'unsafe-inline'; script-src 'self'",
    ] {
        assert!(!lets_inline(policy), "{policy}");
    }
}

#[test]
fn a_socket_is_opened_only_where_the_policy_lets_it() {
    for policy in [
        "",
        "script-src 'none'",
        "connect-src *",
        "default-src 'none'; connect-src b.org 'SELF'",
    ] {
        assert!(lets_sockets(policy), "{policy}");
    }
    for policy in [
        "connect-src https:",
        "default-src 'none'",
        "default-src 'self'; connect-src",
        "connect-src https://a.org",
    ] {
        assert!(!lets_sockets(policy), "{policy}");
    }
}

#[test]
fn an_ipv6_origin_can_not_be_named_and_is_allowed_otherwise() {
    let needs = Needs::new(&script(Talks::ByPost, "http://[::1]:81"));
    assert_eq!(relax("script-src b.org", &needs).policy, "script-src b.org 'nonce-N'");
    assert_eq!(
        relax("script-src 'unsafe-inline'", &needs).policy,
        "script-src 'unsafe-inline' 'self'"
    );
    assert_eq!(relax("connect-src 'none'", &needs).policy, "connect-src 'self'");
}

#[test]
fn widening_twice_changes_nothing_more() {
    let needs = Needs::new(&script(Talks::ByPost, "https://a.org"));
    for policy in [
        "default-src 'none'",
        "script-src 'nonce-x'; connect-src b.org",
        "script-src 'unsafe-inline'",
    ] {
        let once = relax(policy, &needs);
        let twice = relax(&once.policy, &needs);
        assert_eq!((twice.policy, twice.uses_nonce), (once.policy, once.uses_nonce));
        assert!(twice.changes.is_empty());
    }
}

#[test]
fn a_sandbox_forbids_scripts_unless_it_says_otherwise() {
    assert!(forbids_all_scripts("sandbox"));
    assert!(forbids_all_scripts("img-src *; Sandbox allow-forms"));
    assert!(!forbids_all_scripts("sandbox Allow-Scripts"));
    assert!(!forbids_all_scripts("default-src 'none'"));
}

#[test]
fn an_integrity_policy_no_longer_covers_scripts() {
    let relaxed = relax_integrity_policy("blocked-destinations=(script style), endpoints=(x)");
    assert_eq!(relaxed.as_deref(), Some("blocked-destinations=(style), endpoints=(x)"));
    assert_eq!(relax_integrity_policy("blocked-destinations=(style)"), None);
}
