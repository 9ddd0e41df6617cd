//! Modules that the other browser's page imported by itself, going another way than the recording: the replay had to refuse
//! them, and that the import failed is the replay's doing, no fault of the page's.

use xcheck_trace::event::PageError;
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

/// WebKit names no address.
const OF_NO_ADDRESS: &str = "TypeError: Importing a module script failed.";

#[derive(Default)]
pub(super) struct Refused {
    /// Addresses that were asked for without having been recorded, in their order.
    urls: Vec<String>,
}

impl Refused {
    pub(super) fn of(events: &[ReplayedEvent]) -> Refused {
        let divergences = events.iter().flat_map(|event| &event.divergences);
        let refused = divergences.filter(|divergence| divergence.kind == DivergenceKind::NotInTrace);
        let urls = refused.filter_map(|divergence| divergence.actual.strip_prefix("GET "));
        Refused {
            urls: urls.map(str::to_owned).collect(),
        }
    }

    /// The address whose refusal is behind an error.
    fn behind(&self, message: &str) -> Option<&str> {
        let is_script = |url: &str| {
            let path = url.split(['?', '#']).next().unwrap_or(url);
            [".js", ".mjs"].iter().any(|ending| path.ends_with(ending))
        };
        let mut urls = self.urls.iter().map(String::as_str);
        match message == OF_NO_ADDRESS {
            true => urls.find(|url| is_script(url)),
            false => urls.find(|url| message.contains("module: ") && message.ends_with(url)),
        }
    }

    /// What is behind a divergence, if that is such a refusal: that something was asked for that was not recorded.
    pub(super) fn instead_of(&self, divergence: &Divergence, error: Option<&PageError>) -> Option<Divergence> {
        let thrown = (divergence.kind == DivergenceKind::ExceptionOnlyHere).then_some(&divergence.actual);
        let message = thrown.or_else(|| error.map(|error| &error.message))?;
        let url = self.behind(message)?;
        Some(Divergence::new(
            DivergenceKind::NotInTrace,
            "only what was recorded",
            format!("GET {url}"),
        ))
    }

    /// One way that a page went is one thing to look at, whatever it asked for.
    pub(super) fn key(&self) -> String {
        format!("asked for {}", self.urls.first().map_or("", String::as_str))
    }
}
