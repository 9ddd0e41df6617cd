//! The element that a label is about, by its path.

/// Paths are compared without the places of firsts: the first of several is the only one while the others are not shown, which
/// the label's path, taken in the end, does not know.
#[derive(Debug)]
pub struct Place(String);

impl Place {
    pub(super) fn new(path: &str) -> Place {
        Place(without_firsts(path))
    }

    pub fn is(&self, path: &str) -> bool {
        self.0 == without_firsts(path)
    }

    /// The path leads to something in it.
    pub fn holds(&self, path: &str) -> bool {
        !self.0.is_empty() && without_firsts(path).starts_with(&format!("{}/", self.0))
    }

    /// The path leads to what it stands in.
    pub fn stands_in(&self, path: &str) -> bool {
        let parent = self.0.rsplit_once('/').map_or("", |(parent, _)| parent);
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
    }
}
