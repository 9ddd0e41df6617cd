//! A page of today in a WebKit of 2022, which refuses some of today's JavaScript, has other ideas of a window's events, and
//! lacks half of what we would like to ask.

use anyhow::{Context, Result, ensure};
use xcheck_tests::recording::Recording;
use xcheck_tests::session::{Step, click};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, side_by_side};

const PAGE: &str = "<!doctype html><title>page</title><input id=name><button id=save>Save</button><p id=said></p>
<script>
const say = (text) => { said.append(text + ' '); };
addEventListener('load', () => say('loaded'));
const field = document.getElementById('name');
field.oninput = () => say(field.value.length);
save.onclick = async () => {
  const answer = await fetch('answer.txt');
  say(await answer.text());
  // Printed otherwise there, with a blank behind `function`.
  setTimeout(function(){say('later')}, 10);
  setTimeout(() => { say((Math.random() + 1).toString(36).slice(2)); document.title = 'done'; }, 30);
};
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn replays_what_chromium_recorded_without_a_divergence() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("page.html"), PAGE)?;
    std::fs::write(folder.path().join("answer.txt"), "answered")?;
    let site = Site::http(folder.path(), Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    for step in [
        Step::Open("/page.html"),
        click("#name"),
        Step::Type("Ada"),
        click("#save"),
        Step::Until("document.title === 'done'"),
    ] {
        runner::take(&mut *browser, &site.url(""), &step).await?;
    }
    recording.close(browser).await?;
    let recorded = recording.finish().await?;
    let needed = |name| xcheck_agent::find(name, &[]).with_context(|| format!("{name} is needed for this test"));
    let installed: Result<Vec<_>> = ["chromium", "wpe"].into_iter().map(needed).collect();
    let seen = side_by_side::replay(&recorded, installed?, &folder.path().join("run")).await?;
    let said = |at: usize| seen[at].texts("said").last().cloned().unwrap_or_default();
    for replay in &seen {
        let name = &replay.replay.name;
        ensure!(replay.divergences().is_empty(), "{name}: {:?}", replay.divergences());
    }
    ensure!(
        said(0).starts_with("loaded 1 2 3 answered later ") && said(0) == said(1),
        "chromium: {}, wpe: {}",
        said(0),
        said(1)
    );
    Ok(())
}

const BANDS: [(&str, [u8; 3]); 3] = [("red", [255, 0, 0]), ("lime", [0, 255, 0]), ("blue", [0, 0, 255])];

/// The driver pictures the viewport, and this engine adopts no style sheets.
#[tokio::test(flavor = "multi_thread")]
async fn shows_all_of_a_page_that_is_scrolled() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let bands: String = BANDS
        .iter()
        .map(|(colour, _)| format!("<div style='background: {colour}'></div>"))
        .collect();
    let changes = "<script>changes = 0; new MutationObserver(() => changes += 1).observe(document, \
                   { childList: true, attributes: true, subtree: true });</script>";
    let styles = "<style>body { margin: 0 } div { height: 700px }</style>";
    std::fs::write(
        folder.path().join("with.html"),
        format!("<!doctype html>{styles}{bands}{changes}"),
    )?;
    let inline = bands.replace("style='", "style='height: 700px;");
    std::fs::write(
        folder.path().join("without.html"),
        format!("<!doctype html><body style='margin: 0'>{inline}{changes}"),
    )?;
    let site = Site::http(folder.path(), Prelude::None).await?;
    let mut browser = browsers::start("wpe", None).await?;
    for (page, first) in [("/with.html", 0), ("/without.html", 2)] {
        runner::open(&mut *browser, &site.url(page)).await?;
        browser
            .evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            .await?;
        let picture = image::load_from_memory(&browser.screenshot().await?)?.into_rgba8();
        ensure!(picture.height() == 2100, "{page} is {} px high", picture.height());
        for (nth, (colour, [red, green, blue])) in BANDS.iter().enumerate().skip(first) {
            let at = 350 + 700 * nth as u32;
            let pixel = picture.get_pixel(200, at).0;
            ensure!(
                pixel == [*red, *green, *blue, 255],
                "{page}: {pixel:?} where it is {colour}"
            );
        }
        let hidden = picture.pixels().filter(|pixel| pixel.0[3] == 0).count();
        ensure!((hidden > 0) == (first > 0), "{page}: {hidden} pixels were not seen");
        let left = "JSON.stringify([changes, document.styleSheets[0]?.cssRules.length ?? 2, scrollY > 1000])";
        let left = browser.evaluate(left).await?;
        ensure!(left == "[0,2,true]", "{page}: {left}");
    }
    browser.close().await?;
    Ok(())
}
