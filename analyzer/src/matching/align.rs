//! Two lists of siblings brought into line without crossing.

use crate::state::longest_increasing;
use std::collections::BTreeMap;

/// Up to this many comparisons the exact longest common subsequence is found; beyond, keys that are unique decide.
const EXACT: usize = 40_000;

/// Aligns by the strongest key first, then the stretches between by the next weaker one, and so on.
pub(super) fn by_strongest<const N: usize>(a: &[[u64; N]], b: &[[u64; N]]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = vec![(0..a.len(), 0..b.len(), 0)];
    while let Some((mine, theirs, level)) = open.pop() {
        if level == N || mine.is_empty() || theirs.is_empty() {
            continue;
        }
        let keys = |list: &[[u64; N]]| list.iter().map(|keys| keys[level]).collect::<Vec<_>>();
        let pairs = common(&keys(&a[mine.clone()]), &keys(&b[theirs.clone()]));
        let (mut next_mine, mut next_theirs) = (mine.start, theirs.start);
        for (i, j) in pairs {
            let (i, j) = (mine.start + i, theirs.start + j);
            open.push((next_mine..i, next_theirs..j, level + 1));
            found.push((i, j));
            (next_mine, next_theirs) = (i + 1, j + 1);
        }
        open.push((next_mine..mine.end, next_theirs..theirs.end, level + 1));
    }
    found.sort_unstable();
    found
}

/// Pairs of equal keys, in order on both sides.
fn common(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let tail = a[head..]
        .iter()
        .rev()
        .zip(b[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (middle_a, middle_b) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let middle = if middle_a.len().saturating_mul(middle_b.len()) <= EXACT {
        longest_common(middle_a, middle_b)
    } else {
        unique_in_order(middle_a, middle_b)
    };
    (0..head)
        .map(|at| (at, at))
        .chain(middle.into_iter().map(|(i, j)| (head + i, head + j)))
        .chain((0..tail).map(|at| (a.len() - tail + at, b.len() - tail + at)))
        .collect()
}

fn longest_common(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if a[i] == b[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// For long lists: keys that both sides have once, as many as keep their order.
fn unique_in_order(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let once = |keys: &[u64]| {
        let mut places: BTreeMap<u64, Option<usize>> = BTreeMap::new();
        for (at, &key) in keys.iter().enumerate() {
            places.entry(key).and_modify(|known| *known = None).or_insert(Some(at));
        }
        places
    };
    let theirs = once(b);
    let mut pairs: Vec<(usize, usize)> = once(a)
        .into_iter()
        .filter_map(|(key, place)| Some((place?, (*theirs.get(&key)?)?)))
        .collect();
    pairs.sort_unstable();
    let order: Vec<usize> = pairs.iter().map(|&(_, j)| j).collect();
    longest_increasing(&order).into_iter().map(|at| pairs[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &[[u64; 2]], b: &[[u64; 2]], expected: &[(usize, usize)]) {
        assert_eq!(by_strongest(a, b), expected);
    }

    #[test]
    fn the_strong_key_wins_over_the_weak_one() {
        check(&[[1, 0], [2, 0]], &[[2, 0]], &[(1, 0)]);
    }

    #[test]
    fn between_strong_pairs_the_weak_key_decides() {
        check(
            &[[1, 0], [2, 7], [3, 0]],
            &[[1, 0], [9, 7], [3, 0]],
            &[(0, 0), (1, 1), (2, 2)],
        );
    }

    #[test]
    fn what_has_no_counterpart_stays_alone() {
        check(&[[1, 1], [2, 2]], &[[3, 3], [2, 2]], &[(1, 1)]);
    }

    #[test]
    fn long_lists_are_aligned_by_their_unique_members() {
        let a: Vec<u64> = (0..1000).collect();
        let mut b = a.clone();
        b.retain(|number| number % 3 != 1);
        b.insert(0, 5000);
        b.push(6000);
        let mut a = a;
        a.push(7000);
        let pairs = common(&a, &b);
        assert_eq!(pairs.len(), 667);
        assert!(pairs.iter().all(|&(i, j)| a[i] == b[j]));
    }
}
