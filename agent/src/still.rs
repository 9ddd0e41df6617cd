//! A picture of the whole page makes Chromium's viewport as high as the page for that moment. Where a media query asks for
//! the height, styles change and change back, and what has a transition would be seen in the middle of it.
//!
//! Transitions take no time while the picture is taken, by a style sheet that is adopted rather than inserted: no node of the
//! page changes and no observer hears of it. They do again when the old styles are back. Without any (`transition: none`) those
//! would end that a replay holds on their way.
//!
//! For a moment Chromium lays the page out one pixel wide. It is not held by what it shows then, which would scroll it on by all that the words
//! above a field with the focus take; and it stays as large, for pictures that are as high as the page allows leave less of it, and it would be
//! scrolled back to where that ends. A page that goes on to the left stands where it does by that pixel (`cdp/driver/picture.rs`).

/// Declarations that make an element's transitions take no time.
pub(crate) const AT_ONCE: &str = "transition-duration: 0s !important; transition-delay: 0s !important";

/// An expression, to be evaluated before the picture: true when `LET_GO` is needed after it.
pub(crate) fn hold() -> String {
    HOLD.replace("AT_ONCE", AT_ONCE)
}

const HOLD: &str = "(() => {
    if (!('adoptedStyleSheets' in document)) return false;
    const root = document.documentElement;
    if (!root) return false;
    const { direction, writingMode } = getComputedStyle(document.body ?? root);
    const width = direction === 'ltr' && writingMode === 'horizontal-tb' ? root.offsetWidth : 0;
    const large = `min-height: ${root.scrollHeight}px !important; min-width: ${width}px !important`;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`*, ::before, ::after, ::backdrop { AT_ONCE } * { overflow-anchor: none !important } @media (max-width: 1px) { :root { ${large} } }`);
    Object.defineProperty(document, Symbol.for('xcheck.still'), { value: sheet, configurable: true });
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    // Asked for, so that it is in force before the picture is taken.
    return getComputedStyle(document.documentElement).transitionProperty !== '';
})()";

pub(crate) const LET_GO: &str = "(() => {
    const key = Symbol.for('xcheck.still');
    const sheet = document[key];
    if (!sheet) return;
    // The styles are those of the viewport again before transitions are on.
    getComputedStyle(document.documentElement).opacity;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets].filter(other => other !== sheet);
    delete document[key];
})()";
