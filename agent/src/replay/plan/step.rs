//! What a plan is made of, and what it depends on besides the trace.

use xcheck_trace::event::{Event, Load, LoadId};
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::manifest::{Engine, Viewport};

/// When to look at the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Checkpoints {
    /// After loads, after gestures once their consequences have run but not inside a run of input, and at fixed
    /// intervals in a run of other events: the rules of the X-Check paper. Besides, wherever the page stood still long
    /// enough to be read before it went on by itself.
    #[default]
    WhereItMatters,
    EveryEvent,
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::replay) enum Step<'t> {
    /// This document is to be there before anything else happens.
    Open(&'t Load),
    /// A response that has come before, and is asked for again, waits from now on.
    Hold(ExchangeId),
    /// A response that was held may arrive.
    Release(ExchangeId),
    /// A module that was held may arrive, and is waited for.
    Module { load: LoadId, exchange: ExchangeId },
    /// A style sheet that was held may arrive, once the document was styled without it, and is waited for.
    Sheet { load: LoadId, exchange: ExchangeId },
    /// This tells of something loaded, for which some of these style sheets may have been awaited: those may arrive before it.
    Awaited { event: &'t Event, sheets: Vec<ExchangeId> },
    /// The document has asked for another that is no page of the trace, and is left for it.
    Depart { window: u32, exchange: ExchangeId },
    /// Events that the document runs without anybody's hand.
    Run { load: LoadId, events: Vec<&'t Event> },
    /// Elements come below the pointer or leave it. Browsers notice that at a time of their own, unless the pointer is
    /// given to them again: where it is, or where these events say that it `moves` to.
    Pass {
        load: LoadId,
        events: Vec<&'t Event>,
        moves: bool,
    },
    /// Something a person did, and the events that the browser derives from it, before or after.
    Gesture {
        load: LoadId,
        gesture: &'t Event,
        derived: Vec<&'t Event>,
    },
    /// The person makes the window so large.
    Resize { window: u32, viewport: Viewport },
    /// The document is complete when the modules are there that it has asked for.
    LateModules(LoadId),
    /// Events that come with the document's end, if at all.
    Leave { events: Vec<&'t Event> },
    /// Look at this window.
    Checkpoint { window: u32 },
}

impl<'t> Step<'t> {
    pub(in crate::replay) fn events(&self) -> Vec<&'t Event> {
        match self {
            Step::Run { events, .. } | Step::Pass { events, .. } | Step::Leave { events } => events.clone(),
            Step::Gesture { gesture, derived, .. } => [&[*gesture], derived.as_slice()].concat(),
            Step::Open(_)
            | Step::Hold(_)
            | Step::Release(_)
            | Step::Module { .. }
            | Step::Sheet { .. }
            | Step::Awaited { .. }
            | Step::Depart { .. }
            | Step::LateModules(_)
            | Step::Resize { .. }
            | Step::Checkpoint { .. } => Vec::new(),
        }
    }
}

/// Modules that a page asked for before its `load`, and that came after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::replay) enum LateModules {
    /// The page is loaded without them.
    AsRecorded,
    /// It is loaded when they are there, so that they come first.
    BeforeLoad,
    /// The same, and nothing is held back for them.
    AsTheyLike,
}

impl LateModules {
    pub(in crate::replay) fn of(engine: Engine) -> LateModules {
        match engine {
            Engine::Blink => LateModules::AsRecorded,
            Engine::Gecko => LateModules::BeforeLoad,
            Engine::WebKit => LateModules::AsTheyLike,
        }
    }
}
