//! What a model of invariants says is volatile, found again in the pages of the reference's replay.

use crate::commands::invariants::model::{Learnt, ModelFile};
use crate::exit::Failure;
use anyhow::anyhow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use xcheck_agent::rerun::put_together;
use xcheck_analyzer::Mask;
use xcheck_analyzer::findings::{Kind, Volatile};
use xcheck_invariants::{Tree, TreeNode};
use xcheck_trace::page::PageData;
use xcheck_trace::runs::{Replay, RunReader};

/// Attributes and properties that show in other ways than by their value are not compared by it.
const SEEN_FIELDS: [&str; 6] = ["text", "visible", ".value", "@value", "@src", "@style"];

/// Adds what the model calls volatile to the mask, and gives it for the report.
pub(super) fn mask(
    model: &Path,
    run: &RunReader,
    reference: &Replay,
    mask: &mut Mask,
) -> Result<Vec<Volatile>, Failure> {
    let file = ModelFile::read(model, &run.run.trace_sha256.to_string())?;
    let Learnt::Default(known) = file.learnt else {
        let error = anyhow!(
            "{} was learnt by DoDOM's algorithm, which does not say what is volatile",
            model.display()
        );
        return Err(Failure::usage(error));
    };
    let mut documents: HashMap<_, BTreeMap<_, _>> = HashMap::new();
    let mut said = BTreeSet::new();
    for checkpoint in &reference.checkpoints {
        let mut page = run.page(&checkpoint.page_sha256)?;
        for data in &mut page.documents {
            *data = put_together(documents.entry(data.load).or_default(), std::mem::take(data));
        }
        let now = known
            .events
            .iter()
            .rev()
            .find(|event| event.place.number <= checkpoint.place.number);
        if let Some(event) = now {
            let tree = Tree::of(&page);
            for volatile in event.page.volatile(&tree) {
                hide(&volatile, &tree, &page, mask, &mut said);
            }
        }
    }
    Ok(said.into_iter().collect())
}

fn hide(
    volatile: &xcheck_invariants::Volatile,
    tree: &Tree,
    page: &PageData,
    mask: &mut Mask,
    said: &mut BTreeSet<Volatile>,
) {
    let comes_and_goes = volatile.fields.is_empty();
    if !comes_and_goes
        && !volatile
            .fields
            .iter()
            .any(|field| SEEN_FIELDS.contains(&field.as_str()))
    {
        return;
    }
    let source = (volatile.load, volatile.node);
    let Some(place) = tree.nodes.iter().position(|node| node.source == Some(source)) else {
        return;
    };
    let mut nodes = vec![place];
    if comes_and_goes {
        // With all below it.
        let mut next = 0;
        while next < nodes.len() {
            nodes.extend(&tree.nodes[nodes[next]].children);
            next += 1;
        }
    }
    for node in nodes {
        if let Some((load, id)) = tree.nodes[node].source {
            mask.learnt(load, id);
        }
    }
    let above = page
        .documents
        .iter()
        .find(|document| document.load == volatile.load)
        .and_then(|document| document.nodes.iter().find(|node| node.id == volatile.node))
        .map(|node| node.parent);
    // What is said of a text is said of the element that has it.
    if tree.nodes[place].tag == "#text"
        && let Some(above) = above
    {
        mask.learnt(volatile.load, above);
    }
    let fields = if comes_and_goes {
        "comes and goes".to_owned()
    } else {
        format!("varies in {}", volatile.fields.join(", "))
    };
    let path = path_to(tree, place);
    said.insert(Volatile {
        kind: Kind::Text,
        selector: path.clone(),
        xpath: path,
        title: fields,
    });
}

fn path_to(tree: &Tree, place: usize) -> String {
    let mut steps = vec![name(&tree.nodes[place])];
    let mut at = place;
    while let Some(above) = tree.nodes.iter().position(|node| node.children.contains(&at)) {
        at = above;
        steps.push(name(&tree.nodes[at]));
        if steps
            .last()
            .is_some_and(|step| step.contains('#') && !step.starts_with('#'))
        {
            break;
        }
    }
    steps.retain(|step| step != "#page" && step != "#document");
    steps.reverse();
    steps.join(" > ")
}

fn name(node: &TreeNode) -> String {
    let id = node
        .fields
        .iter()
        .find(|(name, value)| name == "@id" && !value.is_empty());
    id.map_or_else(|| node.tag.clone(), |(_, id)| format!("{}#{id}", node.tag))
}
