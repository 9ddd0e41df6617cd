use super::*;
use xcheck_trace::exchange::{Body, End, RequestHead, ResponseHead};

fn exchange(id: u64, method: &str, url: &str, body: Option<&str>, status: u16) -> Exchange {
    let body = body.map(|text| Body {
        sha256: Sha256::of(text.as_bytes()),
        bytes: text.len() as u64,
        partial: false,
    });
    let request = RequestHead {
        method: method.into(),
        url: url.into(),
        version: "HTTP/1.1".into(),
        headers: vec![],
        body,
    };
    let response = ResponseHead {
        status,
        version: "HTTP/1.1".into(),
        headers: vec![],
        body: None,
        trailers: vec![],
    };
    Exchange {
        id,
        request,
        response: Some(response),
        end: End::Complete,
        started_ms: 0.0,
        head_ms: None,
        end_ms: None,
        finished_order: id,
        injected: false,
        imports_told: false,
        worker: None,
    }
}

fn wanted<'a>(method: &'a str, url: &'a str, body: Option<&str>) -> Wanted<'a> {
    let body = body.map(|text| Sha256::of(text.as_bytes()));
    Wanted {
        by: AskedBy::Page,
        method,
        url,
        body,
        conditional: false,
        range: None,
    }
}

#[test]
fn answers_come_in_recorded_order_and_the_last_one_again() {
    let recorded = [
        exchange(1, "GET", "http://a/", None, 200),
        exchange(2, "GET", "http://a/", None, 200),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    let mut take = || index.take(&wanted("GET", "http://a/", None));
    assert_eq!([take(), take(), take()], [Some(1), Some(2), Some(2)]);
}

#[test]
fn what_was_given_before_is_known_until_it_is_given_back() {
    let recorded = [
        exchange(1, "GET", "http://a/", None, 200),
        exchange(2, "GET", "http://a/", None, 304),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    let wanted = wanted("GET", "http://a/", None);
    assert_eq!(index.given_before(&wanted), None);
    assert_eq!(index.take(&wanted), Some(1));
    assert_eq!(index.given_before(&wanted), Some(1));
    index.give_back(1);
    assert_eq!(index.given_before(&wanted), None);
}

#[test]
fn what_brought_two_pages_is_given_to_both_before_what_came_later() {
    let recorded = [
        exchange(1, "GET", "http://a/", None, 200),
        exchange(2, "GET", "http://a/", None, 200),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    index.gives_again(&HashMap::from([(1, 2)]));
    let mut take = || index.take(&wanted("GET", "http://a/", None));
    assert_eq!([take(), take(), take()], [Some(1), Some(1), Some(2)]);
}

#[test]
fn a_post_is_matched_by_its_body_and_not_repeated() {
    let recorded = [
        exchange(1, "POST", "http://a/", Some("x"), 200),
        exchange(2, "POST", "http://a/", Some("y"), 200),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    assert_eq!(index.take(&wanted("POST", "http://a/", Some("y"))), Some(2));
    assert_eq!(index.take(&wanted("POST", "http://a/", Some("other"))), Some(1));
    assert_eq!(index.take(&wanted("POST", "http://a/", Some("x"))), None);
}

#[test]
fn what_was_not_answered_is_answered_as_the_same_request_was_the_next_time() {
    let unanswered = |id, body| Exchange {
        response: None,
        end: End::Aborted,
        ..exchange(id, "POST", "http://a/", body, 0)
    };
    let recorded = [
        exchange(1, "POST", "http://a/", Some("x"), 200),
        unanswered(2, Some("x")),
        exchange(3, "POST", "http://a/", Some("y"), 200),
        exchange(4, "POST", "http://a/", Some("x"), 200),
        unanswered(5, Some("x")),
        unanswered(6, Some("z")),
    ];
    let index = Index::new(&recorded, &ServeRules::default());
    let instead_of = |id| index.answered_instead_of(id);
    assert_eq!([instead_of(2), instead_of(5), instead_of(6)], [Some(4), Some(4), None]);
}

#[test]
fn where_all_may_be_repeated_a_post_is_too() {
    let recorded = [exchange(1, "POST", "http://a/", Some("x"), 200)];
    let rules = ServeRules {
        repeat_all: true,
        ..ServeRules::default()
    };
    let mut index = Index::new(&recorded, &rules);
    let mut take = || index.take(&wanted("POST", "http://a/", Some("x")));
    assert_eq!([take(), take()], [Some(1), Some(1)]);
}

#[test]
fn what_a_service_worker_asked_for_itself_is_for_a_page_only_where_nothing_else_is() {
    let by_worker = |id, url| Exchange {
        worker: Some(WorkerPart::Fetched),
        ..exchange(id, "GET", url, None, 200)
    };
    let recorded = [
        by_worker(1, "http://a/x"),
        exchange(2, "GET", "http://a/x", None, 200),
        by_worker(3, "http://a/y"),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    let mut take = |by, url| {
        index.take(&Wanted {
            by,
            ..wanted("GET", url, None)
        })
    };
    assert_eq!(take(AskedBy::Page, "http://a/x"), Some(2));
    assert_eq!(take(AskedBy::ServiceWorker, "http://a/x"), Some(1));
    assert_eq!(take(AskedBy::Page, "http://a/x"), Some(2));
    assert_eq!(take(AskedBy::Page, "http://a/y"), Some(3));
}

#[test]
fn a_service_worker_is_given_again_what_a_page_had_rather_than_what_it_will_answer() {
    let answered = Exchange {
        worker: Some(WorkerPart::Answered),
        ..exchange(3, "GET", "http://a/", None, 200)
    };
    let recorded = [
        exchange(1, "GET", "http://a/", None, 200),
        exchange(2, "GET", "http://a/", None, 200),
        answered,
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    let mut take = |by| {
        index.take(&Wanted {
            by,
            ..wanted("GET", "http://a/", None)
        })
    };
    assert_eq!(take(AskedBy::Page), Some(1));
    assert_eq!(take(AskedBy::ServiceWorker), Some(1));
    assert_eq!([take(AskedBy::Page), take(AskedBy::Page)], [Some(2), Some(3)]);
}

#[test]
fn where_pages_run_by_themselves_values_of_a_query_may_be_others() {
    let recorded = [
        exchange(1, "GET", "http://a/x?page=1&_=10", None, 200),
        exchange(2, "GET", "http://a/x?page=2&_=11", None, 200),
        exchange(3, "GET", "http://a/x?page=2&_=12", None, 200),
    ];
    let rules = ServeRules {
        repeat_all: true,
        ..ServeRules::default()
    };
    let mut index = Index::new(&recorded, &rules);
    let mut take = |url: &str| index.take(&wanted("GET", url, None));
    let asked = [2, 2, 2, 1].map(|page| take(&format!("http://a/x?page={page}&_=99")));
    assert_eq!(asked, [Some(2), Some(3), Some(3), Some(1)]);
    assert_eq!(take("http://a/x?page=2&_=11"), Some(2));
    assert_eq!((take("http://a/x?page=1"), take("http://a/y?page=1&_=1")), (None, None));
    let mut strict = Index::new(&recorded, &ServeRules::default());
    assert_eq!(strict.take(&wanted("GET", "http://a/x?page=1&_=99", None)), None);
}

#[test]
fn declared_parameters_do_not_count() {
    let recorded = [exchange(1, "GET", "http://a/x?_=1&q=2", None, 200)];
    let rules = ServeRules {
        ignored_parameters: vec!["_".to_owned()],
        ..ServeRules::default()
    };
    let mut index = Index::new(&recorded, &rules);
    assert_eq!(index.take(&wanted("GET", "http://a/x?q=2&_=99", None)), Some(1));
    assert_eq!(index.take(&wanted("GET", "http://a/x?q=3", None)), None);
}

#[test]
fn who_has_no_copy_is_not_told_that_it_is_unchanged() {
    let recorded = [
        exchange(1, "GET", "http://a/", None, 200),
        exchange(2, "GET", "http://a/", None, 304),
    ];
    let mut index = Index::new(&recorded, &ServeRules::default());
    assert_eq!(index.take(&wanted("GET", "http://a/", None)), Some(1));
    assert_eq!(index.take(&wanted("GET", "http://a/", None)), Some(1));
    assert_eq!(
        index.take(&Wanted {
            conditional: true,
            ..wanted("GET", "http://a/", None)
        }),
        Some(2)
    );
}
