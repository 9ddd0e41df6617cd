//! How one document is instrumented: its new head, and its bytes on their way.

use super::charset;
use super::csp::{Limits, Needs};
use super::decode::{Damage, Decoder, Flow};
use super::headers::{HeaderEdits, Policies};
use super::html::{HtmlInjector, Tag};
use super::response::not_instrumented_text;
use super::within::Within;
use super::xml::XmlInjector;
use xcheck_trace::notice::{Notice, NoticeKind};

#[derive(Debug)]
pub(crate) struct Plan {
    edits: HeaderEdits,
    decoder: Decoder,
    markup: Markup,
    decoded: Vec<u8>,
    /// Of documents that are not XML, behind the markup.
    within: Option<Within>,
    tells_imports: bool,
    marked: Vec<u8>,
    damage: Option<Damage>,
    notices: Vec<Notice>,
    /// A WebSocket might be refused by what the head says.
    pub(crate) limits_sockets: bool,
    /// So might scripts that stand in the document.
    inline: Limits,
}

#[derive(Debug)]
pub(super) enum Markup {
    /// Too little came to see a byte-order mark.
    Beginning {
        document: Document,
        first: Vec<u8>,
    },
    Html(Box<HtmlInjector>),
    Xml(XmlInjector),
}

/// What is known of a document before its first byte.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) is_xml: bool,
    /// The content type's.
    pub(super) charset: Option<String>,
    pub(super) tag: Tag,
    pub(super) needs: Needs,
    pub(super) tells_imports: bool,
}

/// How the document ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As far as the codings go. One that was cut off ends well, as it does in browsers; a notice says so.
    Whole,
    /// The coding was corrupt: what could be decoded went out, and a notice says so. The browser should see a response
    /// that breaks off, as it would have from the origin.
    Broken,
}

impl Plan {
    pub(super) fn new(edits: HeaderEdits, decoder: Decoder, document: Document, policies: Policies) -> Plan {
        let tells_imports = document.tells_imports;
        let mut plan = Plan {
            edits,
            decoder,
            markup: Markup::Beginning {
                document,
                first: Vec::new(),
            },
            decoded: Vec::new(),
            within: None,
            tells_imports,
            marked: Vec::new(),
            damage: None,
            notices: Vec::new(),
            limits_sockets: policies.limits_sockets,
            inline: policies.inline,
        };
        plan.note_relaxed(policies.changes);
        plan
    }

    /// A script that was not there may stand in the document.
    pub(crate) fn lets_inline(&self) -> bool {
        !self.inline.new
    }

    /// What to change in the response's head.
    pub(crate) fn edits(&self) -> &HeaderEdits {
        &self.edits
    }

    /// Takes from the front of `input` and appends to `out`, some 64 KiB at a time.
    pub(crate) fn push(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Flow {
        if self.damage.is_some() {
            *input = &[];
            return Flow::Hungry;
        }
        self.decoded.clear();
        let result = self.decoder.decode(input, &mut self.decoded);
        self.markup.push(&self.decoded, &mut self.marked);
        self.put_out(out);
        result.unwrap_or_else(|damage| {
            self.damaged(damage);
            *input = &[];
            Flow::Hungry
        })
    }

    /// Nothing more came for the moment: what was held only in hope of more goes out. Call it when waiting begins.
    pub(crate) fn pause(&mut self, out: &mut Vec<u8>) {
        match &mut self.markup {
            Markup::Html(html) => html.pause(&mut self.marked),
            Markup::Xml(xml) => xml.pause(&mut self.marked),
            Markup::Beginning { .. } => {}
        }
        self.put_out(out);
    }

    /// Appends what was held back. Call once, after `push` said [`Flow::Hungry`] and the body ended.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Ending {
        if self.damage.is_none()
            && let Err(damage) = self.decoder.finish()
        {
            self.damaged(damage);
        }
        self.markup.finish(&mut self.marked);
        self.put_out(out);
        if let Some(within) = &mut self.within {
            within.finish(out);
        }
        let (relaxed, not_placed) = match &mut self.markup {
            Markup::Html(html) => (std::mem::take(&mut html.relaxed), html.not_placed.take()),
            Markup::Xml(xml) => (xml.take_relaxed(), xml.not_placed.take()),
            Markup::Beginning { .. } => (Vec::new(), None),
        };
        self.note_relaxed(
            relaxed
                .into_iter()
                .map(|change| format!("policy in a meta element: {change}"))
                .collect(),
        );
        if let Some(why) = not_placed {
            self.notices
                .push(Notice::new(NoticeKind::NotInstrumented, not_instrumented_text(&why)));
        }
        match self.damage {
            Some(Damage::Corrupt(_)) => Ending::Broken,
            Some(Damage::Truncated(_) | Damage::Checksum(_)) | None => Ending::Whole,
        }
    }

    /// What a person should know, since last asked: ask after making the plan, and at the end.
    pub(crate) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn put_out(&mut self, out: &mut Vec<u8>) {
        if let (None, Markup::Html(html)) = (&self.within, &self.markup) {
            self.within = Some(Within::new(html.projection(), self.inline, self.tells_imports));
        }
        match &mut self.within {
            Some(within) => within.push(&self.marked, out),
            None => out.extend_from_slice(&self.marked),
        }
        self.marked.clear();
    }

    fn damaged(&mut self, damage: Damage) {
        let text = format!("The document may be incomplete: {damage}. What could be decoded was delivered.");
        self.notices.push(Notice::new(NoticeKind::Upstream, text));
        self.damage = Some(damage);
    }

    fn note_relaxed(&mut self, changes: Vec<String>) {
        self.notices.extend(changes.into_iter().map(|change| {
            Notice::new(
                NoticeKind::PolicyRelaxed,
                format!("A policy was widened for the recorder. {change}."),
            )
        }));
    }
}

impl Markup {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Markup::Beginning { first, .. } => {
                first.extend_from_slice(bytes);
                if first.len() >= charset::MARK {
                    self.begin(out);
                }
            }
            Markup::Html(html) => html.push(bytes, out),
            Markup::Xml(xml) => xml.push(bytes, out),
        }
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        let Markup::Beginning { document, first } = self else {
            return;
        };
        let first = std::mem::take(first);
        let transport = charset::transport(document.charset.as_deref(), &first);
        let (tag, needs) = (document.tag.clone(), document.needs.clone());
        *self = if document.is_xml {
            Markup::Xml(XmlInjector::new(tag, needs, transport))
        } else {
            Markup::Html(Box::new(HtmlInjector::new(tag, needs, transport)))
        };
        self.push(&first, out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.begin(out);
        match self {
            Markup::Beginning { .. } => {}
            Markup::Html(html) => html.finish(out),
            Markup::Xml(xml) => xml.finish(out),
        }
    }
}
