//! What CSS properties mean for a comparison.

/// Values that say nothing when a rule has them: what the property would be anyway.
pub(super) fn is_initial(value: &str) -> bool {
    matches!(
        value,
        "" | "initial"
            | "auto"
            | "none"
            | "normal"
            | "0"
            | "0px"
            | "0s"
            | "0%"
            | "0% 0%"
            | "currentcolor"
            | "transparent"
            | "unset"
            | "repeat"
            | "scroll"
            | "padding-box"
            | "border-box"
            | "100%"
            | "medium"
            | "all"
            | "ease"
            | "1"
            | "running"
            | "add"
            | "replace"
            | "match-source"
            | "wrap"
    )
}

/// Paint nothing and move nothing.
pub(crate) fn is_invisible(property: &str) -> bool {
    const PREFIXES: [&str; 13] = [
        "user-",
        "animation",
        "transition",
        "scroll-",
        "overscroll-",
        "-webkit-tap-",
        "-webkit-font-smoothing",
        "-moz-osx-",
        "text-size-adjust",
        "-webkit-text-size-adjust",
        "view-transition",
        "touch-",
        "contain-intrinsic",
    ];
    const NAMES: [&str; 17] = [
        "cursor",
        // Only what moves between two sizes shows it.
        "interpolate-size",
        "will-change",
        "user-select",
        "-webkit-user-select",
        "-webkit-user-drag",
        "pointer-events",
        "text-rendering",
        "image-rendering",
        "color-scheme",
        "interactivity",
        "speak",
        "orphans",
        "widows",
        "page-break-inside",
        "break-inside",
        "font-display",
    ];
    NAMES.contains(&property) || PREFIXES.iter().any(|prefix| property.starts_with(prefix))
}

/// Change how a box looks and not where it is.
pub(crate) fn is_paint(property: &str) -> bool {
    const NAMES: [&str; 21] = [
        "color",
        "opacity",
        "filter",
        "backdrop-filter",
        "-webkit-backdrop-filter",
        "box-shadow",
        "text-shadow",
        "mix-blend-mode",
        "isolation",
        "clip-path",
        "accent-color",
        "caret-color",
        "fill",
        "stroke",
        "-webkit-text-fill-color",
        "-webkit-background-clip",
        "object-fit",
        "object-position",
        "text-overflow",
        "visibility",
        "print-color-adjust",
    ];
    const PREFIXES: [&str; 12] = [
        "background",
        "rule",
        "row-rule",
        "column-rule",
        "border-shape",
        "box-decoration",
        "-webkit-box-reflect",
        "outline",
        "mask",
        "-webkit-mask",
        "text-decoration",
        "corner-",
    ];
    NAMES.contains(&property)
        || PREFIXES.iter().any(|prefix| property.starts_with(prefix))
        || (property.starts_with("border") && (property.ends_with("color") || property.ends_with("radius")))
}

/// Computed properties whose difference a person sees by itself, whatever the layout does.
pub(crate) const SEEN: &[&str] = &[
    "color",
    "background-color",
    "background-image",
    "background-size",
    "background-clip",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-bottom-left-radius",
    "border-bottom-right-radius",
    "border-shape",
    "box-shadow",
    "clip-path",
    "corner-shape",
    "filter",
    "backdrop-filter",
    "font-family",
    "font-size",
    "font-style",
    "font-variant-caps",
    "font-weight",
    "letter-spacing",
    "list-style-type",
    "mask-image",
    "mix-blend-mode",
    "object-fit",
    "opacity",
    "outline-color",
    "outline-style",
    "text-decoration-line",
    "text-decoration-style",
    "text-decoration-thickness",
    "text-emphasis-style",
    "text-overflow",
    "text-shadow",
    "text-transform",
    "transform",
    "rotate",
    "scale",
    "translate",
    "-webkit-text-stroke-width",
    "-webkit-text-fill-color",
    "-webkit-line-clamp",
];

/// Passed on to children, so that a difference is the highest node's.
pub(crate) fn is_inherited(property: &str) -> bool {
    matches!(
        property,
        "color"
            | "font-family"
            | "font-size"
            | "font-style"
            | "font-weight"
            | "font-variant-caps"
            | "letter-spacing"
            | "text-shadow"
            | "text-transform"
            | "text-emphasis-style"
            | "-webkit-text-stroke-width"
            | "-webkit-text-fill-color"
            | "border-top-color"
            | "border-right-color"
            | "border-bottom-color"
            | "border-left-color"
    )
}

/// Computed properties that can explain where a box is, because they are not measured from the layout itself.
pub(crate) fn explains_layout(property: &str) -> bool {
    const NAMES: [&str; 28] = [
        "display",
        "position",
        "float",
        "clear",
        "order",
        "zoom",
        "aspect-ratio",
        "box-sizing",
        "line-height",
        "letter-spacing",
        "word-spacing",
        "word-break",
        "overflow-wrap",
        "hyphens",
        "line-break",
        "text-indent",
        "text-align",
        "vertical-align",
        "writing-mode",
        "direction",
        "row-gap",
        "column-gap",
        "column-count",
        "field-sizing",
        "contain",
        "content-visibility",
        "text-transform",
        "-webkit-line-clamp",
    ];
    const PREFIXES: [&str; 13] = [
        "font-",
        "flex-",
        "align-",
        "justify-",
        "white-space",
        "text-wrap",
        "min-",
        "max-",
        "padding-",
        "overflow-",
        "initial-letter",
        "text-box",
        "grid-auto-flow",
    ];
    NAMES.contains(&property)
        || PREFIXES.iter().any(|prefix| property.starts_with(prefix))
        || (property.starts_with("border-") && property.ends_with("-width"))
}
