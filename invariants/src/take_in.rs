//! One more page, most of which is as it always was: there only the counts change, and no template is made of it. What comes
//! out is what merging the page's template would bring.

use crate::align::{NAMES, content, is_only_one};
use crate::template::{Field, Template, from, kind_of};
use crate::tree::{Tree, TreeNode};
use crate::value::Value;

impl Template {
    /// Takes in what was seen in another run; see [`Template::merge`].
    pub(crate) fn take_in(&mut self, tree: &Tree) -> u64 {
        self.take_in_node(tree, tree.root())
    }

    fn take_in_node(&mut self, tree: &Tree, node: &TreeNode) -> u64 {
        if self.is_always(tree, node) {
            self.count();
            return 0;
        }
        let mut given_up = 0;
        for (name, value) in &node.fields {
            given_up += match self.fields.get_mut(name) {
                Some(known) if matches!(&known.value, Value::Constant(constant) if constant == value) => {
                    known.seen += 1;
                    0
                }
                _ => self.merge_field(name.clone(), Field::once(value)),
            };
        }
        if self.has_not_moved(tree, node) {
            for (child, now) in self.children.iter_mut().zip(tree.children(node)) {
                given_up += child.take_in_node(tree, now);
            }
        } else {
            let children = node.children.iter().map(|&child| from(tree, child));
            given_up += self.merge_children(children.collect(), 1);
        }
        self.seen += 1;
        given_up
    }

    /// It is what it was in all runs, or of its shape, and everything below it, too.
    pub(crate) fn is_always(&self, tree: &Tree, node: &TreeNode) -> bool {
        let fits = |((name, known), (now, value)): ((&String, &Field), &(String, String))| {
            name == now
                && known.seen == self.seen
                && matches!(known.value, Value::Constant(_) | Value::Shape(_))
                && known.value.allows(value)
        };
        self.tag == node.tag
            && self.fields.len() == node.fields.len()
            && self.children.len() == node.children.len()
            && self.fields.iter().zip(&node.fields).all(fits)
            && self
                .children
                .iter()
                .zip(tree.children(node))
                .all(|(child, now)| child.repeats.is_none() && child.seen == self.seen && child.is_always(tree, now))
    }

    fn count(&mut self) {
        self.seen += 1;
        for field in self.fields.values_mut() {
            field.seen += 1;
        }
        for child in &mut self.children {
            child.count();
        }
    }

    /// Each child is the one that always stood there: nothing else is of its kind, or it says what it said.
    pub(crate) fn has_not_moved(&self, tree: &Tree, node: &TreeNode) -> bool {
        self.children.len() == node.children.len()
            && self.children.iter().zip(tree.children(node)).all(|(child, now)| {
                child.repeats.is_none()
                    && child.seen == self.seen
                    && (child.is_always(tree, now)
                        || child.kind == kind_of(now)
                            && child.is_named(now)
                            && (is_only_one(child, &self.children) || content(child) == content((tree, now))))
            })
    }

    fn is_named(&self, now: &TreeNode) -> bool {
        NAMES
            .iter()
            .all(|name| match (self.fields.get(*name), now.field(name)) {
                (
                    Some(Field {
                        value: Value::Constant(known),
                        ..
                    }),
                    Some(now),
                ) if !known.is_empty() && !now.is_empty() => known == now,
                _ => true,
            })
    }
}
