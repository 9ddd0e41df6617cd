//! What the scripted person does: signs in, looks through the books, and goes to lunch.

use crate::session::{Session, Step::*, click};

pub const VISIT: Session = Session {
    name: "demo",
    steps: &[
        Open("/books/"),
        click("#reader"),
        Type("Ada"),
        click("#signin button"),
        Until("document.readyState === 'complete' && document.querySelectorAll('#booklist li').length === 4"),
        click("#note"),
        Type("Loose spine."),
        Press("Enter"),
        Type("Please look."),
        // The reminder comes by itself, and goes by itself.
        Until("reminder.hidden === false"),
        Until("reminder.hidden === true"),
        click("[data-category=science]"),
        Until("document.querySelectorAll('#science li').length === 3"),
        click("#tab-borrowed"),
        click("#lunch"),
        Until("document.readyState === 'complete' && document.querySelector('#special')?.textContent"),
        click("#show-lunch"),
        Until("document.querySelectorAll('#items li').length === 3"),
        click("#table"),
        Type("Ada"),
        click("#order button"),
        Until("answer.textContent"),
    ],
};
