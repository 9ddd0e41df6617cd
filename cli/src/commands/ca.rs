//! `xcheck ca`: where the proxy's certificate authority is, and how to make other clients trust it.

use crate::Everywhere;
use crate::commands::Format;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BOLD, DIM, styled};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use xcheck_proxy::{Authority, CaError};

const EXAMPLES: &str = "\
Examples:
  xcheck ca                      where the certificate is, and how clients are made to trust it
  xcheck ca --format json        path and fingerprints, for scripts";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The authority in the folder that was named, or in the user's own; made if this is the first use.
pub(super) fn open(everywhere: &Everywhere) -> Result<Arc<Authority>, CaError> {
    match &everywhere.data_dir {
        Some(folder) => Authority::open(folder),
        None => Authority::open_default(),
    }
}

pub(super) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let authority = open(everywhere)?;
    let path = authority.certificate_path();
    let mut out = terminal::stdout();
    if args.format == Format::Json {
        let about = json!({
            "certificate": path,
            "fingerprint_sha256": authority.fingerprint(),
            "spki_sha256": authority.spki_sha256(),
        });
        serde_json::to_writer_pretty(&mut out, &about)?;
        writeln!(out)?;
        return Ok(Exit::Clean);
    }
    writeln!(out, "{}   {}", styled(BOLD, "certificate"), path.display())?;
    writeln!(out, "{}   {}", styled(BOLD, "SHA-256"), authority.fingerprint())?;
    writeln!(
        out,
        "\nBrowsers started by xcheck trust it by themselves, and `xcheck record -- COMMAND` tells the command.\n\
         Only a client that you start yourself has to be told. Whoever has the private key beside the certificate\n\
         can read what such a client sends: trust it only where you need it, and take it away again."
    )?;
    for way in ways(path, &authority.spki_sha256()) {
        writeln!(out, "\n{}", styled(BOLD, way.client))?;
        for line in way.trust.lines() {
            writeln!(out, "  {line}")?;
        }
        for line in way.undo.lines() {
            writeln!(out, "  {}", styled(DIM, format!("undo: {line}")))?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

struct Way {
    client: &'static str,
    trust: String,
    undo: &'static str,
}

fn ways(path: &Path, spki: &str) -> Vec<Way> {
    let shown = path.display().to_string();
    let quoted = format!("'{}'", shown.replace('\'', "'\\''"));
    let way = |client, trust: String, undo| Way { client, trust, undo };
    vec![
        way(
            "Debian, Ubuntu",
            format!(
                "sudo cp {quoted} /usr/local/share/ca-certificates/xcheck.crt\n\
                 sudo update-ca-certificates"
            ),
            "sudo rm /usr/local/share/ca-certificates/xcheck.crt && sudo update-ca-certificates --fresh",
        ),
        way(
            "Fedora, RHEL",
            format!(
                "sudo cp {quoted} /etc/pki/ca-trust/source/anchors/xcheck.pem\n\
                 sudo update-ca-trust"
            ),
            "sudo rm /etc/pki/ca-trust/source/anchors/xcheck.pem && sudo update-ca-trust",
        ),
        way(
            "macOS",
            format!("security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db {quoted}"),
            "security delete-certificate -c 'xcheck recording CA' ~/Library/Keychains/login.keychain-db",
        ),
        way(
            "Windows",
            format!("certutil -user -addstore Root \"{shown}\""),
            "certutil -user -delstore Root \"xcheck recording CA\"",
        ),
        way(
            "Firefox",
            "Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import:\n".to_owned()
                + &format!("{shown}, and tick \"identify websites\""),
            "",
        ),
        way(
            "Chrome, Chromium, Edge",
            format!(
                "They use the system's store. For one start, with a profile of its own:\nchromium --user-data-dir=/tmp/profile --ignore-certificate-errors-spki-list={spki}"
            ),
            "",
        ),
        way(
            "curl",
            format!("curl --cacert {quoted} --proxy http://127.0.0.1:PORT https://…"),
            "",
        ),
        way("Node.js", format!("NODE_EXTRA_CA_CERTS={quoted} node …"), ""),
        way(
            "Python",
            format!("SSL_CERT_FILE={quoted} REQUESTS_CA_BUNDLE={quoted} python3 …"),
            "",
        ),
    ]
}
