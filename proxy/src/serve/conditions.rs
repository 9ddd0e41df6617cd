//! Ranges of bodies that were recorded whole. Media elements ask for different ranges in different engines, and for all by a range or
//! without one.

use xcheck_trace::exchange::{End, Exchange};

/// One range of bytes: where it begins, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) length: u64,
}

/// Whether all of it was kept, be it that a range was asked for that is the whole (`bytes=0-`).
pub(super) fn is_whole(exchange: &Exchange) -> bool {
    let Some(head) = &exchange.response else {
        return false;
    };
    let Some(stored) = head.body.as_ref().filter(|stored| !stored.partial) else {
        return false;
    };
    let covers = |range: &str| {
        let ends = stored
            .bytes
            .checked_sub(1)
            .map(|last| format!("bytes 0-{last}/{}", stored.bytes));
        ends.is_some_and(|whole| range.trim() == whole)
    };
    let is_all = match head.status {
        200 => true,
        206 => head.header("content-range").is_some_and(covers),
        _ => false,
    };
    is_all && exchange.end == End::Complete
}

/// What `header` asks of a body of `total` bytes. `None`: nothing that is understood, so the whole is the answer.
pub(super) fn part(header: &str, total: u64) -> Option<Part> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = match (first.trim(), last.trim()) {
        ("", suffix) => (total.saturating_sub(suffix.parse().ok()?), total),
        (start, "") => (start.parse().ok()?, total),
        (start, last) => (
            start.parse().ok()?,
            last.parse::<u64>().ok()?.saturating_add(1).min(total),
        ),
    };
    (start < end).then(|| Part {
        start,
        length: end - start,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_body() {
        let check = |header: &str, expected: Option<(u64, u64)>| {
            assert_eq!(
                part(header, 100).map(|part| (part.start, part.length)),
                expected,
                "{header}"
            );
        };
        check("bytes=0-", Some((0, 100)));
        check("bytes=10-19", Some((10, 10)));
        check("bytes=90-200", Some((90, 10)));
        check("bytes=-5", Some((95, 5)));
        check("bytes=100-", None);
        check("bytes=5-4", None);
        check("bytes=0-1,5-6", None);
        check("items=0-1", None);
    }
}
