//! Style sheets and scripts that a page asks for in the other browser alone, by its name for instance. The recording
//! cannot answer them, so the page stands there without what they would have said: that is one finding, and how the
//! page looks without its style sheet is a consequence of it, no finding of its own.

use super::unanswered::Unanswered;
use crate::findings::{Because, Cause, Dropped, Kind};
use crate::scene::Raw;
use crate::state::{Changes, Document, attribute};
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::{Node, NodeId};

/// What one document lacks.
#[derive(Default)]
pub(super) struct Lacking {
    /// Addresses that its elements have been held against.
    known: usize,
    elements: BTreeMap<NodeId, (Resource, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resource {
    StyleSheet,
    Script,
}

impl Lacking {
    /// `document` is the other browser's, and `changes` what happened to it since this was last asked.
    pub(super) fn update(&mut self, document: &Document, changes: &Changes, unanswered: &Unanswered) {
        let urls = unanswered.urls().len();
        if urls == 0 {
            return;
        }
        self.elements.retain(|id, _| document.node(*id).is_some());
        let touched: BTreeSet<NodeId> = match self.known == urls {
            true => changes.touched(),
            false => document.all().into_iter().collect(),
        };
        self.known = urls;
        for id in touched {
            let asked = document.node(id).and_then(asks_for);
            let url = asked.and_then(|(_, href)| unanswered.urls().find(|url| leads_to(href, url)));
            match (asked, url) {
                (Some((resource, _)), Some(url)) => self.elements.insert(id, (resource, url.clone())),
                _ => self.elements.remove(&id),
            };
        }
    }

    pub(super) fn style_sheet(&self) -> Option<&str> {
        self.first(Resource::StyleSheet)
    }

    pub(super) fn script(&self) -> Option<&str> {
        self.first(Resource::Script)
    }

    fn first(&self, wanted: Resource) -> Option<&str> {
        let mut all = self.elements.values();
        let found = all.find(|(resource, _)| *resource == wanted);
        found.map(|(_, url)| url.as_str())
    }
}

/// Whether a style sheet that is lacking may be the reason. Where a declaration explains it that stands in a sheet
/// which both browsers have read, that is the reason.
pub(super) fn is_of_looks(raw: &Raw, cause: Option<&Cause>, other: &Document) -> bool {
    let looks = matches!(raw.kind, Kind::Structure | Kind::Visual)
        || matches!(raw.property.as_str(), "scrollTop" | "scrollLeft");
    let read = |dropped: &[Dropped]| {
        dropped
            .iter()
            .any(|one| one.sheet == "style attribute" || other.rules.iter().any(|rule| rule.sheet == one.sheet))
    };
    looks
        && match cause.map(|cause| &cause.because) {
            Some(Because::Unsupported { dropped } | Because::OnlyHere { kept: dropped }) => !read(dropped),
            Some(Because::NotLoaded { .. } | Because::Exception { .. }) => false,
            _ => true,
        }
}

fn asks_for(node: &Node) -> Option<(Resource, &str)> {
    let words = |name: &str| attribute(node, name).unwrap_or("").to_ascii_lowercase();
    match node.tag.as_str() {
        "link" if words("rel").split_ascii_whitespace().any(|word| word == "stylesheet") => {
            Some((Resource::StyleSheet, attribute(node, "href")?))
        }
        "script" => Some((Resource::Script, attribute(node, "src")?)),
        _ => None,
    }
}

/// Whether an address, as a document writes it, may be this one. What was not answered is one of few, so that a base
/// need not be known: the end of the path tells them apart.
fn leads_to(href: &str, url: &str) -> bool {
    let whole = |text: &str| text.split('#').next().unwrap_or("").trim().to_owned();
    let (href, url) = (whole(href), whole(url));
    let mut end = href.as_str();
    while let Some(rest) = end.strip_prefix("./").or_else(|| end.strip_prefix("../")) {
        end = rest;
    }
    if end.is_empty() {
        return false;
    }
    if end.contains("://") {
        return end == url;
    }
    let rooted = end.starts_with('/');
    url.strip_suffix(end)
        .is_some_and(|start| rooted || start.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_by_the_end_of_their_path() {
        let check = |href: &str, url: &str, expected: bool| {
            assert_eq!(leads_to(href, url), expected, "{href} / {url}");
        };
        check("look-firefox.css?v=1", "http://a.test/shop/look-firefox.css?v=1", true);
        check(
            "../skins/moono/editor_gecko.css",
            "http://a.test/skins/moono/editor_gecko.css",
            true,
        );
        check("/skins/gecko.css", "http://a.test/skins/gecko.css", true);
        check("//cdn.test/gecko.css", "https://cdn.test/gecko.css", true);
        check("http://a.test/gecko.css", "http://a.test/gecko.css", true);
        check("http://b.test/gecko.css", "http://a.test/gecko.css", false);
        check("cko.css", "http://a.test/gecko.css", false);
        check("", "http://a.test/", false);
    }
}
