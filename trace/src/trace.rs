//! A trace as it is read: everything but the bodies in memory, the bodies by hash.

use crate::bodies::BodyReader;
use crate::content::Content;
use crate::drawings;
use crate::event::{Event, EventId, Load, LoadId, SourceText};
use crate::exchange::{Exchange, ExchangeId, Frame};
use crate::files::StoreError;
use crate::hash::{Hasher, Sha256};
use crate::layout::{Log, MANIFEST};
use crate::lines;
use crate::manifest::{FORMAT, Format, Manifest};
use crate::notice::Notice;
use crate::place::Place;
use crate::transfer::TraceFile;
use crate::warning::Warning;
use memchr::memmem;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const LARGEST_MANIFEST: u64 = 1024 * 1024;
/// No more of one text is searched.
const LARGEST_TEXT: u64 = 16 * 1024 * 1024;

/// By what a page asks which animations there are.
const ASKING: &str = "getAnimations";

#[derive(Debug, Clone)]
pub struct Trace {
    pub manifest: Manifest,
    /// By number.
    pub loads: Vec<Load>,
    /// By load and id, with what continuation lines added.
    pub events: Vec<Event>,
    /// By number.
    pub exchanges: Vec<Exchange>,
    /// As they passed.
    pub frames: Vec<Frame>,
    pub notices: Vec<Notice>,
    /// By load and hash.
    pub sources: Vec<SourceText>,
    identity: Sha256,
    bodies: Bodies,
    named: OnceLock<Named>,
}

/// What the texts of its pages name.
#[derive(Debug, Clone, Copy, Default)]
struct Named {
    moving_drawings: bool,
    animations: bool,
}

impl Trace {
    /// Opens a folder, or the one file that `xcheck trace pack` made of it.
    pub fn open(path: &Path) -> Result<(Trace, Vec<Warning>), StoreError> {
        let place = Arc::new(Place::find(path)?);
        let mut reading = Reading {
            place: &place,
            warnings: Vec::new(),
            identity: Hasher::default(),
        };
        let manifest = reading.manifest(path)?;
        let loads = reading.log::<Load>(Log::Loads)?;
        let events = reading.log::<Event>(Log::Events)?;
        let exchanges = reading.log::<Exchange>(Log::Exchanges)?;
        let frames = reading.log(Log::Frames)?;
        let notices = reading.log(Log::Notices)?;
        let mut sources: Vec<SourceText> = reading.log(Log::Sources)?;
        sources.sort_by(|a, b| (a.load, &a.hash).cmp(&(b.load, &b.hash)));
        let Reading {
            mut warnings, identity, ..
        } = reading;
        let trace = Trace {
            manifest,
            loads: unique(Log::Loads, loads, |load| load.load, &mut warnings),
            events: merge(events, &mut warnings),
            exchanges: unique(Log::Exchanges, exchanges, |exchange| exchange.id, &mut warnings),
            frames,
            notices,
            sources,
            identity: identity.finish(),
            bodies: Bodies { place },
            named: OnceLock::new(),
        };
        Ok((trace, warnings))
    }

    pub fn load(&self, number: LoadId) -> Option<&Load> {
        let found = self.loads.binary_search_by_key(&number, |load| load.load);
        found.ok().map(|index| &self.loads[index])
    }

    /// When a document was left at the latest, in milliseconds since the epoch: as the next one came, or as the recording ended. Nothing
    /// is said of one whose recording never ended.
    pub fn left_at(&self, number: LoadId) -> Option<f64> {
        let after = self.loads.iter().find(|load| load.load > number);
        after
            .map(|load| load.at)
            .or_else(|| self.manifest.finished_at_ms.map(|at| at as f64))
    }

    pub fn event(&self, load: LoadId, id: EventId) -> Option<&Event> {
        let found = self
            .events
            .binary_search_by_key(&(load, id), |event| (event.load, event.id));
        found.ok().map(|index| &self.events[index])
    }

    /// The events of one document, in its own order.
    pub fn events_of(&self, load: LoadId) -> &[Event] {
        let start = self.events.partition_point(|event| event.load < load);
        let end = self.events.partition_point(|event| event.load <= load);
        &self.events[start..end]
    }

    pub fn exchange(&self, id: ExchangeId) -> Option<&Exchange> {
        let found = self.exchanges.binary_search_by_key(&id, |exchange| exchange.id);
        found.ok().map(|index| &self.exchanges[index])
    }

    /// Pages that the browser took from its cache, by the response that had brought the first of them: how often that came to life.
    pub fn pages_from_cache(&self) -> HashMap<ExchangeId, usize> {
        let mut pages = HashMap::new();
        for load in self.loads.iter().filter(|load| load.path.is_empty()) {
            if let Some(exchange) = load.exchange.and_then(|exchange| self.exchange(exchange))
                && exchange.worker.is_none()
                && exchange.request.method == "GET"
            {
                *pages.entry(exchange.id).or_default() += 1;
            }
        }
        pages.retain(|_, times| *times > 1);
        pages
    }

    /// All events of all documents in the one order in which a replay walks them.
    pub fn order(&self) -> Vec<&Event> {
        crate::order::order(&self.events)
    }

    /// What a person would call the event: `click on #save`, `timer remind (200 ms)`.
    pub fn label(&self, event: &Event) -> String {
        crate::label::label(self, event)
    }

    /// The text behind a callback's hash, where it was recorded.
    pub fn source(&self, load: LoadId, hash: &str) -> Option<&str> {
        let found = self
            .sources
            .iter()
            .find(|source| source.load == load && source.hash == hash);
        found.map(|source| source.text.as_str())
    }

    /// What a person knows a callback by that this document registered: its name, or how its text begins.
    pub fn callback(&self, load: LoadId, hash: &str) -> Option<String> {
        self.source(load, hash).map(crate::label::callback_label)
    }

    /// Names what was recorded, however it is packed: the hash of manifest, events and exchanges.
    pub fn identity(&self) -> &Sha256 {
        &self.identity
    }

    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// What a response said, its codings taken off; nothing if it cannot be had, or is longer than `limit`.
    pub fn response_body(&self, exchange: &Exchange, limit: u64) -> Option<Vec<u8>> {
        let response = exchange.response.as_ref()?;
        let bytes = self.bodies.bytes(&response.body.as_ref()?.sha256, limit).ok()?;
        Content::of(&response.headers).decoded(&bytes, limit).ok()
    }

    /// Whether drawings in its pages may move by themselves, by elements such as `<animate>`.
    pub fn has_moving_drawings(&self) -> bool {
        self.named().moving_drawings
    }

    /// Whether its pages may ask what moves.
    pub fn asks_for_animations(&self) -> bool {
        self.named().animations
    }

    /// Reads all texts, once.
    fn named(&self) -> Named {
        *self.named.get_or_init(|| {
            let mut named = Named::default();
            // What is shown as a picture stands still by itself.
            let is_read = |exchange: &&Exchange| exchange.request.header("sec-fetch-dest") != Some("image");
            for exchange in self.exchanges.iter().filter(is_read) {
                let headers = exchange.response.as_ref().map(|response| &response.headers);
                if !headers.is_some_and(|headers| drawings::may_have_any(&Content::of(headers))) {
                    continue;
                }
                if let Some(text) = self.response_body(exchange, LARGEST_TEXT) {
                    named.moving_drawings = named.moving_drawings || drawings::has_any(&text);
                    named.animations = named.animations || memmem::find(&text, ASKING.as_bytes()).is_some();
                }
            }
            named
        })
    }

    /// The bodies that exchanges and frames name, there or not.
    pub fn bodies_named(&self) -> BTreeSet<Sha256> {
        crate::transfer::bodies_named(self)
    }

    /// Everything but the bodies, as it is stored.
    pub fn files(&self) -> Result<Vec<TraceFile>, StoreError> {
        crate::transfer::files_of(&self.bodies.place)
    }
}

/// The bodies of a trace that is only read. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bodies {
    place: Arc<Place>,
}

impl Bodies {
    pub fn contains(&self, hash: &Sha256) -> bool {
        self.place.has_body(hash)
    }

    /// Decompresses as it is read; the end of the stream is an error when the hash is wrong.
    pub fn read(&self, hash: &Sha256) -> Result<BodyReader, StoreError> {
        let file = self.place.body(hash)?;
        BodyReader::new(hash.clone(), file)
    }

    /// The whole body, checked. Refuses one of more than `limit` bytes, whatever the trace claims.
    pub fn bytes(&self, hash: &Sha256, limit: u64) -> Result<Vec<u8>, StoreError> {
        self.read(hash)?.bytes(limit)
    }
}

struct Reading<'a> {
    place: &'a Place,
    warnings: Vec<Warning>,
    identity: Hasher,
}

impl Reading<'_> {
    fn manifest(&mut self, path: &Path) -> Result<Manifest, StoreError> {
        let not_a_trace = |reason: String| StoreError::Not {
            path: path.to_owned(),
            expected: "a trace",
            reason,
        };
        let file = self
            .place
            .open(MANIFEST)?
            .ok_or_else(|| not_a_trace(format!("it has no {MANIFEST}")))?;
        let mut text = Vec::new();
        file.take(LARGEST_MANIFEST)
            .read_to_end(&mut text)
            .map_err(|error| StoreError::read(path, error))?;
        let unreadable = |error: serde_json::Error| not_a_trace(format!("its {MANIFEST} cannot be read: {error}"));
        // The version first: a newer manifest may look quite different, and must still be refused by its name.
        let format = serde_json::from_slice::<OnlyFormat>(&text).map_err(unreadable)?.format;
        if format.major > FORMAT.major {
            return Err(StoreError::NewerFormat {
                path: path.to_owned(),
                what: "traces",
                found: format,
                ours: FORMAT,
            });
        }
        if format.major == FORMAT.major && format.minor > FORMAT.minor {
            self.warnings.push(Warning::NewerMinor { found: format });
        }
        let manifest: Manifest = serde_json::from_slice(&text).map_err(unreadable)?;
        if !manifest.finished() {
            self.warnings.push(Warning::Unfinished);
        }
        self.identity.update(&text);
        Ok(manifest)
    }

    fn log<T: DeserializeOwned>(&mut self, log: Log) -> Result<Vec<T>, StoreError> {
        let file = log.file_name();
        let Some(source) = self.place.open_log(log)? else {
            self.warnings.push(Warning::LogMissing { file });
            return Ok(Vec::new());
        };
        let mut unnamed = Hasher::default();
        let hasher = match log {
            Log::Events | Log::Exchanges => &mut self.identity,
            _ => &mut unnamed,
        };
        let (records, failure) = lines::read(file, source, hasher, &mut self.warnings);
        if let Some(error) = failure {
            let reason = error.to_string();
            self.warnings.push(Warning::LogDamaged { file, reason });
        }
        Ok(records)
    }
}

#[derive(Deserialize)]
struct OnlyFormat {
    format: Format,
}

/// Sorted by number, each number once.
fn unique<T, N: Ord + std::fmt::Display>(
    log: Log,
    records: Vec<T>,
    number: impl Fn(&T) -> N,
    warnings: &mut Vec<Warning>,
) -> Vec<T> {
    let mut kept = BTreeMap::new();
    for record in records {
        match kept.entry(number(&record)) {
            Entry::Vacant(entry) => {
                entry.insert(record);
            }
            Entry::Occupied(entry) => warnings.push(Warning::Twice {
                file: log.file_name(),
                what: format!("number {}", entry.key()),
            }),
        }
    }
    kept.into_values().collect()
}

/// Brings continuation lines home to their events. One may stand before its event: when a page goes away, the last of its
/// log can overtake what was still under way.
fn merge(lines: Vec<Event>, warnings: &mut Vec<Warning>) -> Vec<Event> {
    let (begun, continued): (Vec<Event>, Vec<Event>) = lines.into_iter().partition(|line| line.what.is_some());
    let mut events: BTreeMap<(LoadId, EventId), Event> = BTreeMap::new();
    for line in begun {
        match events.entry((line.load, line.id)) {
            Entry::Vacant(entry) => {
                entry.insert(line);
            }
            Entry::Occupied(_) => warnings.push(Warning::Twice {
                file: Log::Events.file_name(),
                what: format!("event {} of load {}", line.id, line.load),
            }),
        }
    }
    for line in continued {
        let (load, event) = (line.load, line.id);
        match events.get_mut(&(load, event)) {
            Some(begun) => begun.local.append(line.local),
            None => warnings.push(Warning::NoSuchEvent { load, event }),
        }
    }
    let mut events: Vec<Event> = events.into_values().collect();
    crate::clicks::count(&mut events);
    events
}
