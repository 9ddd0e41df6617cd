//! `xcheck record`: a proxy, a trace, and a client that goes through the one into the other.

mod browser;
mod command;
mod environment;
pub(super) mod locale;
mod name;
mod setup;
mod summary;

use crate::Everywhere;
use crate::exit::{Exit, Failure, OrUsage};
use anyhow::anyhow;
use setup::Setup;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use url::Url;
use xcheck_trace::manifest::Viewport;

const EXAMPLES: &str = "\
Examples:
  xcheck record https://shop.example                    browse, then close the browser or press Ctrl-C
  xcheck record localhost:3000 --browser firefox --viewport 390x844
  xcheck record -- npx playwright test                  a client of your own; its exit status is passed on
  xcheck record https://shop.example -- sh -c 'curl -s \"$XCHECK_URL\" >page.html'
  xcheck record --listen 127.0.0.1:8080                 serve any client until Ctrl-C

A command finds the proxy in HTTP_PROXY, HTTPS_PROXY and XCHECK_PROXY, and the certificate authority to trust in XCHECK_CA,
NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, CURL_CA_BUNDLE and REQUESTS_CA_BUNDLE. Browsers take neither from there: tell Playwright
  launch({ proxy: { server: process.env.XCHECK_PROXY } }), newContext({ ignoreHTTPSErrors: true })
and Chromium  --proxy-server=$XCHECK_PROXY --proxy-bypass-list='<-loopback>' --ignore-certificate-errors-spki-list=$XCHECK_SPKI";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to begin; `https://` may be left out
    url: Option<String>,
    /// Run this instead of a browser, with the proxy in its environment
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Serve any client at this address until Ctrl-C; with a COMMAND, the address of its proxy
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// The folder to make for the trace [default: named for the host, never one that is there]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Rules for what must not be kept: a TOML file with lists of headers, query, json, form, inputs, storage
    #[arg(long, value_name = "FILE")]
    redact: Option<PathBuf>,

    /// `chromium`, `firefox`, `webkit`, a path, or a name from xcheck.toml
    #[arg(long, default_value = "chromium", help_heading = "Browser")]
    browser: String,
    /// Without a window
    #[arg(long, help_heading = "Browser")]
    headless: bool,
    /// Size of the page's area
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = viewport, help_heading = "Browser")]
    viewport: Viewport,
    /// Let service workers run, and keep what they answer [default: each is replaced by one that does nothing]
    #[arg(long, help_heading = "Browser")]
    service_workers: bool,

    /// Trust this authority upstream, too (PEM; may be repeated)
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    ca_extra: Vec<PathBuf>,
    /// Accept any certificate upstream
    #[arg(long, help_heading = "Network")]
    insecure_upstream: bool,
    /// Reach servers through this proxy, `none` for none [default: as HTTP_PROXY and its relatives say]
    #[arg(long, value_name = "URL", help_heading = "Network")]
    upstream_proxy: Option<String>,
}

/// Who is recorded.
enum Client {
    Browser(Url),
    Command(Vec<OsString>),
    Anybody,
}

pub(super) fn run(args: Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let url = args.url.as_deref().map(parse_url).transpose().or_usage()?;
    let client = match (&url, args.listen, args.command.is_empty()) {
        (_, _, false) => Client::Command(args.command.clone()),
        (Some(url), None, true) => Client::Browser(url.clone()),
        (None, Some(_), true) => Client::Anybody,
        (Some(_), Some(_), true) => {
            let text = "--listen serves any client and opens no URL: leave one of the two out, or add `-- COMMAND`";
            return Err(Failure::usage(anyhow!(text)));
        }
        (None, None, true) => {
            let text = "nothing to record: give a URL, `-- COMMAND`, or --listen ADDR (see `xcheck record --help`)";
            return Err(Failure::usage(anyhow!(text)));
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let setup = Setup::prepare(&args, url.as_ref(), everywhere)?;
        match client {
            Client::Browser(url) => browser::record(setup, &url).await,
            Client::Command(command) => command::record(setup, url.as_ref(), &command).await,
            Client::Anybody => setup::record_anybody(setup).await,
        }
    })
}

/// People leave the scheme out; what is on this machine seldom speaks TLS.
pub(super) fn parse_url(text: &str) -> anyhow::Result<Url> {
    let not_a_url = |why: &str| anyhow!("`{text}` is not a URL such as https://shop.example/ ({why})");
    let url = if text.contains("://") {
        Url::parse(text)
    } else {
        let with_tls = Url::parse(&format!("https://{text}"));
        match &with_tls {
            Ok(url) if is_local(url) => Url::parse(&format!("http://{text}")),
            _ => with_tls,
        }
    };
    let url = url.map_err(|error| not_a_url(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(not_a_url(&format!("{scheme} does not pass a proxy"))),
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

pub(super) fn viewport(text: &str) -> Result<Viewport, String> {
    let (width, height) = text
        .split_once(['x', 'X', '×'])
        .ok_or("expected WIDTHxHEIGHT, such as 1280x720")?;
    let side = |text: &str| match text.trim().parse() {
        Ok(side @ 1..=16_384) => Ok(side),
        _ => Err(format!("`{text}` is not a number of pixels between 1 and 16384")),
    };
    Ok(Viewport {
        width: side(width)?,
        height: side(height)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_understood_as_people_write_them() {
        let check = |text: &str, expected: &str| assert_eq!(parse_url(text).unwrap().as_str(), expected);
        check("shop.example", "https://shop.example/");
        check("http://shop.example/a?b#c", "http://shop.example/a?b#c");
        check("localhost:3000/x", "http://localhost:3000/x");
        check("127.0.0.1:80", "http://127.0.0.1/");
        check("[::1]:8080", "http://[::1]:8080/");
        check("shop.example:8443", "https://shop.example:8443/");
        for text in [
            "",
            "http://",
            "ftp://a.example/",
            "file:///etc/passwd",
            "a b",
            "https://:80",
        ] {
            let error = parse_url(text).unwrap_err().to_string();
            assert!(error.contains("is not a URL"), "{text}: {error}");
        }
    }

    #[test]
    fn viewports_have_two_sides() {
        assert_eq!(
            viewport("390x844"),
            Ok(Viewport {
                width: 390,
                height: 844
            })
        );
        for text in ["390", "x", "0x5", "a x b", "-1x5", "99999x5"] {
            assert!(viewport(text).is_err(), "{text}");
        }
    }
}
