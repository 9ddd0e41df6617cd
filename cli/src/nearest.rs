//! The known name that somebody may have meant.

/// The one that takes the fewest changes to become, if few enough that it was probably meant.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = name.chars().count().div_ceil(3).max(2);
    let near = known.into_iter().map(|candidate| (changes(name, candidate), candidate));
    let (fewest, candidate) = near.min()?;
    (fewest <= most).then_some(candidate)
}

/// Levenshtein's distance; two letters that changed places are one change.
fn changes(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (i, letter) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(letter != wanted);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == to[j - 1] && from[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

/// What an error about an unknown name has to add: serde quotes the name, and then those that there are.
pub(crate) fn hint(message: &str) -> Option<String> {
    let (_, rest) = ["unknown field ", "unknown variant "]
        .iter()
        .find_map(|words| message.split_once(words))?;
    // `name`, expected one of `one`, `other`
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let name = quoted.next()?;
    nearest(name, quoted).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_changes() {
        let known = ["browser", "ignore", "tolerances"];
        let check = |name, expected| assert_eq!(nearest(name, known), expected, "{name}");
        check("browsers", Some("browser"));
        check("ingore", Some("ignore"));
        check("tolerance", Some("tolerances"));
        check("colour", None);
        assert_eq!(nearest("x", []), None);
    }
}
