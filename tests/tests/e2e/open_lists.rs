//! The list of a field, which Chromium shows in a window of its own and others in no picture.

use anyhow::{Result, ensure};
use xcheck_tests::session::{Step, click};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, workspace};

#[tokio::test(flavor = "multi_thread")]
async fn are_in_no_picture_and_stay_open() -> Result<()> {
    let site = Site::http(&workspace().join("tests/sites"), Prelude::None).await?;
    let mut browser = browsers::start("chromium", None).await?;
    const OPEN: &str = "document.querySelector('select').matches(':open')";
    for step in [Step::Open("/open-list.html"), click("select"), Step::Until(OPEN)] {
        runner::take(&mut *browser, &site.url(""), &step).await?;
    }
    let picture = image::load_from_memory(&browser.screenshot().await?)?.into_luma8();
    let below = (60..picture.height())
        .filter(|&row| (0..picture.width()).any(|column| picture.get_pixel(column, row).0[0] < 250));
    let rows: Vec<u32> = below.collect();
    ensure!(
        rows.is_empty(),
        "rows {rows:?} of an empty part of the page show something"
    );
    ensure!(browser.evaluate(OPEN).await? == true, "the picture has closed the list");
    browser.close().await?;
    Ok(())
}
