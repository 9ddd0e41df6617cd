//! What other people's code we ship: its licences, and where it comes from, as `deny.toml` allows. Advisories need a
//! database that only the network has; everything that needs none is held here.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

struct Rules {
    allowed: BTreeSet<String>,
    /// Crate and licence.
    exceptions: BTreeSet<(String, String)>,
    banned: BTreeSet<String>,
}

fn rules() -> Rules {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../deny.toml")).unwrap();
    let rules: toml::Table = text.parse().unwrap();
    let texts = |value: &toml::Value| -> Vec<String> {
        let texts = value.as_array().unwrap().iter();
        texts.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let name = |value: &toml::Value| value["crate"].as_str().unwrap().to_owned();
    let exceptions = rules["licenses"]["exceptions"].as_array().unwrap().iter();
    Rules {
        allowed: texts(&rules["licenses"]["allow"]).into_iter().collect(),
        exceptions: exceptions
            .flat_map(|one| texts(&one["allow"]).into_iter().map(|licence| (name(one), licence)))
            .collect(),
        banned: rules["bans"]["deny"].as_array().unwrap().iter().map(name).collect(),
    }
}

/// Those of the platform that this is built for: what others need was never downloaded here.
fn packages() -> Vec<Value> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &platform])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether one may choose licences that all are allowed. `/` is the old way to write `OR`.
fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    any(&mut words, allowed)
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut one = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        one |= all(words, allowed);
    }
    one
}

fn all(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut every = licence(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        every &= licence(words, allowed);
    }
    every
}

fn licence(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    match words.next() {
        Some("(") => {
            let inside = any(words, allowed);
            assert_eq!(words.next(), Some(")"));
            inside
        }
        // An exception to a licence only takes conditions away.
        Some(name) => {
            if words.next_if_eq(&"WITH").is_some() {
                words.next();
            }
            allowed(name)
        }
        None => false,
    }
}

#[test]
fn every_dependency_has_a_licence_that_we_accept_and_comes_from_where_we_expect() {
    let rules = rules();
    let mut problems = Vec::new();
    for package in packages() {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let (name, expression, source) = (text("name"), text("license"), text("source"));
        let allowed = |licence: &str| {
            rules.allowed.contains(licence) || rules.exceptions.contains(&(name.clone(), licence.to_owned()))
        };
        if !is_allowed(&expression, &allowed) {
            problems.push(format!("{name}: licence `{expression}`"));
        }
        if !source.is_empty() && !source.starts_with("registry+") {
            problems.push(format!("{name}: comes from {source}"));
        }
        if rules.banned.contains(&name) {
            problems.push(format!("{name} is banned by deny.toml"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn licence_expressions_are_read() {
    let allowed = |name: &str| matches!(name, "MIT" | "ISC");
    let check =
        |expression: &str, expected: bool| assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    check("MIT OR GPL-3.0", true);
    check("GPL-3.0/MIT", true);
    check("MIT AND GPL-3.0", false);
    check("(GPL-3.0 OR ISC) AND MIT", true);
    check("GPL-3.0 WITH x OR MIT WITH y", true);
    check("", false);
}
