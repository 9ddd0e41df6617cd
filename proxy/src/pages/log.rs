//! The lines that a recorder sends, and nothing else that somebody might.

use serde::Deserialize;
use xcheck_trace::event::{Event, Load, LoadId, SourceText, Storage};
use xcheck_trace::exchange::{Body, ExchangeId};
use xcheck_trace::notice::{Notice, NoticeKind};

/// What a document says about itself. The rest of its [`Load`] is for us to know.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Hello {
    pub(crate) url: String,
    pub(crate) path: Vec<u32>,
    /// The load of the embedding or opening document, where its recorder could be asked.
    pub(crate) parent: Option<LoadId>,
    pub(crate) at: f64,
    pub(crate) user_agent: String,
    pub(crate) languages: Vec<String>,
    pub(crate) time_zone: String,
    pub(crate) viewport: [f64; 2],
    pub(crate) screen: Option<[f64; 2]>,
    pub(crate) storage: Option<Storage>,
    /// `history.length`.
    pub(crate) history: Option<u32>,
    pub(crate) referrer: String,
    /// There is a `window.opener`.
    pub(crate) opener: bool,
}

#[derive(Debug)]
pub(super) enum Line {
    Hello(Box<Hello>),
    Source(SourceText),
    Notice(Notice),
    Event(Box<Event>),
    /// The document goes away; nothing follows.
    Bye,
}

#[derive(Deserialize)]
struct SourceLine {
    hash: String,
    text: String,
}

/// The page's script must be small, so the sentences are made here.
#[derive(Deserialize)]
struct NoticeLine {
    kind: Told,
    #[serde(default)]
    what: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Told {
    Unsupported,
    /// More of them than an event's local object takes.
    Bytes,
    /// The log itself, or a part of it.
    Lost,
}

impl NoticeLine {
    fn sentence(&self) -> (NoticeKind, String) {
        let what = &self.what;
        match self.kind {
            Told::Unsupported => (
                NoticeKind::Unsupported,
                format!("{what} is used here; it is neither recorded nor replayed."),
            ),
            Told::Bytes => (
                NoticeKind::Unsupported,
                format!("{what} was asked for more bytes than are logged: a replay gets others."),
            ),
            Told::Lost => (
                NoticeKind::NotKept,
                "The log could not be sent for so long that events were lost.".to_owned(),
            ),
        }
    }
}

/// Reads one line; whatever it claims about its load is replaced by `load`.
pub(super) fn parse(line: &[u8], load: LoadId) -> Result<Line, serde_json::Error> {
    #[derive(Deserialize)]
    struct Wrapped<T> {
        #[serde(alias = "hello", alias = "source", alias = "notice")]
        what: T,
    }
    let is = |key: &str| {
        line.strip_prefix(b"{\"")
            .is_some_and(|rest| rest.starts_with(key.as_bytes()))
    };
    if is("hello\"") {
        let line: Wrapped<Hello> = serde_json::from_slice(line)?;
        return Ok(Line::Hello(Box::new(line.what)));
    }
    if is("source\"") {
        let SourceLine { hash, text } = serde_json::from_slice::<Wrapped<_>>(line)?.what;
        return Ok(Line::Source(SourceText { load, hash, text }));
    }
    if is("notice\"") {
        let (kind, text) = serde_json::from_slice::<Wrapped<NoticeLine>>(line)?.what.sentence();
        return Ok(Line::Notice(Notice {
            kind,
            text,
            url: None,
            exchange: None,
            load: Some(load),
        }));
    }
    if is("bye\"") {
        return Ok(Line::Bye);
    }
    let mut event: Event = serde_json::from_slice(line)?;
    event.load = load;
    Ok(Line::Event(Box::new(event)))
}

impl Hello {
    /// Whatever the page itself says of it: bodies are ours.
    pub(super) fn has_databases(&mut self, asked: bool, databases: Option<Body>) {
        if asked || databases.is_some() || self.storage.is_some() {
            let storage = self.storage.get_or_insert_default();
            (storage.asked, storage.databases) = (asked, databases);
        }
    }

    pub(super) fn into_load(self, load: LoadId, exchange: Option<ExchangeId>, seat: super::windows::Seat) -> Load {
        Load {
            load,
            exchange,
            url: self.url,
            path: self.path,
            parent: self.parent,
            window: seat.window,
            sequence: seat.sequence,
            at: self.at,
            user_agent: self.user_agent,
            languages: self.languages,
            time_zone: self.time_zone,
            viewport: self.viewport,
            screen: self.screen,
            storage: self.storage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart_and_belong_to_the_load_they_came_under() {
        let parse = |line: &str| parse(line.as_bytes(), 7);
        assert!(
            matches!(parse(r#"{"hello": {"url": "https://a.test/", "history": 2}}"#), Ok(Line::Hello(hello)) if hello.history == Some(2))
        );
        assert!(
            matches!(parse(r#"{"source": {"load": 3, "hash": "h", "text": "f()"}}"#), Ok(Line::Source(source)) if source.load == 7)
        );
        assert!(
            matches!(parse(r#"{"notice": {"kind": "bytes", "what": "x"}}"#), Ok(Line::Notice(notice)) if notice.load == Some(7) && notice.text.starts_with("x was"))
        );
        assert!(matches!(parse(r#"{"bye": 1}"#), Ok(Line::Bye)));
        assert!(matches!(parse(r#"{"load": 3, "id": 0, "at": 1.5}"#), Ok(Line::Event(event)) if event.load == 7));
    }

    #[test]
    fn anything_else_is_refused() {
        for line in [
            "",
            "{}",
            "nonsense",
            r#"{"hello": 1}"#,
            r#"{"id": -1, "at": 0}"#,
            "[1]",
            "{\"id\": 0, \"at\": 0}x",
        ] {
            assert!(parse(line.as_bytes(), 1).is_err(), "{line}");
        }
    }
}
