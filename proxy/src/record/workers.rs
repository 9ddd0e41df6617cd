//! Workers whose script never passes here, and that did not ask for ours either (`data:`, or where a policy does not let them).
//! Said at the end, since a page tells of its worker before or after the worker's script is asked for.

use xcheck_trace::event::{Event, LoadId};
use xcheck_trace::exchange::RequestHead;
use xcheck_trace::notice::{Notice, NoticeKind};

#[derive(Debug, Default)]
pub(super) struct Workers {
    made: usize,
    seen: usize,
    first: Option<LoadId>,
}

impl Workers {
    pub(super) fn see_event(&mut self, event: &Event) {
        let made = event.local.host.iter().filter(|name| *name == "Worker").count();
        self.made += made;
        if made > 0 {
            self.first.get_or_insert(event.load);
        }
    }

    pub(super) fn see_request(&mut self, request: &RequestHead<&str>) {
        let is_worker = request.header("sec-fetch-dest") == Some("worker");
        // What its module imports comes for it, too.
        self.seen += usize::from(is_worker && request.header("sec-fetch-mode") != Some("cors"));
    }

    /// One of a `blob:` has asked for our script.
    pub(super) fn see_made(&mut self) {
        self.seen += 1;
    }

    pub(super) fn notice(&self) -> Option<Notice> {
        let unseen = self.made.checked_sub(self.seen).filter(|unseen| *unseen > 0)?;
        let text = format!(
            "{unseen} of {} workers were made of something else than a script that was seen to be one (`data:`, say): they have random numbers \
             and times of their own in each replay, and what they say differently is told.",
            self.made
        );
        Some(Notice {
            load: self.first,
            ..Notice::new(NoticeKind::Unsupported, text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(made: usize, destinations: &[&str]) -> Option<Notice> {
        let mut workers = Workers::default();
        for _ in 0..made {
            let line = r#"{"load":3,"id":1,"at":0.0,"local":{"host":["Worker","MediaQueryList"]}}"#;
            workers.see_event(&serde_json::from_str(line).unwrap());
        }
        for destination in destinations {
            workers.see_request(&RequestHead {
                method: "GET",
                url: "http://site.test/mill.js",
                version: "HTTP/1.1",
                headers: vec![("Sec-Fetch-Dest", *destination)],
                body: None,
            });
        }
        workers.notice()
    }

    #[test]
    fn only_workers_whose_script_was_not_asked_for_are_told_of() {
        assert_eq!(seen(0, &[]), None);
        assert_eq!(seen(2, &["worker", "script", "worker"]), None);
        let told = seen(3, &["worker", "sharedworker"]).unwrap();
        assert!(told.text.starts_with("2 of 3 workers"), "{}", told.text);
        assert_eq!(told.load, Some(3));
    }
}
