//! CrossCheck's match index: `0.7·(1 − Levenshtein(xpath)/longer) + 0.2·attributes + 0.1·properties`.

use super::Sides;
use crate::locator::xpath;
use xcheck_trace::page::{Node, NodeId};

/// A bucket with more comparisons than this is matched in document order alone.
const MOST_COMPARISONS: usize = 250_000;

/// The best pairs at or above `least`, each node in one pair at most; the better pair first.
pub(super) fn best_pairs(sides: Sides<'_>, mine: &[NodeId], theirs: &[NodeId], least: f32) -> Vec<(NodeId, NodeId)> {
    if mine.len().saturating_mul(theirs.len()) > MOST_COMPARISONS {
        return mine.iter().copied().zip(theirs.iter().copied()).collect();
    }
    let paths: Vec<String> = theirs.iter().map(|&id| xpath(sides.other, id)).collect();
    let mut scored = Vec::new();
    for &a in mine {
        let Some(node) = sides.reference.node(a) else { continue };
        let path = xpath(sides.reference, a);
        for (&b, other_path) in theirs.iter().zip(&paths) {
            let Some(other) = sides.other.node(b) else { continue };
            let score = index((node, &path), (other, other_path));
            if score >= least {
                scored.push((score, a, b));
            }
        }
    }
    scored.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let (mut used_mine, mut used_theirs) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    scored.retain(|&(_, a, b)| {
        if used_mine.contains(&a) || used_theirs.contains(&b) {
            return false;
        }
        used_mine.insert(a) && used_theirs.insert(b)
    });
    scored.into_iter().map(|(_, a, b)| (a, b)).collect()
}

fn index((a, a_path): (&Node, &str), (b, b_path): (&Node, &str)) -> f32 {
    let longer = a_path.len().max(b_path.len()).max(1) as f32;
    let path = 1.0 - levenshtein(a_path.as_bytes(), b_path.as_bytes()) as f32 / longer;
    0.7 * path + 0.2 * similar(&a.attributes, &b.attributes) + 0.1 * similar(&a.properties, &b.properties)
}

/// Share of equal pairs among all names; two empty lists are alike.
fn similar(a: &[(String, String)], b: &[(String, String)]) -> f32 {
    let equal = a.iter().filter(|pair| b.contains(pair)).count();
    let shared = a
        .iter()
        .filter(|(name, _)| b.iter().any(|(other, _)| other == name))
        .count();
    let union = a.len() + b.len() - shared.min(b.len());
    if union == 0 { 1.0 } else { equal as f32 / union as f32 }
}

fn levenshtein(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levenshtein_counts_edits() {
        assert_eq!(levenshtein(b"/html/body/div[2]", b"/html/body/div[12]"), 1);
        assert_eq!(levenshtein(b"", b"abc"), 3);
        assert_eq!(levenshtein(b"kitten", b"sitting"), 3);
    }

    #[test]
    fn attributes_count_by_equal_pairs_over_all_names() {
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        assert_eq!(similar(&pairs(&[]), &pairs(&[])), 1.0);
        assert_eq!(
            similar(&pairs(&[("a", "1"), ("b", "2")]), &pairs(&[("a", "1"), ("c", "3")])),
            1.0 / 3.0
        );
    }
}
