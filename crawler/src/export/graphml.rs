//! GraphML, for graph editors and libraries.

use super::escaped;
use crate::model::Model;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="url" for="node" attr.name="url" attr.type="string"/>
  <key id="title" for="node" attr.name="title" attr.type="string"/>
  <key id="depth" for="node" attr.name="depth" attr.type="int"/>
  <key id="label" for="edge" attr.name="label" attr.type="string"/>
  <key id="locator" for="edge" attr.name="locator" attr.type="string"/>
  <graph id="model" edgedefault="directed">
"#;

pub fn graphml(model: &Model) -> String {
    let mut text = HEAD.to_owned();
    for state in &model.states {
        text.push_str(&format!(
            "    <node id=\"s{}\"><data key=\"url\">{}</data><data key=\"title\">{}</data><data key=\"depth\">{}</data></node>\n",
            state.id,
            escaped(&state.url),
            escaped(&state.title),
            state.depth
        ));
    }
    for (number, edge) in model.edges.iter().enumerate() {
        if let Some(to) = edge.to {
            text.push_str(&format!(
                "    <edge id=\"e{number}\" source=\"s{}\" target=\"s{to}\"><data key=\"label\">{}</data><data key=\"locator\">{}</data></edge>\n",
                edge.from,
                escaped(&edge.label.to_string()),
                escaped(&edge.label.locator)
            ));
        }
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}
