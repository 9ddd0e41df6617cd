//! Editors: frames, content that is edited in place, workers, shadow DOM.

use super::{Case, Compared};
use crate::session::{Session, Step::*, at, click, off, on};
use crate::site::Prelude;
use crate::subject::{ACE, CKEDITOR, SVGEDIT};

pub(super) const CASES: &[Case] = &[
    Case {
        subject: &CKEDITOR,
        session: RICH_TEXT,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &ACE,
        session: CODE,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &SVGEDIT,
        session: DRAWING,
        prelude: Prelude::Seeded,
        // Each is imported by itself, and adds its buttons when it has come.
        compared: Compared::InAnyOrder("extensions come in any order"),
    },
];

const RICH_TEXT: Session = Session {
    name: "rich text",
    steps: &[
        Open("/samples/old/replacebyclass.html"),
        click("iframe.cke_wysiwyg_frame >> h1"),
        Press("End"),
        Type(" by hand"),
        click(".cke_button__bold"),
        Until("document.querySelector('.cke_button__bold.cke_button_on, .cke_button__bold.cke_button_off')"),
        Type(" and bold"),
        click(".cke_button__table"),
        Until("document.activeElement.closest('.cke_dialog')"),
        click(".cke_dialog_ui_button_ok"),
        Until(
            "document.querySelector('iframe.cke_wysiwyg_frame').contentDocument.querySelectorAll('table').length === 2",
        ),
        click(".cke_button__source"),
        Until("document.querySelector('textarea.cke_source')"),
    ],
};

const CODE: Session = Session {
    name: "code",
    steps: &[
        Open("/editor.html"),
        Until("document.querySelector('.ace_line .ace_keyword')"),
        click(".ace_content"),
        Press("Control+End"),
        Press("Enter"),
        Type("var x = ;"),
        Until("document.querySelector('.ace_gutter-cell.ace_error, .ace_gutter-cell .ace_error')"),
        Press("Control+f"),
        Until("document.querySelector('.ace_search .ace_search_field')"),
        Type("foo"),
        Until("document.querySelector('.ace_search_counter').textContent.includes('1')"),
        Press("Escape"),
        Until("document.querySelector('.ace_search').style.display === 'none'"),
        // The bracket after the word that was found is marked together with its other one, a moment later.
        Until("document.querySelectorAll('.ace_bracket').length === 2"),
    ],
};

const DRAWING: Session = Session {
    name: "drawing",
    steps: &[
        Open("/dist/editor/index.html"),
        Until("document.querySelector('#svgcontent')"),
        // An extension that comes later would take the tool away.
        Until(
            "['#view_grid', '#tools_polygon', '#tool_shapelib', '#tool_layerView', '#tool_eyedropper', '#tool_connect', '#ext-panning'].every((id) => document.querySelector(id))",
        ),
        click("#se-storage-dialog >> #storage_ok"),
        click("#tools_rect"),
        Drag(at("#workarea", 300.0, 200.0), at("#workarea", 420.0, 280.0)),
        // The tool is put back a moment after the shape is there.
        Until("document.querySelector('#svgcontent rect') && document.querySelector('#tool_select[pressed]')"),
        click("#tools_ellipse"),
        Drag(at("#workarea", 480.0, 220.0), at("#workarea", 560.0, 300.0)),
        Until("document.querySelector('#svgcontent ellipse') && document.querySelector('#tool_select[pressed]')"),
        click("#tool_select"),
        Drag(on("#svgcontent rect"), off("#svgcontent rect", 60.0, 40.0)),
        Press("Control+z"),
        click("#tool_text"),
        Click(at("#workarea", 700.0, 350.0)),
        // The field that takes the text has the focus a moment after the text is there.
        Until("document.querySelector('#svgcontent text') && document.activeElement.id === 'text'"),
        // A moment later its content is selected, unseen while there is none: what was typed before would be typed over. That is
        // over when the cursor has gone and come again.
        Until("document.querySelector('#text_cursor').getAttribute('display') === 'none'"),
        Until("document.querySelector('#text_cursor').getAttribute('display') !== 'none'"),
        Type("hello"),
        Until("document.querySelector('#svgcontent text').textContent === 'hello'"),
    ],
};
