//! Real browsers show documents of every awkward kind, straight from the origin and through a recording proxy, and must
//! make the same of both. The documents stand in `tests/documents`, each with the head it is sent with; and there are
//! random ones.

use crate::pieces::PIECES;
use crate::showing::{Browser, Documents, Shown};
use crate::support::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xcheck_trace::notice::NoticeKind;

#[tokio::test]
async fn chromium_makes_the_same_of_a_document_with_and_without_our_script() {
    check(Browser::Chromium).await;
}

#[tokio::test]
async fn firefox_makes_the_same_of_a_document_with_and_without_our_script() {
    check(Browser::Firefox).await;
}

#[tokio::test]
async fn webkit_makes_the_same_of_a_document_with_and_without_our_script() {
    check(Browser::WebKit).await;
}

/// `XCHECK_SEED` repeats a failure, `XCHECK_DOCUMENTS` says how many there are.
#[tokio::test]
async fn chromium_makes_the_same_of_random_documents() {
    let setting = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().expect(name));
    let seed = setting("XCHECK_SEED").unwrap_or_else(|| std::process::id().into());
    let documents = Arc::new(random_documents(seed, setting("XCHECK_DOCUMENTS").unwrap_or(100)));
    let rig = Rig::start().await;
    let straight = Browser::Chromium.show(&documents, None).await;
    let recorded = Browser::Chromium.show(&documents, Some(rig.address())).await;
    let different = differences(&straight, &recorded);
    for name in &different {
        let (_, body) = &documents[name.trim_start_matches("window ")];
        eprintln!("{name}: {:?}", String::from_utf8_lossy(body));
        eprintln!(
            "  without: {}\n  with:    {}",
            straight.seen[*name], recorded.seen[*name]
        );
    }
    assert!(
        different.is_empty(),
        "XCHECK_SEED={seed} gives documents that are not the same"
    );
}

/// Where a page can see what we did: the column of a syntax error, and the text of a policy in a `<meta>`.
const SHOWS: [&str; 3] = ["csp-meta", "csp-meta-encoded", "xhtml-malformed"];

/// Documents that run no script, so that there is nothing to record.
const NO_SCRIPT: [&str; 4] = ["csp-sandbox", "not-sniffed", "text-plain", "xml-feed"];

async fn check(browser: Browser) {
    let documents = Arc::new(documents());
    let straight = browser.show(&documents, None).await;
    let rig = Rig::start().await;
    let recorded = browser.show(&documents, Some(rig.address())).await;
    let trace = rig.stop().await;

    let different = differences(&straight, &recorded);
    for name in different.iter().filter(|name| !SHOWS.contains(name)) {
        eprintln!(
            "{name}\n  without: {}\n  with:    {}",
            straight.seen[*name], recorded.seen[*name]
        );
    }
    assert_eq!(different, SHOWS, "documents of which {browser:?} makes something else");

    assert_eq!(
        silent_documents(&trace, &recorded.origin),
        NO_SCRIPT,
        "documents without a recorder in {browser:?}"
    );
    let told: Vec<&str> = trace
        .notices
        .iter()
        .filter(|notice| notice.kind == NoticeKind::NotInstrumented)
        .filter_map(|notice| {
            notice
                .url
                .as_deref()?
                .strip_prefix(&format!("{}/documents/", recorded.origin))
        })
        .collect();
    assert_eq!(told, ["csp-sandbox"], "{browser:?}");
}

fn differences<'a>(straight: &'a Shown, recorded: &Shown) -> Vec<&'a str> {
    let differs = |name: &&String| straight.seen.get(*name) != recorded.seen.get(*name);
    straight.seen.keys().filter(differs).map(String::as_str).collect()
}

/// Documents from which no recorder reported, however often they were asked for.
fn silent_documents(trace: &Recorded, origin: &str) -> Vec<String> {
    let loads: BTreeSet<Option<u64>> = trace.loads.iter().map(|load| load.exchange).collect();
    let mut reported: BTreeMap<&str, bool> = BTreeMap::new();
    for exchange in &trace.exchanges {
        if let Some(name) = exchange.request.url.strip_prefix(&format!("{origin}/documents/")) {
            *reported.entry(name).or_default() |= loads.contains(&Some(exchange.id));
        }
    }
    let silent = reported.into_iter().filter(|(_, reported)| !reported);
    silent.map(|(name, _)| name.to_owned()).collect()
}

fn documents() -> Documents {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let parse = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        if let Some(body) = bytes.strip_prefix(b"\n") {
            return (name, (String::new(), body.to_vec()));
        }
        let end = bytes.windows(2).position(|window| window == b"\n\n").unwrap();
        let head = String::from_utf8(bytes[..=end].to_vec()).unwrap();
        (name, (head, bytes[end + 2..].to_vec()))
    };
    files.map(parse).collect()
}

/// Beside the shared ones: where elements are put elsewhere, and a script that sees where it is.
const MORE_PIECES: [&str; 5] = [
    "<math>",
    "</math>",
    "<table>",
    "<select>",
    "<script>document.write('<i>' + document.getElementsByTagName('*').length)</script>",
];

/// Strings of pieces that mean something to a parser, and documents of ours with something cut out or put in, but for
/// those where a page can see what we did. All are too short for a declaration to come late: late in a body and behind a
/// script, it can not be kept within reach.
fn random_documents(seed: u64, count: u64) -> Documents {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut below = move |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    let usable = |body: &Vec<u8>| {
        body.len() < 900
            && !body
                .windows(15)
                .any(|window| window.eq_ignore_ascii_case(b"security-policy"))
    };
    let ours: Vec<Vec<u8>> = documents().into_values().map(|(_, body)| body).filter(usable).collect();
    let pieces = [&PIECES[..], &MORE_PIECES].concat();
    let mut random = Documents::new();
    for number in 0..count {
        let mut body = Vec::new();
        if below(3) == 0 {
            body = ours[below(ours.len())].clone();
            for _ in 0..=below(3) {
                let start = below(body.len());
                let end = (start + below(20)).min(body.len());
                body.splice(start..end, pieces[below(pieces.len())].bytes());
            }
        } else {
            for _ in 0..below(14) {
                body.extend_from_slice(pieces[below(pieces.len())].as_bytes());
            }
        }
        // In frames only, where the encoding is the parent's: guesses at such texts hang on each byte.
        let charset = ["", "utf-8"][below(2)];
        let head = format!("content-type: text/html; charset={charset}\n");
        random.insert(format!("random-{number}"), (head, body));
    }
    random
}
