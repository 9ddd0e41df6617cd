//! What was found, as a person would say it: what fails, and what happens then.

use xcheck_agent::rerun::{Injection, Wrong};
use xcheck_report::invariants::FaultRun;

pub(super) fn finding(injection: &Injection, run: &FaultRun) -> String {
    let cause = cause(injection);
    if let Some(diverged) = &run.diverged {
        return format!("the session cannot go on {cause}: {}", diverged.why);
    }
    let Some(shows) = &run.shows_at else {
        return format!("something changes {cause}");
    };
    if shows.nothing_happened && injection.wrong != Wrong::NotReplayed {
        return format!("`{}` does nothing {cause}", shows.label);
    }
    let what = effect(shows.deviations.first(), shows.count);
    format!("after `{}`, {what} {cause}", shows.label)
}

/// `when GET /api/cart is answered with an error`
fn cause(injection: &Injection) -> String {
    let target = short(&injection.target);
    match injection.wrong {
        Wrong::NotReplayed => format!("when `{target}` gets lost"),
        Wrong::NotAnswered => format!("when `{target}` is not answered"),
        Wrong::Error => format!("when `{target}` is answered with an error"),
        Wrong::Slow => format!("when `{target}` is slow"),
        Wrong::Cut => format!("when `{target}` breaks off"),
        Wrong::Garbled => format!("when `{target}` brings nonsense"),
        Wrong::NotFired => format!("when `{target}` does not fire"),
        Wrong::DomainBlocked => format!("when {target} cannot be reached"),
        Wrong::DomainSlow => format!("when {target} is slow"),
        Wrong::ScriptFailed => format!("when `{target}` cannot be loaded"),
    }
}

fn effect(first: Option<&xcheck_report::invariants::Deviation>, count: usize) -> String {
    let Some(first) = first else {
        return "the page is another".to_owned();
    };
    let mut steps = first.at.rsplit(" > ").filter(|step| !step.starts_with("#text"));
    let place = steps.next().unwrap_or(&first.at);
    let clip = |text: &str| {
        let clipped: String = text.chars().take(60).collect();
        if clipped.len() < text.len() {
            format!("{clipped}…")
        } else {
            clipped
        }
    };
    let said = match first.what.as_str() {
        "missing" if first.at.ends_with("#text") => format!("{} is missing in `{place}`", clip(&first.expected)),
        "missing" => format!(
            "{} is missing in `{}`",
            clip(&first.expected),
            steps.next().unwrap_or("the page")
        ),
        "extra" => format!("{} is there that should not be", clip(&first.actual)),
        "count" => format!(
            "`{place}` is there {} times instead of {}",
            first.actual, first.expected
        ),
        "order" => format!("`{place}` is in another order"),
        "text" => format!(
            "`{place}` says {:?} instead of {:?}",
            clip(&first.actual),
            clip(&first.expected)
        ),
        "visible" if first.actual == "no" => format!("`{place}` does not show"),
        "visible" => format!("`{place}` shows that should not"),
        field => format!(
            "`{place}` has {field} {:?} instead of {:?}",
            clip(&first.actual),
            clip(&first.expected)
        ),
    };
    match count {
        1 => said,
        more => format!("{said} (and {} more)", more - 1),
    }
}

/// Without scheme and host of an address, which a person who knows the application need not be told.
fn short(target: &str) -> String {
    let Some((kind, url)) = target.split_once("http") else {
        return target.to_owned();
    };
    let path = url
        .split_once("://")
        .and_then(|(_, rest)| rest.split_once('/'))
        .map_or("", |(_, path)| path);
    format!("{kind}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_agent::rerun::Done;
    use xcheck_report::invariants::{Deviation, Shows};
    use xcheck_trace::run::Place;

    #[test]
    fn a_finding_says_what_fails_and_what_happens_then() {
        let place = Place {
            number: 7,
            load: 1,
            event: 7,
        };
        let injection = Injection {
            place: Some(place),
            target: "XHR GET http://shop.test/api/cart".into(),
            wrong: Wrong::Error,
            done: Done::Skip(place),
        };
        let deviation = Deviation {
            what: "missing".into(),
            at: "html > body > output#total > #text".into(),
            expected: "#text \"3 items\"".into(),
            actual: String::new(),
        };
        let mut run = FaultRun {
            id: String::new(),
            event: Some(7),
            target: injection.target.clone(),
            wrong: "error".into(),
            affects: true,
            detected: true,
            confirmed: None,
            finding: None,
            shows_at: Some(Shows {
                event: 9,
                label: "click on #cart".into(),
                nothing_happened: false,
                count: 1,
                deviations: vec![deviation],
                picture: None,
                no_picture: None,
            }),
            diverged: None,
            not_measured: None,
            took_ms: 1,
        };
        assert_eq!(
            finding(&injection, &run),
            "after `click on #cart`, #text \"3 items\" is missing in `output#total` when `XHR GET /api/cart` is answered with an error"
        );
        run.shows_at.as_mut().unwrap().nothing_happened = true;
        assert_eq!(
            finding(&injection, &run),
            "`click on #cart` does nothing when `XHR GET /api/cart` is answered with an error"
        );
    }
}
