//! The caret blinks by the clock and stands where the engine likes; a picture for comparison has none.
//!
//! It is hidden for the time of the picture only, by a style sheet that is adopted rather than inserted: no node of
//! the page changes and no observer hears of it. A document of another origin is out of reach.

/// Answers with true once the rules are in force.
macro_rules! adopting {
    () => {
        "const adopt = (root, element, rules) => {
    const view = (root.ownerDocument || root).defaultView;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules);
    Object.defineProperty(document, Symbol.for('xcheck.caret'), { value: [root, sheet], configurable: true });
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    // `transition: all` would fade it.
    for (const animation of element.getAnimations())
        if (animation.transitionProperty === 'caret-color') animation.cancel();
    // Asked for, so that it is in force before the picture is taken.
    return view.getComputedStyle(element).caretColor !== '';
};"
    };
}

/// Expressions, to be evaluated in the top-level document around the picture. `HIDE` is true when `SHOW` is needed.
pub(crate) const HIDE: &str = concat!(
    "(() => {",
    adopting!(),
    "let root = document, active = null;
    for (;;) {
        active = root.activeElement;
        let inner = null;
        try { inner = active && (active.shadowRoot || active.contentDocument) } catch { inner = null }
        if (!inner) break;
        root = inner;
    }
    const edits = active && (active.isContentEditable || /^(input|textarea)$/i.test(active.tagName));
    return !!edits && 'adoptedStyleSheets' in root && adopt(root, active, ':focus, :focus * { caret-color: transparent !important }');
})()"
);

/// Where `HIDE` is not: WebKit leaves it in a field that has lost the focus by being shown no more, and paints it anew only with
/// the root. That is clipped so far outside that nothing of any picture is.
pub(crate) const HIDE_LEFT: &str = concat!(
    "(() => {",
    adopting!(),
    "const { type, anchorNode, anchorOffset } = getSelection() || {};
    const field = type === 'Caret' && anchorNode.childNodes[anchorOffset];
    return !!field && /^(input|textarea)$/i.test(field.tagName) && 'adoptedStyleSheets' in document
        && adopt(document, field, 'input, textarea { caret-color: transparent !important } :root { clip-path: inset(-16384px) }');
})()"
);

pub(crate) const SHOW: &str = "(() => {
    const key = Symbol.for('xcheck.caret');
    if (!document[key]) return;
    const [root, sheet] = document[key];
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter(other => other !== sheet);
    delete document[key];
})()";
