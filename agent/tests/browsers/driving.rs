//! Input, history, windows.

use crate::{ENGINES, open, options, site::Site, start, until};
use xcheck_agent::{Browser, History, Input, PointerButton};

const LOG: &str = r#"<!doctype html><title>log</title>
<style>body{margin:0} #hover{position:absolute;left:300px;top:10px;width:80px;height:40px;background:red}
#hover:hover{background:lime} #box{position:absolute;left:300px;top:100px;width:50px;height:50px;background:blue}</style>
<input id=field style="position:absolute;left:10px;top:10px;width:200px;height:30px;box-sizing:border-box">
<button id=button style="position:absolute;left:10px;top:60px;width:100px;height:30px">press</button>
<div id=hover></div><div id=box></div>
<a id=link href="/second" style="position:absolute;left:10px;top:120px">second</a>
<a id=popup href="/second" target=_blank style="position:absolute;left:10px;top:160px">popup</a>
<div style="height:3000px"></div>
<script>
window.log = [];
for (const type of ['pointerdown','mousedown','focusin','focusout','pointerup','mouseup','click','dblclick','keydown','beforeinput',
  'input','keyup','change','wheel','contextmenu'])
  addEventListener(type, event => log.push([type, event.target.id || '', event.isTrusted].join(' ')), true);
let from = null;
box.onpointerdown = event => { from = [event.clientX - box.offsetLeft, event.clientY - box.offsetTop]; box.setPointerCapture(event.pointerId) };
box.onpointermove = event => { if (from) { box.style.left = event.clientX - from[0] + 'px'; box.style.top = event.clientY - from[1] + 'px' } };
box.onpointerup = () => from = null;
</script>"#;

const PAGES: &[(&str, &str)] = &[("/", LOG), ("/second", "<!doctype html><title>second</title><p>Second")];

fn click(x: f64, y: f64) -> Vec<Input> {
    vec![
        Input::PointerMove { x, y },
        Input::PointerDown {
            button: PointerButton::Left,
            clicks: 1,
        },
        Input::PointerUp {
            button: PointerButton::Left,
        },
    ]
}

fn typed(text: &str) -> Vec<Input> {
    text.chars()
        .flat_map(|character| {
            let key = character.to_string();
            let code = format!("Key{}", character.to_uppercase());
            [
                Input::KeyDown {
                    key: key.clone(),
                    code: code.clone(),
                },
                Input::KeyUp { key, code },
            ]
        })
        .collect()
}

async fn taken(browser: &mut dyn Browser) -> Vec<String> {
    let log = browser.evaluate("log.splice(0)").await.unwrap();
    serde_json::from_value(log).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_clicks_types_hovers_scrolls_and_drags_and_the_page_trusts_it() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        let browser = browser.as_mut();
        open(browser, &site, "/").await;

        browser.perform(&click(50.0, 75.0)).await.unwrap();
        let seen = taken(browser).await;
        assert_eq!(
            seen,
            ["pointerdown", "mousedown", "focusin", "pointerup", "mouseup", "click"]
                .map(|kind| format!("{kind} button true")),
            "{name}"
        );

        browser.perform(&click(50.0, 25.0)).await.unwrap();
        taken(browser).await;
        browser.perform(&typed("ab")).await.unwrap();
        assert_eq!(browser.evaluate("field.value").await.unwrap(), "ab", "{name}");
        let seen = taken(browser).await;
        assert_eq!(
            &seen[..4],
            ["keydown", "beforeinput", "input", "keyup"].map(|kind| format!("{kind} field true")),
            "{name}"
        );

        browser.perform(&click(50.0, 75.0)).await.unwrap();
        let seen = taken(browser).await;
        assert!(seen.contains(&"change field true".to_owned()), "{name}: {seen:?}");
        assert!(
            !seen.iter().any(|line| line.starts_with("dblclick")),
            "{name}: two clicks are no double click: {seen:?}"
        );

        browser
            .perform(&[Input::PointerMove { x: 340.0, y: 30.0 }])
            .await
            .unwrap();
        until(browser, "getComputedStyle(hover).backgroundColor === 'rgb(0, 255, 0)'").await;

        let drag = [
            Input::PointerMove { x: 310.0, y: 110.0 },
            Input::PointerDown {
                button: PointerButton::Left,
                clicks: 1,
            },
            Input::PointerMove { x: 350.0, y: 150.0 },
            Input::PointerMove { x: 410.0, y: 210.0 },
            Input::PointerUp {
                button: PointerButton::Left,
            },
        ];
        browser.perform(&drag).await.unwrap();
        until(browser, "box.style.left === '400px' && box.style.top === '200px'").await;

        browser
            .perform(&[Input::Wheel {
                x: 600.0,
                y: 400.0,
                dx: 0.0,
                dy: 200.0,
            }])
            .await
            .unwrap();
        until(browser, "scrollY === 200").await;
        assert!(
            taken(browser).await.iter().any(|line| line.starts_with("wheel")),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_double_click_is_one_and_a_repeated_click_is_none() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        let browser = browser.as_mut();
        open(browser, &site, "/").await;
        let mut twice = click(50.0, 75.0);
        twice.extend(click(50.0, 75.0));
        browser.perform(&twice).await.unwrap();
        let seen = taken(browser).await;
        assert!(
            !seen.iter().any(|line| line.starts_with("dblclick")),
            "{name}: {seen:?}"
        );
        let mut double = click(50.0, 75.0);
        double.extend(click(50.0, 75.0).split_off(1));
        if let Input::PointerDown { clicks, .. } = &mut double[3] {
            *clicks = 2;
        }
        browser.perform(&double).await.unwrap();
        let seen = taken(browser).await;
        assert!(seen.contains(&"dblclick button true".to_owned()), "{name}: {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_goes_back_forward_and_reloads() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        let browser = browser.as_mut();
        open(browser, &site, "/").await;
        browser.perform(&click(30.0, 128.0)).await.unwrap();
        until(browser, "document.title === 'second'").await;
        browser.history(History::Back).await.unwrap();
        until(browser, "document.title === 'log'").await;
        browser.history(History::Forward).await.unwrap();
        until(browser, "document.title === 'second'").await;
        browser.evaluate("window.before = 1").await.unwrap();
        browser.history(History::Reload).await.unwrap();
        until(browser, "document.title === 'second' && !window.before").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_popup_is_a_window_with_the_same_viewport_and_can_be_closed() {
    let site = Site::serve(PAGES).await;
    for name in ENGINES {
        let mut browser = start(name, &options()).await;
        let browser = browser.as_mut();
        open(browser, &site, "/").await;
        let before = browser.windows().await.unwrap();
        assert_eq!(before.len(), 1, "{name}");
        browser.perform(&click(30.0, 168.0)).await.unwrap();
        let after = loop {
            let windows = browser.windows().await.unwrap();
            if windows.len() == 2 {
                break windows;
            }
        };
        assert_eq!(after[0], before[0], "{name}");
        browser.switch_window(&after[1]).await.unwrap();
        until(browser, "document.title === 'second'").await;
        assert_eq!(
            browser
                .evaluate("[innerWidth, innerHeight, devicePixelRatio]")
                .await
                .unwrap(),
            serde_json::json!([1280, 720, 1]),
            "{name}"
        );
        browser.close_window().await.unwrap();
        assert_eq!(browser.windows().await.unwrap(), before, "{name}");
        browser.switch_window(&before[0]).await.unwrap();
        assert_eq!(browser.evaluate("document.title").await.unwrap(), "log", "{name}");
    }
}
