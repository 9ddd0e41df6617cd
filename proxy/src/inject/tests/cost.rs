//! What injection costs, as a table. `cargo test --release -p xcheck-proxy --lib cost -- --ignored --nocapture`

use super::bodies::encoded;
use super::*;
use std::time::{Duration, Instant};

const CHUNK: usize = 16 * 1024;

fn document(bytes: usize, head: bool) -> Vec<u8> {
    let mut page = b"<!doctype html><html><head><title>t</title>".to_vec();
    if !head {
        page.extend_from_slice(b"</head><body>");
    }
    while page.len() < bytes {
        page.extend_from_slice(match head {
            true => {
                b"<meta name=\"x\" content=\"some value of a meta element\"><script>var some = 'script';</script>\n"
            }
            false => b"<p class=\"item\">Some text of a paragraph with <a href=\"/link\">a link</a> in it.</p>\n",
        });
    }
    page
}

fn fastest(mut run: impl FnMut() -> usize) -> (Duration, usize) {
    let timed = |_| {
        let start = Instant::now();
        let bytes = run();
        (start.elapsed(), bytes)
    };
    (0..7).map(timed).min().unwrap()
}

fn inject(lines: &[(&str, &str)], body: &[u8]) -> usize {
    let facts = document_request();
    let first = &body[..CHUNK.min(body.len())];
    let Decision::Inject(mut plan) = decide(&facts, StatusCode::OK, &headers(lines), first, false, &script()) else {
        panic!("a document");
    };
    let mut bytes = 0;
    for mut chunk in body.chunks(CHUNK) {
        loop {
            let mut out = Vec::new();
            let flow = plan.push(&mut chunk, &mut out);
            bytes += std::hint::black_box(out).len();
            if flow == Flow::Hungry {
                break;
            }
        }
    }
    let mut out = Vec::new();
    plan.finish(&mut out);
    bytes + out.len()
}

#[test]
#[ignore = "measures; run it by itself, with optimisation"]
fn injection_costs_little_more_than_copying() {
    println!("{:34} {:>9} {:>9} {:>7}", "", "MB/s", "copy MB/s", "ratio");
    for (name, size, head, coding) in [
        ("10 MB, body", 10_000_000, false, ""),
        ("10 MB, all of it head", 10_000_000, true, ""),
        ("30 KB, body", 30_000, false, ""),
        ("10 MB, gzip", 10_000_000, false, "gzip"),
        ("10 MB, br", 10_000_000, false, "br"),
    ] {
        let page = document(size, head);
        let mut lines = vec![("content-type", "text/html; charset=utf-8")];
        let mut body = page.clone();
        if !coding.is_empty() {
            lines.push(("content-encoding", coding));
            body = encoded(coding, &page);
        }
        let (copying, _) = fastest(|| {
            page.chunks(CHUNK)
                .map(|chunk| std::hint::black_box(chunk.to_vec()).len())
                .sum()
        });
        let (injecting, bytes) = fastest(|| inject(&lines, &body));
        assert!(bytes > page.len());
        let rate = |time: Duration| page.len() as f64 / time.as_secs_f64() / 1e6;
        let ratio = injecting.as_secs_f64() / copying.as_secs_f64();
        println!(
            "{name:34} {:9.0} {:9.0} {ratio:7.1}   {injecting:?}",
            rate(injecting),
            rate(copying)
        );
    }
}
