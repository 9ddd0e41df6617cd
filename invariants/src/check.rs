//! Where a page does not keep what was learnt.

use crate::align::align;
use crate::lists;
use crate::template::{Template, from};
use crate::tree::Tree;
use serde::{Deserialize, Serialize};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    pub kind: Deviates,
    /// `html > body > ul#news > li.entry`
    pub path: String,
    pub expected: String,
    pub actual: String,
    /// The node, or the one that should have had it.
    pub node: Option<(LoadId, NodeId)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deviates {
    Missing,
    Extra,
    /// `@href`, `.value`, `text`, `visible`.
    Field(String),
    /// Entries of a list.
    Count,
    Order,
}

impl Template {
    /// In document order.
    pub fn deviations(&self, tree: &Tree) -> Vec<Deviation> {
        self.check(tree).into_iter().map(|(deviation, _)| deviation).collect()
    }

    /// With each the way to the template that asked for it, as indices of children.
    pub(crate) fn check(&self, tree: &Tree) -> Vec<(Deviation, Vec<usize>)> {
        let mut checker = Checker {
            tree,
            found: Vec::new(),
            way: Vec::new(),
        };
        checker.node(self, 0, "");
        checker.found
    }
}

struct Checker<'a> {
    tree: &'a Tree,
    found: Vec<(Deviation, Vec<usize>)>,
    way: Vec<usize>,
}

impl Checker<'_> {
    fn say(&mut self, kind: Deviates, path: &str, at: usize, expected: String, actual: String) {
        let deviation = Deviation {
            kind,
            path: path.to_owned(),
            expected,
            actual,
            node: self.tree.nodes[at].source,
        };
        self.found.push((deviation, self.way.clone()));
    }

    /// `seen` is the index of the page's node.
    fn node(&mut self, known: &Template, seen: usize, above: &str) {
        let tree = self.tree;
        let node = &tree.nodes[seen];
        // Nearly all of a page: nothing is written down of it.
        if known.loose || known.is_always(tree, node) {
            return;
        }
        let path = step(above, known);
        self.fields(known, seen, &path);
        if known.has_not_moved(tree, node) {
            for (place, (child, &now)) in known.children.iter().zip(&node.children).enumerate() {
                self.child(place, child, now, &path);
            }
        } else {
            self.children(known, &from(tree, seen), &path);
        }
    }

    fn children(&mut self, known: &Template, seen: &Template, path: &str) {
        let lists = known.children.iter().enumerate();
        for (place, list) in lists.filter(|(_, child)| child.repeats.is_some()) {
            let entries: Vec<&Template> = seen.children.iter().filter(|entry| list.takes(entry)).collect();
            self.count(list, &entries, path, seen.node);
            for entry in entries {
                self.child(place, list, entry.node, path);
            }
        }
        let (places, singles): (Vec<usize>, Vec<&Template>) = known.singles().unzip();
        let rest = seen.apart(known);
        let alignment = align(&singles, &rest);
        if alignment.crossed && !known.unordered {
            let order = |of: Vec<&str>| of.join(", ");
            let expected = order(singles.iter().map(|child| child.kind.as_str()).collect());
            let actual = order(rest.iter().map(|child| child.kind.as_str()).collect());
            self.say(Deviates::Order, path, seen.node, expected, actual);
        }
        let mut met = vec![false; rest.len()];
        let mut pairs = alignment.pairs.iter().peekable();
        for (place, child) in singles.iter().enumerate() {
            match pairs.next_if(|(mine, _)| *mine == place) {
                Some(&(_, other)) => {
                    met[other] = true;
                    self.child(places[place], child, rest[other].node, path);
                }
                None if child.is_required(known) => {
                    let path = step(path, child);
                    self.say(Deviates::Missing, &path, seen.node, summary(child), String::new());
                }
                None => {}
            }
        }
        if known.is_closed() {
            for (child, _) in rest.iter().zip(&met).filter(|(_, met)| !**met) {
                let path = step(path, child);
                self.say(Deviates::Extra, &path, child.node, String::new(), summary(child));
            }
        }
    }

    fn child(&mut self, place: usize, known: &Template, seen: usize, path: &str) {
        self.way.push(place);
        self.node(known, seen, path);
        self.way.pop();
    }

    fn fields(&mut self, known: &Template, seen: usize, path: &str) {
        let node = &self.tree.nodes[seen];
        for (name, field) in &known.fields {
            let actual = node.field(name);
            let fits = match actual {
                Some(actual) => field.value.allows(actual),
                None => field.seen < known.seen,
            };
            if !fits {
                let actual = actual.unwrap_or("(none)").to_owned();
                self.say(Deviates::Field(name.clone()), path, seen, field.value.wanted(), actual);
            }
        }
        if known.fields.values().any(|field| field.seen < known.seen) {
            return;
        }
        for (name, value) in node.fields.iter().filter(|(name, _)| !known.fields.contains_key(name)) {
            self.say(
                Deviates::Field(name.clone()),
                path,
                seen,
                "(none)".into(),
                value.clone(),
            );
        }
    }

    fn count(&mut self, list: &Template, entries: &[&Template], path: &str, parent: usize) {
        let Some(repeats) = list.repeats else { return };
        let allowed = lists::allowed(repeats);
        let (least, most) = (*allowed.start(), *allowed.end());
        let count = entries.len() as u32;
        if !allowed.contains(&count) {
            let expected = if least == most {
                least.to_string()
            } else {
                format!("{least} to {most}")
            };
            self.say(Deviates::Count, &step(path, list), parent, expected, count.to_string());
        }
    }
}

impl Template {
    /// Children that are held one by one, with their places.
    pub(crate) fn singles(&self) -> impl Iterator<Item = (usize, &Template)> {
        self.children
            .iter()
            .enumerate()
            .filter(|(_, child)| child.repeats.is_none())
    }

    /// Children of a single run that are no entries of the lists that are known.
    pub(crate) fn apart(&self, known: &Template) -> Vec<&Template> {
        let is_entry = |child: &Template| known.children.iter().any(|list| list.takes(child));
        self.children.iter().filter(|child| !is_entry(child)).collect()
    }

    pub(crate) fn takes(&self, entry: &Template) -> bool {
        self.repeats.is_some() && self.kind == entry.kind
    }
}

fn step(above: &str, template: &Template) -> String {
    let id = template.fields.get("@id").map(|field| field.value.wanted());
    let here = match id.filter(|id| !id.contains(' ')) {
        Some(id) => format!("{}#{id}", template.tag),
        None => template.kind.clone(),
    };
    if matches!(template.tag.as_str(), "#page" | "#document") {
        return above.to_owned();
    }
    if above.is_empty() {
        here
    } else {
        format!("{above} > {here}")
    }
}

/// `li.entry "Bread and butter"`
fn summary(template: &Template) -> String {
    let says = crate::align::content(template);
    let says: String = says.replace('*', "").trim().chars().take(60).collect();
    if says.is_empty() {
        template.kind.clone()
    } else {
        format!("{} {says:?}", template.kind)
    }
}
