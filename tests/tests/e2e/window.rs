//! What a person does to the window rather than to the page: it is made narrower, loaded anew after its script has moved,
//! and a wheel is turned over a list that scrolls before the page hears of it.

use anyhow::{Context, Result, ensure};
use xcheck_agent::{Browser, History, Input};
use xcheck_tests::recording::Recording;
use xcheck_tests::session::Step;
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, side_by_side};
use xcheck_trace::manifest::Viewport;

const PAGE: &str = "<!doctype html><title>page</title>
<style>
  body { margin: 0 } #list { height: 200px; overflow: auto } #rows { height: 30000px; position: relative }
  #rows p { position: absolute; margin: 0; height: 20px }
  @media (max-width: 600px) { #only-wide { display: none } }
</style>
<p id=only-wide>only where it is wide</p>
<p id=size></p><p id=first></p><p id=times></p>
<div id=list><div id=rows></div></div>
<script>
const narrow = matchMedia('(max-width: 600px)');
narrow.onchange = () => { size.textContent = narrow.matches ? 'narrow' : 'wide'; };
const draw = () => {
  const top = Math.floor(list.scrollTop / 20);
  rows.replaceChildren(...Array.from({ length: 12 }, (_, at) => {
    const row = document.createElement('p');
    row.style.top = `${(top + at) * 20}px`;
    row.textContent = `row ${top + at}`;
    return row;
  }));
  first.textContent = `first ${top}`;
};
list.onscroll = draw;
draw();
history.replaceState({}, '', '/moved.html');
sessionStorage.times = +(sessionStorage.times ?? 0) + 1;
times.textContent = `loaded ${sessionStorage.times}`;
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn is_resized_scrolled_and_loaded_anew_as_it_was() {
    check().await.unwrap();
}

async fn check() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // The server knows the page by both addresses.
    for name in ["page.html", "moved.html"] {
        std::fs::write(folder.path().join(name), PAGE)?;
    }
    let site = Site::http(folder.path(), Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    drive(&mut *browser, &site).await?;
    recording.close(browser).await?;
    let recorded = recording.finish().await?;
    let needed = |name| xcheck_agent::find(name, &[]).with_context(|| format!("{name} is needed for this test"));
    let installed: Result<Vec<_>> = ["chromium", "firefox", "webkit"].into_iter().map(needed).collect();
    for seen in side_by_side::replay(&recorded, installed?, &folder.path().join("run")).await? {
        let name = &seen.replay.name;
        ensure!(seen.divergences().is_empty(), "{name}: {:?}", seen.divergences());
        for (id, wanted) in [("first", "first 30"), ("size", "narrow"), ("times", "loaded 2")] {
            let texts = seen.texts(id);
            ensure!(
                texts.iter().any(|text| text == wanted),
                "{name}: no `{wanted}` in {texts:?}"
            );
        }
        let documents = seen.pages().iter().filter_map(|page| page.documents.first());
        let widths: Vec<f32> = documents.map(|document| document.viewport[0]).collect();
        ensure!(
            widths.contains(&1280.0) && widths.contains(&500.0),
            "{name}: {widths:?}"
        );
    }
    Ok(())
}

async fn drive(browser: &mut dyn Browser, site: &Site) -> Result<()> {
    runner::take(browser, &site.url(""), &Step::Open("/page.html")).await?;
    let (x, y) = (100.0, 200.0);
    browser.perform(&[Input::PointerMove { x, y }]).await?;
    browser
        .perform(&[Input::Wheel {
            x,
            y,
            dx: 0.0,
            dy: 600.0,
        }])
        .await?;
    runner::until(browser, "first.textContent === 'first 30'").await?;
    let narrow = Viewport {
        width: 500,
        height: 720,
    };
    browser.set_viewport(narrow).await?;
    runner::until(browser, "size.textContent === 'narrow'").await?;
    browser.history(History::Reload).await?;
    runner::until(browser, "document.querySelector('#times')?.textContent === 'loaded 2'").await
}
