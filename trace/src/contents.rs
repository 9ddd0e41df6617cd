//! What stood in IndexedDB and Cache when a session began: one body for each origin, of lines of JSON.
//!
//! `{"database": …}` is followed by its `{"record": …}`s, `{"cache": …}` by its `{"entry": …}`s. Values are written by the
//! page's `kept/encode.js`, which says how; here they are only looked into where redaction rules may apply, and otherwise
//! kept as they came. A record that a rule may apply to, without its being certain what of it, is left out, and counted.

use crate::bodies::BodyWriter;
use crate::exchange::Body;
use crate::files::StoreError;
use crate::redact::{Redaction, StoredValue};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Bytes that are kept of an origin.
pub const LARGEST: u64 = 64 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    #[error("a line of it was not understood: {0}")]
    NotUnderstood(#[from] serde_json::Error),
    #[error("a record belongs to no database, or an entry to no cache")]
    OfNothing,
    #[error("it is more than {} MiB", LARGEST / 1024 / 1024)]
    TooLarge,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the page could not read, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Missing {
    pub what: String,
    pub why: String,
    /// An address that stands in it: rules may hide a part of it.
    #[serde(default)]
    pub url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Database(Database),
    Record(Record<IgnoredAny>),
    Cache(Cache),
    Entry(Entry),
    Missing(Missing),
    /// Whether the origin had a storage there.
    End(bool),
}

#[derive(Deserialize)]
struct Database {
    name: Text,
    #[serde(rename = "version")]
    _version: u64,
    stores: Vec<Store>,
}

#[derive(Deserialize)]
struct Store {
    name: Text,
    path: Path,
    #[serde(rename = "generates")]
    _generates: bool,
    #[serde(rename = "next", default)]
    _next: Option<f64>,
    indexes: Vec<Index>,
}

#[derive(Deserialize)]
struct Index {
    #[serde(rename = "name")]
    _name: Text,
    path: Path,
    #[serde(rename = "unique")]
    _unique: bool,
    #[serde(rename = "multiple")]
    _multiple: bool,
}

/// Of a key within its record: none, one, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Path {
    None(()),
    One(Text),
    Several(Vec<Text>),
}

/// Text, or the UTF-16 of what is no whole Unicode.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Units {
        #[serde(rename = "units")]
        _units: String,
    },
}

#[derive(Deserialize)]
struct Record<V> {
    store: Text,
    key: Value,
    value: V,
}

#[derive(Deserialize)]
struct Cache {
    name: Text,
}

#[derive(serde::Serialize, Deserialize)]
struct Entry {
    url: String,
    headers: Vec<(String, String)>,
    response: Response,
}

#[derive(serde::Serialize, Deserialize)]
struct Response {
    url: String,
    status: u16,
    text: String,
    headers: Vec<(String, String)>,
    /// Base64; absent where it has none.
    body: Option<String>,
}

/// Contents on their way into a trace. Dropped without `finish`, they leave nothing behind.
pub struct ContentsWriter {
    store: BodyWriter,
    redaction: Redaction,
    bytes: u64,
    within: Within,
    left_out: u64,
}

/// What records and entries that come belong to.
enum Within {
    Nothing,
    Database { hidden: bool, stores: Vec<Store> },
    Cache { hidden: bool },
}

impl ContentsWriter {
    pub(crate) fn new(store: BodyWriter, redaction: &Redaction) -> ContentsWriter {
        ContentsWriter {
            store,
            redaction: redaction.clone(),
            bytes: 0,
            within: Within::Nothing,
            left_out: 0,
        }
    }

    /// The next line, without its end. Tells what the page says it could not read.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Missing>, ContentsError> {
        let kept = match serde_json::from_slice::<Line>(line)? {
            Line::Missing(missing) => return Ok(Some(missing)),
            Line::End(_readable) => return Ok(None),
            Line::Database(Database { name, stores, .. }) => {
                let hidden = self.hides(&name);
                self.within = Within::Database { hidden, stores };
                Some(line.to_owned())
            }
            Line::Cache(Cache { name }) => {
                let hidden = self.hides(&name);
                self.within = Within::Cache { hidden };
                Some(line.to_owned())
            }
            Line::Record(record) => self.record(line, &record)?,
            Line::Entry(entry) => self.entry(line, entry)?,
        };
        let Some(mut kept) = kept else {
            self.left_out += 1;
            return Ok(None);
        };
        kept.push(b'\n');
        self.bytes += kept.len() as u64;
        if self.bytes > LARGEST {
            return Err(ContentsError::TooLarge);
        }
        self.store.write(&kept)?;
        Ok(None)
    }

    /// Absent where nothing stood there. Also how much was left out because of redaction rules.
    pub fn finish(self) -> Result<(Option<Body>, u64), StoreError> {
        let body = match self.bytes {
            0 => None,
            _ => Some(self.store.finish()?),
        };
        Ok((body, self.left_out))
    }

    fn record(&self, line: &[u8], record: &Record<IgnoredAny>) -> Result<Option<Vec<u8>>, ContentsError> {
        let Within::Database { hidden, stores } = &self.within else {
            return Err(ContentsError::OfNothing);
        };
        if self.redaction.is_none() {
            return Ok(Some(line.to_owned()));
        }
        if *hidden || self.hides(&record.store) || self.hides_key(&record.key) {
            return Ok(None);
        }
        // Nested deeper than can be looked into: nothing of it is certain.
        #[derive(Deserialize)]
        struct Whole {
            record: Record<Value>,
        }
        let Ok(Whole { record }) = serde_json::from_slice(line) else {
            return Ok(None);
        };
        let of_store = stores.iter().filter(|store| store.name.text() == record.store.text());
        let paths = of_store.flat_map(|store| store.indexes.iter().map(|index| &index.path).chain([&store.path]));
        let in_keys: Vec<&str> = paths.flat_map(Path::names).collect();
        Ok(match self.redaction.stored(line, &record.value, &in_keys) {
            StoredValue::Unchanged => Some(line.to_owned()),
            StoredValue::Changed(line) => Some(line),
            StoredValue::Uncertain => None,
        })
    }

    fn entry(&self, line: &[u8], entry: Entry) -> Result<Option<Vec<u8>>, ContentsError> {
        let Within::Cache { hidden } = self.within else {
            return Err(ContentsError::OfNothing);
        };
        if self.redaction.is_none() {
            return Ok(Some(line.to_owned()));
        }
        if hidden {
            return Ok(None);
        }
        let Entry {
            mut url,
            mut headers,
            mut response,
        } = entry;
        for url in [&mut url, &mut response.url] {
            self.redaction.url(url);
        }
        for headers in [&mut headers, &mut response.headers] {
            self.redaction.headers(headers);
        }
        let Some(body) = self.redaction.stored_body(&response.headers, response.body) else {
            return Ok(None);
        };
        response.body = body;
        let entry = Entry { url, headers, response };
        Ok(Some(serde_json::to_vec(&serde_json::json!({ "entry": entry }))?))
    }

    fn hides(&self, name: &Text) -> bool {
        self.redaction.hides_stored(name.text())
    }

    fn hides_key(&self, key: &Value) -> bool {
        match key {
            Value::String(name) => self.redaction.hides_stored(name),
            Value::Array(parts) => parts.iter().any(|part| self.hides_key(part)),
            _ => false,
        }
    }
}

impl Text {
    /// What is no whole Unicode is no name that a rule could be written for.
    fn text(&self) -> &str {
        match self {
            Text::Whole(text) => text,
            Text::Units { .. } => "",
        }
    }
}

impl Path {
    /// Of the properties that it begins at.
    fn names(&self) -> Vec<&str> {
        let texts: Vec<&Text> = match self {
            Path::None(()) => Vec::new(),
            Path::One(text) => vec![text],
            Path::Several(texts) => texts.iter().collect(),
        };
        texts
            .into_iter()
            .map(|text| text.text().split('.').next().unwrap_or_default())
            .collect()
    }
}

impl std::fmt::Debug for ContentsWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ContentsWriter({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::BodyStore;

    const DATABASE: &str = r#"{"database":{"name":"shop","version":1,"stores":[{"name":"users","path":"id","generates":false,"indexes":[{"name":"by mail","path":["mail.name"],"unique":true,"multiple":false}]}]}}"#;

    /// What is kept of these lines, and how many records were left out.
    fn kept(rules: &str, lines: &[&str]) -> (Vec<String>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let store = BodyStore::create(folder.path().to_owned()).unwrap();
        let mut writer = ContentsWriter::new(store.writer(), &Redaction::parse(rules).unwrap());
        for line in lines {
            assert_eq!(writer.line(line.as_bytes()).unwrap(), None, "{line}");
        }
        let (body, left_out) = writer.finish().unwrap();
        let text = body.map(|body| String::from_utf8(store.bytes(&body.sha256, LARGEST).unwrap()).unwrap());
        let lines = text.unwrap_or_default().lines().map(str::to_owned).collect();
        (lines, left_out)
    }

    fn record(value: &str) -> String {
        format!(r#"{{"record":{{"store":"users","key":1,"value":{value}}}}}"#)
    }

    #[test]
    fn without_rules_lines_stay_what_they_are() {
        let lines = [
            DATABASE,
            r#"{"record": {"store":"users", "key":1,  "value":{"b":1.0,"a":{"$":"same","as":0}}}}"#,
            r#"{"cache":{"name":{"$":"text","units":"ANg="}}}"#,
            r#"{"entry":{"url":"https://a.test/","headers":[],"response":{"url":"","status":200,"text":"","headers":[],"body":null}}}"#,
        ];
        assert_eq!(kept("", &lines), (lines.map(str::to_owned).to_vec(), 0));
        assert_eq!(kept("", &[r#"{"end":true}"#]), (vec![], 0));
        let deep = record(&format!("{}{}", "[".repeat(400), "]".repeat(400)));
        assert_eq!(kept("", &[DATABASE, &deep]).0.len(), 2);
    }

    #[test]
    fn lines_of_something_else_are_refused() {
        let check = |lines: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            let store = BodyStore::create(folder.path().to_owned()).unwrap();
            let mut writer = ContentsWriter::new(store.writer(), &Redaction::none());
            lines.iter().any(|line| writer.line(line.as_bytes()).is_err())
        };
        assert!(check(&[&record("1")]), "a record of no database");
        assert!(check(&[
            DATABASE,
            r#"{"entry":{"url":"","headers":[],"response":{"url":"","status":200,"text":"","headers":[],"body":null}}}"#
        ]));
        assert!(check(&[r#"{"database":{"name":"x"}}"#]));
        assert!(check(&[r#"{"hello":{}}"#]) && check(&[""]) && check(&["nonsense"]));
    }

    #[test]
    fn a_rule_for_storage_hides_what_it_names() {
        let one = record(r#"{"id":1,"token":"t","mail":{"name":"m"}}"#);
        let shown = one.replace(r#""t""#, r#""[redacted]""#);
        let check = |rule: &str, expected: &[&str], left_out: u64| {
            let rules = format!("storage = [\"{rule}\"]");
            let expected = expected.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(kept(&rules, &[DATABASE, &one]), (expected, left_out), "{rule}");
        };
        check("else", &[DATABASE, &one], 0);
        check("tok*", &[DATABASE, &shown], 0);
        check("shop", &[DATABASE], 1);
        check("users", &[DATABASE], 1);
        check("id", &[DATABASE], 1);
        check("mail", &[DATABASE], 1);
        let named = r#"{"record":{"store":"users","key":["a","session"],"value":1}}"#;
        assert_eq!(kept("storage = [\"session\"]", &[DATABASE, named]).1, 1);
    }

    #[test]
    fn a_rule_for_json_reaches_into_plain_values_and_nothing_uncertain_is_kept() {
        let check = |value: &str, expected: Option<&str>| {
            let (lines, left_out) = kept("json = [\"$..pin\"]", &[DATABASE, &record(value)]);
            let expected = expected.map(record);
            assert_eq!(lines.get(1), expected.as_ref(), "{value}");
            assert_eq!(left_out, u64::from(expected.is_none()), "{value}");
        };
        check(
            r#"{"z":1,"a":[{"pin":4}]}"#,
            Some(r#"{"z":1,"a":[{"pin":"[redacted]"}]}"#),
        );
        check(r#"{"at":{"$":"date","is":1}}"#, Some(r#"{"at":{"$":"date","is":1}}"#));
        check(r#"{"$":"map","entries":[["pin",4]]}"#, None);
        check(r#"{"$":"blob","type":"","bytes":""}"#, None);
        check(r#"{"pin":{},"b":{"$":"same","as":0}}"#, None);
        check(r#""{\"pin\":4}""#, None);
        check(&format!("{}{}", "[".repeat(300), "]".repeat(300)), None);
    }

    #[test]
    fn an_answer_in_a_cache_is_treated_as_one_from_the_network() {
        let entry = |url: &str, secret: &str, body: &str| {
            format!(
                r#"{{"entry":{{"url":"https://a.test/{url}","headers":[],"response":{{"url":"","status":200,"text":"","headers":[["content-type","application/json"],["x-secret","{secret}"]],"body":"{body}"}}}}}}"#
            )
        };
        let rules = "headers = [\"x-secret\"]\nquery = [\"q\"]\njson = [\"$.pin\"]";
        let cache = r#"{"cache":{"name":"c"}}"#;
        // {"pin":4} and {"pin":"[redacted]"}
        let (lines, left_out) = kept(rules, &[cache, &entry("?q=1", "s", "eyJwaW4iOjR9")]);
        let parsed = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let expected = entry("?q=[redacted]", "[redacted]", "eyJwaW4iOiJbcmVkYWN0ZWRdIn0=");
        assert_eq!(
            (parsed(&lines[1])["entry"]["response"].clone(), left_out),
            (parsed(&expected)["entry"]["response"].clone(), 0)
        );
        assert!(!lines[1].contains("q=1"), "{}", lines[1]);
        assert_eq!(kept(rules, &[cache, &entry("", "", "e30x")]).1, 1, "no JSON");
        assert_eq!(kept("storage = [\"c\"]", &[cache, &entry("", "", "")]).1, 1);
    }
}
