//! A decision tree, and the text in which it is kept.
//!
//! ```text
//! blocks-mean <= 4.5
//! |  chi2 <= 0.62: same (812/3)
//! |  chi2 > 0.62: other (9/1)
//! blocks-mean > 4.5: other (41/2)
//! ```
//!
//! The numbers of a leaf are samples that reached it in learning, and how many of them it has wrong.

use super::features::{FEATURES, Features};
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    Leaf {
        differs: bool,
        samples: u32,
        wrong: u32,
    },
    Split {
        feature: usize,
        /// Up to here, itself included, it is `low`.
        threshold: f32,
        low: Box<Tree>,
        high: Box<Tree>,
    },
}

/// A line that says no part of a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the tree: {problem}")]
pub struct BadTree {
    pub line: usize,
    pub problem: String,
}

impl Tree {
    /// Whether a pair with these features differs, and how sure that is (Laplace's estimate at the leaf).
    pub fn judge(&self, features: &Features) -> (bool, f64) {
        match self {
            Tree::Leaf {
                differs,
                samples,
                wrong,
            } => (*differs, f64::from(samples - wrong + 1) / f64::from(samples + 2)),
            Tree::Split {
                feature,
                threshold,
                low,
                high,
            } => {
                let next = if features.0[*feature] <= *threshold { low } else { high };
                next.judge(features)
            }
        }
    }

    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf { .. } => 1,
            Tree::Split { low, high, .. } => low.leaves() + high.leaves(),
        }
    }

    /// The reverse of its `Display`; lines that begin with `#` are comments.
    pub fn parse(text: &str) -> Result<Tree, BadTree> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line))
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .collect();
        let mut rest = lines.as_slice();
        let tree = subtree(&mut rest, 0)?;
        match rest.first() {
            None => Ok(tree),
            Some(&(line, _)) => Err(bad(line, "the tree is complete before it")),
        }
    }

    fn write(&self, out: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let Tree::Split {
            feature,
            threshold,
            low,
            high,
        } = self
        else {
            // A tree of a single leaf.
            return writeln!(out, "{}", self.leaf());
        };
        for (sign, branch) in [("<=", low), (">", high)] {
            write!(out, "{}{} {sign} {threshold}", "|  ".repeat(depth), FEATURES[*feature])?;
            match &**branch {
                Tree::Leaf { .. } => writeln!(out, ": {}", branch.leaf())?,
                Tree::Split { .. } => {
                    writeln!(out)?;
                    branch.write(out, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn leaf(&self) -> String {
        match self {
            Tree::Leaf {
                differs,
                samples,
                wrong,
            } => format!("{} ({samples}/{wrong})", if *differs { "other" } else { "same" }),
            Tree::Split { .. } => String::new(),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, 0)
    }
}

fn bad(line: usize, problem: impl Into<String>) -> BadTree {
    BadTree {
        line,
        problem: problem.into(),
    }
}

/// Far deeper than any tree that was learnt, so that a file cannot exhaust the stack.
const DEEPEST: usize = 64;

fn subtree(rest: &mut &[(usize, &str)], depth: usize) -> Result<Tree, BadTree> {
    let Some(&(line, text)) = rest.first() else {
        return Err(bad(0, "it ends in the middle"));
    };
    if depth > DEEPEST {
        return Err(bad(line, "it is too deep"));
    }
    if depth == 0 && !text.contains("<=") {
        *rest = &rest[1..];
        return leaf(line, text);
    }
    let (feature, threshold, low) = branch(rest, depth, "<=")?;
    let (again, same, high) = branch(rest, depth, ">")?;
    if feature != again || threshold != same {
        return Err(bad(line, "its two branches ask different things"));
    }
    Ok(Tree::Split {
        feature,
        threshold,
        low: Box::new(low),
        high: Box::new(high),
    })
}

fn branch(rest: &mut &[(usize, &str)], depth: usize, sign: &str) -> Result<(usize, f32, Tree), BadTree> {
    let Some(&(line, text)) = rest.first() else {
        return Err(bad(0, "a branch is missing at its end"));
    };
    let text = text
        .strip_prefix(&"|  ".repeat(depth))
        .ok_or_else(|| bad(line, "it is indented less than its branch"))?;
    let (question, answer) = match text.split_once(": ") {
        Some((question, answer)) => (question, Some(answer)),
        None => (text, None),
    };
    let words: Vec<&str> = question.split_whitespace().collect();
    let [name, asked, number] = words[..] else {
        return Err(bad(line, format!("`{question}` is no question")));
    };
    if asked != sign {
        return Err(bad(line, format!("`{sign}` is expected")));
    }
    let feature = FEATURES
        .iter()
        .position(|known| *known == name)
        .ok_or_else(|| bad(line, format!("there is no feature `{name}`")))?;
    let threshold: f32 = number
        .parse()
        .map_err(|_| bad(line, format!("`{number}` is no number")))?;
    *rest = &rest[1..];
    let tree = match answer {
        Some(answer) => leaf(line, answer)?,
        None => subtree(rest, depth + 1)?,
    };
    Ok((feature, threshold, tree))
}

fn leaf(line: usize, text: &str) -> Result<Tree, BadTree> {
    let problem = || bad(line, format!("`{text}` is no leaf"));
    let (word, counts) = text.trim().split_once(' ').ok_or_else(problem)?;
    let differs = match word {
        "same" => false,
        "other" => true,
        _ => return Err(problem()),
    };
    let counts = counts.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let (samples, wrong) = counts.and_then(|text| text.split_once('/')).ok_or_else(problem)?;
    let (samples, wrong): (u32, u32) = match (samples.parse(), wrong.parse()) {
        (Ok(samples), Ok(wrong)) if wrong <= samples => (samples, wrong),
        _ => return Err(problem()),
    };
    Ok(Tree::Leaf {
        differs,
        samples,
        wrong,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "chi2 <= 0.25\n|  area <= 400: same (12/1)\n|  area > 400: other (3/0)\nchi2 > 0.25: other (9/2)\n";

    #[test]
    fn a_tree_is_written_as_it_is_read() {
        assert_eq!(Tree::parse(TEXT).unwrap().to_string(), TEXT);
        assert_eq!(
            Tree::parse("# learnt\nsame (4/0)\n").unwrap().to_string(),
            "same (4/0)\n"
        );
    }

    #[test]
    fn what_is_no_tree_is_refused_by_line() {
        for (text, line) in [
            ("", 0),
            ("chi2 <= 0.25: same (1/0)\n", 0),
            ("chi2 <= 0.25: same (1/0)\narea > 0.25: other (1/0)\n", 1),
            ("colour <= 0.25: same (1/0)\n", 1),
            ("chi2 <= 0.25: same (1/2)\n", 1),
            ("chi2 <= x: same (1/0)\n", 1),
            ("same (4/0)\nsame (4/0)\n", 2),
        ] {
            assert_eq!(Tree::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
