//! Numbers that a page writes of what it has measured: widths of words, heights of what wraps, shares of a page that was scrolled,
//! where the pointer is. They follow each engine's fonts, as the boxes do whose lengths they tell.

use crate::numbers::numbers_and_words;
use crate::scene::{Pair, Scene};
use crate::state::{Document, has_live, is_text};
use crate::tolerances::Tolerances;
use xcheck_trace::page::{MEASURED_TEXT, Node, NodeId};

/// Whole numbers below count something: what is one more there is no length.
const COUNTS: f64 = 16.0;

/// Digits behind the point of what was measured and not rounded. What has more was worked out, and is another matter.
const FINE: std::ops::RangeInclusive<usize> = 3..=6;

/// By so much of themselves such lengths differ between engines that set words alike.
const NEARLY: f64 = 1e-4;

/// Whether both browsers wrote an element's text when the page had just measured itself, and the same but for lengths.
pub(crate) fn same_text(scene: &Scene<'_>, pair: Pair<'_>, (a, b): (&str, &str)) -> bool {
    let has = |document: &Document, element: NodeId| {
        let texts = document.children(element).iter().filter_map(|&id| document.node(id));
        texts.filter(|node| is_text(node)).any(is_marked)
    };
    let is_measured = has(scene.reference(), pair.a.id) && has(scene.other(), pair.b.id);
    (is_measured && alike(scene.tolerances, a, b)) || alike_but_for_fractions(a, b)
}

/// The same of a field's value, and of attributes that are read out.
pub(crate) fn same_value(scene: &Scene<'_>, pair: Pair<'_>, (a, b): (&str, &str)) -> bool {
    is_marked(pair.a) && is_marked(pair.b) && alike(scene.tolerances, a, b)
}

fn is_marked(node: &Node) -> bool {
    has_live(node, MEASURED_TEXT)
}

/// Whether two texts say the same but for numbers that are as near to each other as lengths have to be.
fn alike(tolerances: &Tolerances, a: &str, b: &str) -> bool {
    same_but_for(a, b, |a, b| is_near(tolerances, a, b))
}

/// The same of lengths that were measured long before: so fine that no person reads them, and neither is the other with fewer digits.
fn alike_but_for_fractions(a: &str, b: &str) -> bool {
    same_but_for(a, b, |a, b| {
        let [digits_of_a, digits_of_b] = [a, b].map(|text| text.split_once('.').map_or(0, |(_, digits)| digits.len()));
        let are_fine = [digits_of_a, digits_of_b].iter().all(|digits| FINE.contains(digits));
        let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else {
            return false;
        };
        let digits = digits_of_a.min(digits_of_b);
        let is_rounded = digits_of_a != digits_of_b && format!("{x:.digits$}") == format!("{y:.digits$}");
        are_fine && !is_rounded && (x - y).abs() <= NEARLY * x.abs().max(y.abs())
    })
}

fn same_but_for(a: &str, b: &str, near: impl Fn(&str, &str) -> bool) -> bool {
    let (a, b) = (numbers_and_words(a), numbers_and_words(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || near(a, b))
}

fn is_near(tolerances: &Tolerances, a: &str, b: &str) -> bool {
    let (Ok(x), Ok(y)) = (
        a.trim_end_matches('.').parse::<f64>(),
        b.trim_end_matches('.').parse::<f64>(),
    ) else {
        return false;
    };
    let larger = x.max(y);
    let share = f64::from(tolerances.text_width_ratio) * larger;
    let allowed = if larger >= COUNTS {
        share.max(f64::from(tolerances.aligned))
    } else if a.contains('.') || b.contains('.') {
        share
    } else {
        0.0
    };
    (x - y).abs() <= allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: bool) {
        assert_eq!(alike(&Tolerances::default(), a, b), expected, "{a} and {b}");
    }

    #[test]
    fn lengths_may_differ_as_boxes_may() {
        check("312 × 48 px", "314.5 × 50 px", true);
        check("read to 43%", "read to 42%", true);
        check("1,204 of 3,980 px", "1,204 of 4,120 px", false);
        check("width 1204.66", "width 1180.2", true);
        check("ends at 88.", "ends at 90.", true);
        check("312 px", "390 px", false);
    }

    #[test]
    fn fractions_may_that_nobody_reads() {
        assert!(alike_but_for_fractions("157.1172 wide", "157.118 wide"));
        assert!(!alike_but_for_fractions("157.1172", "157.117"), "another format");
        assert!(!alike_but_for_fractions("157.12", "157.13"), "read by people");
        assert!(!alike_but_for_fractions("0.123", "0.124"));
        assert!(!alike_but_for_fractions("0.8414709848078965", "0.8414709848078967"));
    }

    #[test]
    fn counts_and_words_may_not() {
        check("3 lines", "4 lines", false);
        check("3 lines", "3 rows", false);
        check("100 px", "100", false);
        check("0.4 seen", "0.6 seen", false);
        check("", "7", false);
    }
}
