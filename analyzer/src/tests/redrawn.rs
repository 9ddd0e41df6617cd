//! What pictures show that change while page data stay the same.

use super::painted::{Painted, Patch};
use crate::replay::Screenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use image::RgbaImage;
use xcheck_trace::hash::Sha256;

/// What is painted once the page was clicked, over what was there before.
struct Repainted(Patch);

impl Screenshots for Repainted {
    fn open(&self, sha256: &str) -> Result<RgbaImage, String> {
        let is_later = sha256 == &*Sha256::of(b"later");
        Painted(is_later.then_some(self.0).into_iter().collect()).open(sha256)
    }
}

#[test]
fn a_drawing_that_is_drawn_on_is_looked_at_though_no_node_has_changed() {
    let page = "html 0 0 400 300\n  body 0 0 400 300\n    canvas#film 20 20 200 160 {display: inline-block}";
    let events = [event(1, "load"), event(2, "click on #grey")];
    let seen = || {
        let mut same = document(page);
        (same.whole, same.nodes) = (false, Vec::new());
        let pictured = |number, data, picture: &[u8]| {
            let mut seen = shown(number, data);
            seen.checkpoint.screenshot_sha256 = Some(Sha256::of(picture));
            seen
        };
        vec![pictured(1, document(page), b"first"), pictured(2, same, b"later")]
    };
    let (grey, coloured) = (
        Repainted((20, 20, 200, 160, [90; 3])),
        Repainted((20, 20, 200, 160, [30, 110, 250])),
    );
    let (result, _) = compare(
        replay("chromium", &events, seen(), &grey),
        replay("webkit", &events, seen(), &coloured),
        &Mask::default(),
        &Options::default(),
    );
    let found = lines(&result.xbis);
    assert_eq!(found.len(), 1, "{:#?}", result.xbis);
    assert!(found[0].contains("#film"), "{found:?}");
    assert_eq!(result.xbis[0].event.label, "click on #grey");
}
