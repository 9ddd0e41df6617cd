//! Lists, forms, pop-ups and drag and drop.

use super::{Case, Compared};
use crate::session::{Session, Step::*, click, off, on};
use crate::site::Prelude;
use crate::subject::{JQUERY_MOBILE, JQUERY_UI, TODOMVC};

pub(super) const CASES: &[Case] = &[
    Case {
        subject: &TODOMVC,
        session: TODO_LIST,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &JQUERY_MOBILE,
        session: MOBILE_PAGES,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &JQUERY_UI,
        session: DRAG_AND_DIALOG,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
];

const TODO_LIST: Session = Session {
    name: "todo list",
    steps: &[
        Open("/examples/backbone/"),
        click("#new-todo"),
        Type("buy milk"),
        Press("Enter"),
        Type("write tests"),
        Press("Enter"),
        Type("sleep"),
        Press("Enter"),
        Until("document.querySelectorAll('#todo-list li').length === 3"),
        click("#todo-list li:nth-child(2) .toggle"),
        Until("document.querySelectorAll('#todo-list li.completed').length === 1"),
        click("#filters a[href='#/active']"),
        Until("location.hash === '#/active'"),
        click("#filters a[href='#/completed']"),
        Until("location.hash === '#/completed'"),
        click("#filters a[href='#/']"),
        Until("location.hash === '#/'"),
        DoubleClick(on("#todo-list li:first-child label")),
        Until("document.querySelector('#todo-list li.editing')"),
        Type(" twice"),
        Press("Enter"),
        Until("!document.querySelector('#todo-list li.editing')"),
        Hover(on("#todo-list li:nth-child(3)")),
        click("#todo-list li:nth-child(3) .destroy"),
        Until("document.querySelectorAll('#todo-list li').length === 2"),
        click("#clear-completed"),
        Until("document.querySelector('#todo-count').textContent === '1 item left'"),
    ],
};

/// No transition is under way, and the page's title names where we are.
const MOBILE_PAGES: Session = Session {
    name: "mobile pages",
    steps: &[
        Open("/dist/demos/popup/"),
        click("a[href='#popupBasic']"),
        Until("document.querySelector('#popupBasic-popup.ui-popup-active')"),
        Press("Escape"),
        Until("document.querySelector('#popupBasic-popup.ui-popup-hidden')"),
        Open("/dist/demos/transitions/"),
        click("a[data-transition=slide]:not([data-rel])"),
        // A tap during a transition is dropped; the address changes before it begins.
        Until(
            "document.querySelector('.ui-page-active[data-url$=\"page-transitions-page.html\"]') && !document.querySelector('.ui-mobile-viewport-transitioning')",
        ),
        Open("/dist/demos/slider/"),
        Drag(on(".ui-slider-handle"), off(".ui-slider-handle", 80.0, 0.0)),
        Until("document.querySelector('#slider-1').value !== '50'"),
        Open("/dist/demos/listview-autocomplete/"),
        click(".ui-page-active input[data-type=search]"),
        Type("b"),
        // A moment later; other lists of the page are always there.
        Until("document.querySelector('.ui-page-active ul[data-filter-reveal] li:not(.ui-screen-hidden)')"),
    ],
};

const DRAG_AND_DIALOG: Session = Session {
    name: "drag and dialog",
    steps: &[
        Open("/usr/share/doc/libjs-jquery-ui-docs/examples/sortable/connect-lists.html"),
        Until("document.querySelector('#sortable1.ui-sortable')"),
        Drag(on("#sortable1 li:nth-child(1)"), on("#sortable2 li:nth-child(3)")),
        Until(
            "document.querySelectorAll('#sortable2 li:not(.ui-sortable-helper):not(.ui-sortable-placeholder)').length === 6",
        ),
        Drag(on("#sortable2 li:nth-child(5)"), on("#sortable1 li:nth-child(2)")),
        Until(
            "document.querySelectorAll('#sortable1 li:not(.ui-sortable-helper):not(.ui-sortable-placeholder)').length === 5",
        ),
        Open("/usr/share/doc/libjs-jquery-ui-docs/examples/dialog/modal-form.html"),
        click("#create-user.ui-button"),
        Fill("#name", "Ada Lovelace"),
        Fill("#email", "ada@example.com"),
        Fill("#password", "engine1"),
        click(".ui-dialog-buttonset button:first-child"),
        Until("document.querySelectorAll('#users tbody tr').length === 2"),
        Open("/usr/share/doc/libjs-jquery-ui-docs/examples/accordion/default.html"),
        Until("document.querySelector('#accordion.ui-accordion')"),
        click("#accordion h3:nth-of-type(3)"),
        Until("getComputedStyle(document.querySelector('#accordion > div:nth-of-type(1)')).display === 'none'"),
    ],
};
