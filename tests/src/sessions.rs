//! Sessions that visit the interesting states of each development subject.
//!
//! A session ends in a state that says so: its last steps wait for it, so that the page can be compared then.

mod editors;
mod graphics;
mod servers;
mod widgets;

use crate::session::Session;
use crate::site::Prelude;
use crate::subject::Subject;

/// A session with a subject, and how far two runs of it can be compared.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub subject: &'static Subject,
    pub session: Session,
    pub prelude: Prelude,
    pub compared: Compared,
}

/// What two runs of one session have in common when nothing interferes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// Address, text, values and the shape of the DOM.
    Everything,
    /// The same, but in no order, and why.
    InAnyOrder(&'static str),
}

pub fn all() -> Vec<Case> {
    [widgets::CASES, editors::CASES, graphics::CASES, servers::CASES].concat()
}
