//! The state graph as one page: states in columns by how far from the start they are, with their pictures.
//!
//! Laid out here rather than by a library in the page, so that the file needs nothing and shows the same to everybody.

use super::escaped;
use crate::model::{Edge, Model, State};
use std::collections::BTreeMap;

const WIDTH: usize = 150;
const HEIGHT: usize = 118;
const GAP: usize = 90;
const PICTURE: usize = 84;

/// Longer columns are broken into several.
const MOST_IN_COLUMN: usize = 14;

pub fn html(model: &Model) -> String {
    let places = places(&model.states);
    let columns = places.values().map(|(x, _)| x).max().copied().unwrap_or(0);
    let rows = places.values().map(|(_, y)| y).max().copied().unwrap_or(0);
    let (width, height) = ((columns + 1) * (WIDTH + GAP) + 20, (rows + 1) * HEIGHT + 20);
    let mut graph = String::new();
    for edge in model
        .edges
        .iter()
        .filter(|edge| edge.to.is_some_and(|to| to != edge.from))
    {
        graph.push_str(&line(edge, &places));
    }
    for state in &model.states {
        graph.push_str(&node(state, places[&state.id]));
    }
    let list = model
        .states
        .iter()
        .map(|state| details(state, model))
        .collect::<String>();
    let skipped = model.skipped.iter().map(|skipped| {
        format!(
            "<tr><td>{}<td>{}<td>{}</tr>",
            escaped(&skipped.reason),
            escaped(&skipped.what),
            skipped.times
        )
    });
    let dead = model.edges.iter().filter(|edge| edge.to.is_none()).count();
    format!(
        "{HEAD}<title>Crawl of {url}</title><h1>Crawl of {url}</h1>
<p>{states} states, {edges} transitions ({dead} lead out of the application or nowhere), {traces} traces, in {browser}, seed {seed}.
Ended: {ended}.</p>
<div class=graph><svg width={width} height={height} viewBox=\"0 0 {width} {height}\"><defs><marker id=tip viewBox=\"0 0 8 8\" refX=8 refY=4
markerWidth=7 markerHeight=7 orient=auto><path d=\"M0 0L8 4L0 8z\"/></marker></defs>{graph}</svg></div>
<h2>States</h2>{list}<h2>Not done</h2><table><tr><th>Why<th>What<th>In states</tr>{skipped}</table>{SCRIPT}",
        url = escaped(&model.start_url),
        states = model.states.len(),
        edges = model.edges.len(),
        traces = model.traces.len(),
        browser = escaped(&model.browser),
        seed = model.seed,
        ended = escaped(&model.ended),
        skipped = skipped.collect::<String>(),
    )
}

/// Column and row of each state.
fn places(states: &[State]) -> BTreeMap<usize, (usize, usize)> {
    let mut by_depth: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for state in states {
        by_depth.entry(state.depth).or_default().push(state.id);
    }
    let columns = by_depth.values().flat_map(|column| column.chunks(MOST_IN_COLUMN));
    let placed = columns
        .enumerate()
        .flat_map(|(x, column)| column.iter().enumerate().map(move |(y, id)| (*id, (x, y))));
    placed.collect()
}

fn corner((x, y): (usize, usize)) -> (usize, usize) {
    (10 + x * (WIDTH + GAP), 10 + y * HEIGHT)
}

fn line(edge: &Edge, places: &BTreeMap<usize, (usize, usize)>) -> String {
    let Some((from, to)) = edge.to.and_then(|to| Some((places.get(&edge.from)?, places.get(&to)?))) else {
        return String::new();
    };
    let (x1, y1) = corner(*from);
    let (x2, y2) = corner(*to);
    let (x1, y1, y2) = (x1 + WIDTH, y1 + PICTURE / 2, y2 + PICTURE / 2);
    let bow = GAP;
    let class = if edge.unsure { "edge unsure" } else { "edge" };
    format!(
        "<path class=\"{class}\" data-from={} data-to={} marker-end=\"url(#tip)\" d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\"><title>{}</title></path>\n",
        edge.from,
        edge.to.unwrap_or(edge.from),
        x1 + bow,
        x2 as i64 - bow as i64,
        escaped(&edge.label.to_string())
    )
}

fn node(state: &State, place: (usize, usize)) -> String {
    let (x, y) = corner(place);
    let name = shown_name(state);
    let short: String = name.chars().take(24).collect();
    let picture = state.picture.as_deref().map(|picture| {
        format!(
            "<image href=\"{}\" x={x} y={y} width={WIDTH} height={PICTURE} preserveAspectRatio=\"xMidYMin slice\"/>",
            escaped(picture)
        )
    });
    format!(
        "<a href=\"#s{id}\"><g class=state data-id={id}><title>{url}</title><rect x={x} y={y} width={WIDTH} height={PICTURE} />{}\
         <text x={x} y={text_y}>{id} {}</text></g></a>\n",
        picture.unwrap_or_default(),
        escaped(&short),
        id = state.id,
        url = escaped(&state.url),
        text_y = y + PICTURE + 14,
    )
}

fn shown_name(state: &State) -> String {
    match state.title.as_str() {
        "" => state.url.clone(),
        title => title.to_owned(),
    }
}

fn details(state: &State, model: &Model) -> String {
    let edges = model.edges.iter().filter(|edge| edge.from == state.id);
    let lines = edges.map(|edge| {
        let to = match edge.to {
            Some(to) if to == state.id => "stays here".to_owned(),
            Some(to) => format!("<a href=\"#s{to}\">state {to}</a>"),
            None => "leads to no state".to_owned(),
        };
        let notes = match edge.notes.is_empty() {
            true => String::new(),
            false => format!(" <small>{}</small>", escaped(&edge.notes.join("; "))),
        };
        let label = escaped(&edge.label.to_string());
        let trace = model.traces.get(edge.trace).map_or("", |path| &path.trace);
        format!(
            "<li><span title=\"{}\">{label}</span> → {to}{notes} <small class=trace>{}</small>",
            escaped(&edge.label.locator),
            escaped(trace)
        )
    });
    let status = state
        .status
        .map_or(String::new(), |status| format!(" · answered {status}"));
    format!(
        "<details id=s{id}><summary>{id} {name} <small>{url}{status} · {tried} of {actions} tried</small></summary><ul>{}</ul></details>\n",
        lines.collect::<String>(),
        id = state.id,
        name = escaped(&shown_name(state)),
        url = escaped(&state.url),
        tried = state.tried,
        actions = state.actions,
    )
}

const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8><style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; color: #1c2430; background: #fff }
h1 { font-size: 20px; overflow-wrap: anywhere } h2 { font-size: 16px; margin-top: 28px }
.graph { overflow: auto; max-height: 80vh; border: 1px solid #d5dae1; border-radius: 6px; background: #f7f8fa }
.state rect { fill: #fff; stroke: #8a94a3 } .state text { font-size: 11px; fill: #1c2430 }
.edge { fill: none; stroke: #8a94a3; stroke-opacity: .45; stroke-width: 1.2 } .unsure { stroke-dasharray: 4 3 }
#tip path { fill: #8a94a3 }
.focus .edge { stroke-opacity: .06 } .focus .edge.out { stroke: #0b62c4; stroke-opacity: 1 } .focus .edge.in { stroke: #b2560d; stroke-opacity: 1 }
details { border-top: 1px solid #e4e8ed; padding: 4px 0 } summary { cursor: pointer } small { color: #5a6574; overflow-wrap: anywhere }
table { border-collapse: collapse } td, th { text-align: left; padding: 3px 14px 3px 0; border-bottom: 1px solid #e4e8ed; vertical-align: top }
@media (prefers-color-scheme: dark) { body { background: #14181d; color: #e3e8ee } .graph { background: #1b2027; border-color: #333c47 }
.state text { fill: #e3e8ee } small { color: #9aa5b4 } a { color: #7db4ff } details, td, th { border-color: #2a323c } }
</style>";

/// Pointing at a state shows its own lines; opening a link to a state opens it in the list.
const SCRIPT: &str = "<script>
const svg = document.querySelector('svg');
for (const state of document.querySelectorAll('.state')) {
  const lines = (end, name) => document.querySelectorAll(`.edge[data-${end}='${state.dataset.id}']`).forEach(line => line.classList.add(name));
  state.onmouseenter = () => { svg.classList.add('focus'); lines('from', 'out'); lines('to', 'in') };
  state.onmouseleave = () => { svg.classList.remove('focus'); document.querySelectorAll('.edge').forEach(line => line.classList.remove('out', 'in')) };
}
const open = () => { const wanted = document.getElementById(location.hash.slice(1)); if (wanted) wanted.open = true };
addEventListener('hashchange', open); open();
</script>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_closes_itself_ends_in_a_bare_value() {
        let state = State {
            id: 0,
            url: "http://a.test/<x>".into(),
            title: String::new(),
            depth: 0,
            status: None,
            picture: Some("states/0000.png".into()),
            actions: 0,
            tried: 0,
            content: vec![],
        };
        let node = node(&state, (0, 0));
        // `height=84/>` would be a height of `84/`, and the element would stay open.
        let bare = node
            .match_indices("/>")
            .find(|(at, _)| !node[..*at].ends_with(['"', ' ']));
        assert_eq!(bare, None, "{node}");
        assert!(node.contains("http://a.test/&lt;x&gt;"));
    }
}
