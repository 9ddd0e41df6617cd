//! A drawing that is shown as a picture, with nothing in it that moves by itself.
//!
//! Elements that animate become descriptions, which nobody sees, and a style of ours says that nothing else moves. Read
//! by hand: it is XML, and all that has to be known of it is where a tag begins and where it ends.

/// What moves what it stands in.
const MOVING: [&[u8]; 6] = [
    b"animate",
    b"animateTransform",
    b"animateMotion",
    b"animateColor",
    b"set",
    b"discard",
];
const STYLE: &str = "*,*::before,*::after{animation:none!important;transition:none!important}";

/// `None` where nothing moves, or it is not well-formed.
pub(super) fn at_rest(file: &[u8]) -> Option<Vec<u8>> {
    let by_style = [&b"animation"[..], b"transition"]
        .iter()
        .any(|word| contains(file, word));
    let mut still = Vec::with_capacity(file.len() + 128);
    let (mut copied, mut at, mut changed, mut in_root) = (0, 0, false, false);
    while let Some(start) = find(file, at, b"<") {
        if let Some(end) = behind_what_is_no_tag(file, start) {
            at = end?;
            continue;
        }
        let closing = file.get(start + 1) == Some(&b'/');
        let name_start = start + 1 + usize::from(closing);
        let name_end = name_start + file[name_start..].iter().position(|byte| b" \t\r\n/>".contains(byte))?;
        let end = behind_tag(file, name_end)?;
        let name = &file[name_start..name_end];
        let prefix = name.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
        if MOVING.contains(&&name[prefix..]) {
            still.extend_from_slice(&file[copied..name_start + prefix]);
            still.extend_from_slice(b"desc");
            (copied, changed) = (name_end, true);
        }
        if !in_root && !closing {
            in_root = true;
            if by_style && &file[end - 2..end] != b"/>" {
                let prefix = String::from_utf8_lossy(&name[..prefix]);
                still.extend_from_slice(&file[copied..end]);
                still.extend_from_slice(format!("<{prefix}style>{STYLE}</{prefix}style>").as_bytes());
                (copied, changed) = (end, true);
            }
        }
        at = end;
    }
    still.extend_from_slice(&file[copied..]);
    changed.then_some(still)
}

/// Comments, sections, instructions and the doctype; the inner `None` is one that never ends.
fn behind_what_is_no_tag(file: &[u8], start: usize) -> Option<Option<usize>> {
    let ends: [(&[u8], &[u8]); 4] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">")];
    let (begin, end) = ends.iter().find(|(begin, _)| file[start..].starts_with(begin))?;
    let doctype = *begin == b"<!";
    let subset = doctype && {
        let bracket = find(file, start, b"[");
        bracket.is_some() && bracket < find(file, start, b">")
    };
    let end: &[u8] = if subset { b"]>" } else { end };
    Some(find(file, start + begin.len(), end).map(|found| found + end.len()))
}

/// Behind the `>` of a tag, whatever stands between quotes.
fn behind_tag(file: &[u8], from: usize) -> Option<usize> {
    let mut quote = None;
    for (offset, byte) in file[from..].iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(from + offset + 1),
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    None
}

fn find(file: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = file.get(from..)?;
    rest.windows(what.len())
        .position(|window| window == what)
        .map(|offset| from + offset)
}

fn contains(file: &[u8], what: &[u8]) -> bool {
    find(file, 0, what).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expected: Option<&str>) {
        let still = at_rest(file.as_bytes()).map(|still| String::from_utf8(still).unwrap());
        assert_eq!(still.as_deref(), expected);
    }

    #[test]
    fn what_animates_becomes_a_description() {
        check(
            "<?xml version='1.0'?><!-- <animate> --><svg xmlns='x'><path d='M0'><animate values='a>b' /></path><set></set></svg>",
            Some(
                "<?xml version='1.0'?><!-- <animate> --><svg xmlns='x'><path d='M0'><desc values='a>b' /></path><desc></desc></svg>",
            ),
        );
        check("<s:svg><s:animateTransform/></s:svg>", Some("<s:svg><s:desc/></s:svg>"));
    }

    #[test]
    fn a_style_says_that_nothing_moves() {
        let ours = format!("<style>{STYLE}</style>");
        check(
            "<!DOCTYPE svg [<!ENTITY a '>'>]><svg><style>p{animation:x 1s}</style></svg>",
            Some(&format!(
                "<!DOCTYPE svg [<!ENTITY a '>'>]><svg>{ours}<style>p{{animation:x 1s}}</style></svg>"
            )),
        );
    }

    #[test]
    fn what_stands_still_or_is_broken_is_left_as_it_is() {
        for file in [
            "<svg><path/></svg>",
            "<svg><animate",
            "<svg><!-- <animate/>",
            "",
            "<",
            "<svg",
            "</",
        ] {
            check(file, None);
        }
    }
}
