//! Writes a trace while it is recorded.
//!
//! Nothing here decides when to flush: the recorder does, often enough that what is lost when it is killed is short.
//! What has been flushed can be read at any moment, also while writing goes on.

use crate::bodies::BodyStore;
use crate::contents::ContentsWriter;
use crate::event::{Event, Load, SourceText};
use crate::exchange::{Exchange, Frame};
use crate::files::{self, StoreError};
use crate::layout::{BODIES, Log, MANIFEST};
use crate::log::LogWriter;
use crate::manifest::Manifest;
use crate::notice::Notice;
use crate::recorded_body::RecordedBody;
use crate::redact::Redaction;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Logs smaller than this stay plain when the recording ends, for people with `grep` and `jq`.
const COMPRESS_FROM: u64 = 256 * 1024;

/// The trace being written. Cheap to clone, and used from many threads at once.
#[derive(Clone)]
pub struct TraceWriter {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    bodies: BodyStore,
    redaction: Redaction,
    manifest: Mutex<Manifest>,
    logs: [Mutex<Option<LogWriter>>; Log::ALL.len()],
    written: Mutex<Written>,
}

/// What has been recorded so far, for a live line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Documents, those in frames included.
    pub loads: u64,
    /// Top-level documents.
    pub pages: u64,
    pub events: u64,
    pub exchanges: u64,
    pub frames: u64,
    pub notices: u64,
    /// Bytes of request and response bodies that were kept, as they were on the wire.
    pub body_bytes: u64,
}

impl TraceWriter {
    /// Makes the folder, which must not be there yet or be empty.
    pub fn create(folder: &Path, mut manifest: Manifest, redaction: Redaction) -> Result<TraceWriter, StoreError> {
        files::create_new_folder(folder)?;
        manifest.redactions = redaction.names();
        let log = |log: Log| LogWriter::create(&folder.join(log.file_name())).map(|writer| Mutex::new(Some(writer)));
        let inner = Inner {
            folder: folder.to_owned(),
            bodies: BodyStore::create(folder.join(BODIES))?,
            redaction,
            logs: [
                log(Log::Loads)?,
                log(Log::Events)?,
                log(Log::Exchanges)?,
                log(Log::Frames)?,
                log(Log::Notices)?,
                log(Log::Sources)?,
            ],
            manifest: Mutex::new(manifest),
            written: Mutex::default(),
        };
        inner.write_manifest()?;
        Ok(TraceWriter { inner: Arc::new(inner) })
    }

    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    pub fn load(&self, load: &Load) -> Result<(), StoreError> {
        self.inner.append(Log::Loads, &*self.inner.redaction.load(load))?;
        self.count(|written| {
            written.loads += 1;
            written.pages += u64::from(load.path.is_empty());
        });
        Ok(())
    }

    pub fn event(&self, event: &Event) -> Result<(), StoreError> {
        self.inner.append(Log::Events, &*self.inner.redaction.event(event))?;
        if event.what.is_some() {
            self.count(|written| written.events += 1);
        }
        Ok(())
    }

    pub fn exchange<T: AsRef<str> + Serialize>(&self, exchange: &Exchange<T>) -> Result<(), StoreError> {
        let Inner { redaction, .. } = &*self.inner;
        if redaction.is_none() {
            self.inner.append(Log::Exchanges, exchange)?;
        } else {
            self.inner
                .append(Log::Exchanges, &redaction.exchange(exchange.with_own_texts()))?;
        }
        let response = exchange.response.as_ref().and_then(|response| response.body.as_ref());
        let bodies = exchange.request.body.iter().chain(response);
        let bytes: u64 = bodies.map(|body| body.bytes).sum();
        self.count(|written| {
            written.exchanges += 1;
            written.body_bytes += bytes;
        });
        Ok(())
    }

    pub fn frame(&self, frame: &Frame) -> Result<(), StoreError> {
        self.inner.append(Log::Frames, &*self.inner.redaction.frame(frame))?;
        self.count(|written| written.frames += 1);
        Ok(())
    }

    pub fn notice(&self, notice: &Notice) -> Result<(), StoreError> {
        self.inner.append(Log::Notices, &*self.inner.redaction.notice(notice))?;
        self.count(|written| written.notices += 1);
        Ok(())
    }

    pub fn source(&self, source: &SourceText) -> Result<(), StoreError> {
        self.inner.append(Log::Sources, source)
    }

    /// A body on its way into the trace. `headers` are those of its message: redaction goes by content type.
    pub fn body<T: AsRef<str>>(&self, headers: &[(T, T)]) -> RecordedBody {
        RecordedBody::new(self.clone(), self.inner.bodies.writer(), &self.inner.redaction, headers)
    }

    /// What stood in an origin's databases and caches, on its way into the trace.
    pub fn contents(&self) -> ContentsWriter {
        ContentsWriter::new(self.inner.bodies.writer(), &self.inner.redaction)
    }

    pub fn bodies(&self) -> &BodyStore {
        &self.inner.bodies
    }

    pub fn written(&self) -> Written {
        *lock(&self.inner.written)
    }

    pub fn manifest(&self) -> Manifest {
        lock(&self.inner.manifest).clone()
    }

    /// Changes the manifest and writes it: what browser there is, say, is known only when its first page has come.
    pub fn update_manifest(&self, change: impl FnOnce(&mut Manifest)) -> Result<(), StoreError> {
        change(&mut lock(&self.inner.manifest));
        self.inner.write_manifest()
    }

    /// From here on, what was appended survives our own death.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.each_log(|writer| writer.flush())
    }

    /// Ends the trace. Lines that come later are refused.
    pub fn finish(&self, finished_at_ms: u64) -> Result<(), StoreError> {
        self.flush()?;
        for log in Log::ALL {
            let Some(writer) = lock(&self.inner.logs[log as usize]).take() else {
                return Err(StoreError::Finished(self.inner.folder.clone()));
            };
            if writer.bytes() >= COMPRESS_FROM {
                compress(writer.path(), &self.inner.folder.join(log.compressed_name()))?;
            }
        }
        self.update_manifest(|manifest| manifest.finished_at_ms = Some(finished_at_ms))
    }

    fn count(&self, add: impl FnOnce(&mut Written)) {
        add(&mut lock(&self.inner.written));
    }

    fn each_log(&self, mut act: impl FnMut(&mut LogWriter) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let mut result = Ok(());
        for log in &self.inner.logs {
            if let Some(writer) = lock(log).as_mut() {
                // One full disk must not keep the other logs from being written.
                result = result.and(act(writer));
            }
        }
        result
    }
}

impl Inner {
    fn append(&self, log: Log, line: &impl Serialize) -> Result<(), StoreError> {
        match lock(&self.logs[log as usize]).as_mut() {
            Some(writer) => writer.append(line),
            None => Err(StoreError::Finished(self.folder.clone())),
        }
    }

    fn write_manifest(&self) -> Result<(), StoreError> {
        let path = self.folder.join(MANIFEST);
        let manifest = lock(&self.manifest);
        let mut text = serde_json::to_vec_pretty(&*manifest).map_err(|error| StoreError::write(&path, error.into()))?;
        text.push(b'\n');
        files::replace_file(&path, &text)
    }
}

/// Writes the compressed form first and removes the plain one last: whenever we die, one of them is whole.
fn compress(plain: &Path, compressed: &Path) -> Result<(), StoreError> {
    let mut source = files::open_file(plain)?;
    let folder = plain.parent().unwrap_or(Path::new("."));
    let mut copy = || -> std::io::Result<()> {
        let mut encoder = zstd::stream::write::Encoder::new(tempfile::NamedTempFile::new_in(folder)?, 9)?;
        std::io::copy(&mut source, &mut encoder)?;
        let mut file = encoder.finish()?;
        file.flush()?;
        file.persist(compressed)?;
        std::fs::remove_file(plain)
    };
    copy().map_err(|error| StoreError::write(compressed, error))
}

/// A thread that panicked while it held a lock left whole lines behind; the recording goes on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
