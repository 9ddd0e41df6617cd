//! The table: every row, by the session that it is recorded in, and what is known not to hold ([`reasons`]).

mod answers;
mod controls;
mod documents;
mod input;
mod messages;
mod moving;
mod network;
mod reasons;
mod scripts;
mod service_workers;
mod storage;

use super::{Group, Limit, Part, Row, Varied};
use crate::session::Step;
use xcheck_agent::launch::ServiceWorkers::{Allowed, Blocked};
use xcheck_trace::run::DivergenceKind;

pub const GROUPS: &[Group<'static>] = &[
    Group {
        name: "network",
        before: &[],
        service_workers: Blocked,
        rows: network::NETWORK,
    },
    Group {
        name: "messages",
        before: &[],
        service_workers: Blocked,
        rows: messages::MESSAGES,
    },
    Group {
        name: "service workers that run",
        before: &[],
        service_workers: Allowed,
        rows: service_workers::SERVICE_WORKERS,
    },
    Group {
        name: "observers and what moves",
        before: &[],
        service_workers: Blocked,
        rows: moving::MOVING,
    },
    Group {
        name: "input",
        before: &[],
        service_workers: Blocked,
        rows: input::INPUT,
    },
    Group {
        name: "controls",
        before: &[],
        service_workers: Blocked,
        rows: controls::CONTROLS,
    },
    Group {
        name: "what a person or the system answers",
        before: &[],
        service_workers: Blocked,
        rows: answers::ANSWERS,
    },
    Group {
        name: "documents",
        before: &[],
        service_workers: Blocked,
        rows: documents::DOCUMENTS,
    },
    Group {
        name: "components and scripts",
        before: &[],
        service_workers: Blocked,
        rows: scripts::SCRIPTS,
    },
    Group {
        name: "storage",
        before: storage::WHAT_WAS_THERE,
        service_workers: Blocked,
        rows: storage::STORAGE,
    },
];

const fn row(name: &'static str, title: &'static str, steps: &'static [Step], varied: Varied) -> Row {
    Row {
        name,
        title,
        steps,
        varied,
        limits: &[],
    }
}

impl Row {
    const fn but(self, limits: &'static [Limit]) -> Row {
        Row { limits, ..self }
    }
}

const fn not(part: Part, engines: &'static [&'static str], reason: &'static str) -> Limit {
    Limit { engines, part, reason }
}

/// A timer that the recording does not have is set in this event.
const fn extra(label: &'static str) -> Varied {
    Varied::At(label, DivergenceKind::CallbackExtra)
}

const FIREFOX: &[&str] = &["firefox"];
const WEBKIT: &[&str] = &["webkit"];
