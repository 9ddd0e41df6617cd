//! How a command learns of the proxy and of whom to trust: by the variables that clients already look at.
//!
//! Most clients take one file in the place of the system's roots, so theirs holds both. Node.js adds to its own roots,
//! so its file holds only what is new, ours and what somebody had given it already.

use crate::terminal;
use anyhow::Context;
use std::ffi::OsString;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use url::Url;
use xcheck_agent::launch::fonts;
use xcheck_proxy::Authority;

/// Exceptions would keep loopback hosts, which most tests are about, from the proxy.
pub(super) const TAKEN_AWAY: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// Where Linux says which fonts there are.
const FONTS: &str = "FONTCONFIG_FILE";

/// Files go into `folder`, which has to outlive the command.
pub(super) fn variables(
    proxy: SocketAddr,
    authority: &Authority,
    url: Option<&Url>,
    folder: &Path,
) -> anyhow::Result<Vec<(&'static str, OsString)>> {
    let bundle = folder.join("roots.pem");
    let (roots, unreadable) = authority.bundle_pem();
    for reason in unreadable {
        terminal::warn(format!(
            "some of the system's roots are missing from what the command trusts: {reason}"
        ));
    }
    fs::write(&bundle, roots).with_context(|| format!("{} could not be written", bundle.display()))?;
    let node = folder.join("node.pem");
    fs::write(&node, for_node(authority)?).with_context(|| format!("{} could not be written", node.display()))?;

    let proxy = OsString::from(proxy_url(proxy));
    let mut variables = Vec::new();
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "XCHECK_PROXY",
    ] {
        variables.push((name, proxy.clone()));
    }
    for name in [
        "SSL_CERT_FILE",
        "CURL_CA_BUNDLE",
        "REQUESTS_CA_BUNDLE",
        "GIT_SSL_CAINFO",
        "AWS_CA_BUNDLE",
    ] {
        variables.push((name, bundle.clone().into()));
    }
    variables.push(("NODE_EXTRA_CA_CERTS", node.into()));
    // Node.js 24 and later look at HTTP_PROXY only when told to.
    variables.push(("NODE_USE_ENV_PROXY", "1".into()));
    variables.push(("XCHECK_CA", authority.certificate_path().into()));
    variables.push(("XCHECK_SPKI", authority.spki_sha256().into()));
    // A page measures its texts: a browser that the command starts is to have the fonts of the replays.
    if cfg!(target_os = "linux") && std::env::var_os(FONTS).is_none() {
        let fonts = fonts::write(folder).with_context(|| {
            format!(
                "the fonts' configuration could not be written into {}",
                folder.display()
            )
        })?;
        variables.push((FONTS, fonts.into()));
    }
    variables.extend(url.map(|url| ("XCHECK_URL", url.as_str().into())));
    Ok(variables)
}

fn for_node(authority: &Authority) -> anyhow::Result<String> {
    let mut certificates = authority.certificate_pem().to_owned();
    if let Some(given) = std::env::var_os("NODE_EXTRA_CA_CERTS") {
        let given = Path::new(&given);
        let text = fs::read_to_string(given).with_context(|| {
            format!(
                "{}, which NODE_EXTRA_CA_CERTS names, could not be read",
                given.display()
            )
        })?;
        certificates.push_str(&text);
    }
    Ok(certificates)
}

/// A proxy that listens on every address is reached by loopback.
pub(super) fn proxy_url(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, address.port()))
}
