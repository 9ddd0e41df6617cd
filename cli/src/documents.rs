//! The documents speak of this program: their links lead somewhere, and their commands are ones it understands.

use crate::Cli;
use clap::Parser;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every `.md` of the repository, with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let listed = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.md"])
        .current_dir(root())
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let paths = listed.lines().map(|line| root().join(line));
    let documents: Vec<_> = paths
        .map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    assert!(documents.len() > 10, "{listed}");
    documents
}

/// Lines of the fenced blocks of a language.
fn fenced<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let mut inside: Option<bool> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        match (inside, line.strip_prefix("```")) {
            (None, Some(name)) => inside = Some(name == language),
            (Some(_), Some(_)) => inside = None,
            (Some(true), None) => lines.push(line),
            _ => {}
        }
    }
    lines
}

/// As a shell would, for what stands in our documents: quotes, and comments.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, ' ') => words.push(String::new()),
            (None, '#') if words.last().is_some_and(String::is_empty) => break,
            _ => words.last_mut().expect("there is always one").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// Targets of `[text](target)`, outside code.
fn links(text: &str) -> Vec<&str> {
    let mut code = false;
    let prose = text.lines().filter(|line| {
        code ^= line.starts_with("```");
        !code
    });
    prose
        .flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
        .collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    for (path, text) in documents() {
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.with_file_name(file),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !place.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let there = headings.any(|heading| anchor(heading.trim_start_matches('#')) == place);
                assert!(there, "{}: there is no heading for {link}", path.display());
            }
        }
    }
}

#[test]
fn commands_in_documents_are_understood() {
    let mut seen = 0;
    for (path, text) in documents() {
        let steps = fenced(&text, "yaml")
            .into_iter()
            .map(|line| line.trim_start_matches(['-', ' ']));
        let steps = steps.map(|line| line.trim_start_matches("run: "));
        for line in fenced(&text, "sh").into_iter().chain(steps) {
            let words = words(line);
            let own = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["xcheck", ..] => &words[..],
                // `cargo run … --` is the program, too.
                ["cargo", "run", "--release", "--", ..] => &words[3..],
                _ => continue,
            };
            seen += 1;
            if let Err(error) = Cli::try_parse_from(own) {
                panic!("{}: {line}: {error}", path.display());
            }
        }
    }
    assert!(seen > 30, "only {seen} commands were found");
}

#[test]
fn settings_in_documents_are_understood() {
    for (path, text) in documents() {
        let settings = fenced(&text, "toml").join("\n");
        // Rules of redaction stand in a file of their own.
        if settings.contains("[[browser]]") || settings.contains("[[ignore]]") {
            crate::config::Config::parse(&settings).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

#[test]
fn headings_become_anchors() {
    assert_eq!(anchor("An existing test"), "an-existing-test");
    assert_eq!(anchor("\"Not measured\""), "not-measured");
    assert_eq!(words("a 'b c' \"d\" # e"), ["a", "b c", "d"]);
}
