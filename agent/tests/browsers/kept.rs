//! What is kept of a first start is the browser's own, and the next home is as new as the first.

use crate::{open, options, site::Site, start};
use std::collections::BTreeSet;
use std::path::Path;
use xcheck_agent::LaunchOptions;

const PAGES: &[(&str, &str)] = &[(
    "/",
    "<!doctype html><title>page</title><script>
    const before = [document.cookie, localStorage.length];
    document.cookie = 'word=secret-of-a-page; max-age=9999';
    localStorage.word = 'secret-of-a-page';
    </script>",
)];

/// Names below `folder`, without that of each browser's own.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read(&path).unwrap();
                assert!(!text.windows(16).any(|part| part == b"secret-of-a-page"), "{path:?}");
                let below: Vec<_> = path.strip_prefix(folder).unwrap().iter().skip(2).collect();
                found.insert(below.iter().collect::<std::path::PathBuf>().display().to_string());
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_start_is_given_what_the_first_one_made_and_nothing_that_a_page_left() {
    let site = Site::serve(PAGES).await;
    for (name, own) in [
        ("firefox", "profile/startupCache/"),
        ("webkit", "cache/gstreamer-registry"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let options = LaunchOptions {
            cache: Some(cache.path().to_owned()),
            ..options()
        };
        let mut kept = Vec::new();
        for _ in 0..2 {
            let mut browser = start(name, &options).await;
            open(browser.as_mut(), &site, "/").await;
            let before = browser.evaluate("before.join()").await.unwrap();
            assert_eq!(before, ",0", "{name}");
            browser.close().await.unwrap();
            kept.push(files(cache.path()));
        }
        assert!(kept[0].iter().any(|file| file.starts_with(own)), "{name}: {kept:?}");
        let known = |file: &String| file.starts_with(own) || file == "profile/compatibility.ini";
        assert!(kept[0].iter().all(known), "{name}: {kept:?}");
        assert_eq!(kept[0], kept[1], "{name}");
    }
}
