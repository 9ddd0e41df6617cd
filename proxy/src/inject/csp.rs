//! Widens Content-Security-Policies by exactly what our script needs: to run, and to reach the proxy at its own origin.
//!
//! Dropping a policy would be simpler and wrong: the page would run what its author forbade. So each policy is edited in
//! place and everything else in it keeps its bytes. Two ways of allowing a script exist and neither works everywhere:
//!
//! - A **nonce** switches `'unsafe-inline'` off wherever it is added, so it goes only into lists that already hold a
//!   nonce, a hash or `'strict-dynamic'` (which in turn ignores addresses). Where workers are made of blobs, which can have none,
//!   the address beside it.
//! - An **address**, our path, goes into all other lists.
//!
//! The directive that governs is widened where it stands (`default-src` included), not copied into a new one: a page can
//! see directive names in its violation reports. Engines without `script-src-elem` use `script-src`: both are widened.

use super::{Script, Talks};

/// One policy, widened.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relaxed {
    pub(super) policy: String,
    /// `script-src got https://example.org/__xcheck/`, for people. Empty: nothing had to change.
    pub(super) changes: Vec<String>,
    /// The tag must carry the nonce.
    pub(super) uses_nonce: bool,
}

/// What one document's script needs, in the words of a policy.
#[derive(Debug, Clone)]
pub(super) struct Needs {
    script: String,
    connections: Vec<String>,
    nonce: String,
    origin: String,
    /// A source expression can not name an IPv6 address.
    has_address: bool,
}

impl Needs {
    pub(super) fn new(script: &Script) -> Needs {
        let folder = script.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below = |origin: &str| format!("{origin}{folder}/");
        // `'self'` covers WebSockets only in newer engines: always by name.
        let socket = || below(&script.origin.replacen("http", "ws", 1));
        let connections = match script.talks {
            Talks::ByPost => vec![below(&script.origin)],
            Talks::ByWebSocket => vec![socket()],
            Talks::BothWays => vec![below(&script.origin), socket()],
        };
        Needs {
            script: below(&script.origin),
            connections,
            nonce: format!("'nonce-{}'", script.nonce),
            origin: script.origin.clone(),
            has_address: !script.origin.contains('['),
        }
    }
}

/// Widens one policy of a response's head.
pub(super) fn relax(policy: &str, needs: &Needs) -> Relaxed {
    widen(policy, needs, true)
}

/// Widens the policy of a `<meta>`, for connections alone: our script ran before it counts. What is added there is part
/// of the document's tree, so it has to be little, and the same each time, which a nonce is not.
pub(super) fn relax_connections(policy: &str, needs: &Needs) -> Relaxed {
    widen(policy, needs, false)
}

fn widen(policy: &str, needs: &Needs, for_script: bool) -> Relaxed {
    let mut directives: Vec<String> = policy.split(';').map(str::to_owned).collect();
    let mut relaxed = Relaxed {
        policy: String::new(),
        changes: Vec::new(),
        uses_nonce: false,
    };
    let named = |name: &str| {
        directives
            .iter()
            .position(|directive| directive_name(directive) == name)
    };
    let default = named("default-src");
    let mut for_scripts: Vec<usize> = [named("script-src-elem"), named("script-src")]
        .into_iter()
        .flatten()
        .collect();
    if for_scripts.is_empty() {
        for_scripts.extend(default);
    }
    if !for_script {
        for_scripts.clear();
    }
    let for_connections = named("connect-src").or(default);
    let calls_from_workers = lets_made_workers(policy);

    for index in for_scripts {
        if let Some(source) = script_source(&directives[index], needs) {
            let is_nonce = source == needs.nonce;
            relaxed.uses_nonce |= is_nonce;
            add(&mut directives[index], &source, &needs.nonce, &mut relaxed.changes);
            if is_nonce && calls_from_workers && needs.has_address && !is_strict(&directives[index]) {
                add(
                    &mut directives[index],
                    &needs.script,
                    &needs.nonce,
                    &mut relaxed.changes,
                );
            }
        } else {
            relaxed.uses_nonce |= sources(&directives[index]).any(|source| source == needs.nonce);
        }
    }
    if let Some(index) = for_connections {
        for connection in &needs.connections {
            if !reaches(&directives[index], connection, needs) {
                let source = if needs.has_address {
                    connection.as_str()
                } else {
                    "'self'"
                };
                add(&mut directives[index], source, &needs.nonce, &mut relaxed.changes);
            }
        }
    }
    relaxed.policy = directives.join(";");
    relaxed
}

/// Whether a document may make workers of what it has written itself. Those call for our script, which a nonce does not help.
fn lets_made_workers(policy: &str) -> bool {
    ["worker-src", "child-src", "script-src", "default-src"]
        .iter()
        .find_map(|name| directive(policy, name))
        .is_some_and(|governs| lists(governs, |source| source == "blob:"))
}

/// Whether a WebSocket to the document's own origin is plainly allowed. A log that can do without is no reason to widen a
/// policy, but a connection that is refused is an error that the page sees.
pub(super) fn lets_sockets(policy: &str) -> bool {
    directive(policy, "connect-src")
        .or_else(|| directive(policy, "default-src"))
        .is_none_or(|directive| sources(directive).any(|source| source == "*" || source.eq_ignore_ascii_case("'self'")))
}

/// Whether scripts that stand in a document run, whatever they are. One that is refused is an error that the page sees.
fn lets_inline(policy: &str) -> bool {
    governing(policy)
        .is_none_or(|directive| lists(directive, |source| source == "'unsafe-inline'") && !goes_by_nonces(directive))
}

/// Scripts are known by their text.
fn has_hashes(policy: &str) -> bool {
    governing(policy).is_some_and(|directive| lists(directive, |source| source.starts_with("'sha")))
}

fn governing(policy: &str) -> Option<&str> {
    directive(policy, "script-src-elem")
        .or_else(|| directive(policy, "script-src"))
        .or_else(|| directive(policy, "default-src"))
}

/// What a document's policies have against scripts that stand in it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// One that was not there may be refused.
    pub(super) new: bool,
    /// One that is not as it was may be.
    pub(super) changed: bool,
}

impl Limits {
    pub(super) fn of(policy: &str) -> Limits {
        Limits {
            new: !lets_inline(policy),
            changed: has_hashes(policy),
        }
    }

    pub(super) fn and(self, other: Limits) -> Limits {
        Limits {
            new: self.new || other.new,
            changed: self.changed || other.changed,
        }
    }
}

fn directive<'p>(policy: &'p str, name: &str) -> Option<&'p str> {
    policy.split(';').find(|directive| directive_name(directive) == name)
}

fn lists(directive: &str, test: fn(&str) -> bool) -> bool {
    sources(directive).any(|source| test(&source.to_ascii_lowercase()))
}

fn is_strict(directive: &str) -> bool {
    lists(directive, |source| source == "'strict-dynamic'")
}

/// `'unsafe-inline'` does not count in it.
fn goes_by_nonces(directive: &str) -> bool {
    is_strict(directive)
        || lists(directive, |source| {
            source.starts_with("'nonce-") || source.starts_with("'sha")
        })
}

/// A `sandbox` without `allow-scripts`: nothing we could put into the document would run.
pub(super) fn forbids_all_scripts(policy: &str) -> bool {
    directive(policy, "sandbox")
        .is_some_and(|sandbox| !sources(sandbox).any(|flag| flag.eq_ignore_ascii_case("allow-scripts")))
}

/// Takes `script` out of the destinations for which `Integrity-Policy` demands a hash: our script is made anew for each
/// load and can have none. `None`: it was not among them.
pub(super) fn relax_integrity_policy(value: &str) -> Option<String> {
    let start = value.find("blocked-destinations")?;
    let open = start + value[start..].find('(')?;
    let close = open + value[open..].find(')')?;
    let destinations: Vec<&str> = value[open + 1..close].split_ascii_whitespace().collect();
    let kept: Vec<&str> = destinations.iter().copied().filter(|name| *name != "script").collect();
    (kept.len() < destinations.len()).then(|| format!("{}({}){}", &value[..open], kept.join(" "), &value[close + 1..]))
}

/// What has to be added so that our script may run, if anything.
fn script_source(directive: &str, needs: &Needs) -> Option<String> {
    let strict = is_strict(directive);
    let by_nonce = goes_by_nonces(directive);
    if sources(directive).any(|source| source == needs.nonce) || (!strict && reaches(directive, &needs.script, needs)) {
        return None;
    }
    Some(if by_nonce {
        needs.nonce.clone()
    } else if needs.has_address {
        needs.script.clone()
    } else if lists(directive, |source| source == "'unsafe-inline'") {
        "'self'".to_owned()
    } else {
        needs.nonce.clone()
    })
}

/// Does a list of sources allow `url`? Only what is plainly so; anything else is added, which does no harm.
fn reaches(directive: &str, url: &str, needs: &Needs) -> bool {
    let is_web_socket = url.starts_with("ws");
    let host = needs.origin.split_once("://").map_or("", |(_, host)| host);
    sources(directive).any(|source| {
        let source = source.to_ascii_lowercase();
        if is_web_socket {
            return source == url || source == "ws:" || (source == "wss:" && url.starts_with("wss:"));
        }
        source == url
            || source == "*"
            || source == "'self'"
            || source == "http:"
            || (source == "https:" && url.starts_with("https:"))
            || source == needs.origin
            || source == host
    })
}

/// Appends a source to a directive, in place of `'none'` where that stood.
fn add(directive: &mut String, source: &str, nonce: &str, changes: &mut Vec<String>) {
    let name = directive_name(directive);
    let shown = if source == nonce { "a nonce" } else { source };
    changes.push(format!("{name} got {shown}"));
    let none = "'none'";
    if let Some(start) = directive.to_ascii_lowercase().find(none) {
        directive.replace_range(start..start + none.len(), source);
    } else {
        let end = directive.trim_end_matches(is_policy_space).len();
        directive.insert_str(end, &format!(" {source}"));
    }
}

fn directive_name(directive: &str) -> String {
    words(directive).next().unwrap_or_default().to_ascii_lowercase()
}

fn sources(directive: &str) -> impl Iterator<Item = &str> {
    words(directive).skip(1)
}

fn words(directive: &str) -> impl Iterator<Item = &str> {
    directive.split(is_policy_space).filter(|word| !word.is_empty())
}

fn is_policy_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

#[cfg(test)]
mod tests;
