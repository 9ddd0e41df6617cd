//! The authority that signs for the hosts we stand in for.
//!
//! One authority per person and machine, made at first use. Its private key never leaves the machine and is readable by
//! its owner alone; the certificate lies beside it for people to import. Browsers that we start are told to trust it by
//! [`Authority::spki_sha256`] or by their own switches, so that no system store is ever touched.

mod leaf;
mod store;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, thiserror::Error)]
pub enum CaError {
    #[error(
        "no folder for xcheck's certificate authority: neither XDG_DATA_HOME nor HOME is set; name one with --data-dir"
    )]
    NoDataDir,
    #[error("cannot {doing} {path}: {source}")]
    File {
        doing: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path} does not hold a usable certificate authority ({why}); move it away and a new one will be made")]
    Unusable { path: PathBuf, why: String },
    #[error("could not make a certificate for {name}: {why}")]
    Sign { name: String, why: String },
}

/// A certificate authority and the certificates it has signed since it was opened.
pub struct Authority {
    /// The certificate alone, as PEM, for people and for `SSL_CERT_FILE`.
    certificate_path: PathBuf,
    certificate_pem: String,
    certificate: CertificateDer<'static>,
    spki_der: Vec<u8>,
    leaves: leaf::Leaves,
}

impl Authority {
    /// Opens the authority in the user's data folder, and makes it if this is the first use.
    pub fn open_default() -> Result<Arc<Self>, CaError> {
        Self::open(&store::default_folder()?)
    }

    /// Opens the authority in `folder`, and makes it if there is none. Two processes that do so at once get the same one.
    pub fn open(folder: &Path) -> Result<Arc<Self>, CaError> {
        let stored = store::load_or_create(folder)?;
        Ok(Arc::new(Authority {
            certificate_path: stored.certificate_path,
            certificate_pem: stored.certificate_pem,
            spki_der: stored.spki_der,
            leaves: leaf::Leaves::new(stored.issuer, stored.certificate.clone()),
            certificate: stored.certificate,
        }))
    }

    /// The PEM file to trust.
    pub fn certificate_path(&self) -> &Path {
        &self.certificate_path
    }

    pub fn certificate_pem(&self) -> &str {
        &self.certificate_pem
    }

    pub fn certificate_der(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    /// What Chromium's `--ignore-certificate-errors-spki-list` takes: base64 of the SHA-256 of the public key.
    pub fn spki_sha256(&self) -> String {
        BASE64_STANDARD.encode(Sha256::digest(&self.spki_der))
    }

    /// SHA-256 of the certificate as people compare it: `AB:CD:…`.
    pub fn fingerprint(&self) -> String {
        let bytes = Sha256::digest(&self.certificate);
        let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        pairs.join(":")
    }

    /// The system's roots and ours in one PEM text, for clients that take exactly one file of roots.
    /// The second part says which of the system's roots could not be read.
    pub fn bundle_pem(&self) -> (String, Vec<String>) {
        let system = rustls_native_certs::load_native_certs();
        let mut bundle = self.certificate_pem.clone();
        for certificate in &system.certs {
            bundle.push_str(&pem("CERTIFICATE", certificate));
        }
        (bundle, system.errors.iter().map(ToString::to_string).collect())
    }

    /// How to answer a TLS handshake for `name`, a host name or an IP address. Made once, then remembered.
    pub fn server_config(&self, name: &str) -> Result<Arc<ServerConfig>, CaError> {
        self.leaves.server_config(name)
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(der);
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in text.as_bytes().chunks(64) {
        out.push_str(std::str::from_utf8(line).expect("base64 is ASCII"));
        out.push('\n');
    }
    out.push_str(&format!("-----END {label}-----\n"));
    out
}
