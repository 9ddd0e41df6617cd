//! What style sheets meant in each browser: selectors over page data, values that may be written differently, what the
//! page's rules say of a node, and declarations that one browser kept and the other dropped.

mod authored;
mod dropped;
mod forgiving;
mod matches;
mod path;
pub(crate) mod properties;
mod selector;
mod sheets;
mod support;
mod trees;
mod value;

pub(crate) use authored::{
    authors, dresses_parts, ring_rule, styles_below_pointer, styles_part, styles_parts, styles_selection,
};
pub(crate) use dropped::DroppedRules;
pub(crate) use support::Support;
pub(crate) use value::same;
