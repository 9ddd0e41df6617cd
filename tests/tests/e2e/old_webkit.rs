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
