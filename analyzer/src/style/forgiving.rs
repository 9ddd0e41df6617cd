//! Lists of selectors of which browsers forget what they do not understand (`:is()`, `:where()`): some write the rest, others
//! all that the author wrote.

use super::selector::split_top;

const LISTS: [&str; 2] = [":is(", ":where("];

/// Pseudo-elements may not stand in such a list, and prefixed names are understood by one browser.
const FORGOTTEN: [&str; 6] = ["::", ":-", ":before", ":after", ":first-line", ":first-letter"];

/// A selector, in small letters, without what may be forgotten.
pub(super) fn remembered(selector: &str) -> String {
    let Some((start, list)) = LISTS
        .iter()
        .filter_map(|list| Some((selector.find(list)?, *list)))
        .min()
    else {
        return selector.to_owned();
    };
    let (before, inside) = selector.split_at(start + list.len());
    let Some(end) = closing(inside) else {
        return selector.to_owned();
    };
    let (inside, after) = inside.split_at(end);
    let kept: Vec<String> = split_top(inside, ',')
        .into_iter()
        .map(|one| remembered(one.trim()))
        .filter(|one| !FORGOTTEN.iter().any(|name| one.contains(name)))
        .collect();
    format!("{before}{}{}", kept.join(","), remembered(after))
}

/// Where the bracket is closed that was opened before.
fn closing(inside: &str) -> Option<usize> {
    let mut depth = 0;
    inside.char_indices().find_map(|(at, letter)| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            ')' => return Some(at),
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(selector: &str, expected: &str) {
        assert_eq!(remembered(selector), expected);
    }

    #[test]
    fn what_is_forgotten_by_some_is_left_out() {
        check(
            ":where(.row:after), :where(.row)::after",
            ":where(), :where(.row)::after",
        );
        check("a:is(:hover, :-moz-any-link) b", "a:is(:hover) b");
        check(":is(.a, :where(.b, .c::marker))", ":is(.a,:where(.b))");
        check(".a:not(:is(.b, .c))", ".a:not(:is(.b,.c))");
    }

    #[test]
    fn all_else_stays() {
        for selector in ["a::before", "a:where(.b", ".x[title=\":is(\"] p", ":-moz-any(a)"] {
            check(selector, selector);
        }
    }
}
