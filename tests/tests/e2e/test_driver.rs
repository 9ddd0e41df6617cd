//! What a test driver does in a page by script of its own: its polling is not the page's, what it does in a person's
//! place is.

use anyhow::{Context, Result, ensure};
use xcheck_agent::{Browser, Input};
use xcheck_tests::recording::Recording;
use xcheck_tests::session::Step;
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, side_by_side};
use xcheck_trace::Trace;

const PAGE: &str = "<!doctype html><title>page</title>
<input id=name><select id=kind><option>all<option>paid</select><button id=save>save</button>
<input id=note value=old><p id=emptied></p><p id=told></p><p id=before></p><p id=chosen></p><p id=slid></p><p id=saved></p>
<x-volume id=volume></x-volume><script>
const name_ = document.getElementById('name');
const within = volume.attachShadow({ mode: 'open' });
within.innerHTML = '<button>mute</button><input type=range min=0 max=10 value=5>';
within.lastChild.oninput = ({ target }) => { slid.textContent = 'slid to ' + target.value; };
for (const type of ['beforeinput', 'textInput']) {
  name_.addEventListener(type, ({ data, target }) => { before.textContent += type + ' ' + data + ' in ' + target.value.length + ' '; });
}
name_.addEventListener('input', () => { told.textContent = 'told ' + name_.value; });
note.oninput = () => { emptied.textContent = 'left ' + note.value.length; };
kind.onchange = () => { chosen.textContent = 'chosen ' + kind.value; };
save.onclick = () => setTimeout(() => { saved.textContent = 'saved as ' + name_.value + ' ' + Math.random(); }, 50);
</script>";

/// As drivers wait: frame by frame, in the page itself.
const POLLS: &str = "new Promise((resolve) => {
  addEventListener('mousedown', () => {}, true);
  addEventListener('mousemove', () => {}, true);
  let left = 5;
  const poll = () => { Math.random(); Date.now(); left -= 1; left ? requestAnimationFrame(poll) : setTimeout(resolve, 1); };
  poll();
})";
/// As `fill()` does it: then it inserts the text as an input method would.
const SELECTS_NAME: &str =
    "(() => { const field = document.getElementById('name'); field.focus(); field.select(); })()";
/// As `focus()` does it: nobody outside hears of a focus that stays within.
const FOCUSES_WITHIN: &str = "(() => { for (const one of volume.shadowRoot.children) one.focus(); })()";
/// As `fill('')` does it: then it presses Delete.
const SELECTS_ALL: &str = "(() => { const note = document.getElementById('note'); note.focus(); note.select(); })()";
/// As `selectOption()` does it.
const SELECTS: &str = "(() => {
  const kind = document.getElementById('kind');
  kind.value = 'paid';
  kind.dispatchEvent(new Event('input', { bubbles: true }));
  kind.dispatchEvent(new Event('change', { bubbles: true }));
})()";
const CLICKS: &str = "document.getElementById('save').click()";
const DONE: &str = "document.getElementById('saved').textContent !== ''";

#[tokio::test(flavor = "multi_thread")]
async fn is_not_taken_for_the_page_and_what_it_enters_is_entered_again() {
    check().await.unwrap();
}

async fn check() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("page.html"), PAGE)?;
    let site = Site::http(folder.path(), Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    drive(&mut *browser, &site).await?;
    recording.close(browser).await?;
    let recorded = recording.finish().await?;
    must_be_the_pages_own(&recorded.trace)?;
    let needed = |name| xcheck_agent::find(name, &[]).with_context(|| format!("{name} is needed for this test"));
    let installed: Result<Vec<_>> = ["chromium", "firefox", "webkit"].into_iter().map(needed).collect();
    for seen in side_by_side::replay(&recorded, installed?, &folder.path().join("run")).await? {
        let name = &seen.replay.name;
        ensure!(seen.divergences().is_empty(), "{name}: {:?}", seen.divergences());
        for (id, wanted) in [
            ("emptied", "left 0"),
            ("slid", "slid to 6"),
            ("before", "beforeinput Ada in 0 textInput Ada in 0"),
            ("told", "told Ada"),
            ("chosen", "chosen paid"),
            ("saved", "saved as Ada"),
        ] {
            let texts = seen.texts(id);
            ensure!(
                texts.last().is_some_and(|text| text.starts_with(wanted)),
                "{name}: no `{wanted}` in {texts:?}"
            );
        }
    }
    Ok(())
}

async fn drive(browser: &mut dyn Browser, site: &Site) -> Result<()> {
    runner::take(browser, &site.url(""), &Step::Open("/page.html")).await?;
    browser.evaluate(SELECTS_ALL).await?;
    press(browser, "Delete").await?;
    browser.evaluate(FOCUSES_WITHIN).await?;
    press(browser, "ArrowRight").await?;
    for script in [POLLS, SELECTS_NAME] {
        browser.evaluate(script).await.with_context(|| script.to_owned())?;
    }
    browser.compose("Ada", true).await?;
    for script in [SELECTS, POLLS, CLICKS, POLLS] {
        browser.evaluate(script).await.with_context(|| script.to_owned())?;
    }
    runner::until(browser, DONE).await
}

async fn press(browser: &mut dyn Browser, name: &str) -> Result<()> {
    let (key, code) = (name.to_owned(), name.to_owned());
    let down = Input::KeyDown {
        key: key.clone(),
        code: code.clone(),
    };
    browser.perform(&[down, Input::KeyUp { key, code }]).await?;
    Ok(())
}

fn must_be_the_pages_own(trace: &Trace) -> Result<()> {
    let labels: Vec<String> = trace.order().iter().map(|event| trace.label(event)).collect();
    for wanted in [
        "focus on #name",
        "beforeinput on #name",
        "textInput on #name",
        "input on #name",
        "change on #kind",
        "click on #save",
        "timer (50 ms)",
    ] {
        ensure!(
            labels.iter().any(|label| label == wanted),
            "no `{wanted}` in {labels:?}"
        );
    }
    for foreign in ["animation frame", "timer (1 ms)", "inline script import", "mousedown"] {
        ensure!(
            !labels.iter().any(|label| label.starts_with(foreign)),
            "`{foreign}` is the driver's: {labels:?}"
        );
    }
    Ok(())
}
