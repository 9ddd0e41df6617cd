//! What a crawl is told.

use crate::back::Back;
use crate::forms::Value;
use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub seed: u64,
    /// Selectors of what else can be acted on.
    pub click: Vec<String>,
    /// Selectors of what must not be.
    pub never: Vec<String>,
    pub values: Vec<Value>,
    /// The person agrees to what looks as if it could not be undone.
    pub destructive: bool,
    pub ignore_robots: bool,
    /// Hosts beside that of the start page.
    pub hosts: Vec<String>,
    pub limits: Limits,
    /// Small pictures of the states.
    pub pictures: bool,
    /// Follows links and does nothing else: what other crawlers do, for comparison.
    pub links_only: bool,
    pub back: Back,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub states: usize,
    /// Actions from the start page.
    pub depth: usize,
    pub time: Duration,
    /// Different addresses.
    pub pages: usize,
    pub actions: u64,
    /// States of one URL pattern, such as `/item/0`.
    pub per_pattern: usize,
    /// New states of one URL pattern that one action, such as `next`, may lead to.
    pub per_action: usize,
    /// Actions of one trace.
    pub trace: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: 500,
            depth: 30,
            time: Duration::from_secs(600),
            pages: 2_000,
            actions: 20_000,
            per_pattern: 200,
            per_action: 12,
            trace: 40,
        }
    }
}
