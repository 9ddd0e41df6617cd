//! Style sheets of pages that are loaded.

use super::*;

fn sheet(id: u64, asked: f64, ended: f64, referrer: &str) -> Exchange {
    let headers = [["sec-fetch-dest", "style"], ["referer", referrer]];
    let request =
        json!({"method": "GET", "url": format!("http://a.test/{id}.css"), "version": "HTTP/1.1", "headers": headers});
    let exchange = json!({"id": id, "request": request, "end": {"end": "complete"}, "started_ms": asked,
        "end_ms": ended - asked, "finished_order": id});
    serde_json::from_value(exchange).unwrap()
}

fn check_sheets(sheets: &[Exchange], expected: &str) {
    let events = [dom(1, 5, "load", false), timer(1, 10), timer(1, 20), timer(2, 30)];
    let loads = [load(1, &[]), load(2, &[0])];
    check_with(sheets, &loads, &events, Checkpoints::WhereItMatters, expected);
}

#[test]
fn a_style_sheet_that_a_loaded_page_asks_for_comes_where_it_came() {
    let page = "http://a.test/1";
    check_sheets(&[], "open1 run1 look run2 look open2 run1 look");
    check_sheets(
        &[sheet(8, 1006.0, 1012.0, page)],
        "open1 run1 look run1 sheet8 run1 look open2 run1 look",
    );
    // What it imports is asked for in its own name.
    check_sheets(
        &[
            sheet(8, 1006.0, 1008.0, page),
            sheet(9, 1008.0, 1011.0, "http://a.test/8.css"),
        ],
        "open1 run1 look sheet8 run1 sheet9 run1 look open2 run1 look",
    );
    check_sheets(
        &[sheet(8, 1006.0, 9999.0, page)],
        "open1 run1 look run2 look open2 run1 sheet8 look",
    );
}

#[test]
fn a_style_sheet_that_a_document_loads_with_is_not_held() {
    check_sheets(
        &[sheet(8, 1002.0, 1012.0, "http://a.test/1")],
        "open1 run1 look run2 look open2 run1 look",
    );
    // The frame is not loaded yet.
    check_sheets(
        &[sheet(8, 2001.0, 2012.0, "http://a.test/2")],
        "open1 run1 look run2 look open2 run1 look",
    );
}

#[test]
fn what_tells_that_it_is_loaded_may_have_awaited_what_ended_later_by_another_clock() {
    let page = "http://a.test/1";
    let tells = |path: &str| json!({"kind": "dom", "type": "load", "target": {"object": "window", "path": path}});
    let check = |path: &str, sheet: Exchange, expected: &str| {
        let events = [
            dom(1, 5, "load", false),
            timer(1, 10),
            event(1, 30, tells(path)),
            timer(1, 90),
        ];
        check_with(
            &[sheet],
            &[load(1, &[])],
            &events,
            Checkpoints::WhereItMatters,
            expected,
        );
    };
    let frame = "html>body>iframe:1>#frame";
    check(
        frame,
        sheet(8, 1020.0, 1085.0, page),
        "open1 run1 look run1 awaited[8] run1 look sheet8 run1 look",
    );
    check(
        "html>head>link:2",
        sheet(8, 1020.0, 1085.0, page),
        "open1 run1 look run1 awaited[8] run1 look sheet8 run1 look",
    );
    // An image waits for none.
    check(
        "html>body>img:1",
        sheet(8, 1020.0, 1085.0, page),
        "open1 run1 look run2 look sheet8 run1 look",
    );
    // Long after it, by whatever clock.
    check(
        frame,
        sheet(8, 2031.0, 2085.0, page),
        "open1 run1 look run2 look run1 sheet8 look",
    );
    check(
        frame,
        sheet(8, 1020.0, 1029.0, page),
        "open1 run1 look run1 sheet8 run1 look run1 look",
    );
}
