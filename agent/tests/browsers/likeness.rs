//! What must be the same in every engine and at every start.

use crate::{ENGINES, open, options, site::Site, start};
use serde_json::json;
use xcheck_agent::{Input, LaunchOptions, PointerButton};
use xcheck_trace::manifest::Viewport;

const TALL: &str = r#"<!doctype html><meta charset=utf-8><title>tall</title>
<style>body{margin:0;font-family:system-ui} div{height:500px;border-bottom:1px solid;background:linear-gradient(#eef,#fee)}
input{margin:20px;font:16px serif} .r{border-radius:9px;box-shadow:2px 3px 8px #0008;width:200px;height:80px;transform:rotate(7deg)}</style>
<input id=field value="text with a caret"><button>Button</button><select><option>one</select><input type=checkbox checked>
<div>One <b>bold</b> <i>italic</i> <code>code()</code> naïve — “quoted” ½ Ωμέγα привет</div><p class=r></p><div>Two</div><div>Three</div>
<svg width=200 height=100><circle cx=50 cy=50 r=40 fill=teal /><text x=90 y=50 font-size=20>svg</text></svg>
<canvas id=c width=200 height=100></canvas><script>const g=c.getContext('2d');g.font='20px sans-serif';g.fillText('canvas',5,40);g.arc(150,50,30,0,5);g.stroke()</script>"#;

const PAGES: &[(&str, &str)] = &[("/", TALL)];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_fresh_starts_paint_a_page_taller_than_the_viewport_to_the_byte_with_the_focus_in_a_field() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut pictures = Vec::new();
        for _ in 0..3 {
            let mut browser = start(name, &options()).await;
            open(browser.as_mut(), &site, "/").await;
            let press = [
                Input::PointerMove { x: 60.0, y: 35.0 },
                Input::PointerDown {
                    button: PointerButton::Left,
                    clicks: 1,
                },
                Input::PointerUp {
                    button: PointerButton::Left,
                },
            ];
            browser.perform(&press).await.unwrap();
            assert_eq!(
                browser.evaluate("document.activeElement.id").await.unwrap(),
                "field",
                "{name}"
            );
            let height = browser.evaluate("document.documentElement.scrollHeight").await.unwrap();
            let picture = browser.screenshot().await.unwrap();
            let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
            assert_eq!(json!([size(16), size(20)]), json!([1280, height]), "{name}");
            pictures.push(picture);
            browser.close().await.unwrap();
        }
        assert!(
            pictures[0] == pictures[1] && pictures[1] == pictures[2],
            "{name}: the pictures differ"
        );
    }
}

const BELOW: &str = r#"<!doctype html><meta charset=utf-8><title>below</title>
<style>body{margin:0;height:3000px} #stays{position:fixed;right:0;bottom:0;height:5vh} #far{position:absolute;top:1400px}</style>
<button id=stays onclick="pressed += 1">Stays</button><p id=far>Far</p>
<script>let pressed = 0, resized = 0, seen = 0; addEventListener('resize', () => resized += 1);
visualViewport.addEventListener('resize', () => resized += 1);
new IntersectionObserver(entries => seen += entries.filter(entry => entry.isIntersecting).length).observe(far)</script>"#;

const WHAT_IT_KNOWS: &str = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done([innerWidth, innerHeight,
  visualViewport.width, visualViewport.height, screen.height, scrollY, matchMedia('(min-height: 1000px)').matches, resized, seen, pressed,
  stays.getBoundingClientRect().bottom, stays.getBoundingClientRect().height]))))";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_does_not_notice_being_pictured_beyond_what_is_in_view() {
    const PAGES: &[(&str, &str)] = &[("/", BELOW)];
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        open(browser.as_mut(), &site, "/").await;
        browser.evaluate("scrollTo(0, 200)").await.unwrap();
        // Chromium tells a page of `resize` at the first one, though nothing that it can ask for has another size.
        let first = browser.screenshot().await.unwrap();
        let before = browser.evaluate(WHAT_IT_KNOWS).await.unwrap();
        assert_eq!(browser.evaluate(WHAT_IT_KNOWS).await.unwrap(), before, "{name}");
        assert!(
            browser.screenshot().await.unwrap() == first,
            "{name}: the pictures differ"
        );
        let middle = "(box => [box.x + box.width / 2, box.y + box.height / 2])(stays.getBoundingClientRect())";
        let middle = browser.evaluate(middle).await.unwrap();
        let button = PointerButton::Left;
        let press = [
            Input::PointerMove {
                x: middle[0].as_f64().unwrap(),
                y: middle[1].as_f64().unwrap(),
            },
            Input::PointerDown { button, clicks: 1 },
            Input::PointerUp { button },
        ];
        browser.perform(&press).await.unwrap();
        assert_eq!(browser.evaluate("pressed").await.unwrap(), 1, "{name}");
        browser.close().await.unwrap();
    }
}

const LEFTWARDS: &str = r#"<!doctype html><html dir=rtl><meta charset=utf-8><title>leftwards</title>
<style>body{margin:0;height:3000px} #head{width:300px;background:#eee} #mark{position:absolute;left:100px;top:900px;width:40px;height:40px;background:red}</style>
<p id=head>שלום</p><p>Words that begin at the right, and more of them.</p><div id=mark></div>"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_begins_at_the_right_is_pictured_where_it_is() {
    const PAGES: &[(&str, &str)] = &[("/", LEFTWARDS)];
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        open(browser.as_mut(), &site, "/").await;
        for scrolled in [0, 400] {
            browser.evaluate(&format!("scrollTo(0, {scrolled})")).await.unwrap();
            let picture = browser.screenshot().await.unwrap();
            let picture = image::load_from_memory(&picture).unwrap().into_rgb8();
            let red = |x: u32| picture.get_pixel(x, 920).0 == [255, 0, 0];
            let first = (0..picture.width()).find(|&x| red(x));
            assert_eq!(first, Some(100), "{name}, scrolled to {scrolled}");
            assert!(red(139) && !red(140), "{name}, scrolled to {scrolled}");
            let ends_right = |y: u32| picture.get_pixel(1279, y).0 == [0xee, 0xee, 0xee];
            assert!(ends_right(20), "{name}, scrolled to {scrolled}");
        }
        browser.close().await.unwrap();
    }
}

/// What a style sheet asks of the machine and of the person before it.
const MEDIA: &str = "[['hover: hover', 'any-hover: hover', 'pointer: fine', 'any-pointer: fine', 'update: fast',
  'color-gamut: srgb', 'prefers-color-scheme: light', 'prefers-contrast: no-preference', 'scripting: enabled',
  'prefers-reduced-motion: no-preference'],
 ['pointer: coarse', 'any-pointer: coarse', 'forced-colors: active', 'inverted-colors: inverted', 'dynamic-range: high',
  'color-gamut: p3', 'prefers-reduced-transparency: reduce', 'prefers-reduced-data: reduce']]
  .flatMap((asked, at) => asked.filter((feature) => matchMedia(`(${feature})`).matches !== (at === 0)))";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn style_sheets_are_told_of_one_machine_and_one_person() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        open(browser.as_mut(), &site, "/").await;
        assert_eq!(browser.evaluate(MEDIA).await.unwrap(), json!([]), "{name}");
        browser.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewport_pixel_ratio_time_zone_and_languages_are_the_ones_asked_for() {
    let site = Site::serve(PAGES).await;
    let options = LaunchOptions {
        viewport: Viewport {
            width: 1003,
            height: 611,
        },
        time_zone: "Asia/Kolkata".to_owned(),
        languages: vec!["fr-CA".to_owned(), "fr".to_owned(), "en".to_owned()],
        ..options()
    };
    for name in ENGINES {
        let mut browser = start(name, &options).await;
        let browser = browser.as_mut();
        open(browser, &site, "/").await;
        let seen = browser
            .evaluate("[innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height, Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getTimezoneOffset(), [...navigator.languages].join(), navigator.language]")
            .await
            .unwrap();
        // WebKit tells a page the first language only, whatever it is set to.
        let languages = if name == "webkit" { "fr-CA" } else { "fr-CA,fr,en" };
        let expected = ["Asia/Kolkata", "Asia/Calcutta"]
            .map(|zone| json!([1003, 611, 1, 1003, 611, zone, -330, languages, "fr-CA"]));
        assert!(expected.contains(&seen), "{name}: {seen}");
        assert_eq!(
            browser.evaluate("(1234.5).toLocaleString()").await.unwrap(),
            "1\u{a0}234,5",
            "{name}"
        );
        assert_eq!(browser.evaluate("document.hasFocus()").await.unwrap(), true, "{name}");
        browser
            .set_viewport(Viewport {
                width: 900,
                height: 500,
            })
            .await
            .unwrap();
        assert_eq!(
            browser.evaluate("[innerWidth, innerHeight]").await.unwrap(),
            json!([900, 500]),
            "{name}"
        );
    }
}
