//! A caret that WebKit goes on painting where nobody can type any more.

use anyhow::{Result, ensure};
use xcheck_tests::session::{Step, click};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, workspace};

#[tokio::test(flavor = "multi_thread")]
async fn are_in_no_picture_of_a_field_that_is_hidden() -> Result<()> {
    let site = Site::http(&workspace().join("tests/sites"), Prelude::None).await?;
    let mut browser = browsers::start("webkit", None).await?;
    for step in [
        Step::Open("/hidden-field.html"),
        click("#name"),
        Step::Type("Ada"),
        Step::Press("Escape"),
        Step::Until("document.title === 'done'"),
    ] {
        runner::take(&mut *browser, &site.url(""), &step).await?;
    }
    for _ in 0..2 {
        let picture = image::load_from_memory(&browser.screenshot().await?)?.into_luma8();
        let dark = picture.pixels().filter(|pixel| pixel.0[0] < 128).count();
        ensure!(dark == 0, "{dark} pixels of an empty page are dark");
    }
    browser.close().await?;
    Ok(())
}
