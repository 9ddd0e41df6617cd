//! Messages that a server says over a WebSocket.
//!
//! It may say thousands of things, each like the other: the first ones are disturbed, and after those what is of another kind than
//! all before.

use super::addresses::Addresses;
use super::{Done, Injection, Wrong};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_proxy::{At, Fault, How};
use xcheck_trace::Trace;
use xcheck_trace::exchange::{Payload, Peer};

/// So many of an address are disturbed whatever they are, and so many more of other kinds.
const FIRST: u32 = 20;

/// Texts that are longer are no names of kinds.
const LONGEST_NAME: usize = 32;

pub(super) fn disturb(trace: &Trace, addresses: &Addresses<'_>, all: &mut Vec<Injection>) {
    let mut of_address: BTreeMap<&str, Said> = BTreeMap::new();
    for frame in trace.frames.iter().filter(|frame| frame.from == Peer::Server) {
        let (Some(exchange), Some(kind)) = (trace.exchange(frame.exchange), kind(&frame.payload)) else {
            continue;
        };
        let url = exchange.request.url.as_str();
        let said = of_address.entry(url).or_default();
        let nth = said.messages;
        said.messages += 1;
        let is_new = said.kinds.insert(kind);
        if nth >= FIRST {
            if !is_new || said.others >= FIRST {
                continue;
            }
            said.others += 1;
        }
        let at = At::Message {
            address: addresses.of("GET", url),
            nth,
        };
        for (wrong, how) in [(Wrong::NotAnswered, How::Silence), (Wrong::Cut, How::Cut)] {
            all.push(Injection {
                place: None,
                target: format!("message {} of WebSocket {url}", nth + 1),
                wrong,
                done: Done::Network(Fault { at: at.clone(), how }),
            });
        }
    }
}

#[derive(Default)]
struct Said {
    messages: u32,
    kinds: BTreeSet<String>,
    /// Beyond the first, how many are disturbed for their kind.
    others: u32,
}

/// What a message has in common with its like; nothing of a close, which is no message.
fn kind(payload: &Payload) -> Option<String> {
    match payload {
        Payload::Text { text } => Some(match serde_json::from_str(text) {
            Ok(said) => shape(&said),
            // What stands before the first number or bracket: the name of an event, in many protocols.
            Err(_) => text
                .chars()
                .take(LONGEST_NAME)
                .take_while(|c| c.is_alphabetic())
                .collect(),
        }),
        Payload::Binary { .. } => Some("binary".to_owned()),
        Payload::Close { .. } => None,
    }
}

/// The names in it, and the first word that stands at the top: `{"type": "joined", …}` and `["joined", …]` are named by it.
fn shape(said: &Value) -> String {
    let name = |value: &Value| {
        let name = value
            .as_str()
            .filter(|name| name.len() <= LONGEST_NAME && !name.contains(char::is_numeric));
        name.map_or_else(String::new, str::to_owned)
    };
    match said {
        Value::Object(fields) => {
            let named = ["type", "event", "kind", "action", "op", "method"]
                .iter()
                .find_map(|field| fields.get(*field));
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            format!("{{{}}} {}", names.join(" "), named.map(name).unwrap_or_default())
        }
        Value::Array(items) => format!("[{}]", items.first().map(name).unwrap_or_default()),
        Value::String(_) => "text".to_owned(),
        _ => "value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_of_one_kind_by_their_names() {
        let check = |one: &str, other: &str, same: bool| {
            let kind = |text: &str| kind(&Payload::Text { text: text.to_owned() });
            assert_eq!(kind(one) == kind(other), same, "{one} {other}");
        };
        check(r#"{"type":"moved","x":1}"#, r#"{"type":"moved","x":2}"#, true);
        check(r#"{"type":"moved","x":1}"#, r#"{"type":"left","x":2}"#, false);
        check(r#"{"x":1}"#, r#"{"y":1}"#, false);
        check(r#"{"id":"7f3a"}"#, r#"{"id":"9b1c"}"#, true);
        check(r#"["joined",{"a":1}]"#, r#"["left",{"a":1}]"#, false);
        check("tick 1", "tick 2", true);
        check("tick 1", "tock 1", false);
    }
}
