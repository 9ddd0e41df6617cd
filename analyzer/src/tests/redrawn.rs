//! What pictures show that change while page data stay the same.

use super::painted::{BLACK, BLUE, Painted, Patch};
use crate::replay::Screenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use image::RgbaImage;
use xcheck_trace::hash::Sha256;

/// What is painted before the page is clicked, and after.
struct Repainted([Vec<Patch>; 2]);

impl Screenshots for Repainted {
    fn open(&self, sha256: &str) -> Result<RgbaImage, String> {
        let is_later = sha256 == &*Sha256::of(b"later");
        Painted(self.0[usize::from(is_later)].clone()).open(sha256)
    }
}

/// A page that is clicked, by which those with a class `changed` become another node to look at. What is painted before, and
/// after in each browser. What is found, and how many nodes were looked at.
fn click(page: &str, before: &[Patch], after: [&[Patch]; 2]) -> (Vec<String>, u64) {
    let events = [event(1, "load"), event(2, "click")];
    let seen = || {
        let mut later = document(page);
        later.whole = false;
        later
            .nodes
            .retain(|node| node.attributes.iter().any(|(_, value)| value == "changed"));
        for node in &mut later.nodes {
            node.attributes.push(("data-on".to_owned(), String::new()));
        }
        let pictured = |number, data, picture: &[u8]| {
            let mut seen = shown(number, data);
            seen.checkpoint.screenshot_sha256 = Some(Sha256::of(picture));
            seen
        };
        vec![pictured(1, document(page), b"first"), pictured(2, later, b"later")]
    };
    let [a, b] = after.map(|after| Repainted([before.to_vec(), after.to_vec()]));
    let (result, timings) = compare(
        replay("chromium", &events, seen(), &a),
        replay("webkit", &events, seen(), &b),
        &Mask::default(),
        &Options::default(),
    );
    assert!(
        result.xbis.iter().all(|xbi| xbi.event.label == "click"),
        "{:#?}",
        result.xbis
    );
    (lines(&result.xbis), timings.checked_nodes)
}

#[test]
fn a_drawing_that_is_drawn_on_is_looked_at_though_no_node_has_changed() {
    let page = "html 0 0 400 300\n  body 0 0 400 300\n    canvas#film 20 20 200 160 {display: inline-block}";
    let painted = |colour| [(20, 20, 200, 160, colour)];
    let (found, _) = click(page, &[], [&painted([90; 3]), &painted(BLUE)]);
    assert_eq!(found, ["Visual #film: shows something else"]);
}

/// A class changes what a rule says of a drawing far below, in something that is not read of it.
#[test]
fn what_is_painted_otherwise_in_a_box_that_changed_is_looked_at() {
    let page = "html 0 0 400 300\n  body 0 0 400 300\n    main.changed 0 0 400 200 {display: block}\n      \
                svg#icon 20 20 96 96 {display: inline-block}\n        path#shape 30 30 60 60";
    let arrow = [(40, 30, 30, 60, BLACK)];
    let bars = [(32, 30, 20, 60, BLACK), (66, 30, 20, 60, BLACK)];
    let (found, _) = click(page, &arrow, [&bars, &arrow]);
    assert_eq!(found, ["Visual #icon: shows something else"]);
}

#[test]
fn a_bullet_that_is_painted_otherwise_is_looked_at_with_its_item() {
    let page = "html 0 0 400 300\n  body 0 0 400 300\n    ul.changed 0 0 400 200 {display: block; list-style-type: disc}\n      \
                li#first 60 20 300 24 {display: list-item; list-style-type: disc}\n        \"Reeds\" 60 22 60 20";
    let words = (60, 26, 50, 12, BLACK);
    let (bullet, long) = ((48, 28, 6, 6, BLACK), (20, 28, 34, 6, BLACK));
    let (found, _) = click(page, &[words, bullet], [&[words, long], &[words, bullet]]);
    assert_eq!(found, ["Visual #first: has another marker"]);
}

/// Engines draw their bullets in sizes of their own, and take letters from the same fonts.
#[test]
fn a_number_is_another_where_it_is_little_wider() {
    let check = |kind: &str, left: u32, expected: &[&str]| {
        let page = format!(
            "html 0 0 400 300\n  body 0 0 400 300\n    ol.changed {left} 0 350 200 {{display: block; list-style-type: {kind}}}\n      \
             li#first 60 20 300 24 {{display: list-item; list-style-type: {kind}}}\n        \"Reeds\" 60 22 60 20"
        );
        let words = (60, 26, 50, 12, BLACK);
        let (short, long) = ((46, 26, 8, 12, BLACK), (40, 26, 14, 12, BLACK));
        let (found, _) = click(&page, &[words, short], [&[words, long], &[words, short]]);
        assert_eq!(found, expected, "{kind}");
    };
    check("disc", 0, &[]);
    check("decimal", 0, &["Visual #first: has another marker"]);
    // The longer one goes on beyond the list, and how far is not known.
    check("decimal", 44, &[]);
}

#[test]
fn what_lies_below_something_that_changed_is_not_looked_at_for_it() {
    let page = "html 0 0 400 300\n  body 0 0 400 300\n    img#below 20 20 100 100\n    img#apart 200 20 100 100\n    \
                div.changed 0 0 180 200 {display: block; position: absolute}";
    let note = [(0, 0, 180, 200, BLUE)];
    let (found, looked_at) = click(page, &[], [&note, &note]);
    assert_eq!(found, [""; 0]);
    // Five at first; then the note, and the body that holds it.
    assert_eq!(looked_at, 5 + 2);
}
