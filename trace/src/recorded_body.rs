//! A body on its way from the network into a trace.
//!
//! Where no redaction rule can apply, which is nearly always, the bytes stream into the store. Otherwise they are held
//! until the end, because a rule may need all of them; a body too large for that is not kept, and the trace says so.

use crate::bodies::BodyWriter;
use crate::exchange::Body;
use crate::files::StoreError;
use crate::notice::{Notice, NoticeKind};
use crate::redact::{RedactedBody, Redaction};
use crate::writer::TraceWriter;

const MOST_HELD: usize = 16 * 1024 * 1024;

pub struct RecordedBody {
    trace: TraceWriter,
    store: BodyWriter,
    held: Option<Held>,
}

struct Held {
    redaction: Redaction,
    headers: Vec<(String, String)>,
    bytes: Vec<u8>,
    too_large: bool,
}

impl Held {
    /// Unless no rule can change a body with these headers.
    fn new<T: AsRef<str>>(redaction: &Redaction, headers: &[(T, T)]) -> Option<Held> {
        let own = |(name, value): &(T, T)| (name.as_ref().to_owned(), value.as_ref().to_owned());
        let headers: Vec<_> = headers.iter().map(own).collect();
        redaction.may_change_body(&headers).then(|| Held {
            redaction: redaction.clone(),
            headers,
            bytes: Vec::new(),
            too_large: false,
        })
    }
}

impl RecordedBody {
    pub(crate) fn new<T: AsRef<str>>(
        trace: TraceWriter,
        store: BodyWriter,
        redaction: &Redaction,
        headers: &[(T, T)],
    ) -> RecordedBody {
        let held = match redaction.is_none() {
            true => None,
            false => Held::new(redaction, headers),
        };
        RecordedBody { trace, store, held }
    }

    pub fn write(&mut self, chunk: &[u8]) -> Result<(), StoreError> {
        let Some(held) = &mut self.held else {
            return self.store.write(chunk);
        };
        held.too_large |= held.bytes.len() + chunk.len() > MOST_HELD;
        if held.too_large {
            held.bytes = Vec::new();
        } else {
            held.bytes.extend_from_slice(chunk);
        }
        Ok(())
    }

    /// The body is all there.
    pub fn finish(self) -> Result<Body, StoreError> {
        self.end(true)
    }

    /// The peer announced more, or was still sending.
    pub fn finish_partial(self) -> Result<Body, StoreError> {
        self.end(false)
    }

    fn end(mut self, whole: bool) -> Result<Body, StoreError> {
        let Some(held) = self.held.take() else {
            return end_store(self.store, whole);
        };
        let (bytes, trouble) = held.redacted();
        if let Some(text) = trouble {
            self.trace.notice(&Notice {
                kind: NoticeKind::NotKept,
                text,
                url: None,
                exchange: None,
                load: None,
            })?;
            return self.store.finish_partial();
        }
        self.store.write(&bytes)?;
        end_store(self.store, whole)
    }
}

impl Held {
    fn redacted(self) -> (Vec<u8>, Option<String>) {
        if self.too_large {
            let most = MOST_HELD / 1024 / 1024;
            let text = format!("A body over {most} MiB that redaction rules apply to was not kept.");
            return (Vec::new(), Some(text));
        }
        match self.redaction.body(&self.headers, &self.bytes) {
            RedactedBody::Unchanged => (self.bytes, None),
            RedactedBody::Changed(bytes) => (bytes, None),
            RedactedBody::Unreadable(reason) => {
                let text = format!("A body that redaction rules apply to was not kept: {reason}.");
                (Vec::new(), Some(text))
            }
        }
    }
}

fn end_store(store: BodyWriter, whole: bool) -> Result<Body, StoreError> {
    if whole { store.finish() } else { store.finish_partial() }
}
