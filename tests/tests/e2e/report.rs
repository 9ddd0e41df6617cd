//! The report as a person uses it: opened from a file, in real browsers, by real keys.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use xcheck_agent::Browser;
use xcheck_analyzer::findings::*;
use xcheck_report::{Step, html};
use xcheck_tests::{browsers, runner};
use xcheck_trace::manifest::Viewport;
use xcheck_trace::run::Place;

/// Two pictures, by the names that screenshots have.
const PICTURES: [&str; 2] = [
    "aa00000000000000000000000000000000000000000000000000000000000001",
    "aa00000000000000000000000000000000000000000000000000000000000002",
];

#[tokio::test]
async fn the_report_works_in_chromium() -> Result<()> {
    use_report("chromium").await
}

#[tokio::test]
async fn the_report_works_in_firefox() -> Result<()> {
    use_report("firefox").await
}

async fn use_report(name: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut browser = browsers::start(name, None).await?;
    let pictures = [
        picture(&mut *browser, folder.path(), "teal").await?,
        picture(&mut *browser, folder.path(), "navy").await?,
    ];
    let file = folder.path().join("report.html");
    write_report(&file, &pictures)?;
    runner::open(&mut *browser, &format!("file://{}", file.display())).await?;

    filters(&mut *browser).await?;
    keys_and_views(&mut *browser).await?;
    narrow_and_dark(&mut *browser).await?;

    let errors = browser.evaluate("__errors").await?;
    ensure!(errors == serde_json::json!([]), "the report reports {errors}");
    holds(
        &mut *browser,
        "performance.getEntriesByType('resource').every(({name}) => name.startsWith('blob:'))",
    )
    .await?;
    browser.close().await?;
    Ok(())
}

async fn filters(browser: &mut dyn Browser) -> Result<()> {
    let count = |number: usize| format!("document.querySelectorAll('#list li').length === {number}");
    holds(browser, &count(100)).await?;
    for (kind, left) in [("behaviour", 75), ("structure", 50), ("text", 25), ("visual", 0)] {
        toggle(browser, kind).await?;
        holds(browser, &count(left)).await?;
    }
    holds(
        browser,
        "document.getElementById('shown').textContent.includes('101 hidden')",
    )
    .await?;
    for kind in ["behaviour", "structure", "text", "visual"] {
        toggle(browser, kind).await?;
    }
    click(browser, "#show-ignored").await?;
    holds(browser, &count(101)).await?;
    click(browser, "#show-ignored").await?;
    browser
        .evaluate("(() => { const choice = document.getElementById('browser'); choice.value = choice.options[2].value; choice.dispatchEvent(new Event('change')); })()")
        .await?;
    holds(browser, &count(0)).await?;
    browser
        .evaluate("(() => { const choice = document.getElementById('browser'); choice.value = ''; choice.dispatchEvent(new Event('change')); })()")
        .await?;
    press(browser, "/").await?;
    holds(browser, "document.activeElement.id === 'search'").await?;
    for key in ["4", "2"] {
        press(browser, key).await?;
    }
    holds(browser, &count(1)).await?;
    press(browser, "Backspace").await?;
    press(browser, "Backspace").await?;
    press(browser, "Escape").await?;
    click(browser, "#film .step:nth-child(2)").await?;
    holds(
        browser,
        "document.getElementById('shown').textContent.includes('at event 2')",
    )
    .await?;
    click(browser, "#film .step:nth-child(2)").await?;
    holds(browser, &count(100)).await
}

async fn keys_and_views(browser: &mut dyn Browser) -> Result<()> {
    let current = "document.querySelector('#list [aria-current=true]').dataset.key";
    let first = browser.evaluate(current).await?;
    press(browser, "j").await?;
    ensure!(browser.evaluate(current).await? != first, "`j` stays where it was");
    press(browser, "k").await?;
    ensure!(browser.evaluate(current).await? == first, "`k` does not go back");
    holds(browser, "document.querySelectorAll('.pair figure').length === 2").await?;
    // What is drawn is the finding's box, on a picture that is there.
    holds(
        browser,
        "Array.from(document.querySelectorAll('#detail img')).every((img) => img.complete && img.naturalWidth > 0)",
    )
    .await?;
    press(browser, "o").await?;
    let edge = "getComputedStyle(document.querySelectorAll('.overlay img')[1]).clipPath";
    let before = browser.evaluate(edge).await?;
    browser
        .evaluate("(() => { const slider = document.getElementById('slider'); slider.focus(); slider.value = 20; slider.dispatchEvent(new Event('input')); })()")
        .await?;
    ensure!(browser.evaluate(edge).await? != before, "the slider moves nothing");
    press(browser, "b").await?;
    let seen = "getComputedStyle(document.querySelectorAll('.overlay img')[1]).visibility";
    for state in ["visible", "hidden"] {
        runner::until(browser, &format!("{seen} === '{state}'")).await?;
    }
    press(browser, "s").await?;
    for (key, zoom) in [("f", "fit"), ("1", "full"), ("c", "crop")] {
        press(browser, key).await?;
        holds(
            browser,
            &format!("document.querySelector('[data-view={zoom}]').getAttribute('aria-pressed') === 'true'"),
        )
        .await?;
    }
    press(browser, "]").await?;
    holds(
        browser,
        "document.querySelectorAll('#film [aria-current=true]').length === 1",
    )
    .await?;
    press(browser, "?").await?;
    holds(browser, "document.getElementById('help').open").await?;
    click(browser, "#help button").await?;
    holds(browser, "!document.getElementById('help').open").await
}

async fn narrow_and_dark(browser: &mut dyn Browser) -> Result<()> {
    browser
        .set_viewport(Viewport {
            width: 400,
            height: 800,
        })
        .await?;
    runner::until(browser, "innerWidth === 400").await?;
    holds(browser, "document.documentElement.scrollWidth <= 400").await?;
    let page = "getComputedStyle(document.body).backgroundColor";
    let light = browser.evaluate(page).await?;
    press(browser, "t").await?;
    ensure!(browser.evaluate(page).await? != light, "`t` changes no colour");
    Ok(())
}

async fn holds(browser: &mut dyn Browser, condition: &str) -> Result<()> {
    runner::until(browser, condition)
        .await
        .with_context(|| condition.to_owned())
}

async fn toggle(browser: &mut dyn Browser, kind: &str) -> Result<()> {
    let button = match kind {
        "behaviour" => "#filters button[data-kind=behaviour]",
        "structure" => "#filters button[data-kind=structure]",
        "text" => "#filters button[data-kind=text]",
        _ => "#filters button[data-kind=visual]",
    };
    click(browser, button).await
}

async fn click(browser: &mut dyn Browser, selector: &'static str) -> Result<()> {
    runner::take(browser, "", &xcheck_tests::session::click(selector)).await
}

async fn press(browser: &mut dyn Browser, key: &'static str) -> Result<()> {
    runner::take(browser, "", &xcheck_tests::session::Step::Press(key)).await
}

/// A screenshot of a page of one colour.
async fn picture(browser: &mut dyn Browser, folder: &Path, colour: &str) -> Result<Vec<u8>> {
    let page = folder.join(format!("{colour}.html"));
    std::fs::write(&page, format!("<!doctype html><body style='background: {colour}'>"))?;
    runner::open(browser, &format!("file://{}", page.display())).await?;
    Ok(browser.screenshot().await?)
}

fn write_report(file: &Path, pictures: &[Vec<u8>; 2]) -> Result<()> {
    let steps: Vec<Step> = (1..=3)
        .map(|event| Step {
            event,
            label: format!("click {event}"),
            image: Some(PICTURES[0].to_owned()),
        })
        .collect();
    let read = |name: &str| {
        let at = PICTURES.iter().position(|known| *known == name);
        at.map(|at| pictures[at].clone())
            .ok_or_else(|| "no such picture".to_owned())
    };
    let mut out = Vec::new();
    let warnings = html::write(&analysis(), &steps, &read, &mut out)?;
    ensure!(warnings.is_empty(), "{warnings:?}");
    let html = String::from_utf8(out)?;
    let watch = "<script>const __errors = []; addEventListener('error', (event) => __errors.push(event.message)); \
        addEventListener('securitypolicyviolation', (event) => __errors.push(event.blockedURI)); \
        console.error = (...words) => __errors.push(words.join(' '));</script>";
    std::fs::write(file, html.replacen("<head>", &format!("<head>{watch}"), 1))?;
    Ok(())
}

fn analysis() -> Analysis {
    let kinds = [Kind::Behaviour, Kind::Structure, Kind::Text, Kind::Visual];
    let xbis: Vec<Xbi> = (0..101).map(|number| xbi(number, kinds[number as usize % 4])).collect();
    let mut kept = xbis;
    let ignored = kept.pop().map(|xbi| Ignored {
        reason: "known".to_owned(),
        xbi,
    });
    let subject = |browser: &str| Subject {
        browser: browser.to_owned(),
        version: "1.0".to_owned(),
    };
    let firefox = BrowserResult {
        xbis: kept,
        ignored: ignored.into_iter().collect(),
        outcome: Outcome::Compared,
        events: 3,
        checkpoints: 3,
        ..BrowserResult::not_measured(&subject("firefox"), "")
    };
    Analysis {
        format: FORMAT,
        trace: "shop.xcheck".to_owned(),
        trace_sha256: "cc".to_owned(),
        mode: Mode::Incremental,
        visual: VisualMode::Ink,
        reference: subject("chromium"),
        noise: Noise::Measured { volatile: Vec::new() },
        unfaithful: Vec::new(),
        learnt: Vec::new(),
        results: vec![firefox, BrowserResult::not_measured(&subject("webkit"), "it ended")],
        timings: Timings::default(),
    }
}

fn xbi(number: u32, kind: Kind) -> Xbi {
    let event = 1 + number % 3;
    let place = Place {
        number: event,
        load: 1,
        event,
    };
    let side = |picture: usize| Side {
        screenshot_sha256: Some(PICTURES[picture].to_owned()),
        url: "http://shop.test/".to_owned(),
        page: [1280.0, 720.0],
        boxes: vec![[40.0, 40.0, 200.0, 60.0]],
    };
    Xbi {
        id: format!("{number:012}"),
        kind,
        event: EventRef {
            number: event,
            load: 1,
            event,
            label: format!("click {event}"),
        },
        selector: format!("#box-{number}"),
        xpath: format!("/html/body/div[{number}]"),
        element: String::new(),
        title: format!("is {number} px wider"),
        confidence: 0.9,
        cause: None,
        differences: Vec::new(),
        occurrences: vec![Occurrence {
            place,
            label: format!("click {event}"),
            reference: side(0),
            other: side(1),
        }],
    }
}
