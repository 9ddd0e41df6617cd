//! What a page looked like at a checkpoint: the analyzer's input.
//!
//! Coordinates are CSS pixels from the top-left corner of the top-level page (not the viewport), frames included.
//! Stored as postcard, which is not self-describing: no field may be skipped when it is empty.
//! The first checkpoint of a document is whole; later ones carry only nodes that changed, and ids that are gone.

use crate::event::LoadId;
use serde::{Deserialize, Serialize};

/// Given to a node when it is first seen and kept for its life; unique within its load.
pub type NodeId = u32;

/// The live property of a text node, or of a field, of which some words are selected.
pub const SELECTED_TEXT: &str = "selected-text";

/// The live property of a text node that is shown in other letters than it is written in: what is shown.
pub const SHOWN_TEXT: &str = "shown-text";

/// The live property of a text with numbers in it that was written when the page had just measured itself, and of an element
/// that tells of such by its value or an attribute.
pub const MEASURED_TEXT: &str = "measured-text";

/// The live property of a text in which the browser has broken words with hyphens of its own (`hyphens: auto`): the first of them.
pub const HYPHENATED_TEXT: &str = "hyphenated-text";

/// The live property of the element that has the focus.
pub const FOCUSED: &str = "focused";

/// All documents of one window at one moment, the top-level one first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageData {
    pub documents: Vec<DocumentData>,
}

impl PageData {
    /// As it is stored and sent.
    pub fn to_bytes(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(self)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<PageData, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentData {
    pub load: LoadId,
    pub url: String,
    /// Index of each frame within its parent, from the top; empty for the top-level document.
    pub path: Vec<u32>,
    /// `nodes` holds every node; otherwise only what changed since the previous checkpoint of this load.
    pub whole: bool,
    /// `BackCompat` or `CSS1Compat`.
    pub mode: String,
    /// Where this document's (0,0) is on the top-level page.
    pub origin: [f32; 2],
    /// Width and height of the viewport, of the whole scrollable page, and the scroll offset.
    pub viewport: [f32; 2],
    pub page: [f32; 2],
    pub scroll: [f32; 2],
    pub title: String,
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub removed: Vec<NodeId>,
    /// Styles that `Node::style` names and that no earlier checkpoint of this load carried: `[index, properties]`, all of
    /// them when `whole`. Initial values are left out; those of generated content are named `::before color`.
    #[serde(default)]
    pub styles: Vec<(u32, Vec<(String, String)>)>,
    /// Style rules as this browser parsed them, when they changed since the previous checkpoint.
    #[serde(default)]
    pub rules: Option<Vec<StyleRule>>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub id: NodeId,
    /// 0 for the root element.
    pub parent: NodeId,
    /// Position among the parent's collected children.
    pub index: u32,
    /// Lower-case tag name; `#text` for text; `#shadow` for an open shadow root.
    pub tag: String,
    /// Attributes sorted by name.
    #[serde(default)]
    pub attributes: Vec<(String, String)>,
    /// Live properties that differ from the attribute of the same name: `value`, `checked`, `selected`, `scrollTop` …
    /// A text node or field of which words are selected has [`SELECTED_TEXT`], a text in other letters than its own [`SHOWN_TEXT`],
    /// one that may tell of lengths that the page has measured [`MEASURED_TEXT`], one with words that are hyphenated [`HYPHENATED_TEXT`],
    /// and what has the focus [`FOCUSED`].
    #[serde(default)]
    pub properties: Vec<(String, String)>,
    /// Text of a `#text` node, as it stands in the DOM.
    #[serde(default)]
    pub text: String,
    /// x, y, width, height; all zero when nothing is rendered. For text: the union of its line boxes.
    pub rect: [f32; 4],
    /// Number of line boxes of a text node, 0 for elements.
    #[serde(default)]
    pub lines: u16,
    /// Rendered, not `visibility: hidden`, opacity above 0, at least partly inside its clipping ancestors.
    pub visible: bool,
    /// Place in the order of painting, as far as it can be told from z-index and stacking contexts; 0 is the bottom.
    #[serde(default)]
    pub z: i32,
    /// Index of the computed style in the load's styles; 0 for text.
    #[serde(default)]
    pub style: u32,
    /// For images, video, canvas: natural size, and 1 when it is loaded, 0 when it is not, -1 for a picture that may still
    /// come. `[width, height, loaded]`.
    #[serde(default)]
    pub natural: Option<[f32; 3]>,
}

/// One style rule of one sheet as the CSSOM shows it: what the browser understood, not what the author wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StyleRule {
    /// URL of the sheet, or `#n` for the n-th without one. A sheet that cannot be read has one entry without selector,
    /// `within: ["unreadable"]`.
    pub sheet: String,
    pub selector: String,
    /// Enclosing conditions such as `@media (width > 300px)` and the selectors around a nested rule, outermost first: before
    /// all others the shadow trees that the sheet is for, by the tags of their hosts, `@shadow my-menu my-list`.
    #[serde(default)]
    pub within: Vec<String>,
    pub declarations: Vec<(String, String)>,
}
