//! For Graphviz.

use crate::model::Model;

pub fn dot(model: &Model) -> String {
    let mut text = String::from("digraph model {\n  rankdir=LR;\n  node [shape=box];\n");
    for state in &model.states {
        let name = if state.title.is_empty() {
            &state.url
        } else {
            &state.title
        };
        text.push_str(&format!(
            "  s{} [label={}, URL={}];\n",
            state.id,
            quoted(name),
            quoted(&state.url)
        ));
    }
    for edge in &model.edges {
        if let Some(to) = edge.to {
            let style = if edge.unsure { ", style=dashed" } else { "" };
            let label = quoted(&edge.label.to_string());
            text.push_str(&format!("  s{} -> s{to} [label={label}{style}];\n", edge.from));
        }
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    let safe: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("\"{}\"", safe.replace('\\', "\\\\").replace('"', "\\\""))
}
