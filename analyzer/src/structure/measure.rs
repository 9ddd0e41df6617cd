//! How far a box is from where the reference has it, relative to what it hangs on.

use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect, attribute};
use xcheck_trace::page::{Node, NodeId};

/// Margins on both sides that differ by less are one margin: `auto` may round.
const EVEN: f32 = 1.0;

/// How a box comes by its size and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    /// In the flow of a line: its box is where words end up.
    Inline,
    /// Has a size of its own: pictures, frames, drawings.
    Replaced,
    /// Looks as its engine likes.
    Control,
    Block,
}

/// Other minus reference, relative to the layout parent's near edge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Along {
    pub(super) start: f32,
    pub(super) size: f32,
    /// In the reference: distance from the parent's near edge, own size, parent's size.
    pub(super) at: f32,
    pub(super) length: f32,
    pub(super) room: f32,
    /// Other minus reference, of the parent's size.
    pub(super) room_size: f32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Shift {
    pub(super) horizontal: Along,
    pub(super) vertical: Along,
}

impl Along {
    pub(super) fn middle(&self) -> f32 {
        self.start + self.size / 2.0
    }

    pub(super) fn end(&self) -> f32 {
        self.start + self.size
    }

    /// The same distances from both edges of the parent as in the reference.
    pub(super) fn fills_alike(&self, tolerance: f32) -> bool {
        self.start.abs() <= tolerance && (self.end() - self.room_size).abs() <= tolerance
    }

    /// It takes most of its parent, reaches as near to its far edge in both browsers, and to the near one in one of them alone: what is in it begins
    /// elsewhere.
    pub(super) fn is_pushed_in(&self, tolerance: f32) -> bool {
        let is_most = self.length > self.room / 2.0 && self.length + self.size > (self.room + self.room_size) / 2.0;
        let ends_alike = (self.end() - self.room_size).abs() <= tolerance;
        is_most
            && ends_alike
            && self.start.abs() > tolerance
            && self.lopsided().into_iter().any(|lopsided| lopsided <= EVEN)
    }

    /// From edge to edge of its parent in the reference, and as far from both in the other browser no more.
    pub(super) fn fills_no_more(&self, tolerance: f32) -> bool {
        let [reference, other] = self.lopsided();
        self.length > self.room / 2.0 && reference <= EVEN && other > tolerance
    }

    /// By how much it is nearer to one edge of its parent than to the other, in the reference and in the other browser.
    fn lopsided(&self) -> [f32; 2] {
        let lopsided = |at: f32, length: f32, room: f32| (at - (room - at - length)).abs();
        [
            lopsided(self.at, self.length, self.room),
            lopsided(
                self.at + self.start,
                self.length + self.size,
                self.room + self.room_size,
            ),
        ]
    }
}

pub(crate) fn shown(node: &Node) -> bool {
    node.visible && !Rect::of(node).is_empty()
}

/// Pages hide native controls under drawn ones, and fields over what they show, by an opacity of next to nothing.
pub(crate) fn is_faded(document: &Document, node: &Node) -> bool {
    matches!(document.computed(node, "opacity").parse::<f32>(), Ok(opacity) if opacity < 0.05)
}

pub(crate) fn is_out_of_flow(document: &Document, node: &Node) -> bool {
    matches!(document.computed(node, "position"), "absolute" | "fixed")
}

pub(super) fn large_enough(scene: &Scene<'_>, node: &Node) -> bool {
    let least = scene.tolerances.min_box;
    shown(node) && node.rect[2] >= least && node.rect[3] >= least
}

pub(crate) fn role(document: &Document, node: &Node) -> Role {
    match node.tag.as_str() {
        "#text" => return Role::Text,
        // A player's looks are its engine's; without controls it is a picture.
        "video" | "audio" if attribute(node, "controls").is_some() => return Role::Control,
        "video" => return Role::Replaced,
        "img" | "canvas" | "svg" | "picture" | "object" | "embed" | "iframe" => return Role::Replaced,
        _ => {}
    }
    if is_control(node) {
        // `appearance: none`, the initial value, hands the look over to the page; some parts have it by themselves.
        let own = document
            .style(node)
            .is_none_or(|style| !style.get("appearance").is_empty());
        let native = own || matches!(attribute(node, "type"), Some("file" | "image" | "color" | "range"));
        return if native { Role::Control } else { Role::Block };
    }
    match document.display(node) {
        "inline" | "ruby" | "contents" => Role::Inline,
        _ => Role::Block,
    }
}

pub(crate) fn is_control(node: &Node) -> bool {
    matches!(
        node.tag.as_str(),
        "video" | "audio" | "input" | "select" | "textarea" | "button" | "progress" | "meter"
    )
}

/// What stands for a picture that is in neither browser is each engine's own, its size too.
pub(super) fn is_broken(pair: Pair<'_>) -> bool {
    let broken = |node: &Node| node.natural.is_some_and(|[_, _, loaded]| loaded <= 0.0);
    pair.a.tag == "img" && broken(pair.a) && broken(pair.b)
}

/// By how many px the part of a box that scrolling ancestors show is smaller than the box, and how large that part is in
/// its smaller direction.
pub(crate) fn clipped(document: &Document, node: &Node) -> (f32, f32) {
    let whole = Rect::of(node);
    let left = left_by(document, node, |overflow, edge| {
        matches!(overflow, "auto" | "scroll") && !edge.is_empty()
    });
    let lost = (whole.width - left.width).max(whole.height - left.height);
    (lost, left.width.min(left.height))
}

/// Whether more of a box can be come to than a line a pixel wide, which fields have that only take what is typed.
pub(crate) fn is_in_sight(document: &Document, node: &Node) -> bool {
    let left = reachable(document, node);
    left.width.min(left.height) > 1.0
}

/// What is left of a box that scripts alone scroll: so little that half a pixel is a part of it.
const SLIVER: f32 = 8.0;

pub(crate) fn is_sliver(document: &Document, node: &Node) -> bool {
    let (whole, left) = (Rect::of(node), reachable(document, node));
    let is_cut = left.width < whole.width - 1.0 || left.height < whole.height - 1.0;
    is_cut && left.width.min(left.height) < SLIVER
}

/// The part of a box that a person can come to, by scrolling too.
pub(super) fn reachable(document: &Document, node: &Node) -> Rect {
    left_by(document, node, |overflow, _| matches!(overflow, "hidden" | "clip"))
}

/// What the ancestors leave of a box that clip what is in them; what is positioned passes those by that do not hold it.
fn left_by(document: &Document, node: &Node, clips: impl Fn(&str, &Rect) -> bool) -> Rect {
    let mut left = Rect::of(node);
    let mut position = document.computed(node, "position");
    for above in document.ancestors(node.id) {
        let holds = document.computed(above, "position");
        let is_passed = position == "fixed" || (position == "absolute" && matches!(holds, "static" | ""));
        if is_passed || above.tag == "html" || above.tag == "body" {
            continue;
        }
        position = holds;
        let edge = Rect::of(above);
        let clips = |property: &str| clips(document.computed(above, property), &edge);
        if clips("overflow-x") {
            let right = left.right().min(edge.right());
            left.x = left.x.max(edge.x);
            left.width = (right - left.x).max(0.0);
        }
        if clips("overflow-y") {
            let bottom = left.bottom().min(edge.bottom());
            left.y = left.y.max(edge.y);
            left.height = (bottom - left.y).max(0.0);
        }
    }
    left
}

/// Parts of drawings and controls: their boxes are an engine's own affair.
pub(super) fn is_inner(document: &Document, node: &Node) -> bool {
    let parent = document.node(node.parent);
    parent.is_some_and(|parent| {
        matches!(
            parent.tag.as_str(),
            "select" | "optgroup" | "datalist" | "video" | "audio"
        )
    }) || document
        .ancestors(node.id)
        .any(|above| above.tag == "svg" || above.tag == "math")
}

/// The box that positions are told from: the containing block of positioned nodes, else the nearest ancestor that has
/// a box. BODY is passed over, for the page is the root. So is what stands in a line around a block: that box is broken, and where
/// it begins without a line before the block is the engine's affair.
pub(super) fn layout_parent<'a>(scene: &Scene<'a>, pair: Pair<'a>) -> Option<Pair<'a>> {
    let position = scene.reference().computed(pair.a, "position");
    let is_block = matches!(
        scene.reference().display(pair.a),
        "block" | "flow-root" | "list-item" | "flex" | "grid" | "table"
    );
    scene
        .reference()
        .ancestors(pair.a.id)
        .filter(|above| above.tag != "body" && above.tag != "#shadow")
        .filter(|above| match position {
            "fixed" => above.tag == "html",
            "absolute" => {
                above.tag == "html" || !matches!(scene.reference().computed(above, "position"), "static" | "")
            }
            _ => !is_block || scene.reference().display(above) != "inline",
        })
        .filter(|above| above.tag == "html" || !Rect::of(above).is_empty())
        .filter_map(|above| scene.pair(above.id))
        .find(|above| above.a.tag == "html" || !Rect::of(above.b).is_empty())
}

/// Nothing for nodes without a partner or without boxes on both sides.
pub(super) fn shift(scene: &Scene<'_>, id: NodeId) -> Option<Shift> {
    let parent = layout_parent(scene, scene.pair(id)?)?;
    shift_within(scene, id, parent)
}

/// Told from another box than the one the node hangs on.
pub(super) fn shift_within(scene: &Scene<'_>, id: NodeId, parent: Pair<'_>) -> Option<Shift> {
    let pair = scene.pair(id)?;
    if !shown(pair.a) || !shown(pair.b) || is_broken_over_columns(scene, pair) {
        return None;
    }
    let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
    let (in_a, in_b) = (Rect::of(parent.a), Rect::of(parent.b));
    let along = |at: f32, at_b: f32, length: f32, length_b: f32, room: f32, room_b: f32| Along {
        start: at_b - at,
        size: length_b - length,
        at,
        length,
        room,
        room_size: room_b - room,
    };
    Some(Shift {
        horizontal: along(a.x - in_a.x, b.x - in_b.x, a.width, b.width, in_a.width, in_b.width),
        vertical: along(a.y - in_a.y, b.y - in_b.y, a.height, b.height, in_a.height, in_b.height),
    })
}

/// Parts of a box in several columns have one rectangle around them all. Where columns break is an engine's affair, down
/// to a pixel of padding that is left for the next one. Whether there are columns at all is not.
pub(super) fn is_broken_over_columns(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let Some((holder, count)) = holder_of_columns(scene, pair) else {
        return false;
    };
    let column = holder.a.rect[2] / count.max(1.0);
    count > 1.0 && (pair.a.rect[2] > 1.2 * column) != (pair.b.rect[2] > 1.2 * column)
}

/// The box around this one that both browsers lay out in columns, and how many the reference is told to make, 1 where
/// their width alone is given.
pub(super) fn holder_of_columns<'a>(scene: &Scene<'a>, pair: Pair<'a>) -> Option<(Pair<'a>, f32)> {
    let given = |property: &str, pair: Pair<'_>| {
        let (a, b) = scene.computed(pair, property);
        [a, b].into_iter().all(|value| !matches!(value, "" | "auto"))
    };
    let above = scene
        .reference()
        .ancestors(pair.a.id)
        .filter_map(|node| scene.pair(node.id));
    let mut holders = above.filter(|holder| given("column-count", *holder) || given("column-width", *holder));
    let holder = holders.next()?;
    let count = scene.reference().computed(holder.a, "column-count").parse();
    Some((holder, count.unwrap_or(1.0)))
}

/// Siblings that are shown on both sides: up to `before` earlier ones (nearest first) and `after` later ones.
pub(super) fn siblings<'a>(
    scene: &Scene<'a>,
    node: &Node,
    before: usize,
    after: usize,
) -> (Vec<Pair<'a>>, Vec<Pair<'a>>) {
    let all = scene.reference().children(node.parent);
    // `index` is where the node should stand; data that says otherwise costs a search.
    let guess = node.index as usize;
    let at = match all.get(guess) {
        Some(&id) if id == node.id => guess,
        _ => all.iter().position(|&id| id == node.id).unwrap_or(0),
    };
    let usable = |id: &NodeId| scene.pair(*id).filter(|pair| shown(pair.a) && shown(pair.b));
    let reach = 4;
    let earlier = all[..at]
        .iter()
        .rev()
        .take(before.saturating_mul(reach))
        .filter_map(usable)
        .take(before)
        .collect();
    let later = all
        .iter()
        .skip(at + 1)
        .take(after.saturating_mul(reach))
        .filter_map(usable)
        .take(after)
        .collect();
    (earlier, later)
}

/// Whether a text line runs through this parent in more than one line, so that places within it are words' places.
pub(super) fn flows_as_text(scene: &Scene<'_>, parent: NodeId) -> bool {
    let (a, b) = super::wrap::lines(scene, parent);
    a.max(b) > 1
}

#[cfg(test)]
mod tests {
    use super::Along;

    /// A list in a room of 1,000 px: where it begins and how wide it is, in the reference and in the other browser.
    fn is_pushed_in(reference: (f32, f32), other: (f32, f32)) -> bool {
        let along = Along {
            start: other.0 - reference.0,
            size: other.1 - reference.1,
            at: reference.0,
            length: reference.1,
            room: 1000.0,
            room_size: 0.0,
        };
        along.is_pushed_in(3.0)
    }

    #[test]
    fn what_fills_its_room_and_begins_further_in_elsewhere_is_pushed_in() {
        assert!(is_pushed_in((0.0, 1000.0), (40.0, 960.0)));
        assert!(is_pushed_in((40.0, 960.0), (0.0, 1000.0)));
        assert!(is_pushed_in((30.0, 940.0), (70.0, 900.0)), "between the same gaps");
    }

    #[test]
    fn what_is_narrower_where_it_ends_or_stood_by_itself_is_not() {
        assert!(!is_pushed_in((0.0, 1000.0), (0.0, 960.0)));
        assert!(!is_pushed_in((0.0, 1000.0), (1.0, 999.0)));
        assert!(!is_pushed_in((600.0, 400.0), (580.0, 420.0)), "words at the far end");
        assert!(!is_pushed_in((300.0, 400.0), (290.0, 420.0)), "words in the middle");
        assert!(!is_pushed_in((500.0, 500.0), (0.0, 1000.0)), "a column in one of them");
    }
}
