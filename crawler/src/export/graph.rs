//! The state graph as a drawing: states in columns by how far from the start they are, with their pictures, and below it
//! what can be done in each. Where browsers differ, the names of those that lack something stand beside it.
//!
//! Laid out here rather than by a library in the page, so that the file needs nothing and shows the same to everybody.

use super::escaped;
use crate::marked::{Marked, Marks};
use crate::model::{Edge, State};
use std::collections::BTreeMap;

const WIDTH: usize = 150;
const HEIGHT: usize = 132;
const PICTURE: usize = 84;

/// Between two columns; more where something is to be said there.
const GAP: usize = 90;
const WIDEST_GAP: usize = 320;

/// Of a letter in a remark, on average.
const LETTER: usize = 7;

/// A line of which something is said runs beside that of which nothing is.
const BESIDE: i64 = 9;

/// Longer columns are broken into several.
const MOST_IN_COLUMN: usize = 14;

/// Remarks beside one state, one below the other.
const MOST_REMARKS: usize = 6;

/// Where each state is.
struct Places {
    /// Column and row.
    cells: BTreeMap<usize, (usize, usize)>,
    gap: usize,
}

/// A part of a page, with its style and script.
pub fn graph(marked: &Marked) -> String {
    let lines = Line::all(marked);
    let places = Places::of(&marked.model.states, &lines);
    let (width, height) = places.size();
    let mut drawing: String = lines.iter().map(|line| line.drawn(&places)).collect();
    for (state, marks) in marked.model.states.iter().zip(&marked.states) {
        let corner = places.corner(state.id);
        drawing.push_str(&node(state, marks, corner));
        let of_it = lines.iter().filter(|line| line.from == state.id);
        drawing.push_str(&remarks(of_it, corner));
    }
    let tips = ["", "missing", "only"].map(|name| {
        format!(
            "<marker id=\"tip{name}\" class=\"{name}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>"
        )
    });
    let legend = match marked.is_marked() {
        false => "",
        true => {
            "<p class=legend><span class=missing>Red, broken</span>: the browsers named do not make this transition, or never come to this state. \
             <span class=only>Blue</span>: only they do.</p>"
        }
    };
    let details: String = marked.model.states.iter().map(|state| details(state, marked)).collect();
    format!(
        "{STYLE}<div class=graph tabindex=0><svg style=\"width:{width}px;height:{height}px\" viewBox=\"0 0 {width} {height}\">\
         <defs>{}</defs>{drawing}</svg></div>{legend}<div class=states>{details}</div>{SCRIPT}",
        tips.concat()
    )
}

impl Places {
    fn of(states: &[State], lines: &[Line<'_>]) -> Places {
        let mut by_depth: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for state in states {
            by_depth.entry(state.depth).or_default().push(state.id);
        }
        let columns = by_depth.values().flat_map(|column| column.chunks(MOST_IN_COLUMN));
        let placed = columns
            .enumerate()
            .flat_map(|(x, column)| column.iter().enumerate().map(move |(y, id)| (*id, (x, y))));
        let remarks = lines.iter().filter_map(Line::remark);
        let longest = remarks.map(|remark| remark.chars().count()).max().unwrap_or(0);
        Places {
            cells: placed.collect(),
            gap: (longest * LETTER).clamp(GAP, WIDEST_GAP),
        }
    }

    fn size(&self) -> (usize, usize) {
        let columns = self.cells.values().map(|(x, _)| x).max().copied().unwrap_or(0);
        let rows = self.cells.values().map(|(_, y)| y).max().copied().unwrap_or(0);
        ((columns + 1) * (WIDTH + self.gap) + 20, (rows + 1) * HEIGHT + 20)
    }

    fn corner(&self, state: usize) -> (usize, usize) {
        let (x, y) = self.cells[&state];
        (10 + x * (WIDTH + self.gap), 10 + y * HEIGHT)
    }

    /// From the right of one to the left of another; within a column, to the right of it again.
    fn path(&self, from: usize, to: usize, beside: i64) -> String {
        let middle = |state: usize| {
            let (x, y) = self.corner(state);
            (x as i64, (y + PICTURE / 2) as i64 + beside)
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let (x1, gap) = (x1 + WIDTH as i64, self.gap as i64);
        match self.cells[&from].0 == self.cells[&to].0 {
            true => {
                let bow = x1 + gap * 2 / 3;
                format!("M{x1} {y1}C{bow} {y1} {bow} {y2} {x1} {y2}")
            }
            false => format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + gap, x2 - gap),
        }
    }
}

/// Transitions between the same two states of which the same is to be said.
struct Line<'a> {
    from: usize,
    to: usize,
    unsure: bool,
    marks: &'a Marks,
    edges: Vec<&'a Edge>,
}

impl<'a> Line<'a> {
    /// Those that are marked last, over the others.
    fn all(marked: &'a Marked) -> Vec<Line<'a>> {
        let mut lines: BTreeMap<(&Marks, usize, usize, bool), Vec<&Edge>> = BTreeMap::new();
        for (edge, marks) in marked.model.edges.iter().zip(&marked.edges) {
            if let Some(to) = edge.to.filter(|to| *to != edge.from) {
                lines.entry((marks, edge.from, to, edge.unsure)).or_default().push(edge);
            }
        }
        let lines = lines.into_iter().map(|((marks, from, to, unsure), edges)| Line {
            from,
            to,
            unsure,
            marks,
            edges,
        });
        lines.collect()
    }

    fn drawn(&self, places: &Places) -> String {
        let mark = self.marks.class();
        let beside = match mark {
            "missing" => BESIDE,
            "only" => -BESIDE,
            _ => 0,
        };
        let unsure = if self.unsure { " unsure" } else { "" };
        let labels: Vec<String> = self.edges.iter().map(|edge| edge.label.to_string()).collect();
        let said = self.marks.said().map_or(String::new(), |said| format!(": {said}"));
        format!(
            "<path class=\"edge {mark}{unsure}\" data-from=\"{}\" data-to=\"{}\" marker-end=\"url(#tip{mark})\" \
             d=\"{}\"><title>{}{}</title></path>\n",
            self.from,
            self.to,
            places.path(self.from, self.to, beside),
            escaped(&labels.join("\n")),
            escaped(&said)
        )
    }

    /// `2 × → 1 not in firefox`
    fn remark(&self) -> Option<String> {
        let times = match self.edges.len() {
            1 => String::new(),
            many => format!("{many} × "),
        };
        self.marks.said().map(|said| format!("{times}→ {} {said}", self.to))
    }
}

impl Marks {
    fn class(&self) -> &'static str {
        match (self.missing_in.is_empty(), self.only_in.is_empty()) {
            (false, _) => "missing",
            (true, false) => "only",
            (true, true) => "",
        }
    }

    fn said(&self) -> Option<String> {
        match self.class() {
            "missing" => Some(format!("not in {}", self.missing_in.join(", "))),
            "only" => Some(format!("only in {}", self.only_in.join(", "))),
            _ => None,
        }
    }
}

fn node(state: &State, marks: &Marks, (x, y): (usize, usize)) -> String {
    let name = shown_name(state);
    let short: String = name.chars().take(22).collect();
    let picture = state.picture.as_deref().map(|picture| {
        format!(
            "<image href=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{PICTURE}\" preserveAspectRatio=\"xMidYMin slice\"/>",
            escaped(picture)
        )
    });
    let said = marks.said().map(|said| {
        format!(
            "<text class=remark x=\"{x}\" y=\"{}\">{}</text>",
            y + PICTURE + 28,
            escaped(&said)
        )
    });
    format!(
        "<a href=\"#s{id}\"><g class=\"state {}\" data-id=\"{id}\"><title>{url}</title>{}\
         <rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{PICTURE}\"/><text x=\"{x}\" y=\"{}\">{id} {}</text>{}</g></a>\n",
        marks.class(),
        picture.unwrap_or_default(),
        y + PICTURE + 14,
        escaped(&short),
        said.unwrap_or_default(),
        id = state.id,
        url = escaped(&state.url),
    )
}

/// What is to be said of the lines that leave a state, below where they begin.
fn remarks<'a>(lines: impl Iterator<Item = &'a Line<'a>>, (x, y): (usize, usize)) -> String {
    let mut all: Vec<(&str, String)> = lines
        .filter_map(|line| Some((line.marks.class(), line.remark()?)))
        .collect();
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS + 1;
        all.truncate(MOST_REMARKS - 1);
        all.push(("", format!("and {more} more")));
    }
    let rows = all.iter().enumerate().map(|(row, (class, said))| {
        format!(
            "<text class=\"remark {class}\" x=\"{}\" y=\"{}\">{}</text>\n",
            x + WIDTH + 4,
            y + PICTURE / 2 + 24 + 12 * row,
            escaped(said)
        )
    });
    rows.collect()
}

fn shown_name(state: &State) -> &str {
    match state.title.as_str() {
        "" => &state.url,
        title => title,
    }
}

fn details(state: &State, marked: &Marked) -> String {
    let model = &marked.model;
    let said = |marks: &Marks| {
        let said = marks.said();
        said.map_or(String::new(), |said| {
            format!(" <b class={}>{}</b>", marks.class(), escaped(&said))
        })
    };
    let edges = model.edges.iter().zip(&marked.edges);
    let lines = edges.filter(|(edge, _)| edge.from == state.id).map(|(edge, marks)| {
        let to = match edge.to {
            Some(to) if to == state.id => "stays here".to_owned(),
            Some(to) => format!("<a href=\"#s{to}\">state {to}</a>"),
            None => "leads to no state".to_owned(),
        };
        let notes = match edge.notes.is_empty() {
            true => String::new(),
            false => format!(" <small>{}</small>", escaped(&edge.notes.join("; "))),
        };
        let trace = model.traces.get(edge.trace).map_or("", |path| &path.trace);
        format!(
            "<li><span title=\"{}\">{}</span> → {to}{}{notes} <small class=trace>{}</small>",
            escaped(&edge.label.locator),
            escaped(&edge.label.to_string()),
            said(marks),
            escaped(trace)
        )
    });
    let status = state
        .status
        .map_or(String::new(), |status| format!(" · answered {status}"));
    let marks = &marked.states[state.id];
    // What differs is not to be looked for.
    let edges = model.edges.iter().zip(&marked.edges);
    let differs = edges
        .clone()
        .any(|(edge, marks)| edge.from == state.id && marks.said().is_some());
    format!(
        "<details id=s{id}{}><summary>{id} {}{} <small>{}{status} · {} of {} tried</small></summary><ul>{}</ul></details>\n",
        if differs { " open" } else { "" },
        escaped(shown_name(state)),
        said(marks),
        escaped(&state.url),
        state.tried,
        state.actions,
        lines.collect::<String>(),
        id = state.id,
    )
}

const STYLE: &str = "<style>
.graph { --line: #8a94a3; --sheet: #f7f8fa; --word: #1c2430 } .graph, .states, .legend { --missing: #c62828; --only: #0b62c4 }
@media (prefers-color-scheme: dark) { .graph { --line: #77828f; --sheet: #1b2027; --word: #e3e8ee } .graph, .states, .legend { --missing: #ff8a80; --only: #7db4ff } }
.graph { overflow: auto; max-height: 80vh; margin: 16px 0; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet) }
.graph svg { display: block; max-width: none } .graph text { font: 11px system-ui, sans-serif; fill: var(--word) }
.graph rect { fill: transparent; stroke: var(--line) }
.edge { fill: none; stroke: var(--line); stroke-opacity: .45; stroke-width: 1.2 } .unsure { stroke-dasharray: 1 3 } marker path { fill: var(--line) }
.edge.missing { stroke: var(--missing); stroke-opacity: 1; stroke-width: 1.8; stroke-dasharray: 7 4 } marker.missing path { fill: var(--missing) }
.edge.only { stroke: var(--only); stroke-opacity: 1; stroke-width: 1.8 } marker.only path { fill: var(--only) }
.graph .missing rect { stroke: var(--missing); stroke-width: 2; stroke-dasharray: 7 4 } .graph .only rect { stroke: var(--only); stroke-width: 2 }
.graph text.remark { font-weight: 600; paint-order: stroke; stroke: var(--sheet); stroke-width: 3px }
.graph .missing .remark, .graph .missing.remark { fill: var(--missing) } .graph .only .remark, .graph .only.remark { fill: var(--only) }
.focus .edge { stroke-opacity: .06 } .focus .edge.out, .focus .edge.in { stroke-opacity: 1; stroke-width: 2.4 }
.legend span, .states b { font-weight: 600 } .legend .missing, .states .missing { color: var(--missing) } .legend .only, .states .only { color: var(--only) }
.states details { border-top: 1px solid #8884; padding: 4px 0 } .states summary { cursor: pointer; overflow-wrap: anywhere } .states small { opacity: .75; overflow-wrap: anywhere }
</style>";

/// Pointing at a state shows its own lines; opening a link to a state opens it in the list.
const SCRIPT: &str = "<script>
const svg = document.querySelector('.graph svg');
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
        let node = node(&state, &Marks::default(), (0, 0));
        // `height=84/>` would be a height of `84/`, and the element would stay open.
        let bare = node
            .match_indices("/>")
            .find(|(at, _)| !node[..*at].ends_with(['"', ' ']));
        assert_eq!(bare, None, "{node}");
        assert!(node.contains("http://a.test/&lt;x&gt;"));
    }
}
