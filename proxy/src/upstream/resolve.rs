//! Names of hosts to addresses: the system's answer, and loopback for `*.localhost`.
//!
//! Browsers take every name below `localhost` for this machine without asking anybody (RFC 6761); most systems do not. An
//! application that is developed at `app.localhost` must be reached through us as it is without us.

use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_service::Service;

#[derive(Clone)]
pub(super) struct Resolver {
    system: GaiResolver,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Resolver {
            system: GaiResolver::new(),
        }
    }
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.system.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        if is_below_localhost(name.as_str()) {
            // The port is filled in by who asks.
            let loopback = [(Ipv4Addr::LOCALHOST, 0).into(), (Ipv6Addr::LOCALHOST, 0).into()];
            return Box::pin(async move { Ok(Vec::from(loopback).into_iter()) });
        }
        let asked = self.system.call(name);
        Box::pin(async move { Ok(asked.await?.collect::<Vec<_>>().into_iter()) })
    }
}

fn is_below_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_below_localhost_are_answered_here() {
        for (name, expected) in [
            ("app.localhost", true),
            ("A.B.LocalHost.", true),
            ("localhost", false),
            ("notlocalhost", false),
        ] {
            assert_eq!(is_below_localhost(name), expected, "{name}");
        }
    }
}
