//! What pictures show, where page data are the same.

use crate::replay::Screenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use image::{Rgba, RgbaImage};
use xcheck_trace::hash::Sha256;

/// A filled rectangle: x, y, width, height, grey or colour.
pub(super) type Patch = (u32, u32, u32, u32, [u8; 3]);

/// A white picture with rectangles on it, one over the other.
pub(super) struct Painted(pub(super) Vec<Patch>);

impl Screenshots for Painted {
    fn open(&self, _: &str) -> Result<RgbaImage, String> {
        let mut image = RgbaImage::from_pixel(400, 300, Rgba([255; 4]));
        for &(left, top, width, height, [r, g, b]) in &self.0 {
            for y in top..top + height {
                for x in left..left + width {
                    image.put_pixel(x, y, Rgba([r, g, b, 255]));
                }
            }
        }
        Ok(image)
    }
}

#[track_caller]
pub(super) fn check(page: &str, reference: &[Patch], other: &[Patch], expected: &[&str]) {
    compare_pictures([page, page], [reference, other], expected);
}

#[track_caller]
pub(super) fn compare_pictures(pages: [&str; 2], patches: [&[Patch]; 2], expected: &[&str]) {
    let events = [event(1, "load")];
    let [seen_a, seen_b] = pages.map(|page| {
        let page = format!("html 0 0 400 300\n  body 0 0 400 300\n{page}");
        let mut seen = shown(1, document(&page));
        seen.checkpoint.screenshot_sha256 = Some(Sha256::of(b"picture"));
        vec![seen]
    });
    let pictures = patches.map(|patches| Painted(patches.to_vec()));
    let (result, _) = compare(
        replay("chromium", &events, seen_a, &pictures[0]),
        replay("firefox", &events, seen_b, &pictures[1]),
        &Mask::default(),
        &Options::default(),
    );
    assert_eq!(lines(&result.xbis), expected, "{:#?}", result.xbis);
}

pub(super) const BLACK: [u8; 3] = [0; 3];
pub(super) const BLUE: [u8; 3] = [30, 110, 250];

pub(super) fn ring(colour: [u8; 3]) -> Vec<Patch> {
    vec![(20, 20, 200, 60, colour), (22, 22, 196, 56, [255; 3])]
}

#[test]
fn what_lies_over_a_part_of_a_picture_is_not_the_pictures() {
    let page =
        "    img#tile 0 0 200 200\n    div#note 80 100 120 100 {display: block}\n      \"words\" 84 104 110 90\n";
    // Words, smoothed otherwise and a little elsewhere.
    let tile = |part: [u8; 3], at: u32| {
        let mut patches = vec![(0, 0, 200, 200, BLUE), (10, 10, 60, 60, part)];
        let letter = |number: u32| (84 + at + 8 * (number % 12), 106 + at + 18 * (number / 12), 4, 10, BLACK);
        patches.extend((0..60).map(letter));
        patches
    };
    check(page, &tile(BLACK, 0), &tile(BLACK, 3), &[]);
    let differs = ["Visual #tile: shows something else"];
    check(page, &tile(BLACK, 0), &tile([250, 220, 0], 3), &differs);
}

#[test]
fn what_is_behind_a_box_that_has_but_a_shadow_is_not_its_own() {
    let page = |of: &str| {
        format!(
            "    button#tour 40 40 60 30\n    div#around 36 36 68 38 {{display: block; {of}}}\n    div#over 40 40 60 30 {{display: block}}\n"
        )
    };
    let patches = |of_engine: [u8; 3]| vec![(40, 40, 60, 30, of_engine)];
    let (grey, light) = (patches([200, 200, 200]), patches([249, 249, 249]));
    let shadow = "box-shadow: rgb(0, 0, 0) 0px 0px 1px 2px";
    check(&page(shadow), &grey, &light, &[]);
    let differs = ["Visual #around: has another background"];
    check(&page("background-color: rgb(1, 2, 3)"), &grey, &light, &differs);
}

#[test]
fn a_bar_between_two_pixels_is_painted_on_either() {
    let page =
        "    div#grip 20 20 60 60\n      div#bar 20 40.5 40 3 {display: block; background-color: rgb(0, 0, 0)}\n";
    check(page, &[(20, 40, 40, 3, BLACK)], &[(20, 41, 40, 3, BLACK)], &[]);
    let differs = ["Visual #bar: has another background"];
    check(page, &[(20, 40, 40, 3, BLACK)], &[(20, 41, 40, 3, BLUE)], &differs);
}

#[test]
fn an_icon_that_a_rule_draws_may_stand_a_pixel_lower() {
    let page = "    div#menu 20 20 30 34 {display: flex; background-color: rgb(255, 255, 255)}\n";
    let bars =
        |down: u32, far: u32| -> Vec<Patch> { (0..4).map(|at| (22, 24 + down + far * at, 26, 3, BLUE)).collect() };
    check(page, &bars(0, 6), &bars(1, 6), &[]);
    let differs = ["Visual #menu: shows something else"];
    check(page, &bars(0, 6), &bars(0, 8), &differs);
}

#[test]
fn a_border_that_cells_share_is_in_the_box_of_either() {
    let page = |collapse: &str| {
        format!(
            "    table 20 20 200 60 {{display: table}}\n      td#cell 20 20 60 24 {{display: table-cell{collapse}}}\n"
        )
    };
    let line = [(20, 20, 60, 1, BLACK), (20, 20, 1, 24, BLACK)];
    check(&page("; border-collapse: collapse"), &line, &[], &[]);
}

/// Strokes as of letters: how many, and how high.
pub(super) fn letters(count: u32, high: u32) -> Vec<Patch> {
    (0..count).map(|at| (40 + 6 * at, 40, 3, high, BLACK)).collect()
}

#[test]
fn letters_that_nobody_can_read_are_not_judged_by_how_they_are_smoothed() {
    let page =
        |high: u32| format!("    p#small 40 40 60 {high} {{display: block}}\n      \"iiiiiiiiii\" 40 40 60 {high}\n");
    check(&page(5), &letters(10, 5), &letters(1, 5), &[]);
    check(
        &page(14),
        &letters(10, 14),
        &letters(1, 14),
        &["Visual #small: has another weight of ink"],
    );
}

#[test]
fn words_beside_an_icon_are_looked_at() {
    let page = "    p#item 20 30 200 24 {display: flex}\n      i 20 34 16 16 {display: block; background-color: rgb(0, 0, 0)}\n      \
                \"iiiiiiiiii\" 40 40 60 14\n";
    let mut marked = vec![(40, 40, 60, 14, [195, 217, 247])];
    marked.extend(letters(10, 14));
    check(
        page,
        &letters(10, 14),
        &marked,
        &["Visual #item: has another background"],
    );
}

#[test]
fn what_lies_over_a_part_of_a_box_is_not_drawn_beside_its_words() {
    let page = |tag: &str| {
        format!(
            "    div#under 20 30 300 40 {{display: block}}\n      \"iiiiiiiiii\" 40 40 60 14\n    \
             div 20 10 300 100 {{display: block; position: absolute}}\n      {tag}\n"
        )
    };
    let (words, mut tagged) = (letters(9, 14), letters(10, 14));
    tagged.push((180, 42, 40, 12, BLUE));
    let tag = "span 180 42 40 12 {display: inline-block; background-color: rgb(30, 110, 250)}";
    check(
        &page(tag),
        &tagged,
        &words,
        &["Visual html > body > div:nth-of-type(2) > span: has another background"],
    );
    check(
        &page(""),
        &tagged,
        &words,
        &["Visual #under: lacks something drawn beside its words"],
    );
}

#[test]
fn what_is_seen_through_a_pane_of_glass_is_the_panes() {
    let page = |pane: &str| {
        format!(
            "    p#item 40 40 60 14 {{display: block}}\n      \"iiiiiiiiii\" 40 40 60 14\n    \
             div#pane 0 30 400 40 {{display: block; position: sticky; background-color: rgba(255, 255, 255, 0.6){pane}}}\n"
        )
    };
    let blurred = [(36, 36, 70, 22, [225; 3])];
    check(&page("; backdrop-filter: blur(10px)"), &blurred, &letters(10, 14), &[]);
    let differs = [
        "Visual #pane: has another weight of ink",
        "Visual #item: has another background",
    ];
    check(&page(""), &blurred, &letters(10, 14), &differs);
}

#[test]
fn a_first_letter_that_is_no_part_of_the_text_is_not_drawn_beside_it() {
    let page = |from: u32| {
        format!(
            "    h1#title 40 30 300 34 {{display: block}}\n      \"iiiiiiiiii\" {} 40 {} 14\n",
            40 + from,
            60 - from
        )
    };
    compare_pictures([&page(0), &page(8)], [&letters(10, 14), &letters(10, 14)], &[]);
    let mut marked = letters(10, 14);
    marked.push((200, 40, 20, 14, BLACK));
    let differs = ["Visual #title: has something drawn beside its words"];
    compare_pictures([&page(0), &page(8)], [&letters(10, 14), &marked], &differs);
}

#[test]
fn which_of_two_halves_is_the_larger_is_chance_and_another_half_is_not() {
    const SAND: [u8; 3] = [233, 228, 218];
    const MEADOW: [u8; 3] = [216, 232, 200];
    let page = "    div#scale 20 20 80 40 {display: block; border-bottom-width: 2px; border-bottom-style: solid}\n      \"2 km\" 40 22 30 36\n";
    let halves = |upper: u32, above: [u8; 3], below: [u8; 3]| -> Vec<Patch> {
        vec![
            (20, 20, 80, upper, above),
            (20, 20 + upper, 80, 40 - upper, below),
            (40, 30, 30, 2, BLACK),
        ]
    };
    let check = |other: Vec<Patch>, expected: &[&str]| check(page, &halves(21, MEADOW, SAND), &other, expected);
    check(halves(19, MEADOW, SAND), &[]);
    check(halves(21, MEADOW, BLUE), &["Visual #scale: has another background"]);
}

/// The pointer of a calendar that opens over the field's lower edge.
#[test]
fn the_ring_of_a_field_is_no_look_of_a_picture_over_its_edge() {
    let page = |outline: &str| {
        format!(
            "    input 20 20 200 30 {{display: inline-block; border-top-width: 1px{outline}}}\n    svg#pointer 60 44 24 40 z=2 \
             {{display: block}} [aria-hidden=true]\n"
        )
    };
    let seen = |ring: [u8; 3]| vec![(18, 49, 204, 4, ring), (64, 60, 16, 24, BLACK)];
    check(&page("; outline-style: auto"), &seen(BLACK), &seen(BLUE), &[]);
    let differs = [
        "Visual html > body > input: has another colour",
        "Visual #pointer: shows something else",
    ];
    check(&page(""), &seen(BLACK), &seen(BLUE), &differs);
}

#[test]
fn the_ring_of_an_editor_is_no_marker_of_its_lists() {
    let page = |outline: &str| {
        format!(
            "    div 20 20 300 40 {{display: block{outline}}}\n      ul 20 20 300 40 {{display: block}}\n        \
             li#one 60 40 260 20 {{display: list-item; list-style-type: disc}}\n          \"Walk\" 62 42 40 16\n"
        )
    };
    let item = [(62, 42, 40, 16, [40; 3]), (48, 46, 6, 6, [40; 3])];
    let ring = [(19, 58, 302, 3, BLACK)];
    let ringed: Vec<Patch> = item.iter().chain(&ring).copied().collect();
    check(&page("; outline-style: auto"), &ringed, &item, &[]);
    check(&page(""), &ringed, &item, &["Visual #one: has another marker"]);
}

#[test]
fn the_ring_of_a_dialog_is_no_look_of_the_picture_that_fills_it() {
    let page = |outline: &str| {
        format!(
            "    dialog 20 20 200 100 {{display: block{outline}}}\n      div#picture 20 20 200 80 {{display: block; background-color: rgb(48, 184, 76)}}\n"
        )
    };
    let green = vec![(20, 20, 200, 80, [48, 184, 76])];
    let ringed = vec![(20, 20, 200, 80, BLACK), (21, 21, 198, 79, [48, 184, 76])];
    let told = ["Visual #picture: has another weight of ink"];
    check(&page("; outline-style: auto"), &ringed, &green, &[]);
    check(&page(""), &ringed, &green, &told);
}

#[test]
fn generated_words_that_nobody_can_read_are_smoothed_as_each_engine_likes() {
    let page = |size: u32| format!("    div#number 40 40 {size} {size} {{display: block; ::before content: \"5\"}}\n");
    let number = |size: u32, grey: u8| vec![(40 + size / 4, 40 + size / 4, size / 2, size / 2, [grey; 3])];
    check(&page(6), &number(6, 0), &number(6, 250), &[]);
    let differs = ["Visual #number: has another weight of ink"];
    check(&page(24), &number(24, 0), &number(24, 250), &differs);
}

#[test]
fn a_dialog_that_reaches_a_little_lower_over_a_cell_in_one_browser_is_no_look_of_the_cell() {
    let page = |bottom: u32, shadow: &str| {
        format!(
            "    div#cell 20 60 200 60 {{display: block; border-top-width: 1px}}\n    \
             dialog#sure 0 0 300 {bottom} {{display: block; z-index: 3{shadow}}} [style=]\n"
        )
    };
    let shown = |bottom: u32| vec![(20, 60, 200, 60, BLUE), (0, 0, 300, bottom, BLACK)];
    let compared = |shadow: &str, expected: &[&str]| {
        let pages = [page(58, shadow), page(61, shadow)];
        compare_pictures([&pages[0], &pages[1]], [&shown(58), &shown(64)], expected);
    };
    compared("; box-shadow: 0 1px 3px black", &[]);
}

#[test]
fn what_stands_before_an_item_is_no_marker_where_nothing_asks_for_one() {
    let page = |style: &str| {
        format!(
            "    ol 20 20 300 20 {{display: block}}\n      li#one 60 20 260 20 {{display: list-item{style}}}\n        \"Walk\" 62 22 40 16\n"
        )
    };
    let words = (62, 22, 40, 16, [40; 3]);
    let stroke = (40, 20, 2, 20, [40; 3]);
    check(&page("; list-style-type: none"), &[words, stroke], &[words], &[]);
    check(&page(""), &[words, stroke], &[words], &["Visual #one: has no marker"]);
    let asked = "@ li::marker { content: '|' }\n".to_owned() + &page("; list-style-type: none");
    check(&asked, &[words, stroke], &[words], &["Visual #one: has no marker"]);
}

#[test]
fn an_item_with_fewer_before_it_has_another_number() {
    let item = |id: &str, y: u32| {
        format!(
            "      li#{id} 60 {y} 260 20 {{display: list-item; list-style-type: decimal}}\n        \"{id}\" 62 {y} 40 16\n"
        )
    };
    let list = "    ol 20 20 300 60 {display: block}\n";
    let page = |before: &str, y: u32| format!("{list}{before}{}", item("ten", y));
    let number = |y: u32, width: u32| (50 - width, y + 4, width, 10, BLACK);
    let wide = [number(20, 20), number(40, 20)];
    let whole = page(&item("nine", 20), 40);
    compare_pictures(
        [&whole, &whole],
        [&wide, &[number(20, 20), number(40, 12)]],
        &["Visual #ten: has another marker"],
    );
    compare_pictures(
        [&whole, &page("", 20)],
        [&wide, &[number(20, 12)]],
        &["Behaviour #nine: is not in the page"],
    );
}

#[test]
fn a_hint_that_stands_elsewhere_in_a_field_is_seen_where_the_page_dresses_it() {
    let field = "    input#room 20 20 300 30 {display: inline-block} [placeholder=Number]\n";
    let dressed = format!("{field}@ input::placeholder {{ color: brown }}\n");
    let hint = |at: u32| [(at, 28, 70, 10, BLACK)];
    check(&dressed, &hint(30), &hint(38), &[]);
    let differs = ["Visual #room: shows its hint elsewhere"];
    check(&dressed, &hint(30), &hint(180), &differs);
    check(field, &hint(30), &hint(180), &[]);
    let lined = |colour: [u8; 3]| [(24, 24, 1, 22, [200; 3]), (80, 28, 70, 10, colour)];
    check(&dressed, &lined(BLACK), &lined([150; 3]), &[]);
}

#[test]
fn a_pixel_that_a_box_covers_in_part_is_painted_as_each_engine_likes() {
    let page = "    i#bar 20 100.2 16 59.8 {display: block; background-color: rgb(30, 110, 250)}\n";
    let whole = (20, 101, 16, 59, BLUE);
    let part = (20, 100, 16, 1, [75, 139, 251]);
    check(page, &[whole, part], &[whole, (20, 100, 16, 1, BLUE)], &[]);
    let mark = (24, 120, 8, 8, BLACK);
    check(
        page,
        &[whole, part, mark],
        &[whole, (20, 100, 16, 1, BLUE)],
        &["Visual #bar: has another weight of ink"],
    );
}

/// The border around a gradient, in one browser within its box's pixels.
#[test]
fn a_line_at_the_edge_of_a_gradient_does_not_make_all_of_it_light() {
    let page =
        "    div#art 20 20 160 60 {display: block; background-image: linear-gradient(rgb(0, 0, 0), rgb(1, 1, 1))}\n";
    let shades = |first: u8, edge: [u8; 3]| -> Vec<Patch> {
        let shade = |step: u8| [first + 4 * step, 180, first + 2 * step];
        let mut seen: Vec<Patch> = (0..16)
            .map(|step| (20 + 10 * u32::from(step), 20, 10, 60, shade(step)))
            .collect();
        seen.push((179, 20, 1, 60, edge));
        seen
    };
    let other = |first: u8| shades(first, [40, 100, 60]);
    let check = |other: &[Patch], expected: &[&str]| check(page, &shades(100, [160, 180, 130]), other, expected);
    check(&other(100), &[]);
    check(&other(10), &["Visual #art: has another colour"]);
}
