//! What stays the same in an application's pages when the same session is played again and again.
//!
//! A [`Learner`] is given what every run showed after every event, and generalises no more than it has to: what was
//! always the same must be the same, what was always a date must be a date, what came and went may come and go. The
//! [`Model`] it leaves tells where another run deviates, how much of a page is held at all, and which nodes and fields
//! are volatile, so that the comparison of browsers can leave them out.
//!
//! Beside it stands the algorithm as it was published with DoDOM ([`dodom`]), which prunes what once differed. Both are
//! pure: no files, clock or randomness.

mod align;
mod check;
pub mod dodom;
mod learn;
mod lists;
mod measure;
mod numbers;
mod take_in;
mod template;
mod tree;
mod usual;
mod value;
mod volatile;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use check::{Deviates, Deviation};
pub use learn::{EventModel, Learner, Lesson, Model};
pub use measure::Measure;
pub use template::{Field, Repeats, Template};
pub use tree::{Tree, TreeNode};
pub use usual::{Usual, same};
pub use value::{Value, shape};
pub use volatile::Volatile;
