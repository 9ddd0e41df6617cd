//! Canvas, animation frames, time, random numbers and transitions.

use super::{Case, Compared};
use crate::session::{Session, Step::*, at, click, off, on};
use crate::site::Prelude;
use crate::subject::{FLOT, P2, REVEAL, VIS};

pub(super) const CASES: &[Case] = &[
    Case {
        subject: &P2,
        session: CAR,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
    Case {
        subject: &VIS,
        session: TIMELINE,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
    Case {
        subject: &VIS,
        session: NETWORK,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
    Case {
        subject: &REVEAL,
        session: SLIDES,
        prelude: Prelude::Errors,
        compared: Compared::Everything,
    },
    Case {
        subject: &FLOT,
        session: CHART,
        prelude: Prelude::Seeded,
        compared: Compared::Everything,
    },
];

const CAR: Session = Session {
    name: "car",
    steps: &[
        Open("/demos/car.html"),
        Until("document.querySelector('canvas')"),
        Press("ArrowRight"),
        Press("ArrowRight"),
        Press("ArrowRight"),
        Press("ArrowRight"),
        Press("ArrowRight"),
        Drag(at("canvas", 300.0, 300.0), at("canvas", 420.0, 150.0)),
        Press("p"),
        Press("p"),
        Press("r"),
    ],
};

const TIMELINE: Session = Session {
    name: "timeline",
    steps: &[
        Open("/examples/timeline/editing/editingItems.html"),
        Until("document.querySelectorAll('.vis-item').length >= 6"),
        Drag(at(".vis-center", 500.0, 40.0), at(".vis-center", 400.0, 40.0)),
        click(".vis-range"),
        Until("document.querySelector('.vis-range.vis-selected')"),
        Drag(on(".vis-range"), off(".vis-range", 60.0, 0.0)),
        click(".vis-delete"),
        Until("!document.querySelector('.vis-range')"),
        Until("window.wasAt = document.querySelector('.vis-dot').getBoundingClientRect().left"),
        Wheel(on(".vis-center"), 0.0, -120.0),
        Until("document.querySelector('.vis-dot').getBoundingClientRect().left !== window.wasAt"),
    ],
};

const NETWORK: Session = Session {
    name: "network",
    steps: &[
        Open("/examples/network/other/manipulation.html"),
        click(".vis-button.vis-edit, .vis-edit-mode .vis-button"),
        click(".vis-button.vis-add"),
        click("#mynetwork canvas"),
        Until("document.querySelector('#network-popUp').style.display === 'block'"),
        Fill("#node-label", "mine"),
        click("#saveButton"),
        Until("document.querySelector('#network-popUp').style.display === 'none'"),
    ],
};

const SLIDES: Session = Session {
    name: "slides",
    steps: &[
        Open("/demo.html"),
        Until("document.querySelector('.reveal.ready')"),
        Press("ArrowRight"),
        Until("location.hash === '#/1'"),
        Press("ArrowRight"),
        Until("location.hash === '#/2'"),
        Press("ArrowDown"),
        Until("location.hash === '#/2/1'"),
        Press("Escape"),
        Until("document.querySelector('.reveal.overview')"),
        Press("Escape"),
        Until("!document.querySelector('.reveal.overview')"),
        Press("b"),
        Until("document.querySelector('.reveal.paused')"),
        Press("b"),
        Until("!document.querySelector('.reveal.paused')"),
    ],
};

const CHART: Session = Session {
    name: "chart",
    steps: &[
        Open("/usr/share/doc/libjs-jquery-flot-docs/examples/realtime/index.html"),
        Until("document.querySelectorAll('.flot-text').length > 0 || document.querySelectorAll('canvas').length > 1"),
        Fill("#updateInterval", "100"),
        Press("Tab"),
        Until("document.querySelector('#updateInterval').value === '100'"),
    ],
};
