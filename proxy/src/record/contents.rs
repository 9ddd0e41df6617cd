//! What stood in an origin's databases and caches, as it arrives.

use xcheck_trace::StoreError;
use xcheck_trace::contents::{ContentsError, ContentsWriter, Missing};
use xcheck_trace::exchange::Body;
use xcheck_trace::notice::{Notice, NoticeKind};

/// Sentences of the page's that are written down for one origin.
const MOST_MISSING: usize = 40;

/// Characters of each part of such a sentence.
const LONGEST: usize = 500;

pub(super) struct Arriving {
    origin: String,
    /// Absent once something came that is not to be kept: half of it is worth nothing.
    writer: Option<ContentsWriter>,
    missing: usize,
}

impl Arriving {
    pub(super) fn new(origin: String, writer: ContentsWriter) -> Arriving {
        Arriving {
            origin,
            writer: Some(writer),
            missing: 0,
        }
    }

    /// Lines that came; what a person should know of them.
    pub(super) fn take(&mut self, lines: &[u8]) -> Vec<Notice> {
        let mut notices = Vec::new();
        let lines = lines.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        for line in lines.filter(|line| !line.is_empty()) {
            let Some(writer) = &mut self.writer else { break };
            match writer.line(line) {
                Ok(None) => {}
                Ok(Some(missing)) => {
                    self.missing += 1;
                    if self.missing <= MOST_MISSING {
                        notices.push(self.could_not_be_read(missing));
                    }
                }
                Err(error) => {
                    self.writer = None;
                    let kind = match error {
                        ContentsError::Store(_) => NoticeKind::NotKept,
                        _ => NoticeKind::LogRefused,
                    };
                    notices.push(Notice::new(
                        kind,
                        format!(
                            "What stood in databases and caches of {} was not kept: {error}.",
                            self.origin
                        ),
                    ));
                }
            }
        }
        notices
    }

    fn could_not_be_read(&self, Missing { what, why, url }: Missing) -> Notice {
        let [mut what, why] = [what, why].map(|text| text.chars().take(LONGEST).collect::<String>());
        // Rules are applied to the whole address only.
        if url.as_ref().is_some_and(|url| !what.contains(url)) {
            "An answer in a cache".clone_into(&mut what);
        }
        let text = format!(
            "{what} of {}, from before the session, was not kept: {why}.",
            self.origin
        );
        Notice {
            url,
            ..Notice::new(NoticeKind::NotKept, text)
        }
    }

    /// There is no more of it.
    pub(super) fn finish(self) -> Result<(Option<Body>, Option<Notice>), StoreError> {
        let Some(writer) = self.writer else {
            return Ok((None, None));
        };
        let (body, left_out) = writer.finish()?;
        let text = format!(
            "{left_out} of the records in databases and caches of {} were not kept: redaction rules apply to them, or may.",
            self.origin
        );
        Ok((body, (left_out > 0).then(|| Notice::new(NoticeKind::NotKept, text))))
    }
}
