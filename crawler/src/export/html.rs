//! A crawl as one page: its state graph, what was done in each state, and what was not done and why.

use super::{escaped, graph};
use crate::marked::Marked;
use crate::model::Model;

pub fn html(model: &Model) -> String {
    page(&Marked::plain(model.clone()), &[])
}

/// With what crawls in other browsers have otherwise, in words, too.
pub fn compared_html(marked: &Marked, differences: &[String]) -> String {
    page(marked, differences)
}

fn page(marked: &Marked, differences: &[String]) -> String {
    let model = &marked.model;
    let skipped = model.skipped.iter().map(|skipped| {
        format!(
            "<tr><td>{}<td>{}<td>{}</tr>",
            escaped(&skipped.reason),
            escaped(&skipped.what),
            skipped.times
        )
    });
    let of_reference = marked.states.iter().filter(|marks| marks.only_in.is_empty()).count();
    let differences = match differences {
        [] => String::new(),
        all => {
            let lines = all.iter().map(|difference| format!("<li>{}", escaped(difference)));
            format!("<h2>Differences</h2><ul>{}</ul>", lines.collect::<String>())
        }
    };
    let dead = model.edges.iter().filter(|edge| edge.to.is_none()).count();
    format!(
        "{HEAD}<title>Crawl of {url}</title><h1>Crawl of {url}</h1>
<p>{states} states, {edges} transitions ({dead} lead out of the application or nowhere), {traces} traces, in {browser}, seed {seed}.
Ended: {ended}.</p>
{differences}<h2>States</h2>{graph}<h2>Not done</h2><table><tr><th>Why<th>What<th>In states</tr>{skipped}</table>",
        url = escaped(model.start_url.as_deref().unwrap_or("no page")),
        states = of_reference,
        edges = marked.edges.iter().filter(|marks| marks.only_in.is_empty()).count(),
        traces = model.traces.len(),
        browser = escaped(&model.browser),
        seed = model.seed,
        ended = escaped(&model.ended),
        graph = graph(marked),
        skipped = skipped.collect::<String>(),
    )
}

const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; color: #1c2430; background: #fff }
h1 { font-size: 20px; overflow-wrap: anywhere } h2 { font-size: 16px; margin-top: 28px }
table { border-collapse: collapse } td, th { text-align: left; padding: 3px 14px 3px 0; border-bottom: 1px solid #8884; vertical-align: top; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { body { background: #14181d; color: #e3e8ee } a { color: #7db4ff } }
</style>";
