//! The caret blinks by the clock and stands where the engine likes; a picture for comparison has none.
//!
//! It is hidden for the time of the picture only, by a style sheet that is adopted rather than inserted: no node of
//! the page changes and no observer hears of it. A document of another origin is out of reach.

/// Expressions, to be evaluated in the top-level document around the picture. `HIDE` is true when `SHOW` is needed.
pub(crate) const HIDE: &str = "(() => {
    let root = document, active = null;
    for (;;) {
        active = root.activeElement;
        let inner = null;
        try { inner = active && (active.shadowRoot || active.contentDocument) } catch { inner = null }
        if (!inner) break;
        root = inner;
    }
    const edits = active && (active.isContentEditable || /^(input|textarea)$/i.test(active.tagName));
    if (!edits || !('adoptedStyleSheets' in root)) return false;
    const view = (root.ownerDocument || root).defaultView;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(':focus, :focus * { caret-color: transparent !important }');
    Object.defineProperty(document, Symbol.for('xcheck.caret'), { value: [root, sheet], configurable: true });
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    // `transition: all` would fade it.
    for (const animation of active.getAnimations())
        if (animation.transitionProperty === 'caret-color') animation.cancel();
    // Asked for, so that it is in force before the picture is taken.
    return view.getComputedStyle(active).caretColor !== '';
})()";

pub(crate) const SHOW: &str = "(() => {
    const key = Symbol.for('xcheck.caret');
    if (!document[key]) return;
    const [root, sheet] = document[key];
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter(other => other !== sheet);
    delete document[key];
})()";
