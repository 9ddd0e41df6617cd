//! What a recording came to, with everything that a person should know about it.

use crate::terminal::{self, BOLD, bytes, count, styled};
use std::time::Duration;
use xcheck_proxy::Summary;
use xcheck_trace::notice::{Notice, NoticeKind};

/// More than this of one kind are counted; the trace has them all.
const MOST_OF_A_KIND: usize = 25;

pub(super) fn print(summary: &Summary, took: Duration) {
    let written = &summary.written;
    for text in &summary.not_written {
        terminal::warn(format!("not everything could be kept: {text}"));
    }
    for (kind, title) in TITLES {
        of_kind(kind, title, &summary.notices);
    }
    let unheard = written.notices.saturating_sub(summary.notices.len() as u64);
    if unheard > 0 {
        terminal::warn(format!("and {}, all in the trace", count(unheard, "more notice")));
    }
    let folder = summary.folder.display().to_string();
    terminal::say(format!(
        "Recorded {}, {}, {} and {} in {:.1} s: {}",
        count(written.pages, "page"),
        count(written.events, "event"),
        count(written.exchanges, "request"),
        bytes(written.body_bytes),
        took.as_secs_f64(),
        styled(BOLD, &folder)
    ));
    if written.exchanges == 0 {
        terminal::warn("nothing came through the proxy: does the client use it, for loopback addresses too?");
    } else if written.loads == 0 {
        terminal::say("No page with the recorder in it was opened: only requests were recorded.");
    }
    terminal::say(format!("Look at it:  xcheck trace show {}", quoted(&folder)));
}

const TITLES: [(NoticeKind, &str); 7] = [
    (
        NoticeKind::NotInstrumented,
        "pages without the recorder, which a replay cannot control",
    ),
    (
        NoticeKind::PolicyRelaxed,
        "content security policies that were widened for the recorder",
    ),
    (NoticeKind::Unsupported, "seen, but neither recorded nor replayed"),
    (NoticeKind::Upstream, "servers that could not be reached or broke off"),
    (NoticeKind::LogRefused, "parts of pages' logs that were refused"),
    (NoticeKind::NotKept, "not kept"),
    (NoticeKind::Recorder, "trouble of the recorder itself"),
];

/// The same sentence is said once, with how often it came.
fn of_kind(kind: NoticeKind, title: &str, notices: &[Notice]) {
    let mut texts: Vec<(String, u64)> = Vec::new();
    for notice in notices.iter().filter(|notice| notice.kind == kind) {
        let text = terminal::printable(&notice.text);
        match texts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, times)) => *times += 1,
            None => texts.push((text, 1)),
        }
    }
    if texts.is_empty() {
        return;
    }
    terminal::warn(title);
    for (text, times) in texts.iter().take(MOST_OF_A_KIND) {
        let times = if *times > 1 {
            format!(" ({times} times)")
        } else {
            String::new()
        };
        terminal::say(format!("  {text}{times}"));
    }
    if texts.len() > MOST_OF_A_KIND {
        terminal::say(format!(
            "  and {} more, see `xcheck trace show`",
            texts.len() - MOST_OF_A_KIND
        ));
    }
}

fn quoted(path: &str) -> String {
    let plain = path.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    if plain {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
