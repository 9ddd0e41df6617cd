//! The table: every row, and what is known not to hold.

use super::Part::{Divergence, Replayed};
use super::Varied::At;
use super::{Group, Limit, Part, Row, Varied};
use crate::session::Step::*;
use crate::session::{Spot, Step, click, on};
use xcheck_trace::run::DivergenceKind::*;

pub const GROUPS: &[Group<'static>] = &[
    Group {
        name: "network",
        before: &[],
        rows: NETWORK,
    },
    Group {
        name: "messages",
        before: &[],
        rows: MESSAGES,
    },
    Group {
        name: "observers and what moves",
        before: &[],
        rows: MOVING,
    },
    Group {
        name: "input",
        before: &[],
        rows: INPUT,
    },
    Group {
        name: "controls",
        before: &[],
        rows: CONTROLS,
    },
    Group {
        name: "what a person or the system answers",
        before: &[],
        rows: ANSWERS,
    },
    Group {
        name: "documents",
        before: &[],
        rows: DOCUMENTS,
    },
    Group {
        name: "components and scripts",
        before: &[],
        rows: SCRIPTS,
    },
    Group {
        name: "storage",
        before: WHAT_WAS_THERE,
        rows: STORAGE,
    },
];

const fn row(name: &'static str, title: &'static str, steps: &'static [Step], varied: Varied) -> Row {
    Row {
        name,
        title,
        steps,
        varied,
        limits: &[],
    }
}

impl Row {
    const fn but(self, limits: &'static [Limit]) -> Row {
        Row { limits, ..self }
    }
}

const fn not(part: Part, engines: &'static [&'static str], reason: &'static str) -> Limit {
    Limit {
        engines,
        part,
        always: true,
        reason,
    }
}

const fn sometimes_not(part: Part, engines: &'static [&'static str], reason: &'static str) -> Limit {
    Limit {
        engines,
        part,
        always: false,
        reason,
    }
}

/// A timer that the recording does not have is set in this event.
const fn extra(label: &'static str) -> Varied {
    At(label, CallbackExtra)
}

const ALL: &[&str] = &["chromium", "firefox", "webkit"];
const CHROMIUM: &[&str] = &["chromium"];
const OTHERS: &[&str] = &["firefox", "webkit"];
const FIREFOX: &[&str] = &["firefox"];
const WEBKIT: &[&str] = &["webkit"];

const CONTEXT_MENU: &str = "WebKitGTK's driver brings no release of the right button where the page keeps the menu from opening, and keeps it down for the next row.";
const MEDIA: &str = "`canplaythrough` does not come in WebKitGTK, which has other decoders here.";
const MODULES: &str =
    "What an `import()` is awaited for runs in no event of the page, and other engines cut it otherwise.";
const WEBGL: &str = "Firefox has no WebGL without a window on a machine without a graphics card.";
const BFCACHE: &str =
    "WebKitGTK brings the page back from its own cache, where Chromium, when this was recorded, loaded it again.";
const TAB: &str = "A tab that a link opens tells of no opener, and is taken for the next page of the same window.";
const SRCDOC: &str = "In WebKitGTK the scripts of a `srcdoc` frame run without our sources.";
const FINISHED: &str =
    "What a page awaits of an animation made by script (`finished`) stays pending in one replay of two.";
const IME: &str = "What an input method composes is given by script, after which the field tells of no `change`.";
const INTERSECTION: &str = "WebKitGTK told of another crossing in one run of two; the cause was not found.";
const SELECT: &str = "Firefox tells of what was chosen by a key later than the key, and the page hears it twice.";
const DATABASES: &str =
    "What stood in IndexedDB and Cache when the session began is told in a notice, and not restored.";

const NETWORK: &[Row] = &[
    row(
        "websocket",
        "WebSocket: text, binary, close",
        &[],
        At("open of WebSocket", MessageDiffers),
    ),
    row("eventsource", "EventSource", &[], extra("message of EventSource")),
    row(
        "fetch-stream",
        "streamed `fetch` bodies, piece by piece and as text",
        &[],
        At("ReadableStreamDefaultReader.read fulfilled", RequestExtra),
    ),
    row(
        "fetch-abort",
        "`fetch` aborted before and during the response, and by a timeout",
        &[],
        extra("fetch GET */~/never fulfilled"),
    ),
];

const MESSAGES: &[Row] = &[
    row(
        "worker",
        "Worker: messages, its exceptions, `terminate`",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "worker-kinds",
        "Worker from a `blob:` and as a module",
        &[],
        At("message of Worker", MessageDiffers),
    ),
    row(
        "worker-answers",
        "what a worker is answered: time, random numbers, `fetch`",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "shared-worker",
        "SharedWorker",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "message-channel",
        "MessageChannel, ports handed on",
        &[],
        At("message of MessagePort", MessageDiffers),
    ),
    row(
        "broadcast-channel",
        "BroadcastChannel",
        &[],
        At("message of BroadcastChannel", MessageDiffers),
    ),
    row(
        "post-message-frames",
        "`postMessage` between frames, of the same origin and another",
        &[],
        At("message on window", MessageDiffers),
    ),
    row(
        "post-message-windows",
        "`postMessage` between windows",
        &[click("button")],
        At("message on window", MessageDiffers),
    ),
    row(
        "structured-clone-errors",
        "errors that are cloned",
        &[],
        At("inline script 0", MessageDiffers),
    ),
    row(
        "service-worker",
        "service workers (blocked)",
        &[],
        At("*", CallbackExtra),
    ),
];

const MOVING: &[Row] = &[
    row(
        "intersection-observer",
        "IntersectionObserver",
        &[],
        extra("deliver of IntersectionObserver"),
    )
    .but(&[sometimes_not(Replayed, WEBKIT, INTERSECTION)]),
    row(
        "resize-observer",
        "ResizeObserver",
        &[],
        extra("deliver of ResizeObserver"),
    ),
    row(
        "performance-observer",
        "PerformanceObserver",
        &[],
        extra("deliver of PerformanceObserver"),
    ),
    row(
        "mutation-observer",
        "MutationObserver",
        &[],
        extra("timer again (5 ms)"),
    ),
    row("css-animation", "CSS animations", &[], extra("animationend on #box")),
    row("css-transition", "CSS transitions", &[], extra("animation frame widen")),
    row(
        "web-animations",
        "Web Animations",
        &[],
        extra("Animation.finished fulfilled"),
    )
    .but(&[
        sometimes_not(Replayed, ALL, FINISHED),
        sometimes_not(Divergence, CHROMIUM, FINISHED),
    ]),
    row("smooth-scrolling", "smooth scrolling", &[], extra("scroll on document")),
    row("animated-gif", "animated images", &[], extra("load on *")),
    row("media", "`<video>` and `<audio>`", &[], extra("ended on *")).but(&[not(Replayed, WEBKIT, MEDIA)]),
];

const INPUT: &[Row] = &[
    row(
        "drag-native",
        "drag and drop of the browser's own",
        &[Drag(on("#thing"), on("#place"))],
        extra("drop on #place"),
    ),
    row(
        "drag-pointer",
        "drag and drop made of pointer events",
        &[Drag(
            on("#knob"),
            Spot {
                selector: "#knob",
                at: crate::session::At::Off(120.0, 0.0),
            },
        )],
        extra("pointerup on #knob"),
    ),
    row("touch", "touch", &[Tap(on("#pad"))], extra("click on #pad")),
    row(
        "wheel",
        "the wheel",
        &[Wheel(on("#list"), 0.0, 120.0)],
        extra("wheel on #list"),
    ),
    row(
        "shortcuts",
        "keyboard shortcuts",
        &[Press("Control+k"), Press("Shift+ArrowDown"), Press("Escape")],
        extra("keydown \"k\" on *"),
    ),
    row(
        "ime",
        "an input method",
        &[click("input"), Compose(&["k", "か", "蚊"]), click("button")],
        extra("input on *"),
    )
    .but(&[sometimes_not(Replayed, ALL, IME)]),
    row(
        "clipboard",
        "copy and paste",
        &[
            click("#from"),
            Press("Control+a"),
            Press("Control+c"),
            click("#to"),
            Press("Control+v"),
        ],
        extra("paste on #to"),
    ),
    row(
        "context-menu",
        "the context menu",
        &[ContextClick(on("#box"))],
        extra("contextmenu on #box"),
    )
    .but(&[sometimes_not(Replayed, WEBKIT, CONTEXT_MENU)]),
    row(
        "contenteditable",
        "`contenteditable`",
        &[click("#box"), Type("ab")],
        extra("input on #box"),
    )
    .but(&[sometimes_not(Replayed, WEBKIT, CONTEXT_MENU)]),
];

const CONTROLS: &[Row] = &[
    row(
        "file-input",
        "files that are chosen, with what stands in them",
        &[Choose("input", &["coverage/plain.txt"])],
        extra("change on *"),
    ),
    row(
        "select",
        "`<select>`",
        &[Press("ArrowDown"), Press("ArrowDown")],
        extra("change on *"),
    )
    .but(&[sometimes_not(Replayed, FIREFOX, SELECT)]),
    row(
        "inputs",
        "date, time, colour and range inputs",
        &[click("[type=range]"), Press("ArrowRight")],
        extra("change on *"),
    ),
    row(
        "checks",
        "check boxes and radio buttons",
        &[click("#agree"), click("#small")],
        extra("change on #agree"),
    ),
    row(
        "form",
        "forms: validity, submitter",
        &[click("button"), click("input"), Type("me"), Press("Enter")],
        extra("submit on *"),
    ),
    row(
        "autofill",
        "values that are filled in by script",
        &[click("button")],
        extra("click on *"),
    ),
    row(
        "dialog-element",
        "`<dialog>`",
        &[click("#open"), click("#yes"), click("#no")],
        extra("close on *"),
    ),
    row(
        "popover",
        "popover",
        &[
            click("#open"),
            Until("document.querySelectorAll('p').length === 2"),
            Press("Escape"),
        ],
        extra("toggle on #box"),
    ),
    row(
        "details",
        "`<details>`",
        &[
            click("summary"),
            Until("document.querySelector('details').open"),
            click("summary"),
        ],
        extra("toggle on *"),
    ),
    row(
        "fullscreen",
        "fullscreen",
        &[click("button")],
        extra("fullscreenchange on *"),
    ),
    row(
        "pointer-lock",
        "pointer lock",
        &[click("button")],
        extra("pointerlockchange on *"),
    ),
];

const ANSWERS: &[Row] = &[
    row(
        "dialogs",
        "`alert`, `confirm`, `prompt`, `print`",
        &[click("button")],
        At("click on *", DialogDiffers),
    ),
    row(
        "beforeunload",
        "`beforeunload`",
        &[click("button"), Until("document.title === 'armed'"), click("a")],
        extra("inline script 0"),
    ),
    row("geolocation", "geolocation", &[], extra("error of Geolocation")),
    row(
        "permissions",
        "permissions, notifications, reading the clipboard, devices",
        &[],
        extra("Notification.requestPermission fulfilled"),
    ),
    row(
        "environment",
        "`onLine`, visibility, focus, screen, device",
        &[],
        extra("inline script 0"),
    ),
    row(
        "match-media",
        "`matchMedia` that changes",
        &[],
        extra("change of MediaQueryList"),
    ),
    row("resize", "a window that is resized", &[], extra("resize on *")),
    row("intl", "`Intl`, time zone, languages", &[], extra("inline script 0")),
];

const DOCUMENTS: &[Row] = &[
    row(
        "history",
        "history, `pushState`, hash",
        &[
            click("#push"),
            click("a"),
            Until("location.hash"),
            click("#back"),
            Until("!location.hash"),
            click("#back"),
            Until("location.search === '?one'"),
            click("#back"),
        ],
        extra("popstate on window"),
    ),
    row(
        "bfcache",
        "a page that comes back from the browser's cache",
        &[click("a"), Until("document.title === 'next'"), Back],
        extra("pageshow on window"),
    )
    .but(&[not(Replayed, WEBKIT, BFCACHE)]),
    row(
        "target-blank",
        "links that open a tab",
        &[click("a")],
        extra("message of BroadcastChannel"),
    )
    .but(&[not(Replayed, ALL, TAB), not(Divergence, CHROMIUM, TAB)]),
    row(
        "download",
        "downloads",
        &[click("#made"), click("#file")],
        extra("click on #made"),
    ),
    row("frames-nested", "frames in frames", &[], extra("inline script 0")),
    row(
        "frames-local",
        "`about:blank`, `srcdoc` and `blob:` frames",
        &[],
        extra("message on window"),
    )
    .but(&[not(Replayed, WEBKIT, SRCDOC)]),
    row("frames-sandboxed", "sandboxed frames", &[], extra("message on window")),
];

const SCRIPTS: &[Row] = &[
    row(
        "shadow-dom",
        "shadow DOM, open and closed",
        &[click("x-open >> button"), click("x-closed")],
        extra("click on *"),
    ),
    row("custom-elements", "custom elements", &[], extra("timer count (5 ms)")),
    row(
        "adopted-style-sheets",
        "`adoptedStyleSheets`",
        &[],
        extra("CSSStyleSheet.replace fulfilled"),
    ),
    row("canvas", "canvas 2D", &[], extra("deliver of HTMLCanvasElement.toBlob")),
    row("webgl", "WebGL", &[], extra("animation frame next")).but(&[not(Replayed, FIREFOX, WEBGL)]),
    row("modules", "modules, `import()`, import maps", &[], extra("*"))
        .but(&[sometimes_not(Replayed, OTHERS, MODULES)]),
    row(
        "script-orders",
        "`async`, `defer`, scripts that scripts insert",
        &[],
        extra("load on window"),
    ),
    row("document-write", "`document.write`", &[], extra("timer later (5 ms)")),
    row(
        "web-assembly",
        "WebAssembly",
        &[],
        extra("WebAssembly.instantiate fulfilled"),
    ),
    row("trusted-types", "Trusted Types", &[], extra("inline script 0")),
    row(
        "generators",
        "generators and async iterators over timers",
        &[],
        At("timer (5 ms)", AnswersExhausted),
    ),
    row("patched", "natives that the page's libraries patch", &[], extra("*")),
];

/// Of the origin, before the recorder has seen it.
const WHAT_WAS_THERE: &[Step] = &[
    Open("/coverage/plain.txt"),
    Until("(localStorage.kept = 'local', sessionStorage.kept = 'session', document.cookie = 'kept=cookie', true)"),
    Until(
        "window.kept ?? (window.kept = false, (indexedDB.open('row', 1).onupgradeneeded = (event) => \
         event.target.result.createObjectStore('things').put({n: 1}, 'kept')), caches.open('row').then((cache) => \
         cache.put('/kept', new Response('cached'))).then(() => { window.kept = true; }), false)",
    ),
];

const STORAGE: &[Row] = &[
    row(
        "storage-web",
        "cookies, `localStorage`, `sessionStorage` that were there",
        &[],
        extra("inline script 0"),
    ),
    row(
        "storage-databases",
        "IndexedDB and Cache that were there",
        &[],
        extra("*"),
    )
    .but(&[not(Replayed, ALL, DATABASES)]),
];
