//! Which agent the token may be given to.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xcheck_proxy::{Shown, judged_by};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// One that the system's authorities vouch for.
    System,
    /// One that this authority vouches for: a PEM file.
    Authority(PathBuf),
    /// One whose certificate has this SHA-256, or that of the authority it shows along with it.
    Fingerprint([u8; 32]),
}

#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    #[error("`{0}` is not a fingerprint: 64 hexadecimal digits are expected, with or without colons")]
    NotAFingerprint(String),
    #[error("the authority in {path} cannot be used: {why}")]
    Authority { path: PathBuf, why: String },
    #[error("the system's certificate authorities cannot be read: {0}")]
    System(String),
    #[error(transparent)]
    Tls(#[from] rustls::Error),
}

impl Trust {
    /// As `xcheck agent` and `xcheck ca` show it: `AB:CD:…`.
    pub fn fingerprint(text: &str) -> Result<Trust, TrustError> {
        let wrong = || TrustError::NotAFingerprint(text.chars().take(120).collect());
        let digits: String = text.chars().filter(|c| *c != ':' && !c.is_whitespace()).collect();
        if digits.len() != 64 || !digits.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Trust::Fingerprint(bytes))
    }

    pub(super) fn client_config(&self) -> Result<ClientConfig, TrustError> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut config = match self {
            Trust::System => builder.with_root_certificates(system()?).with_no_client_auth(),
            Trust::Authority(path) => builder.with_root_certificates(authority(path)?).with_no_client_auth(),
            Trust::Fingerprint(expected) => {
                let expected = *expected;
                let verifier = judged_by(move |shown| is_pinned(&expected, shown));
                let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
                builder.with_no_client_auth()
            }
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

fn system() -> Result<RootCertStore, TrustError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let errors: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        return Err(TrustError::System(format!("there are none. {}", errors.join("; "))));
    }
    Ok(roots)
}

fn authority(path: &Path) -> Result<RootCertStore, TrustError> {
    let unusable = |why: String| TrustError::Authority {
        path: path.to_owned(),
        why,
    };
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        roots.add(certificate).map_err(|error| unusable(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(unusable("there is no certificate in it".to_owned()));
    }
    Ok(roots)
}

/// The certificate itself is the one expected, or it is signed by the one expected, for the right name.
fn is_pinned(expected: &[u8; 32], shown: &Shown<'_>) -> Result<(), rustls::Error> {
    let is_expected = |certificate: &CertificateDer<'_>| Sha256::digest(certificate)[..] == *expected;
    if is_expected(shown.certificate) {
        return Ok(());
    }
    let Some(authority) = shown.between.iter().find(|certificate| is_expected(certificate)) else {
        return Err(rustls::Error::General(
            "its certificate does not have the expected fingerprint".to_owned(),
        ));
    };
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone().into_owned())?;
    let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::new(ring::default_provider()))
        .build()
        .map_err(|error| rustls::Error::General(error.to_string()))?;
    let Shown {
        certificate,
        between,
        name,
        ocsp,
        now,
    } = *shown;
    verifier
        .verify_server_cert(certificate, between, name, ocsp, now)
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_read_as_people_copy_them() {
        let colons = ["AB"; 32].join(":");
        assert_eq!(Trust::fingerprint(&colons).unwrap(), Trust::Fingerprint([0xab; 32]));
        assert_eq!(
            Trust::fingerprint(&"ab".repeat(32)).unwrap(),
            Trust::Fingerprint([0xab; 32])
        );
        for wrong in ["", "AB:CD", &"zz".repeat(32), &"é".repeat(32)] {
            assert!(Trust::fingerprint(wrong).is_err(), "{wrong}");
        }
    }
}
