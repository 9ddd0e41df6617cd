//! Which child of one template is which of another: by what names it, then by what it is and says, then by order.

use crate::template::Template;
use crate::tree::{Tree, TreeNode};
use crate::value::{Value, shape};
use std::collections::HashMap;
use std::ops::Range;

/// Longer lists are aligned by walking along both, for the table would grow with the square.
const TABLE: usize = 300;
/// What is read of a node to know it again.
const CONTENT: usize = 160;
/// Fields that name a node among its siblings.
pub(crate) const NAMES: [&str; 8] = [
    "@id",
    "@data-testid",
    "@data-id",
    "@data-key",
    "@name",
    "@for",
    "@href",
    "@src",
];

pub(crate) struct Alignment {
    /// Indices on both sides, ascending on the first.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Those of which there can be no doubt, having a name or content of their own, do not ascend on the second.
    pub(crate) crossed: bool,
}

pub(crate) fn align(ours: &[&Template], theirs: &[&Template]) -> Alignment {
    let mut open = Open {
        ours: vec![None; ours.len()],
        theirs: vec![false; theirs.len()],
    };
    // Nearly always nothing has moved: then the rest is not worth its time.
    let unmoved = ours.len() == theirs.len()
        && ours
            .iter()
            .zip(theirs)
            .all(|(a, b)| a.kind == b.kind && a.repeats.is_some() == b.repeats.is_some() && same_names(a, b));
    if unmoved
        && ours
            .iter()
            .zip(theirs)
            .all(|(a, b)| is_only_one(a, ours.iter().copied()) || content(*a) == content(*b))
    {
        let pairs = (0..ours.len()).map(|place| (place, place)).collect();
        return Alignment { pairs, crossed: false };
    }
    open.by(ours, theirs, |child| child.repeats.map(|_| child.kind.clone()), true);
    for name in NAMES {
        open.by(ours, theirs, |child| named(child, name), true);
    }
    open.by(
        ours,
        theirs,
        |child| Some(format!("{}\n{}", child.kind, content(child))),
        false,
    );
    open.in_order(ours, theirs, |child| &child.kind);
    open.in_order(ours, theirs, |child| &child.tag);
    open.finish()
}

struct Open {
    /// The other of each, and whether there can be no doubt of it.
    ours: Vec<Option<(usize, bool)>>,
    theirs: Vec<bool>,
}

impl Open {
    fn pair(&mut self, mine: usize, other: usize, sure: bool) {
        self.ours[mine] = Some((other, sure));
        self.theirs[other] = true;
    }

    /// Pairs children with the same key: the k-th with the k-th, or, where a key has to be one of its kind, only those.
    fn by(
        &mut self,
        ours: &[&Template],
        theirs: &[&Template],
        key: impl Fn(&Template) -> Option<String>,
        unique: bool,
    ) {
        let mut places: HashMap<String, [Vec<usize>; 2]> = HashMap::new();
        for (place, child) in ours.iter().enumerate().filter(|(place, _)| self.ours[*place].is_none()) {
            if let Some(key) = key(child) {
                places.entry(key).or_default()[0].push(place);
            }
        }
        if places.is_empty() {
            return;
        }
        for (place, child) in theirs.iter().enumerate().filter(|(place, _)| !self.theirs[*place]) {
            if let Some(both) = key(child).and_then(|key| places.get_mut(&key)) {
                both[1].push(place);
            }
        }
        for [mine, others] in places.into_values() {
            if unique && (mine.len() != 1 || others.len() != 1) {
                continue;
            }
            let sure = mine.len() == 1 && others.len() == 1;
            for (mine, other) in mine.into_iter().zip(others) {
                self.pair(mine, other, sure);
            }
        }
    }

    /// The longest common sequence of what is still open, between what is already paired.
    fn in_order(&mut self, ours: &[&Template], theirs: &[&Template], label: impl Fn(&Template) -> &String) {
        let single = |child: &Template| child.repeats.is_none();
        let mine: Vec<usize> = (0..ours.len())
            .filter(|&i| self.ours[i].is_none() && single(ours[i]))
            .collect();
        let others: Vec<usize> = (0..theirs.len())
            .filter(|&i| !self.theirs[i] && single(theirs[i]))
            .collect();
        let bounds: Vec<Range<usize>> = mine.iter().map(|&i| self.between(i, theirs.len())).collect();
        let equal =
            |i: usize, j: usize| bounds[i].contains(&others[j]) && label(ours[mine[i]]) == label(theirs[others[j]]);
        let pairs = if mine.len() > TABLE || others.len() > TABLE {
            walked(mine.len(), others.len(), equal)
        } else {
            longest(mine.len(), others.len(), equal)
        };
        for (i, j) in pairs {
            self.pair(mine[i], others[j], false);
        }
    }

    /// Where the other of a child may stand, given where the others of its siblings do; anywhere, when they have changed
    /// places among themselves.
    fn between(&self, child: usize, all: usize) -> Range<usize> {
        let others = |pairs: &[Option<(usize, bool)>]| pairs.iter().flatten().map(|pair| pair.0).collect::<Vec<_>>();
        let after = others(&self.ours[..child]).into_iter().max().map_or(0, |last| last + 1);
        let before = others(&self.ours[child..]).into_iter().min().unwrap_or(all);
        if after > before { 0..all } else { after..before }
    }

    fn finish(self) -> Alignment {
        let sure: Vec<usize> = self
            .ours
            .iter()
            .flatten()
            .filter(|pair| pair.1)
            .map(|pair| pair.0)
            .collect();
        let crossed = sure.windows(2).any(|two| two[0] > two[1]);
        let paired = self
            .ours
            .iter()
            .enumerate()
            .filter_map(|(mine, other)| Some((mine, other.as_ref()?.0)));
        Alignment {
            pairs: paired.collect(),
            crossed,
        }
    }
}

fn longest(rows: usize, columns: usize, equal: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut length = vec![vec![0u16; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            length[i][j] = if equal(i, j) {
                length[i + 1][j + 1] + 1
            } else {
                length[i + 1][j].max(length[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < rows && j < columns {
        if equal(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[i + 1][j] >= length[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn walked(rows: usize, columns: usize, equal: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut next = 0;
    for i in 0..rows {
        let ahead = (next..columns.min(next + TABLE)).find(|&j| equal(i, j));
        if let Some(j) = ahead {
            pairs.push((i, j));
            next = j + 1;
        }
    }
    pairs
}

pub(crate) fn is_only_one<'a>(child: &Template, among: impl IntoIterator<Item = &'a Template>) -> bool {
    let mut alike = among.into_iter().filter(|other| other.kind == child.kind);
    alike.nth(1).is_none()
}

fn same_names(a: &Template, b: &Template) -> bool {
    NAMES.iter().all(|name| match (named(a, name), named(b, name)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    })
}

/// The tag keeps a label apart from the field it is for.
fn named(child: &Template, name: &str) -> Option<String> {
    match &child.fields.get(name)?.value {
        Value::Constant(value) if !value.is_empty() => Some(format!("{} {value}", child.tag)),
        _ => None,
    }
}

/// What a node says, without what commonly varies; `*` where it was seen to say several things.
pub(crate) fn content(node: impl Says) -> String {
    let mut content = String::new();
    collect(node, &mut content);
    content
}

pub(crate) fn is_content(content: &str) -> bool {
    content.chars().any(|c| c.is_alphanumeric())
}

/// A template, or a node of a page of which no template is made yet.
pub(crate) trait Says: Copy {
    fn value(self, name: &str) -> Option<String>;
    fn below(self) -> impl Iterator<Item = Self>;
}

impl Says for &Template {
    fn value(self, name: &str) -> Option<String> {
        Some(match &self.fields.get(name)?.value {
            Value::Constant(value) => shape(value),
            Value::Shape(shape) => shape.clone(),
            Value::OneOf(_) | Value::Volatile => "*".to_owned(),
        })
    }

    fn below(self) -> impl Iterator<Item = Self> {
        self.children.iter()
    }
}

impl<'a> Says for (&'a Tree, &'a TreeNode) {
    fn value(self, name: &str) -> Option<String> {
        self.1.field(name).map(shape)
    }

    fn below(self) -> impl Iterator<Item = Self> {
        let (tree, node) = self;
        tree.children(node).map(move |child| (tree, child))
    }
}

fn collect(node: impl Says, content: &mut String) {
    for name in ["text", "@alt", "@title", "@aria-label", "@placeholder", ".value"] {
        if let Some(value) = node.value(name) {
            content.push_str(&value);
            content.push(' ');
        }
    }
    for child in node.below() {
        if content.len() > CONTENT {
            return;
        }
        collect(child, content);
    }
}
