//! A page as one tree of nodes with fields: all its documents, whatever the browser thinks of boxes and styles.

use std::collections::HashMap;
use xcheck_trace::event::LoadId;
use xcheck_trace::page::{
    DocumentData, FOCUSED, HYPHENATED_TEXT, MEASURED_TEXT, NodeId, PageData, SELECTED_TEXT, SHOWN_TEXT,
};

/// The first node is the page; below it stand its documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// `#page`, `#document`, `#text`, `#shadow` or a lower-case tag name.
    pub tag: String,
    /// `@name` attributes, `.name` live properties, `text`, `visible`; sorted by name, each name once.
    pub fields: Vec<(String, String)>,
    pub children: Vec<usize>,
    /// Where it is in the page data; nothing for the page itself.
    pub source: Option<(LoadId, NodeId)>,
}

impl Tree {
    pub fn of(page: &PageData) -> Tree {
        let mut tree = Tree {
            nodes: vec![TreeNode {
                tag: "#page".into(),
                ..TreeNode::default()
            }],
        };
        for document in &page.documents {
            let root = tree.add(0, document_node(document));
            tree.hang(root, document);
        }
        tree
    }

    pub fn root(&self) -> &TreeNode {
        &self.nodes[0]
    }

    pub fn children<'a>(&'a self, node: &'a TreeNode) -> impl Iterator<Item = &'a TreeNode> {
        node.children.iter().map(|&child| &self.nodes[child])
    }

    fn add(&mut self, parent: usize, node: TreeNode) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(index);
        index
    }

    /// Nodes whose parent is not there are left out with all below them: damaged data must not end in a circle.
    fn hang(&mut self, root: usize, document: &DocumentData) {
        let mut below: HashMap<NodeId, Vec<&xcheck_trace::page::Node>> = HashMap::new();
        for node in &document.nodes {
            below.entry(node.parent).or_default().push(node);
        }
        for siblings in below.values_mut() {
            siblings.sort_by_key(|node| (node.index, node.id));
        }
        let mut open = vec![(root, 0)];
        while let Some((place, id)) = open.pop() {
            for node in below.remove(&id).unwrap_or_default() {
                let child = self.add(place, tree_node(document.load, node));
                open.push((child, node.id));
            }
        }
    }
}

impl TreeNode {
    pub fn field(&self, name: &str) -> Option<&str> {
        let place = self
            .fields
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
            .ok()?;
        Some(&self.fields[place].1)
    }
}

fn document_node(document: &DocumentData) -> TreeNode {
    let path: Vec<String> = document.path.iter().map(u32::to_string).collect();
    let mut fields = vec![
        ("@mode".to_owned(), document.mode.clone()),
        ("@path".to_owned(), path.join(".")),
        ("title".to_owned(), document.title.clone()),
    ];
    fields.sort();
    TreeNode {
        tag: "#document".into(),
        fields,
        children: vec![],
        source: Some((document.load, 0)),
    }
}

fn tree_node(load: LoadId, node: &xcheck_trace::page::Node) -> TreeNode {
    let attributes = node
        .attributes
        .iter()
        .map(|(name, value)| (format!("@{name}"), value.clone()));
    let properties = node
        .properties
        .iter()
        // Where a person's selection and the focus are is no content.
        .filter(|(name, _)| {
            ![SELECTED_TEXT, SHOWN_TEXT, MEASURED_TEXT, HYPHENATED_TEXT, FOCUSED].contains(&name.as_str())
        })
        .map(|(name, value)| (format!(".{name}"), value.clone()));
    let mut fields: Vec<(String, String)> = attributes.chain(properties).collect();
    if node.tag == "#text" {
        fields.push((
            "text".into(),
            node.text.split_whitespace().collect::<Vec<_>>().join(" "),
        ));
    } else {
        fields.push(("visible".into(), if node.visible { "yes" } else { "no" }.into()));
    }
    fields.sort();
    fields.dedup_by(|other, first| other.0 == first.0);
    TreeNode {
        tag: node.tag.clone(),
        fields,
        children: vec![],
        source: Some((load, node.id)),
    }
}
