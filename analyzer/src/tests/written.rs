//! Words as they are shown: in which letters, and how wide in a drawing.

use crate::testing::check;

#[test]
fn letters_that_one_browser_makes_of_others_are_what_is_read() {
    let page = |shown: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    b#bird 0 0 100 20 {{display: block; text-transform: capitalize}}\n      \
             \"ijsvogel\" 0 0 80 20{shown}\n"
        )
    };
    check(
        &page(" (shown-text=Ijsvogel)"),
        &page(" (shown-text=IJsvogel)"),
        &["Text #bird: has its text formatted differently"],
    );
    check(&page(" (shown-text=Ijsvogel)"), &page(" (shown-text=Ijsvogel)"), &[]);
}

#[test]
fn words_that_one_browser_breaks_with_hyphens_are_seen_however_many_lines_that_makes() {
    let page = |broken: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    p#sign 0 0 120 40 {{display: block; hyphens: auto}}\n      \
             \"uncomfortably poisonous\" 0 0 120 40 lines=2{broken}\n"
        )
    };
    let whole = page("");
    let broken = page(" (hyphenated-text=uncomfortably)");
    check(
        &whole,
        &broken,
        &["Structure #sign: has words that are broken with hyphens"],
    );
    check(
        &broken,
        &whole,
        &["Structure #sign: has no words that are broken with hyphens"],
    );
    check(&broken, &page(" (hyphenated-text=poisonous)"), &[]);
}

/// Boxes of the third name and of its words.
fn map(name: [f32; 2], words: f32) -> String {
    let [x, wide] = name;
    format!(
        "html 0 0 1280 720\n  body 0 0 1280 720\n    svg#map 0 0 900 200\n      text#names 0 140 700 20\n        \
         tspan#first 0 140 60 20\n          \"Harbour\" 0 140 60 20\n        tspan#second {x} 140 {wide} 20\n          \
         \"Observatory and Gardens\" 300 140 {words} 20\n"
    )
}

#[test]
fn words_that_one_browser_does_not_squeeze_into_their_place_are_wider() {
    let chromium = map([300.0, 127.0], 254.0);
    check(
        &chromium,
        &map([300.0, 254.0], 254.0),
        &["Visual #second: is set in another width"],
    );
}

#[test]
fn where_all_of_a_text_is_told_of_a_part_its_words_have_to_do() {
    // As WebKit tells it: the part's box is the text's.
    check(&map([300.0, 127.0], 254.0), &map([0.0, 700.0], 127.0), &[]);
}

#[test]
fn lengths_that_a_page_has_measured_follow_each_engines_fonts() {
    let page = |text: &str, measured: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    output#wide 0 0 200 20 {{display: block}}\n      \"{text}\" 0 0 80 20{measured}\n"
        )
    };
    let measured = " (measured-text=)";
    check(&page("312.4 px", measured), &page("314 px", measured), &[]);
    let differs = ["Text #wide: reads differently"];
    check(&page("312.4 px", measured), &page("412 px", measured), &differs);
    check(&page("3 rows", measured), &page("4 rows", measured), &differs);
    // Nothing was measured: it is a price, say.
    check(&page("312.4 px", ""), &page("314 px", ""), &differs);
    check(&page("312.4 px", measured), &page("314 px", ""), &differs);
    let bar = |value: &str, measured: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    progress#read 0 0 200 20 [value={value}]{measured} {{display: block}}\n"
        )
    };
    check(&bar("43.2", measured), &bar("42.9", measured), &[]);
    check(
        &bar("43.2", ""),
        &bar("42.9", ""),
        &["Behaviour #read: has another value of the attribute `value`"],
    );
}

#[test]
fn the_same_words_in_other_lines_where_lines_are_shown_as_they_are_written() {
    let page = |mode: &str, words: &str| {
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    div#message 0 0 400 100 {{display: block; white-space: {mode}}}
      \"{words}\" 0 0 200 100
"
        )
    };
    let other_lines: &[&str] = &["Text #message: has its words in other lines"];
    let (plain, indented) = ("flour\\neggs", "flour\\n  eggs");
    for (mode, expected) in [
        ("pre-wrap", other_lines),
        ("pre", other_lines),
        ("pre-line", &[]),
        ("normal", &[]),
    ] {
        check(&page(mode, plain), &page(mode, indented), expected);
    }
    // What stands behind the words is not seen, and one kind of blank looks like another.
    check(
        &page("pre-wrap", "flour\\neggs"),
        &page("pre-wrap", "flour  \\neggs\\n"),
        &[],
    );
    check(&page("pre-wrap", "two eggs"), &page("pre-wrap", "two\u{a0}eggs"), &[]);
}
