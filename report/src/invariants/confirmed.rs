//! What is only seen once may be rare rather than wrong: what counts is what two runs show.

use super::{Checked, Deviation};

/// Whether what they show is known: one that shows nothing, two that could both go on, or two that could not.
pub fn are_enough(runs: &[Checked]) -> bool {
    let diverged = runs.iter().filter(|run| run.diverged.is_some()).count();
    runs.iter().any(|run| !run.deviates()) || diverged >= 2 || runs.len() - diverged >= 2
}

/// What two of them show; of fewer than are enough, what the first one shows that went through, or else the first.
pub fn confirmed(runs: Vec<Checked>) -> Option<Checked> {
    let count = runs.len() as u32;
    let (diverged, through): (Vec<_>, Vec<_>) = runs.into_iter().partition(|run| run.diverged.is_some());
    let once = diverged.first().and_then(|run| run.diverged.clone());
    let is_clean = through.iter().any(|run| !run.deviates());
    let by_diverged = through.is_empty() || (diverged.len() >= 2 && !is_clean);
    let counts = if by_diverged { diverged } else { through };
    let mut result = counts.into_iter().reduce(Checked::and)?;
    result.runs = count;
    if result.diverged.is_none() {
        result.diverged_once = once;
    }
    Some(result)
}

impl Checked {
    /// What only one of the two shows does not count, but is there to be seen.
    fn and(mut self, again: Checked) -> Checked {
        for place in 0..self.events.len() {
            let event = self.events[place].event;
            let found = std::mem::take(&mut self.events[place].deviations);
            let now = again.events.iter().find(|other| other.event == event);
            let others = now.into_iter().flat_map(|other| other.deviations.iter());
            let only_there: Vec<_> = others
                .filter(|one| !self.shows(event, one) && !found.iter().any(|known| is_same(known, one)))
                .cloned()
                .collect();
            let (both, mut once): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| again.shows(event, one));
            once.extend(only_there);
            self.events[place].deviations = both;
            self.events[place].once.extend(once);
        }
        self
    }

    /// What went wrong earlier and still stands there counts, too.
    fn shows(&self, event: u32, sought: &Deviation) -> bool {
        let until = self.events.iter().filter(|one| one.event <= event);
        let seen = until.flat_map(|one| one.deviations.iter().chain(&one.once));
        seen.into_iter().any(|one| is_same(one, sought))
    }
}

/// The same thing at the same place: what stands there instead may be another thing each time.
fn is_same(one: &Deviation, other: &Deviation) -> bool {
    (&one.what, &one.at) == (&other.what, &other.at)
}

#[cfg(test)]
mod tests {
    use super::super::{CheckedEvent, Diverged, FORMAT};
    use super::*;

    fn run(events: &[(u32, &[&str])]) -> Checked {
        let events = events.iter().map(|(event, texts)| CheckedEvent {
            event: *event,
            label: "click".into(),
            known: true,
            deviations: texts.iter().map(|at| deviation(at)).collect(),
            once: vec![],
            still: 0,
            picture: None,
            notes: vec![],
        });
        Checked {
            format: FORMAT,
            trace: "a".into(),
            model: "b".into(),
            browser: "c".into(),
            against: "d".into(),
            runs: 1,
            diverged: None,
            diverged_once: None,
            events: events.collect(),
            notes: vec![],
        }
    }

    fn deviation(at: &str) -> Deviation {
        Deviation {
            what: "text".into(),
            at: at.into(),
            expected: "1".into(),
            actual: "2".into(),
        }
    }

    fn at(all: &[Deviation]) -> Vec<&str> {
        all.iter().map(|one| one.at.as_str()).collect()
    }

    #[track_caller]
    fn told(runs: &[Checked]) -> Checked {
        assert!(are_enough(runs));
        assert!(!are_enough(&runs[..runs.len() - 1]));
        confirmed(runs.to_vec()).expect("there are runs")
    }

    #[test]
    fn only_what_both_runs_show_counts() {
        let both = told(&[run(&[(1, &["a", "b"]), (2, &["d"])]), run(&[(1, &["b"]), (2, &["c"])])]);
        assert_eq!(both.runs, 2);
        assert_eq!(at(&both.events[0].deviations), ["b"]);
        assert_eq!(at(&both.events[0].once), ["a"]);
        assert_eq!(at(&both.events[1].once), ["d", "c"]);
        assert!(both.deviates());
        assert!(!told(&[run(&[(1, &["a"])]), run(&[(1, &[])])]).deviates());
    }

    #[test]
    fn one_run_that_shows_nothing_is_enough() {
        assert_eq!(told(&[run(&[(1, &[])])]).runs, 1);
    }

    #[test]
    fn what_came_an_event_earlier_in_the_other_run_is_the_same() {
        let both = told(&[run(&[(1, &[]), (2, &["a"])]), run(&[(1, &["a"]), (2, &[])])]);
        assert_eq!(at(&both.events[1].deviations), ["a"]);
    }

    #[test]
    fn a_session_that_can_go_on_in_two_runs_of_three_is_told_by_those() {
        let diverged = Checked {
            diverged: Some(Diverged {
                event: 2,
                label: "click".into(),
                why: "not there".into(),
            }),
            ..run(&[(1, &[])])
        };
        let through = run(&[(1, &[]), (2, &[])]);
        let clean = told(&[diverged.clone(), through]);
        assert!(!clean.deviates() && clean.diverged_once.is_some());
        let wrong = run(&[(1, &[]), (2, &["a"])]);
        let deviates = told(&[wrong.clone(), diverged.clone(), wrong.clone()]);
        assert_eq!(at(&deviates.events[1].deviations), ["a"]);
        assert!(deviates.diverged_once.is_some() && deviates.diverged.is_none());
        assert!(told(&[diverged.clone(), wrong, diverged.clone()]).diverged.is_some());
        // Nobody asked for a second run, or it could not be made.
        let alone = confirmed(vec![diverged]).expect("there is a run");
        assert!(alone.deviates() && alone.diverged_once.is_none());
    }
}
