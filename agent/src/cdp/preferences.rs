//! The profile's preferences, written before the first start.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const ALWAYS: [(&str, bool); 2] = [
    // Links that were visited have another colour, from a table that other processes fill when they come to it.
    ("history.saving_disabled", true),
    // Whoever logs in is looked up in a list of stolen passwords, over the network.
    ("profile.password_manager_leak_detection", false),
];

pub(super) fn write(profile: &Path, custom: &BTreeMap<String, Value>) -> std::io::Result<()> {
    let mut all = Map::new();
    for (name, value) in ALWAYS {
        set(&mut all, name, json!(value));
    }
    for (name, value) in custom {
        set(&mut all, name, value.clone());
    }
    let folder = profile.join("Default");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("Preferences"), Value::Object(all).to_string())
}

/// `a.b.c` stands for objects in objects.
fn set(all: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            all.insert(name.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = all.entry(first).or_insert_with(|| json!({}));
            if !inner.is_object() {
                *inner = json!({});
            }
            if let Some(inner) = inner.as_object_mut() {
                set(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_dots_become_objects_in_objects() {
        let profile = tempfile::tempdir().unwrap();
        let custom = BTreeMap::from([("a.b".to_owned(), json!(1)), ("history.x".to_owned(), json!("y"))]);
        write(profile.path(), &custom).unwrap();
        let written = std::fs::read(profile.path().join("Default/Preferences")).unwrap();
        let read: Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(
            read,
            json!({"a": {"b": 1}, "history": {"saving_disabled": true, "x": "y"},
                "profile": {"password_manager_leak_detection": false}})
        );
    }
}
