//! The element that a label is about, by its path.

/// Paths are compared without the places of firsts: the first of several is the only one while the others are not shown, which
/// the label's path, taken in the end, does not know.
#[derive(Debug)]
pub struct Place {
    path: String,
    /// Of one that was kept before these were written, nothing.
    selector: String,
}

impl Place {
    pub(super) fn new(names: &str) -> Place {
        let (path, selector) = names.split_once('\n').unwrap_or((names, ""));
        Place {
            path: without_firsts(path),
            selector: selector.to_owned(),
        }
    }

    pub fn is(&self, path: &str) -> bool {
        self.path == without_firsts(path)
    }

    /// The selector leads to it, or to something in it.
    pub fn is_called(&self, selector: &str) -> bool {
        let rest = selector.strip_prefix(&self.selector);
        !self.selector.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" > "))
    }

    /// The path leads to something in it.
    pub fn holds(&self, path: &str) -> bool {
        !self.path.is_empty() && without_firsts(path).starts_with(&format!("{}/", self.path))
    }

    /// The path leads to what it stands in.
    pub fn stands_in(&self, path: &str) -> bool {
        let parent = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        parent == without_firsts(path)
    }
}

fn without_firsts(path: &str) -> String {
    path.replace("[1]", "")
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn siblings_that_are_not_shown_yet_change_no_place() {
        let desk = Place::new("/html/body/div[1]");
        assert!(desk.is("/html/body/div"));
        assert!(desk.holds("/html/body/div/article/p[2]"));
        assert!(desk.stands_in("/html/body"));
        assert!(!desk.is("/html/body/div[2]") && !desk.holds("/html/body/div[2]/p"));
        assert!(!desk.holds("/html/body/div"));
        assert!(!desk.is_called(""));
    }

    #[test]
    fn what_is_told_with_a_finding_is_known_by_its_selector() {
        let mark = Place::new("/html/body/table/tr[4]/td/span\n#l-3 > td > span");
        assert!(mark.is("/html/body/table/tr[4]/td/span"));
        assert!(mark.is_called("#l-3 > td > span") && mark.is_called("#l-3 > td > span > b"));
        assert!(!mark.is_called("#l-3 > td") && !mark.is_called("#l-3 > td > span:nth-of-type(2)"));
    }
}
