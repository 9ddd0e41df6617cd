//! What belongs to the application that is explored.

use crate::robots::Robots;
use url::Url;

#[derive(Debug, Clone)]
pub struct Scope {
    /// Host and port of the start page, and what else the person named.
    hosts: Vec<String>,
    robots: Robots,
}

impl Scope {
    /// `more`: hosts, with a port where it is not the usual one.
    pub fn new(start: &str, more: &[String]) -> Result<Scope, url::ParseError> {
        let start = Url::parse(start)?;
        let mut hosts = vec![host(&start)];
        hosts.extend(more.iter().map(|host| host.to_ascii_lowercase()));
        Ok(Scope {
            hosts,
            robots: Robots::default(),
        })
    }

    pub fn with_robots(self, robots: Robots) -> Scope {
        Scope { robots, ..self }
    }

    /// A page that may be looked at.
    pub(crate) fn holds(&self, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && self.hosts.contains(&host(&url)))
    }

    /// Why an address must not be asked for.
    pub(crate) fn refuses(&self, url: &str) -> Option<String> {
        let Ok(parsed) = Url::parse(url) else {
            return Some("not an address".into());
        };
        if !matches!(parsed.scheme(), "http" | "https") {
            return Some(format!("leads to {}:", parsed.scheme()));
        }
        let host = host(&parsed);
        if !self.hosts.contains(&host) {
            return Some(format!("leads to {host}, which is out of scope"));
        }
        let mut path = parsed.path().to_owned();
        if let Some(query) = parsed.query() {
            path = format!("{path}?{query}");
        }
        (!self.robots.allows(&path)).then(|| "robots.txt says no".into())
    }
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}
