//! What a person does with an application, as data.
//!
//! A session names elements, never coordinates alone, and waits for what a person would wait to see. A selector may
//! step into a frame or an open shadow root with ` >> `: `iframe.editor >> body`, `se-menu >> #save`.

/// A start address below the application's site, and what is done there.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    pub name: &'static str,
    pub steps: &'static [Step],
}

#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Opens a path of the application.
    Open(&'static str),
    Click(Spot),
    DoubleClick(Spot),
    /// With the right button.
    ContextClick(Spot),
    /// With a finger.
    Tap(Spot),
    /// By an input method: what stands there on the way, and what is taken over in the end.
    Compose(&'static [&'static str]),
    /// Files below the workspace's `tests/sites`, for a file input.
    Choose(&'static str, &'static [&'static str]),
    /// Rests the pointer there, for what shows only then.
    Hover(Spot),
    /// Real key strokes into whatever has the focus.
    Type(&'static str),
    /// A key by its name, with modifiers in front: `Enter`, `Control+z`.
    Press(&'static str),
    Drag(Spot, Spot),
    /// Over a spot, by CSS pixels.
    Wheel(Spot, f64, f64),
    Back,
    /// An expression that becomes true, in the top-level document.
    Until(&'static str),
    /// Empties a text field and types into it.
    Fill(&'static str, &'static str),
}

/// A point of an element: its centre, or so many CSS pixels from its top-left corner.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub selector: &'static str,
    pub at: At,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    Centre,
    Corner(f64, f64),
    /// From the centre.
    Off(f64, f64),
}

pub const fn on(selector: &'static str) -> Spot {
    Spot {
        selector,
        at: At::Centre,
    }
}

pub const fn at(selector: &'static str, x: f64, y: f64) -> Spot {
    Spot {
        selector,
        at: At::Corner(x, y),
    }
}

pub const fn off(selector: &'static str, dx: f64, dy: f64) -> Spot {
    Spot {
        selector,
        at: At::Off(dx, dy),
    }
}

pub const fn click(selector: &'static str) -> Step {
    Step::Click(on(selector))
}
