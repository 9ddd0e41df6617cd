//! Why a difference is there, as far as page data tells: what did not load, what the other browser dropped from the
//! rules that apply, and computed properties that differ on the node or on an ancestor.

use crate::findings::{Because, Cause, Difference, Dropped, Kind};
use crate::locator::selector;
use crate::scene::{Raw, Scene};
use crate::state::{Rect, attribute};
use crate::structure::column_break::{COLUMN_BREAK, keeps_together};
use crate::structure::hyphenation::{self, HYPHENATION};
use crate::style::properties::{explains_layout, is_invisible, is_paint};
use crate::style::{ring_rule, same};
use crate::visual::{selected, spoken};
use std::collections::BTreeSet;
use xcheck_trace::manifest::{BrowserInfo, Engine};
use xcheck_trace::page::NodeId;

/// What tells of a ring that one browser alone draws around what has the focus.
pub(crate) const OF_A_RING: &str = "outline-style";

/// How far up an ancestor may explain a box.
const REACH: usize = 5;

pub(crate) fn cause(scene: &Scene<'_>, raw: &Raw, browser: &BrowserInfo) -> Option<Cause> {
    if matches!(raw.kind, Kind::Behaviour | Kind::Text) {
        return None;
    }
    let id = raw.reference?;
    if raw.property == "loading" {
        let url = attribute(scene.reference().node(id)?, "src").unwrap_or("").to_owned();
        return Some(Cause {
            text: format!("the picture `{url}` did not load in {}", named(browser)),
            because: Because::NotLoaded { url },
        });
    }
    if matches!(raw.property.as_str(), "scrollTop" | "scrollLeft") {
        return unsupported(rules_of_scrolling(scene, id), browser);
    }
    if raw.property == OF_A_RING {
        return ring(scene, raw, id, browser);
    }
    if raw.property == HYPHENATION {
        return dictionary(scene, id, browser);
    }
    if let Some(selected) = selection(scene, raw, id, browser) {
        return Some(selected);
    }
    dropped(scene, raw, id, browser)
        .or_else(|| inline(scene, raw, id, browser))
        .or_else(|| gained(scene, raw, browser))
        .or_else(|| computed(scene, raw, id))
}

/// `Firefox 153`.
pub(crate) fn named(browser: &BrowserInfo) -> String {
    let name = match browser.name.as_str() {
        "webkit" => "WebKit".to_owned(),
        other => {
            let mut letters = other.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect()
        }
    };
    // WebKit's ports count their releases in the second number.
    let told = if browser.engine == Engine::WebKit { 2 } else { 1 };
    let version: Vec<&str> = browser.version.split('.').take(told).collect();
    format!("{name} {}", version.join(".")).trim_end().to_owned()
}

/// The node itself, then upwards. For a box, siblings' and children's rules may be at work as well, but they are found
/// by their own boxes.
fn around(scene: &Scene<'_>, id: NodeId, kind: Kind) -> Vec<NodeId> {
    let reach = if kind == Kind::Structure { REACH } else { 1 };
    std::iter::once(id)
        .chain(scene.reference().ancestors(id).take(reach).map(|node| node.id))
        .collect()
}

/// Whether it can be seen in what differs that a browser does not know this property.
fn may_cause(raw: &Raw, property: &str) -> bool {
    match raw.property == COLUMN_BREAK {
        true => keeps_together(property),
        false => !is_invisible(property) && (raw.kind != Kind::Structure || !is_paint(property)),
    }
}

fn dropped(scene: &Scene<'_>, raw: &Raw, id: NodeId, browser: &BrowserInfo) -> Option<Cause> {
    let mut places = around(scene, id, raw.kind);
    if raw.kind == Kind::Structure {
        let node = scene.reference().node(id)?;
        let siblings = scene.reference().children(node.parent);
        let at = siblings.iter().position(|sibling| *sibling == id).unwrap_or(0);
        // What moves a box may be the margin or size of the one before it, and what sizes it may be its content's.
        places.extend(siblings[..at].iter().rev().take(2));
        places.extend(scene.reference().children(id).iter().take(8));
    }
    for place in places {
        let mut found: Vec<Dropped> = scene
            .dropped_rules()
            .on(scene.reference(), place)
            .filter(|(property, _)| property.is_empty() || may_cause(raw, property))
            .map(|(_, dropped)| dropped)
            .collect();
        found.sort();
        found.dedup();
        if !found.is_empty() {
            return unsupported(found, browser);
        }
    }
    None
}

/// When the focus is to be seen (`:focus-visible`) is up to each engine.
fn ring(scene: &Scene<'_>, raw: &Raw, id: NodeId, browser: &BrowserInfo) -> Option<Cause> {
    let pair = scene.pair(id)?;
    let is_lost = !matches!(scene.computed(pair, OF_A_RING).0, "" | "none");
    let rule = match is_lost {
        true => ring_rule(scene.reference(), pair.a.id)?,
        false => ring_rule(scene.other(), pair.b.id)?,
    };
    let applies = if is_lost {
        format!("does not apply in {}", named(browser))
    } else {
        format!("applies in {} alone", named(browser))
    };
    Some(Cause {
        text: format!("`{rule}` {applies}"),
        because: Because::ComputedStyle {
            selector: selector(scene.reference(), id),
            properties: raw.differences.clone(),
        },
    })
}

/// Words look otherwise where one browser alone has selected them: what may be selected at all is up to rules of the page, and what a
/// hand has selected is one thing.
fn selection(scene: &Scene<'_>, raw: &Raw, id: NodeId, browser: &BrowserInfo) -> Option<Cause> {
    let pair = scene.pair(id).filter(|_| raw.kind == Kind::Visual)?;
    let only_there = selected::only_there(scene, pair)?;
    let rules = scene.dropped_rules();
    let words = selected::all_only_in_one(scene);
    let holders = words
        .iter()
        .flat_map(|&id| scene.reference().ancestors(id).map(|node| node.id));
    let holders: BTreeSet<NodeId> = holders.chain([id]).collect();
    let found: BTreeSet<Dropped> = holders
        .into_iter()
        .flat_map(|place| rules.on(scene.reference(), place).collect::<Vec<_>>())
        .filter(|(property, _)| property.ends_with("user-select"))
        .map(|(_, dropped)| dropped)
        .collect();
    let who = if only_there {
        named(browser)
    } else {
        "the reference".to_owned()
    };
    unsupported(found.into_iter().collect(), browser).or_else(|| {
        Some(Cause {
            text: format!("its words are selected in {who} alone"),
            because: Because::Selected { only_there },
        })
    })
}

/// Who breaks words and who does not is told by which dictionaries each has.
fn dictionary(scene: &Scene<'_>, id: NodeId, browser: &BrowserInfo) -> Option<Cause> {
    let only_there = hyphenation::only_there(scene, scene.pair(id)?)?;
    let document = scene.reference();
    let own = std::iter::once(id).chain(document.ancestors(id).map(|node| node.id));
    let language = own.filter_map(|id| attribute(document.node(id)?, "lang")).next();
    let language = language.unwrap_or("").to_owned();
    let who = if only_there {
        named(browser)
    } else {
        "the reference".to_owned()
    };
    let of_language = match language.as_str() {
        "" => String::new(),
        language => format!(" of `{language}`"),
    };
    Some(Cause {
        text: format!("{who} alone has a dictionary{of_language} to break words by (`hyphens: auto`)"),
        because: Because::Hyphenated { only_there, language },
    })
}

/// In their order; nothing where there are none.
fn unsupported(dropped: Vec<Dropped>, browser: &BrowserInfo) -> Option<Cause> {
    let first = dropped.first()?;
    let what = if first.declaration == first.selector {
        format!("the rule `{}`", first.selector)
    } else {
        format!("`{}`", first.declaration)
    };
    let more = match dropped.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Some(Cause {
        text: format!("{what}{more} is not supported by {}", named(browser)),
        because: Because::Unsupported { dropped },
    })
}

/// So many of what a pane holds are asked for rules about where it is scrolled to.
const MOST_HELD: usize = 400;

/// What the other browser dropped of the rules by which a pane is scrolled: its own, and those of what it holds.
pub(crate) fn rules_of_scrolling(scene: &Scene<'_>, pane: NodeId) -> Vec<Dropped> {
    let rules = scene.dropped_rules();
    let places = scene.reference().subtree(pane).into_iter().take(MOST_HELD);
    let all = places.flat_map(|place| rules.on(scene.reference(), place).collect::<Vec<_>>());
    let of_scrolling = |property: &str| property.starts_with("scroll-") || property == "overflow-anchor";
    let found: BTreeSet<Dropped> = all
        .filter(|(property, _)| of_scrolling(property))
        .map(|(_, dropped)| dropped)
        .collect();
    found.into_iter().collect()
}

/// What a rule generates around a box has no node of its own. Where the other browser dropped such a rule of the box
/// before, what stands after it moves, and the box itself is what lacks something.
pub(crate) fn generator(scene: &Scene<'_>, raw: &Raw, cause: Option<&Cause>) -> Option<Raw> {
    let Because::Unsupported { dropped } = &cause?.because else {
        return None;
    };
    let node = scene.reference().node(raw.reference?)?;
    if raw.kind != Kind::Structure || !dropped.iter().all(|one| one.selector.contains("::")) {
        return None;
    }
    let siblings = scene.reference().children(node.parent);
    let before = &siblings[..siblings.iter().position(|id| *id == node.id)?];
    let rules = scene.dropped_rules();
    let owner = before.iter().rev().take(2).find(|&&id| {
        let mut own = rules.on(scene.reference(), id);
        own.any(|(_, one)| dropped.contains(&one))
    })?;
    let pair = scene.pair(*owner)?;
    let mut moved = Raw::at(
        pair,
        Kind::Structure,
        "generated",
        "lacks what a rule generates beside it",
    )
    .sure(raw.confidence);
    moved.differences = raw.differences.clone();
    for difference in &mut moved.differences {
        difference.selector = selector(scene.reference(), node.id);
    }
    Some(moved)
}

/// The other way round: what only the other browser understood of the node's rules, or of its parent's.
fn gained(scene: &Scene<'_>, raw: &Raw, browser: &BrowserInfo) -> Option<Cause> {
    let node = scene.other().node(raw.other?)?;
    let rules = scene.gained_rules();
    let found = [node.id, node.parent].into_iter().find_map(|place| {
        let mut found: Vec<Dropped> = rules
            .on(scene.other(), place)
            .filter(|(property, _)| may_cause(raw, property))
            .map(|(_, dropped)| dropped)
            .collect();
        found.sort();
        found.dedup();
        (!found.is_empty()).then_some(found)
    })?;
    Some(Cause {
        text: format!("`{}` is understood by {} alone", found[0].declaration, named(browser)),
        because: Because::OnlyHere { kept: found },
    })
}

/// The same for a `style` attribute, which keeps the author's text in every browser: it was dropped where the computed
/// value is initial in the other browser and not in the reference.
fn inline(scene: &Scene<'_>, raw: &Raw, id: NodeId, browser: &BrowserInfo) -> Option<Cause> {
    for place in around(scene, id, raw.kind) {
        let Some(pair) = scene.pair(place) else { continue };
        let (Some(mine), Some(theirs)) = (scene.reference().style(pair.a), scene.other().style(pair.b)) else {
            continue;
        };
        let differs = |declared: &str| {
            let of = |name: &str| {
                let rest = name.strip_prefix(declared);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            mine.properties()
                .any(|(name, _)| of(name) && theirs.get(name).is_empty())
        };
        // Where the attributes differ, a script made the difference.
        if attribute(pair.a, "style") != attribute(pair.b, "style") {
            continue;
        }
        let found: Vec<Dropped> = attribute(pair.a, "style")
            .unwrap_or("")
            .split(';')
            .filter_map(|declaration| Some((declaration, declaration.split_once(':')?.0.trim())))
            .filter(|(_, property)| may_cause(raw, property) && differs(property))
            .map(|(declaration, _)| Dropped {
                declaration: declaration.trim().to_owned(),
                selector: selector(scene.reference(), place),
                sheet: "style attribute".to_owned(),
                may_not_match: false,
            })
            .collect();
        if let Some(first) = found.first() {
            return Some(Cause {
                text: format!("`{}` is not supported by {}", first.declaration, named(browser)),
                because: Because::Unsupported { dropped: found },
            });
        }
    }
    None
}

fn computed(scene: &Scene<'_>, raw: &Raw, id: NodeId) -> Option<Cause> {
    if raw.kind == Kind::Visual {
        return None;
    }
    for place in around(scene, id, raw.kind) {
        let Some(pair) = scene.pair(place) else { continue };
        let (Some(mine), Some(theirs)) = (scene.reference().style(pair.a), scene.other().style(pair.b)) else {
            continue;
        };
        // Of what has no box in one of them nothing else is known.
        let has_boxes = Rect::of(pair.a).is_empty() == Rect::of(pair.b).is_empty();
        let names: BTreeSet<&str> = mine
            .properties()
            .chain(theirs.properties())
            .map(|(property, _)| property)
            .filter(|property| {
                if has_boxes {
                    explains_layout(property)
                } else {
                    *property == "display"
                }
            })
            .collect();
        let properties: Vec<Difference> = names
            .into_iter()
            .map(|property| (property, mine.get(property), theirs.get(property)))
            .filter(|(property, a, b)| !same(a, b, scene.tolerances) || (*property == "display" && a != b))
            .map(|(property, a, b)| Difference {
                property: property.to_owned(),
                reference: spoken(a).to_owned(),
                other: spoken(b).to_owned(),
                selector: String::new(),
            })
            .collect();
        if let Some(first) = properties.first() {
            let selector = selector(scene.reference(), place);
            return Some(Cause {
                text: format!(
                    "`{}` is `{}` instead of `{}` on `{selector}`",
                    first.property, first.other, first.reference
                ),
                because: Because::ComputedStyle { selector, properties },
            });
        }
    }
    None
}
