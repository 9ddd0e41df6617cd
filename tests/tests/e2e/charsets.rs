//! Character sets: injection changes no letter of a page, however the page says what its bytes mean.

use anyhow::{Result, ensure};
use xcheck_agent::Browser;
use xcheck_tests::recording::Recording;
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};

/// File name, and the bytes of the page.
fn pages() -> Vec<(&'static str, Vec<u8>)> {
    let filler = "x".repeat(900);
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain("<!doctype html><title>t</title><p>größer 山 <p id=end>".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    vec![
        (
            "latin-by-meta.html",
            b"<!doctype html><meta charset=windows-1252><p>caf\xe9 \x80 <p id=end>".to_vec(),
        ),
        (
            "japanese-by-meta.html",
            b"<!doctype html><head><meta charset=shift_jis></head><p>\x8e\x52\x90\xec<p id=end>".to_vec(),
        ),
        (
            "late-meta.html",
            [
                b"<!doctype html><!--",
                filler.as_bytes(),
                "--><meta charset=utf-8><p>größer<p id=end>".as_bytes(),
            ]
            .concat(),
        ),
        ("undeclared.html", b"<!doctype html><p>caf\xe9<p id=end>".to_vec()),
        (
            "utf-8-undeclared.html",
            "<!doctype html><p>größer<p id=end>".as_bytes().to_vec(),
        ),
        (
            "utf-8-mark.html",
            "\u{feff}<!doctype html><p>größer<p id=end>".as_bytes().to_vec(),
        ),
        ("utf-16.html", utf16),
        ("quirks.html", "<p>no doctype, größer<p id=end>".as_bytes().to_vec()),
        ("fragment.html", b"just text <b id=end>bold</b>".to_vec()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_letter_changes_in_chromium() {
    check("chromium").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_letter_changes_in_firefox() {
    check("firefox").await.unwrap();
}

async fn check(browser: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (name, bytes) in pages() {
        std::fs::write(folder.path().join(name), bytes)?;
    }
    let site = Site::http(folder.path(), Prelude::None).await?;
    let mut plain = browsers::start(browser, None).await?;
    let unrecorded = read_all(&mut *plain, &site).await?;
    plain.close().await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut watched = browsers::start(browser, Some(&recording.proxy)).await?;
    let recorded = read_all(&mut *watched, &site).await?;
    recording.close(watched).await?;
    let trace = recording.finish().await?.trace;
    assert_eq!(recorded, unrecorded);
    let loads: Vec<&str> = trace.loads.iter().map(|load| load.url.as_str()).collect();
    for url in urls(&site) {
        ensure!(
            loads.contains(&url.as_str()),
            "{url} has no recorder; notices: {:#?}",
            trace.notices
        );
    }
    Ok(())
}

/// Without a charset in the header, which would settle it.
fn urls(site: &Site) -> Vec<String> {
    let url = |(name, _): (&str, Vec<u8>)| site.url(&format!("/~/with/Content-Type%3Atext%2Fhtml/{name}"));
    pages().into_iter().map(url).collect()
}

async fn read_all(browser: &mut dyn Browser, site: &Site) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for url in urls(site) {
        runner::open(browser, &url).await?;
        let told = browser
            .evaluate("[document.characterSet, document.compatMode, document.body.textContent].join(' | ')")
            .await?;
        texts.push(format!("{url}: {told}"));
    }
    Ok(texts)
}
