//! Every format from one small analysis that has something of everything: found, ignored, not measured, unsafe text.

use std::io::Cursor;
use xcheck_analyzer::findings::*;
use xcheck_report::{Step, html, junit, sarif, terminal, verdict};
use xcheck_trace::event::PageError;
use xcheck_trace::run::Place;

const REFERENCE: &str = "aa00000000000000000000000000000000000000000000000000000000000001";
const OTHER: &str = "aa00000000000000000000000000000000000000000000000000000000000002";
const LOST: &str = "aa00000000000000000000000000000000000000000000000000000000000003";

fn place(number: u32) -> Place {
    Place {
        number,
        load: 1,
        event: number,
    }
}

fn side(screenshot: &str, boxes: Vec<[f32; 4]>) -> Side {
    Side {
        screenshot_sha256: Some(screenshot.to_owned()),
        url: "http://books.test/list?a=1&b=2".to_owned(),
        page: [320.0, 200.0],
        boxes,
    }
}

fn xbi(id: &str, kind: Kind, selector: &str, title: &str, other_screenshot: &str) -> Xbi {
    Xbi {
        id: id.to_owned(),
        kind,
        event: EventRef {
            number: 3,
            load: 1,
            event: 3,
            label: "click on #save".to_owned(),
        },
        selector: selector.to_owned(),
        xpath: format!("/html/body/{selector}"),
        element: String::new(),
        title: title.to_owned(),
        confidence: 0.93,
        cause: None,
        differences: vec![Difference {
            property: "width".to_owned(),
            reference: "120 px".to_owned(),
            other: "78 px".to_owned(),
            selector: String::new(),
        }],
        occurrences: vec![Occurrence {
            place: place(3),
            label: "click on #save".to_owned(),
            reference: side(REFERENCE, vec![[40.0, 40.0, 120.0, 40.0]]),
            other: side(other_screenshot, vec![[40.0, 40.0, 78.0, 40.0]]),
        }],
    }
}

fn analysis() -> Analysis {
    let mut thrown = xbi("b1", Kind::Behaviour, "", "the timer `remind` never ran", OTHER);
    thrown.cause = Some(Cause {
        text: "TypeError: list.at is not a function </script><b>".to_owned(),
        because: Because::Exception {
            error: PageError {
                message: "list.at is not a function".to_owned(),
                source: "http://books.test/app.js".to_owned(),
                line: 9,
                column: 4,
                stack: "remind@app.js:9".to_owned(),
                via: "error".to_owned(),
            },
        },
    });
    Analysis {
        format: FORMAT,
        trace: "books.xcheck".to_owned(),
        trace_sha256: "cc".to_owned(),
        mode: Mode::Incremental,
        visual: VisualMode::Ink,
        reference: Subject {
            browser: "chromium".to_owned(),
            version: "156".to_owned(),
        },
        noise: Noise::NotMeasured {
            reason: "no second replay".to_owned(),
        },
        unfaithful: Vec::new(),
        learnt: Vec::new(),
        results: vec![
            BrowserResult {
                browser: "firefox".to_owned(),
                version: "153".to_owned(),
                outcome: Outcome::Compared,
                events: 12,
                checkpoints: 5,
                xbis: vec![thrown, xbi("s1", Kind::Structure, "#save", "is 42 px narrower", OTHER)],
                ignored: vec![Ignored {
                    reason: "the vendor's own widget".to_owned(),
                    xbi: xbi("v1", Kind::Visual, ".map", "has another background", LOST),
                }],
                unmeasured: vec![Unmeasured {
                    place: place(4),
                    what: "screenshot".to_owned(),
                    reason: "the page was too tall".to_owned(),
                }],
                masked: 1,
            },
            BrowserResult::not_measured(
                &Subject {
                    browser: "webkit".to_owned(),
                    version: "2.50".to_owned(),
                },
                "the browser was killed at event 2 <&\u{1}>",
            ),
        ],
        timings: Timings::default(),
    }
}

fn steps() -> Vec<Step> {
    let step = |event, label: &str, image: &str| Step {
        event,
        label: label.to_owned(),
        image: Some(image.to_owned()),
    };
    vec![step(1, "load /list", REFERENCE), step(3, "click on #save", REFERENCE)]
}

fn png(hash: &str) -> Result<Vec<u8>, String> {
    let width = match hash {
        REFERENCE => 120,
        OTHER => 78,
        _ => return Err("not in the run".to_owned()),
    };
    let picture = image::RgbImage::from_fn(320, 200, |x, y| {
        let inside = (40..40 + width).contains(&x) && (40..80).contains(&y);
        image::Rgb(if inside { [21, 88, 214] } else { [250, 250, 250] })
    });
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

fn rendered(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("formats are UTF-8")
}

#[test]
fn what_was_not_measured_counts_apart_from_findings() {
    let verdict = verdict(&analysis());
    // A whole browser, and a screenshot of the other.
    assert_eq!((verdict.xbis, verdict.not_measured), (2, 2));
}

#[test]
fn html_names_pictures_that_are_lost_and_holds_the_others_once() {
    let mut warnings = Vec::new();
    let html = rendered(|out| warnings = html::write(&analysis(), &steps(), &png, out).expect("memory takes it"));
    assert_eq!(warnings, [format!("screenshot {LOST}: not in the run")]);
    assert_eq!(html.matches("<script type=\"text/plain\"").count(), 2);
    if let Some(path) = std::env::var_os("XCHECK_WRITE_SAMPLE_REPORT") {
        std::fs::write(path, html).expect("the sample can be written");
    }
}

#[test]
fn text_of_the_page_cannot_end_the_reports_script() {
    let html = rendered(|out| {
        html::write(&analysis(), &steps(), &png, out).expect("memory takes it");
    });
    assert!(!html.contains("</script><b>"));
    assert!(html.contains("\\u003c/script>\\u003cb>"));
}

#[test]
fn junit_lists_failures_skips_and_errors() {
    insta::assert_snapshot!(rendered(|out| junit::write(&analysis(), out).expect("memory takes it")));
}

#[test]
fn sarif_says_what_was_not_measured() {
    insta::assert_snapshot!(rendered(|out| sarif::write(&analysis(), out).expect("memory takes it")));
}

#[test]
fn the_terminal_summary_says_everything_at_a_glance() {
    insta::assert_snapshot!(terminal::summary(&analysis()));
}
