//! Whether drawings in recorded pages move by themselves: by SVG's own elements (`<animate>`), which markup or a script brings.

use crate::content::Content;
use memchr::memmem;

/// Whoever names these means them.
const NAMES: [&str; 4] = ["<animate", "animateTransform", "animateMotion", "beginElement"];

/// Much else is called so; drawings are meant where the attribute that every such element has is named, too.
const COMMON_NAMES: [&str; 7] = [
    "\"animate\"",
    "'animate'",
    "`animate`",
    "\"set\"",
    "'set'",
    "`set`",
    "<set ",
];
const ATTRIBUTE: [&str; 4] = [
    "attributeName=",
    "\"attributeName\"",
    "'attributeName'",
    "`attributeName`",
];

/// So a script may name it as well, and what copies a record of what has changed: then it is meant right behind such a name.
const MEMBER: &str = "attributeName:";
const RIGHT_BEHIND: usize = 200;

/// Kinds of bodies with no markup and no script in them.
const OTHERS: [&str; 5] = ["image/", "audio/", "video/", "font/", "text/css"];

pub(crate) fn may_have_any(content: &Content) -> bool {
    let kind = content.media_type.as_str();
    kind == "image/svg+xml" || !OTHERS.iter().any(|other| kind.starts_with(other))
}

pub(crate) fn has_any(text: &[u8]) -> bool {
    let names_one = |names: &[&str]| names.iter().any(|name| memmem::find(text, name.as_bytes()).is_some());
    names_one(&NAMES) || (names_one(&ATTRIBUTE) && names_one(&COMMON_NAMES)) || makes_one(text)
}

fn makes_one(text: &[u8]) -> bool {
    memmem::find_iter(text, MEMBER).any(|at| {
        let before = &text[at.saturating_sub(RIGHT_BEHIND)..at];
        COMMON_NAMES
            .iter()
            .any(|name| memmem::find(before, name.as_bytes()).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_move_by_markup_and_by_scripts() {
        for text in [
            "<svg><rect><animate attributeName='x' to='9' dur='1s'/></rect></svg>",
            "<svg><set attributeName=\"fill\" to=\"red\"/></svg>",
            "createElementNS(ns, 'animate').setAttribute('attributeName', 'x')",
            "jsx(\"set\", {attributeName: \"fill\", to: \"red\"})",
            "h('animateTransform', attributes)",
        ] {
            assert!(has_any(text.as_bytes()), "{text}");
        }
        for text in [
            "$('#a').animate({left: 9})",
            "const names = ['animate', 'set']",
            &format!(
                "on('set', () => {{}});{}copy = {{attributeName: one.attributeName}}",
                " ".repeat(300)
            ),
            "new MutationObserver((all) => all.map((one) => one.attributeName)); emit('set')",
        ] {
            assert!(!has_any(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn style_sheets_and_pixels_have_none() {
        let of = |kind: &str| may_have_any(&Content::of(&[("content-type".to_owned(), kind.to_owned())]));
        assert!(of("text/html") && of("application/json") && of("image/svg+xml") && of(""));
        assert!(!of("text/css") && !of("image/png") && !of("font/woff2"));
    }
}
