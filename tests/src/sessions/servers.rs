//! Applications that talk to a server.

use super::{Case, Compared};
use crate::session::{Session, Step::*, at, click, on};
use crate::site::Prelude;
use crate::subject::{DJANGO, NODE_RED, SWAGGER_UI};

pub(super) const CASES: &[Case] = &[
    Case {
        subject: &SWAGGER_UI,
        session: CALL_AN_API,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
    Case {
        subject: &DJANGO,
        session: ADD_A_USER,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &NODE_RED,
        session: WIRE_A_FLOW,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
];

const CALL_AN_API: Session = Session {
    name: "call an api",
    steps: &[
        Open("/index.html"),
        click("#operations-pets-getPet .opblock-summary-control"),
        click("#operations-pets-getPet .try-out__btn"),
        click("#operations-pets-getPet .execute"),
        Until("document.querySelector('#operations-pets-getPet .live-responses-table')"),
    ],
};

const ADD_A_USER: Session = Session {
    name: "add a user",
    steps: &[
        Open("/admin/"),
        Fill("#id_username", "admin"),
        Fill("#id_password", "secret"),
        Press("Enter"),
        Until("document.querySelector('#user-tools') && document.readyState === 'complete'"),
        Open("/admin/auth/user/add/"),
        Fill("#id_username", "grace"),
        Fill("#id_password1", "compiler1952"),
        Fill("#id_password2", "compiler1952"),
        click("input[name=_save]"),
        Until("document.querySelector('#id_first_name') && document.readyState === 'complete'"),
        Fill("#id_first_name", "Grace"),
        click("input[name=_continue]"),
        Until("document.querySelector('.messagelist .success')?.textContent.includes('changed')"),
        Until("document.readyState === 'complete'"),
        Open("/admin/auth/user/"),
        Fill("#searchbar", "gra"),
        Press("Enter"),
        Until("location.search.includes('q=gra') && document.querySelectorAll('#result_list tbody tr').length === 1"),
    ],
};

const WIRE_A_FLOW: Session = Session {
    name: "wire a flow",
    steps: &[
        Open("/"),
        Until(
            "document.querySelector('.red-ui-palette-node[data-palette-type=debug]')?.offsetParent && RED.workspaces.active()",
        ),
        Drag(
            on(".red-ui-palette-node[data-palette-type=inject]"),
            at("#red-ui-workspace-chart", 200.0, 120.0),
        ),
        Until("document.querySelectorAll('.red-ui-flow-node-group').length === 1"),
        Drag(
            on(".red-ui-palette-node[data-palette-type=debug]"),
            at("#red-ui-workspace-chart", 440.0, 190.0),
        ),
        Until("document.querySelectorAll('.red-ui-flow-node-group').length === 2"),
        Drag(
            on(".red-ui-flow-port-output .red-ui-flow-port"),
            on(".red-ui-flow-port-input .red-ui-flow-port"),
        ),
        Until("document.querySelector('.red-ui-flow-link-line')"),
        click("#red-ui-header-button-deploy"),
        Until(
            "document.querySelector('#red-ui-header-button-deploy.disabled') && document.querySelector('.red-ui-notification')",
        ),
        Fill("#red-ui-palette-search input", "websocket"),
        Until(
            "[...document.querySelectorAll('.red-ui-palette-node')].filter((node) => node.offsetParent).length === 2",
        ),
        click("#red-ui-header-button-sidemenu"),
        Until("document.querySelector('#red-ui-header-button-sidemenu-submenu')?.offsetParent"),
    ],
};
