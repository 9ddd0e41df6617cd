//! Where an element is, once it is there and stands still.

use super::{PATIENCE, PULSE};
use crate::session::{At, Spot};
use anyhow::{Result, bail};
use tokio::time::Instant;
use xcheck_agent::Browser;

/// A point in the top-level viewport that belongs to the element, the same at two looks one after the other.
pub(super) async fn steady_point(browser: &mut dyn Browser, spot: &Spot) -> Result<(f64, f64)> {
    let expression = expression(spot)?;
    let deadline = Instant::now() + PATIENCE;
    let mut before = None;
    let mut last = String::from("no answer");
    while Instant::now() < deadline {
        match browser.evaluate(&expression).await {
            Ok(found) => match (found["x"].as_f64(), found["y"].as_f64()) {
                (Some(x), Some(y)) if before == Some((x, y)) => return Ok((x, y)),
                (Some(x), Some(y)) => {
                    before = Some((x, y));
                    last = "it moves".into();
                }
                _ => last = found["problem"].to_string(),
            },
            Err(error) => last = error.to_string(),
        }
        tokio::time::sleep(PULSE).await;
    }
    bail!(
        "`{}` cannot be pointed at within {} s: {last}",
        spot.selector,
        PATIENCE.as_secs()
    )
}

/// Gives `{x, y}`, or a `problem` as long as nobody could point at it.
pub fn expression(spot: &Spot) -> Result<String> {
    let selector = serde_json::to_string(spot.selector)?;
    Ok(format!("({LOCATE})({selector}, {})", offset(spot.at)))
}

fn offset(at: At) -> String {
    match at {
        At::Centre => "null".into(),
        At::Corner(x, y) => format!("{{corner: [{x}, {y}]}}"),
        At::Off(x, y) => format!("{{off: [{x}, {y}]}}"),
    }
}

/// Runs in the page. Touches nothing that a page could notice but the scroll position, and that only where it must.
const LOCATE: &str = r#"(selector, offset) => {
  let scope = document, x = 0, y = 0, element = null;
  for (const part of selector.split(' >> ')) {
    if (element) {
      if (element.contentDocument) {
        const box = element.getBoundingClientRect();
        x += box.left + element.clientLeft;
        y += box.top + element.clientTop;
        scope = element.contentDocument;
      } else if (element.shadowRoot) scope = element.shadowRoot;
      else return {problem: 'nothing to step into before ' + part};
    }
    element = scope.querySelector(part);
    if (!element) return {problem: 'there is no ' + part};
  }
  const view = element.ownerDocument.defaultView;
  const place = () => {
    const box = element.getBoundingClientRect();
    if (offset && offset.corner) return [box.left + offset.corner[0], box.top + offset.corner[1], box];
    const [dx, dy] = offset ? offset.off : [0, 0];
    return [box.left + box.width / 2 + dx, box.top + box.height / 2 + dy, box];
  };
  let [left, top, box] = place();
  // A level line of a drawing has no height, and is there to be pointed at.
  if (!box.width && !box.height) return {problem: 'it has no size'};
  const isOutside = (pane) => left < pane.left || top < pane.top || left >= pane.right || top >= pane.bottom;
  const isOutOfItsPane = () => {
    for (let pane = element.parentElement; pane && pane !== pane.ownerDocument.body; pane = pane.parentElement) {
      const {overflowX, overflowY} = view.getComputedStyle(pane);
      if (/auto|scroll/.test(overflowX + overflowY) && isOutside(pane.getBoundingClientRect())) return true;
    }
    return false;
  };
  if (isOutside({left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight}) || isOutOfItsPane()) {
    element.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
    [left, top] = place();
  }
  let hit = element.ownerDocument.elementFromPoint(left, top);
  while (hit && hit.shadowRoot && hit !== element) {
    const inner = hit.shadowRoot.elementFromPoint(left, top);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  let owner = hit;
  while (owner && owner !== element) owner = owner.parentNode || owner.host;
  const labelled = hit && Array.from(element.labels || []).some((label) => label.contains(hit));
  // A point beside the element is meant to be beside it.
  if (!owner && !labelled && !(offset && offset.off))
    return {problem: 'it is covered by ' + (hit ? hit.outerHTML.slice(0, 120) : 'nothing, or outside the viewport')};
  // A mouse points at whole pixels.
  return {x: Math.round(x + left), y: Math.round(y + top)};
}"#;
