//! What a page has come to, in a form in which two runs can be compared: its text and the shape of its DOM.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use xcheck_agent::Browser;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PageState {
    pub url: String,
    /// One line for each piece of text, white space collapsed.
    pub text: Vec<String>,
    /// One line for each element, open shadow roots and same-origin frames included, indented by its depth.
    pub shape: Vec<String>,
    /// What fields hold.
    pub values: Vec<String>,
}

impl PageState {
    pub async fn of(browser: &mut dyn Browser) -> Result<PageState> {
        let told = browser.evaluate(&format!("({COLLECT})()")).await?;
        serde_json::from_value(told).context("reading the page's state")
    }

    /// Fails with the first lines in which the two differ.
    pub fn must_equal(&self, other: &PageState) -> Result<()> {
        same(
            "address",
            std::slice::from_ref(&self.url),
            std::slice::from_ref(&other.url),
        )?;
        same("shape", &self.shape, &other.shape)?;
        same("text", &self.text, &other.text)?;
        same("value", &self.values, &other.values)
    }

    /// With all lines sorted: for pages that put themselves together in the order in which things come.
    pub fn sorted(mut self) -> PageState {
        self.text.sort();
        self.shape.sort();
        self.values.sort();
        self
    }
}

/// Lines around the first difference that are shown.
const SHOWN: usize = 4;

fn same(what: &str, left: &[String], right: &[String]) -> Result<()> {
    if left == right {
        return Ok(());
    }
    let first = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let excerpt = |lines: &[String]| {
        let from = first.saturating_sub(SHOWN).min(lines.len());
        lines[from..lines.len().min(first + SHOWN)].join("\n    ")
    };
    bail!(
        "the {what} differs from line {} on ({} and {} lines):\n  one:\n    {}\n  other:\n    {}",
        first + 1,
        left.len(),
        right.len(),
        excerpt(left),
        excerpt(right)
    )
}

/// Leaves out the recorder's own script element: it is the one thing that may differ.
const COLLECT: &str = r#"() => {
  // The port is another each time.
  const stable = (text) => text.replaceAll(location.host, 'HOST');
  const state = {url: location.pathname + location.search + location.hash, text: [], shape: [], values: []};
  const walk = (node, depth) => {
    if (node.nodeType === 3) {
      const text = node.data.replace(/\s+/g, ' ').trim();
      if (text) state.text.push(stable(text));
      return;
    }
    if (node.nodeType !== 1) return;
    const name = node.localName;
    if (name === 'script' && (node.getAttribute('src') || '').includes('/__xcheck/')) return;
    state.shape.push(' '.repeat(depth) + name);
    if (name === 'script' || name === 'style' || name === 'template') return;
    // Hidden fields carry tokens that are new each time.
    if (/^(input|textarea|select)$/.test(name) && node.type !== 'hidden')
      state.values.push(`${name} ${stable(node.value)} ${node.checked === true}`);
    if (node.shadowRoot) {
      state.shape.push(' '.repeat(depth + 1) + '#shadow');
      for (const child of node.shadowRoot.childNodes) walk(child, depth + 2);
    }
    for (const child of node.childNodes) walk(child, depth + 1);
    const inner = name === 'iframe' && node.contentDocument;
    if (inner && inner.documentElement) walk(inner.documentElement, depth + 1);
  };
  walk(document.documentElement, 0);
  return state;
}"#;

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn a_difference_is_shown_with_the_lines_around_it() {
        let lines = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert!(same("text", &lines("a b"), &lines("a b")).is_ok());
        let told = same("text", &lines("a b c"), &lines("a x")).unwrap_err().to_string();
        assert!(
            told.contains("the text differs from line 2 on (3 and 2 lines)"),
            "{told}"
        );
        let shorter = same("text", &lines("a b c"), &lines("a b")).unwrap_err().to_string();
        assert!(shorter.contains("line 3"), "{shorter}");
    }
}
