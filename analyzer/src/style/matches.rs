//! Whether a selector matches a node, as far as page data can tell.

use super::selector::{Combinator, Complex, Simple};
use crate::state::{Document, attribute, is_text};
use xcheck_trace::page::{Node, NodeId};

/// Ordered so that `min` is "and", `max` is "or".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    No,
    May,
    Yes,
}

/// Far more than a real selector asks for; bounds the work that a made-up one can cause.
const BUDGET: u32 = 20_000;

pub(super) fn any(document: &Document, selectors: &[Complex], node: &Node) -> Answer {
    Matcher {
        document,
        budget: std::cell::Cell::new(BUDGET),
    }
    .any(selectors, node)
}

struct Matcher<'a> {
    document: &'a Document,
    budget: std::cell::Cell<u32>,
}

impl<'a> Matcher<'a> {
    fn any(&self, selectors: &[Complex], node: &Node) -> Answer {
        best(selectors.iter().map(|selector| self.complex(selector, node)))
    }

    fn complex(&self, selector: &Complex, node: &Node) -> Answer {
        let own = self.compound(&selector.subject, node);
        if own == Answer::No {
            return Answer::No;
        }
        own.min(self.bound(&selector.bound, node))
    }

    fn bound(&self, rest: &[(Combinator, Vec<Simple>)], node: &Node) -> Answer {
        let Some(((combinator, compound), rest)) = rest.split_first() else {
            return Answer::Yes;
        };
        if self.budget.get() == 0 {
            return Answer::May;
        }
        self.budget.set(self.budget.get() - 1);
        let through = |candidate: &Node| match self.compound(compound, candidate) {
            Answer::No => Answer::No,
            answer => answer.min(self.bound(rest, candidate)),
        };
        match combinator {
            Combinator::Child => self.parent(node).map_or(Answer::No, through),
            Combinator::Descendant => best(self.document.ancestors(node.id).take(256).map(through)),
            Combinator::Next => self.earlier(node).last().map_or(Answer::No, through),
            Combinator::Later => best(self.earlier(node).map(through)),
        }
    }

    fn compound(&self, simples: &[Simple], node: &Node) -> Answer {
        if simples.iter().all(|simple| *simple == Simple::Part) && !simples.is_empty() {
            return Answer::No;
        }
        simples
            .iter()
            .map(|simple| self.simple(simple, node))
            .min()
            .unwrap_or(Answer::May)
    }

    fn simple(&self, simple: &Simple, node: &Node) -> Answer {
        let holds = match simple {
            Simple::Universal | Simple::Part => true,
            Simple::Unknown => return Answer::May,
            Simple::Tag(tag) => node.tag.eq_ignore_ascii_case(tag),
            Simple::Id(id) => attribute(node, "id") == Some(id),
            Simple::Class(class) => {
                attribute(node, "class").is_some_and(|classes| classes.split_whitespace().any(|own| own == class))
            }
            Simple::Attribute { name, test, any_case } => attribute(node, name).is_some_and(|value| match test {
                None => true,
                Some((operator, wanted)) if *any_case => {
                    compare(*operator, &value.to_lowercase(), &wanted.to_lowercase())
                }
                Some((operator, wanted)) => compare(*operator, value, wanted),
            }),
            Simple::Is(list) => return self.any(list, node),
            Simple::Not(list) => {
                return match self.any(list, node) {
                    Answer::No => Answer::Yes,
                    Answer::May => Answer::May,
                    Answer::Yes => Answer::No,
                };
            }
            Simple::Nth {
                step,
                offset,
                from_end,
                of_type,
            } => is_nth(self.place(node, *from_end, *of_type), *step, *offset),
            Simple::Root => node.tag == "html",
            Simple::Host(_) if !self.holds_shadow(node) => false,
            Simple::Host(list) if list.is_empty() => true,
            Simple::Host(list) => return self.any(list, node),
        };
        if holds { Answer::Yes } else { Answer::No }
    }

    fn holds_shadow(&self, node: &Node) -> bool {
        self.elements(node.id).any(|child| child.tag == "#shadow")
    }

    fn parent(&self, node: &Node) -> Option<&'a Node> {
        self.document.node(node.parent)
    }

    fn elements(&self, parent: NodeId) -> impl DoubleEndedIterator<Item = &'a Node> {
        self.document
            .children(parent)
            .iter()
            .filter_map(|&id| self.document.node(id))
            .filter(|node| !is_text(node))
    }

    fn earlier(&self, node: &Node) -> impl Iterator<Item = &'a Node> {
        let id = node.id;
        self.elements(node.parent).take_while(move |sibling| sibling.id != id)
    }

    /// From 1, among element siblings.
    fn place(&self, node: &Node, from_end: bool, of_type: bool) -> i32 {
        let counts = |sibling: &&Node| !of_type || sibling.tag == node.tag;
        let others = |sibling: &&Node| sibling.id != node.id;
        let before = if from_end {
            self.elements(node.parent)
                .rev()
                .take_while(others)
                .filter(counts)
                .count()
        } else {
            self.elements(node.parent).take_while(others).filter(counts).count()
        };
        i32::try_from(before + 1).unwrap_or(i32::MAX)
    }
}

fn best(answers: impl Iterator<Item = Answer>) -> Answer {
    let mut found = Answer::No;
    for answer in answers {
        found = found.max(answer);
        if found == Answer::Yes {
            break;
        }
    }
    found
}

fn compare(operator: char, value: &str, wanted: &str) -> bool {
    match operator {
        '~' => !wanted.is_empty() && value.split_whitespace().any(|word| word == wanted),
        '|' => value == wanted || value.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('-')),
        '^' => !wanted.is_empty() && value.starts_with(wanted),
        '$' => !wanted.is_empty() && value.ends_with(wanted),
        '*' => !wanted.is_empty() && value.contains(wanted),
        _ => value == wanted,
    }
}

fn is_nth(place: i32, step: i32, offset: i32) -> bool {
    let from = i64::from(place) - i64::from(offset);
    match i64::from(step) {
        0 => from == 0,
        step => from % step == 0 && from / step >= 0,
    }
}
