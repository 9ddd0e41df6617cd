//! `xcheck agent`: offers the browsers of this machine to others.

use super::ca;
use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::signals::Signals;
use crate::terminal::{self, BOLD, styled};
use anyhow::Context;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_agent::find_all;
use xcheck_agent::remote::{Daemon, DaemonConfig, DaemonError, ServerTls, Token};

const EXAMPLES: &str = "\
Examples:
  xcheck agent                                                for this machine only
  head -c 24 /dev/urandom | base64 > token
  xcheck agent --listen 0.0.0.0:7433 --token-file token --tls

  xcheck replay shop.trace --on agent://lab:7433/firefox --token-file token --agent-fingerprint AB:CD:…

An address that other machines can reach needs a token and TLS. With --tls the certificate is made here and signed by
this machine's own authority, whose fingerprint is shown.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to listen; port 0 is any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7433")]
    listen: SocketAddr,
    /// File with the token that clients have to give
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// TLS with certificates signed by our own authority
    #[arg(long, conflicts_with_all = ["tls_cert", "tls_key"])]
    tls: bool,
    /// TLS with this certificate and what leads to its authority, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// How many replays run at once; others wait
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Seconds after which a replay is ended, however it goes
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    longest: u64,
    /// MB of bodies that are kept for later traces
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    keep: u64,
    /// MB that a trace may have
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    largest: u64,
}

const MB: u64 = 1_000_000;

pub(super) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let config = Config::read(everywhere.config.as_deref())?;
    let authority = ca::open(everywhere)?;
    let token = args.token_file.as_deref().map(Token::read).transpose().or_usage()?;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => ServerTls::Given {
            certificate: certificate.clone(),
            key: key.clone(),
        },
        _ if args.tls => ServerTls::Own(authority.clone()),
        _ => ServerTls::None,
    };
    if find_all(&config.browsers).iter().all(Result::is_err) {
        terminal::warn("no browser is here that could be offered: `xcheck browsers` says how to get one");
    }
    let daemon = DaemonConfig {
        listen: args.listen,
        token,
        tls,
        authority: authority.clone(),
        browsers: config.browsers,
        at_once: args.jobs,
        longest: Duration::from_secs(args.longest.max(1)),
        stock: args.keep.saturating_mul(MB),
        largest_trace: args.largest.saturating_mul(MB),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::catch()?;
        let daemon = match Daemon::start(daemon).await {
            Err(error @ (DaemonError::NoToken(_) | DaemonError::NoTls(_) | DaemonError::Certificate { .. })) => {
                return Err(Failure::usage(error));
            }
            started => started?,
        };
        if args.tls {
            let shown = authority.fingerprint();
            terminal::say(format!("{}  {shown}", styled(BOLD, "fingerprint")));
        }
        let mut out = terminal::stdout();
        writeln!(out, "listening on {}", daemon.address())?;
        out.flush()?;
        drop(out);
        signals.stop().await;
        terminal::say("stopping");
        daemon.stop().await.context("its files could not be removed")?;
        Ok(Exit::Clean)
    })
}
