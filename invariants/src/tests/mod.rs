//! Whole lessons, and what they let through.

mod against_dodom;
mod lessons;
mod robust;
