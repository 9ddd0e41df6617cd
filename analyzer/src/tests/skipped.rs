//! What a browser leaves out while it is far from the view.

use crate::testing::check;

#[test]
fn how_far_from_the_view_parts_of_a_page_are_left_out() {
    let page = |second: f32, third: f32| {
        let mut page =
            String::from("html 0 0 1280 4000\n  body 0 0 1280 4000\n    article 0 0 660 4000 {display: block}\n");
        let mut y = 0.0;
        for (at, height) in [574.0, second, third].into_iter().enumerate() {
            page += &format!(
                "      section#day-{at} 0 {y} 660 {height} {{display: block; content-visibility: auto}}\n        p 0 {y} 660 50 {{display: block}}\n          \"A day\" 0 {y} 50 20\n"
            );
            y += height;
        }
        page
    };
    check(&page(574.0, 574.0), &page(574.0, 700.0), &[]);
    check(
        &page(574.0, 574.0),
        &page(700.0, 574.0),
        &["Structure #day-1: is 126 px taller"],
    );
}
