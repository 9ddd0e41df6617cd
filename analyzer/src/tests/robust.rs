//! Whatever the page data says: no panic, the same bytes again, nothing between a browser and itself.

use crate::Options;
use crate::findings::{BrowserResult, Mode};
use crate::testing::compare_checkpoints;
use proptest::prelude::*;
use xcheck_trace::page::{DocumentData, Node, StyleRule};

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -50.0_f32..2000.0,
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
        1 => Just(-1.0e30_f32),
        1 => Just(0.0_f32),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let tag = prop::sample::select(vec![
        "div", "p", "#text", "html", "body", "img", "svg", "#shadow", "td", "input", "",
    ]);
    let pair = (
        prop::sample::select(vec!["id", "class", "style", "type", "data-x", "value"]),
        "[a-c#:> ]{0,4}",
    );
    let pairs = prop::collection::vec(pair.prop_map(|(name, value)| (name.to_owned(), value)), 0..3);
    (
        (0_u32..14, 0_u32..14, 0_u32..5, tag),
        (pairs.clone(), pairs),
        (number(), number(), number(), number()),
        (any::<bool>(), 0_u16..4, 0_u32..3, "[ab é\u{301}]{0,6}"),
        prop::option::of((number(), number(), number())),
    )
        .prop_map(
            |(
                (id, parent, index, tag),
                (attributes, properties),
                (x, y, w, h),
                (visible, lines, style, text),
                natural,
            )| Node {
                id: if id == 13 { u32::MAX } else { id },
                parent,
                index,
                tag: tag.to_owned(),
                attributes,
                properties,
                text,
                rect: [x, y, w, h],
                lines,
                visible,
                z: 0,
                style,
                natural: natural.map(|(a, b, c)| [a, b, c]),
            },
        )
}

fn data() -> impl Strategy<Value = DocumentData> {
    let selector = "[a-z.#:()>+~*\\[\\]=\"' ,0-9n\\\\&|-]{0,24}";
    let value = "[a-z0-9(),. %/\"-]{0,16}";
    let rule = (selector, value).prop_map(|(selector, value)| StyleRule {
        sheet: "s".to_owned(),
        selector,
        within: Vec::new(),
        declarations: vec![("gap".to_owned(), value)],
    });
    let style = (1_u32..3, value).prop_map(|(digest, value)| {
        (
            digest,
            vec![("color".to_owned(), value.clone()), ("display".to_owned(), value)],
        )
    });
    (
        prop::collection::vec(node(), 0..20),
        prop::collection::vec(0_u32..14, 0..4),
        prop::collection::vec(style, 0..3),
        prop::option::of(prop::collection::vec(rule, 0..4)),
        any::<bool>(),
    )
        .prop_map(|(nodes, removed, styles, rules, whole)| DocumentData {
            load: 1,
            whole,
            nodes,
            removed,
            styles,
            rules,
            ..DocumentData::default()
        })
}

fn session() -> impl Strategy<Value = Vec<DocumentData>> {
    prop::collection::vec(data(), 1..4).prop_map(|mut list| {
        list[0].whole = true;
        list
    })
}

fn run(reference: &[DocumentData], other: &[DocumentData], mode: Mode) -> BrowserResult {
    let options = Options {
        mode,
        ..Options::default()
    };
    compare_checkpoints(reference.to_vec(), other.to_vec(), &options)
}

fn bytes(result: &BrowserResult) -> String {
    serde_json::to_string(result).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_page_data_never_panics_and_gives_the_same_bytes_twice(a in session(), b in session()) {
        for mode in [Mode::Incremental, Mode::Full] {
            prop_assert_eq!(bytes(&run(&a, &b, mode)), bytes(&run(&a, &b, mode)));
        }
    }

    #[test]
    fn a_browser_against_itself_gives_nothing(a in session()) {
        prop_assert_eq!(run(&a, &a, Mode::Incremental).xbis, vec![]);
    }

    #[test]
    fn the_order_of_nodes_in_the_input_does_not_matter(a in session(), b in session(), turn in 0_usize..20) {
        let turned: Vec<DocumentData> = b.iter().cloned().map(|mut data| {
            data.nodes.reverse();
            let by = turn % data.nodes.len().max(1);
            data.nodes.rotate_left(by);
            data.removed.reverse();
            data
        }).collect();
        prop_assert_eq!(bytes(&run(&a, &b, Mode::Incremental)), bytes(&run(&a, &turned, Mode::Incremental)));
    }
}
