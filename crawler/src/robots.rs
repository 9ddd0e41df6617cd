//! `robots.txt`, as RFC 9309 reads it: the longest rule that fits decides.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    /// Path patterns, and whether they allow.
    rules: Vec<(String, bool)>,
}

const NAME: &str = "xcheck";

impl Robots {
    pub fn parse(text: &str) -> Robots {
        let (mut own, mut all) = (Robots::default(), Robots::default());
        let mut is_named = false;
        let mut agents: Vec<String> = Vec::new();
        let mut in_rules = false;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if in_rules {
                        agents.clear();
                        in_rules = false;
                    }
                    agents.push(value.to_ascii_lowercase());
                }
                key @ ("allow" | "disallow") => {
                    in_rules = true;
                    if value.is_empty() {
                        continue;
                    }
                    let rule = (value.to_owned(), key == "allow");
                    if agents.iter().any(|agent| agent == NAME) {
                        is_named = true;
                        own.rules.push(rule);
                    } else if agents.iter().any(|agent| agent == "*") {
                        all.rules.push(rule);
                    }
                }
                _ => {}
            }
        }
        if is_named { own } else { all }
    }

    /// Path with query.
    pub fn allows(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(pattern, _)| fits(pattern, path));
        let longest = fitting.max_by_key(|(pattern, allows)| (pattern.len(), *allows));
        longest.is_none_or(|(_, allows)| *allows)
    }
}

/// `*` stands for anything, `$` at the end for the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() && to_the_end {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    !to_the_end || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_that_fits_decides() {
        let robots = Robots::parse("User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$ # no\n");
        for (path, allowed) in [
            ("/", true),
            ("/private", false),
            ("/private/x", false),
            ("/private/open/x", true),
            ("/a/b.pdf", false),
            ("/a/b.pdf?x", true),
        ] {
            assert_eq!(robots.allows(path), allowed, "{path}");
        }
    }

    #[test]
    fn who_is_named_goes_by_its_own_rules_only() {
        let robots =
            Robots::parse("User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: XCheck\nDisallow: /x\n");
        assert!(robots.allows("/") && !robots.allows("/x"));
        assert!(Robots::parse("User-agent: *\nDisallow:\n").allows("/"));
        assert!(Robots::parse("<!doctype html>").allows("/"));
    }
}
