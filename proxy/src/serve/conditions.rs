//! Ranges of bodies that were recorded whole. Media elements ask for different ranges in different engines.

/// One range of bytes: where it begins, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) length: u64,
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
