use std::collections::BTreeMap;
use xcheck_trace::page::{DocumentData, Node, StyleRule};

/// A whole document from its outline. Lines beginning with `@` are style rules: `@ .a { gap: 4px }`, or with
/// what is around them `@ @media print | .a { gap: 4px }`.
pub(crate) fn document(outline: &str) -> DocumentData {
    let mut data = DocumentData {
        load: 1,
        url: "https://shop.test/".to_owned(),
        whole: true,
        mode: "CSS1Compat".to_owned(),
        viewport: [1280.0, 720.0],
        page: [1280.0, 720.0],
        ..DocumentData::default()
    };
    let mut styles: BTreeMap<Vec<(String, String)>, u32> = BTreeMap::new();
    let mut rules = Vec::new();
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut children: BTreeMap<u32, u32> = BTreeMap::new();
    let lines = outline.lines().filter(|line| !line.trim().is_empty());
    for line in lines {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if let Some(text) = line.strip_prefix("@ ") {
            rules.push(rule(text));
            continue;
        }
        let (mut node, style) = node(line);
        if node.id == 0 {
            node.id = data.nodes.len() as u32 + 1;
        }
        while open.last().is_some_and(|(outer, _)| *outer >= depth) {
            open.pop();
        }
        node.parent = open.last().map_or(0, |(_, id)| *id);
        let index = children.entry(node.parent).or_default();
        node.index = *index;
        *index += 1;
        if !style.is_empty() {
            let next = styles.len() as u32 + 1;
            node.style = *styles.entry(style).or_insert(next);
        }
        open.push((depth, node.id));
        data.nodes.push(node);
    }
    data.styles = styles.into_iter().map(|(style, digest)| (digest, style)).collect();
    data.rules = Some(rules);
    data
}

fn node(line: &str) -> (Node, Vec<(String, String)>) {
    let mut node = Node {
        visible: true,
        ..Node::default()
    };
    let (mut rest, mut style) = (line, Vec::new());
    if let Some((id, after)) = rest.split_once(": ")
        && let Ok(id) = id.parse()
    {
        (node.id, rest) = (id, after);
    }
    if let Some(text) = rest.strip_prefix('"') {
        let (text, after) = text.split_once('"').expect("text ends with a quote");
        (node.tag, node.text, node.lines) = ("#text".to_owned(), text.replace("\\n", "\n"), 1);
        rest = after;
    } else {
        let (name, after) = rest.split_once(' ').unwrap_or((rest, ""));
        named(&mut node, name);
        rest = after;
    }
    let mut numbers = Vec::new();
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let close = match rest.chars().next() {
            Some('{') => '}',
            Some('[') => ']',
            Some('(') => ')',
            _ => ' ',
        };
        let (part, after) = rest.split_once(close).unwrap_or((rest, ""));
        rest = after;
        let pair = |text: &str, sign: char| -> (String, String) {
            // Those of generated content begin with the sign.
            let generated = if text.trim_start().starts_with("::") { "::" } else { "" };
            let text = text.trim_start().trim_start_matches("::");
            let (name, value) = text.split_once(sign).unwrap_or((text, ""));
            (format!("{generated}{}", name.trim()), value.trim().to_owned())
        };
        match close {
            '}' => style.extend(part[1..].split(';').map(|one| pair(one, ':'))),
            ']' => node.attributes.push(pair(&part[1..], '=')),
            ')' => node.properties.push(pair(&part[1..], '=')),
            _ if part == "hidden" => node.visible = false,
            _ => match part.split_once('=') {
                Some(("z", layer)) => node.z = layer.parse().expect("the number of a layer"),
                Some(("lines", count)) => node.lines = count.parse().expect("a number of lines"),
                Some(("natural", numbers)) => {
                    let numbers: Vec<f32> = numbers.split(',').map(|n| n.parse().expect("a number")).collect();
                    node.natural = Some([numbers[0], numbers[1], numbers[2]]);
                }
                _ => numbers.push(part.parse::<f32>().unwrap_or_else(|_| panic!("`{part}` in `{line}`"))),
            },
        }
    }
    for (at, number) in numbers.into_iter().enumerate() {
        node.rect[at] = number;
    }
    node.attributes.sort();
    style.sort();
    (node, style)
}

/// `tag#id.class.other`
fn named(node: &mut Node, name: &str) {
    let tag = name.find(['#', '.']).filter(|at| *at > 0).unwrap_or(name.len());
    node.tag = name[..tag].to_owned();
    let mut classes = Vec::new();
    let rest = if tag == name.len() { "" } else { &name[tag..] };
    for part in rest.split_inclusive(['#', '.']).collect::<Vec<_>>().windows(2) {
        let value = part[1].trim_end_matches(['#', '.']).to_owned();
        if part[0].ends_with('#') {
            node.attributes.push(("id".to_owned(), value));
        } else {
            classes.push(value);
        }
    }
    if !classes.is_empty() {
        node.attributes.push(("class".to_owned(), classes.join(" ")));
    }
}

fn rule(text: &str) -> StyleRule {
    let (within, text) = text
        .split_once(" | ")
        .map_or((None, text), |(within, text)| (Some(within), text));
    let (selector, body) = text.split_once('{').expect("a rule has a body");
    StyleRule {
        sheet: "https://shop.test/style.css".to_owned(),
        selector: selector.trim().to_owned(),
        within: within.into_iter().map(str::to_owned).collect(),
        declarations: body
            .trim_end_matches('}')
            .split(';')
            .filter_map(|one| one.split_once(':'))
            .map(|(property, value)| (property.trim().to_owned(), value.trim().to_owned()))
            .collect(),
    }
}
