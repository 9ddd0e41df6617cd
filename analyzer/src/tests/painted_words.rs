//! Words of drawings and formulas, and what engines write around words.

use super::painted::{BLACK, Patch, check, compare_pictures, letters};

#[test]
fn a_line_through_a_number_of_a_formula_is_seen() {
    let page = |tag: &str| {
        format!(
            "    div#working 20 20 200 80 {{display: block}}
      {tag} 100 30 40 60 {{display: inline}}
        mn#two 105 40 26 40 {{display: inline}}
          \"2\" 105 40 26 40 lines=1
"
        )
    };
    let digit: [Patch; 3] = [
        (108, 44, 18, 4, BLACK),
        (122, 44, 4, 18, BLACK),
        (108, 62, 18, 4, BLACK),
    ];
    let struck: Vec<Patch> = digit
        .into_iter()
        .chain((0..8).map(|at| (106 + 3 * at, 76 - 4 * at, 3, 4, BLACK)))
        .collect();
    check(&page("menclose"), &digit, &digit, &[]);
    check(&page("menclose"), &digit, &struck, &["Visual #two: looks different"]);
    // Letters of other elements may be as different.
    check(&page("mrow"), &digit, &struck, &[]);
}

#[test]
fn marks_that_hang_and_marks_that_stand_are_not_the_same() {
    let page = "    p#proof 20 20 300 30 {display: block}
      q 30 24 140 20 {display: inline; ::before content: open-quote; ::after content: close-quote}
        \"a quotation\" 40 24 120 20 lines=1
";
    let words: Patch = (40, 28, 120, 10, BLACK);
    let marks = |y: u32, behind: u32| [words, (32, y, 6, 4, BLACK), (162, behind, 6, 4, BLACK)];
    let (english, french, german) = (marks(26, 26), marks(33, 33), marks(38, 26));
    let told: &[&str] = &["Text #proof > q: stands in other quotation marks"];
    check(page, &english, &english, &[]);
    check(page, &english, &french, told);
    check(page, &english, &german, told);
    // A pixel lower is how an engine sets them.
    check(page, &english, &marks(27, 27), &[]);
    // Where a rule says what stands there, it is no mark of the engine's.
    let own = page.replace("open-quote", "none").replace("close-quote", "none");
    check(&own, &english, &french, &[]);
}

#[test]
fn words_along_a_path_that_one_browser_does_not_draw_are_missing() {
    let page = |width: u32| {
        format!(
            "    svg#badge 20 20 300 200 {{display: block}}
      text#motto 100 60 {width} 30 {{display: block}}
        textPath 100 60 {width} 30 {{display: inline}}
          \"ROWERS\" 100 60 {width} 30
"
        )
    };
    let disc: Patch = (30, 100, 60, 60, [30, 60, 110]);
    let words: Patch = (104, 66, 100, 4, BLACK);
    let look = |width| if width == 0 { vec![disc] } else { vec![disc, words] };
    let check = |reference, other, expected| {
        compare_pictures(
            [&page(reference), &page(other)],
            [&look(reference), &look(other)],
            expected,
        );
    };
    check(120, 0, &["Text #motto: has its words not drawn"]);
    check(0, 120, &["Text #motto: has its words drawn, and should not"]);
    check(120, 124, &[]);
}

#[test]
fn the_ring_of_a_field_below_and_a_round_corner_are_nothing_beside_words() {
    let page = |below: u32, radius: u32| {
        format!(
            "    h1#title 40 30 300 34 {{display: block; border-top-left-radius: {radius}px}}
      \"iiiiiiiiii\" 100 40 60 14
    div#field 180 {below} 120 30 {{display: block; outline-style: auto}}
"
        )
    };
    let told = ["Visual #title: has something drawn beside its words"];
    let seen = |page: &str, mark: Patch, expected: &[&str]| {
        // No two engines draw the same strokes.
        let words = |count: u32| {
            let strokes = letters(count, 14).into_iter();
            strokes.map(|(x, y, wide, high, grey)| (x + 60, y, wide, high, grey))
        };
        let (here, there): (Vec<Patch>, Vec<Patch>) = (words(10).collect(), words(9).chain([mark]).collect());
        compare_pictures([page, page], [&here, &there], expected);
    };
    let ring = (178, 57, 124, 6, BLACK);
    seen(&page(62, 0), ring, &[]);
    seen(&page(162, 0), ring, &told);
    let corner = (43, 33, 3, 5, BLACK);
    seen(&page(162, 999), corner, &[]);
    seen(&page(162, 0), (43, 33, 20, 14, BLACK), &told);
}
