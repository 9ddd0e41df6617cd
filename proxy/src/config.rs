//! What a proxy is started with.

use crate::ca::Authority;
use crate::faults::Faults;
use crate::live::Live;
use crate::serve::Serve;
use crate::upstream::{UpstreamProxy, UpstreamTrust};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use xcheck_trace::TraceWriter;

pub struct Config {
    /// Loopback and any free port unless somebody said otherwise.
    pub listen: SocketAddr,
    pub authority: Arc<Authority>,
    pub mode: Mode,
    pub profiles: Profiles,
    /// Documents run by themselves and take commands.
    pub live: Option<Live>,
    pub upstream_proxy: UpstreamProxy,
    pub upstream_trust: UpstreamTrust,
    /// What goes wrong on purpose.
    pub faults: Faults,
}

pub enum Mode {
    /// Puts the recorder into documents and keeps everything in this trace.
    Record(TraceWriter),
    /// Answers from a trace; the replay loop holds the other end.
    Serve(Serve),
    /// Forwards, and keeps nothing; changes nothing either, but for live pages. What recording is compared with.
    Pass,
}

/// Whether the browsers that come may have kept something of an application from before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profiles {
    /// Made for this session: there is nothing to be found.
    New,
    /// Nobody knows: the first document of each origin is asked.
    Used,
}

impl Config {
    pub fn new(authority: Arc<Authority>, mode: Mode) -> Self {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            authority,
            mode,
            profiles: Profiles::New,
            live: None,
            upstream_proxy: UpstreamProxy::default(),
            upstream_trust: UpstreamTrust::default(),
            faults: Faults::default(),
        }
    }
}
