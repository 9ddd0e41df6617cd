//! What people said of findings: `labels/SUBJECT.toml`, each judged once against the pictures and the DOM, with a reason.

use crate::accuracy::Finding;
use crate::subjects::Subject;
use anyhow::{Context, Result};
use serde::Deserialize;
use xcheck_analyzer::findings::Kind;

/// One judgement. A finding of another recording has the id of this one, or else its kind and element.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    pub(crate) engine: String,
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// Empty for behaviour that has no element.
    #[serde(default)]
    pub(crate) selector: String,
    /// A person using both browsers would notice, or the page does something else.
    pub(crate) real: bool,
    pub(crate) why: String,
}

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    label: Vec<Label>,
}

pub(crate) fn of(subject: &Subject) -> Result<Vec<Label>> {
    let path = xcheck_tests::workspace()
        .join("eval/labels")
        .join(format!("{}.toml", subject.slug()));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let file: File = toml::from_str(&std::fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
    Ok(file.label)
}

/// What was said of this finding, or of the same thing found in another recording or in another way.
pub(crate) fn judged<'a>(labels: &'a [Label], engine: &str, finding: &Finding) -> Option<&'a Label> {
    let of_engine = || {
        labels
            .iter()
            .filter(|label| label.engine == engine && label.kind == finding.kind)
    };
    let same_place = |label: &&Label| label.selector == finding.selector && !label.selector.is_empty();
    of_engine()
        .find(|label| label.id == finding.id)
        .or_else(|| of_engine().find(same_place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::tests::finding;
    use crate::subjects;

    #[test]
    fn every_labels_file_can_be_read_and_belongs_to_a_subject() {
        let subjects = subjects::all();
        for subject in &subjects {
            for label in of(subject).unwrap() {
                assert!(
                    !label.why.trim().is_empty(),
                    "{}: {} has no reason",
                    subject.name(),
                    label.id
                );
            }
        }
        for entry in std::fs::read_dir(xcheck_tests::workspace().join("eval/labels")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert!(
                subjects.iter().any(|subject| subject.slug() == name),
                "no subject is called {name}"
            );
        }
    }

    #[test]
    fn a_judgement_holds_for_the_same_place_under_another_id() {
        let label = |id: &str, selector: &str| Label {
            engine: "firefox".into(),
            id: id.into(),
            kind: Kind::Structure,
            selector: selector.into(),
            real: true,
            why: "seen".into(),
        };
        let labels = [label("1", "#a"), label("2", ""), label("3", "#c")];
        let by_id =
            |id: &str, selector: &str| judged(&labels, "firefox", &finding(id, selector)).map(|label| &*label.id);
        assert_eq!(by_id("3", "#a"), Some("3"));
        assert_eq!(by_id("9", "#a"), Some("1"));
        assert_eq!(by_id("9", ""), None);
        assert_eq!(judged(&labels, "webkit", &finding("1", "#a")), None);
    }
}
