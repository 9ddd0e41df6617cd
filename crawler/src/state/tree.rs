//! What a person sees of a page, as lines.

use super::masks;
use crate::random::hash;
use std::collections::HashMap;
use xcheck_trace::page::{DocumentData, Node, NodeId, PageData};

/// More entries of one kind are a list, and what it has beyond these does not count within one address.
const LIST: usize = 5;

/// Attributes that say what an element is or in what state, rather than how it looks.
const KEPT: &[&str] = &[
    "alt",
    "aria-checked",
    "aria-current",
    "aria-expanded",
    "aria-label",
    "aria-pressed",
    "aria-selected",
    "disabled",
    "href",
    "name",
    "open",
    "placeholder",
    "role",
    "title",
    "type",
];

const UNSEEN: &[&str] = &[
    "head", "link", "meta", "noscript", "script", "style", "template", "title",
];

/// The strokes of a drawing: whether one that has come to nothing, such as a line of one point, is shown is each engine's own idea.
const STROKES: &[&str] = &["circle", "ellipse", "line", "path", "polygon", "polyline", "rect"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Abstract {
    pub(crate) title: String,
    lines: Vec<Line>,
    loose: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// Where it stands: tags and numbers from the top.
    place: u64,
    /// What stands there, without what never counts.
    content: u64,
    /// Without texts and addresses.
    skeleton: u64,
}

impl Abstract {
    pub(crate) fn of(page: &PageData) -> Abstract {
        let mut lines = Vec::new();
        let mut loose = String::new();
        for document in &page.documents {
            let tree = Tree::of(document);
            if let Some(root) = tree.root() {
                let place = format!("{:?}", document.path);
                let shown = tree.look(root, &place, &document.url, &mut lines);
                loose.push_str(&shown.map_or(String::new(), |shown| shown.loose));
            }
        }
        Abstract {
            title: page.documents.first().map(|top| top.title.clone()).unwrap_or_default(),
            lines,
            loose: hash(&loose),
        }
    }

    /// Without what is at `volatile` places.
    pub(crate) fn exact(&self, volatile: &dyn Fn(u64) -> bool) -> u64 {
        let lines = self.lines.iter().filter(|line| !volatile(line.place));
        lines.fold(0xcbf2_9ce4_8422_2325, |all, line| {
            (all ^ line.place.rotate_left(17) ^ line.content).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// Without numbers and dates, and with long lists of any length.
    pub(crate) fn loose(&self) -> u64 {
        self.loose
    }

    /// Place and content of each line, for comparing with another look.
    pub(crate) fn marks(&self) -> Vec<(u64, u64)> {
        self.lines.iter().map(|line| (line.place, line.content)).collect()
    }

    /// The lines as a bag, without texts.
    pub(crate) fn skeleton(&self) -> u64 {
        let mut all: Vec<u64> = self.lines.iter().map(|line| line.skeleton).collect();
        all.sort_unstable();
        all.iter()
            .fold(0, |all, one| (all ^ one).wrapping_mul(0x0000_0100_0000_01b3))
    }
}

struct Tree<'a> {
    below: HashMap<NodeId, Vec<&'a Node>>,
}

struct Shown {
    loose: String,
}

impl<'a> Tree<'a> {
    fn of(document: &'a DocumentData) -> Tree<'a> {
        let mut below: HashMap<NodeId, Vec<&Node>> = HashMap::new();
        for node in &document.nodes {
            below.entry(node.parent).or_default().push(node);
        }
        for siblings in below.values_mut() {
            siblings.sort_by_key(|node| (node.index, node.id));
        }
        Tree { below }
    }

    fn root(&self) -> Option<&'a Node> {
        self.below.get(&0)?.iter().copied().find(|node| node.tag != "#text")
    }

    /// Nothing of it is shown: nothing comes of it.
    fn look(&self, node: &Node, above: &str, base: &str, lines: &mut Vec<Line>) -> Option<Shown> {
        if UNSEEN.contains(&node.tag.as_str()) || STROKES.contains(&node.tag.as_str()) {
            return None;
        }
        if node.tag == "#text" {
            let text = node.text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.is_empty() || !node.visible {
                return None;
            }
            let place = format!("{above}>#");
            lines.push(Line {
                place: hash(&place),
                content: hash(&masks::strict(&text)),
                skeleton: hash(&place),
            });
            return Some(Shown {
                loose: format!("{}\n", masks::loose(&text)),
            });
        }
        let at = lines.len();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        let mut entries: Vec<String> = Vec::new();
        let mut run = 0;
        for child in self.below.get(&node.id).into_iter().flatten() {
            let number = counts.entry(&child.tag).or_default();
            *number += 1;
            let place = format!("{above}>{}:{number}", child.tag);
            let Some(shown) = self.look(child, &place, base, lines) else {
                continue;
            };
            // Entries beyond the usual are as the last one that counts, whatever stands in them.
            let kind = skeleton_of(&shown.loose);
            let same = entries.last().is_some_and(|last| skeleton_of(last) == kind) && child.tag != "#text";
            run = if same { run + 1 } else { 1 };
            if run <= LIST {
                entries.push(shown.loose);
            }
        }
        if entries.is_empty() && !node.visible {
            return None;
        }
        let (own, own_loose) = described(node, base);
        lines.insert(
            at,
            Line {
                place: hash(above),
                content: hash(&own),
                skeleton: hash(above),
            },
        );
        Some(Shown {
            loose: format!("<{own_loose}\n{}>\n", entries.concat()),
        })
    }
}

/// The tags of a description, without its texts.
fn skeleton_of(loose: &str) -> u64 {
    let tags = loose.lines().filter(|line| line.starts_with('<') || *line == ">");
    let tags = tags.map(|line| line.split(' ').next().unwrap_or_default());
    tags.fold(0, |all, tag| (all ^ hash(tag)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn described(node: &Node, base: &str) -> (String, String) {
    let (mut strict, mut loose) = (node.tag.clone(), node.tag.clone());
    for (name, value) in &node.attributes {
        if !KEPT.contains(&name.as_str()) {
            continue;
        }
        let (exact, about) = if name == "href" {
            let absolute = url::Url::parse(base).and_then(|base| base.join(value));
            let absolute = absolute.map_or_else(|_| value.clone(), String::from);
            (masks::address(&absolute), masks::pattern(&absolute))
        } else {
            (masks::strict(value), masks::loose(value))
        };
        strict.push_str(&format!(" {name}={exact}"));
        loose.push_str(&format!(" {name}={about}"));
    }
    (strict, loose)
}
