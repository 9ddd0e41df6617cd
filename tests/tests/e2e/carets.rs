//! A caret that WebKit goes on painting where nobody can type any more.

use anyhow::{Result, ensure};
use image::GrayImage;
use xcheck_tests::session::{Step, click};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner, workspace};

#[tokio::test(flavor = "multi_thread")]
async fn are_in_no_picture_of_a_field_that_is_hidden() -> Result<()> {
    for picture in pictures("/hidden-field.html").await? {
        let dark = dark_rows(&picture);
        ensure!(dark.is_empty(), "rows {dark:?} of an empty page have something dark");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn keep_nothing_out_of_the_picture_that_stands_below_the_root_itself() -> Result<()> {
    for picture in pictures("/hidden-field-above.html").await? {
        let dark = dark_rows(&picture);
        ensure!(
            dark == (1740..1760).collect::<Vec<u32>>(),
            "rows {dark:?} have something dark, and the page's end is at 1740"
        );
    }
    Ok(())
}

/// Two of a page whose field has been hidden while it had the focus.
async fn pictures(page: &'static str) -> Result<Vec<GrayImage>> {
    let site = Site::http(&workspace().join("tests/sites"), Prelude::None).await?;
    let mut browser = browsers::start("webkit", None).await?;
    for step in [
        Step::Open(page),
        click("#name"),
        Step::Type("Ada"),
        Step::Press("Escape"),
        Step::Until("document.title === 'done'"),
    ] {
        runner::take(&mut *browser, &site.url(""), &step).await?;
    }
    let mut pictures = Vec::new();
    for _ in 0..2 {
        pictures.push(image::load_from_memory(&browser.screenshot().await?)?.into_luma8());
    }
    browser.close().await?;
    Ok(pictures)
}

fn dark_rows(picture: &GrayImage) -> Vec<u32> {
    let is_dark = |row: &u32| (0..picture.width()).any(|column| picture.get_pixel(column, *row).0[0] < 128);
    (0..picture.height()).filter(is_dark).collect()
}
