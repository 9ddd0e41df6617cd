//! Applications that talk to a server.

use super::{Case, Compared};
use crate::session::{Session, Step::*, click};
use crate::site::Prelude;
use crate::subject::{DJANGO, SWAGGER_UI};

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
