//! When two pages are the same place of the application.
//!
//! The tree that a person sees is what counts: what is not shown, styles and classes are left out. Of the rest some changes by
//! itself. Identifiers that machines made, times of day and long numbers never count (`masks.rs`). Other numbers and
//! dates, and how long a long list is, count only between addresses: a counter on a page does not make another page of
//! it, but `/item/3` and `/item/4` are two. What has been seen to change without anything being done does not count from
//! then on, at that address.

mod known;
mod masks;
mod tree;

pub(crate) use known::{Met, States};
pub(crate) use masks::{address, pattern, strict};
pub(crate) use tree::Abstract;
