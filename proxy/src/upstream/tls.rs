//! Whom we trust: the system's authorities (Mozilla's list where the system has none), those a person added, or anybody
//! where a person said so.

use super::{UpstreamError, UpstreamTrust};
use crate::judge::{Shown, judged_by};
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;

pub(super) fn client_config(trust: &UpstreamTrust) -> Result<ClientConfig, UpstreamError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    if trust.insecure {
        return Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(judged_by(|_| Ok(())))
            .with_no_client_auth());
    }
    let added = added(trust)?;
    let roots = Arc::new(roots(&added)?);
    if added.is_empty() {
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    let usual = WebPkiServerVerifier::builder_with_provider(roots, provider)
        .build()
        .map_err(|error| rustls::Error::General(error.to_string()))?;
    let named: Vec<_> = added.into_iter().map(|(_, certificate)| certificate).collect();
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(judged_by(move |shown| or_one_of(&named, &usual, shown)))
        .with_no_client_auth())
}

/// What a person added, with the files it came from.
fn added(trust: &UpstreamTrust) -> Result<Vec<(&Path, CertificateDer<'static>)>, UpstreamError> {
    let mut added = Vec::new();
    for path in &trust.extra_ca {
        added.extend(
            extra(path)?
                .into_iter()
                .map(|certificate| (path.as_path(), certificate)),
        );
    }
    Ok(added)
}

fn roots(added: &[(&Path, CertificateDer<'static>)]) -> Result<RootCertStore, UpstreamError> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::warn!(%error, "some of the system's certificate authorities cannot be read");
    }
    roots.add_parsable_certificates(system.certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    for (path, certificate) in added {
        roots
            .add(certificate.clone())
            .map_err(|error| extra_failed(path, error))?;
    }
    Ok(roots)
}

fn extra(path: &Path) -> Result<Vec<CertificateDer<'static>>, UpstreamError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(certificates) if certificates.is_empty() => Err(extra_failed(path, "there is no certificate in it")),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(extra_failed(path, error)),
    }
}

fn extra_failed(path: &Path, why: impl ToString) -> UpstreamError {
    UpstreamError::ExtraCa {
        path: path.to_owned(),
        why: why.to_string(),
    }
}

/// The usual rules, and beside them servers that show a certificate which a person named: the usual self-signed one of a
/// development server calls itself an authority, which no server's certificate may by the rules. Name and dates count
/// all the same.
fn or_one_of(
    named: &[CertificateDer<'static>],
    usual: &WebPkiServerVerifier,
    shown: &Shown<'_>,
) -> Result<(), rustls::Error> {
    use rustls::CertificateError::{Other, UnknownIssuer};
    let Shown {
        certificate,
        between,
        name,
        ocsp,
        now,
    } = *shown;
    match usual.verify_server_cert(certificate, between, name, ocsp, now) {
        // That it is an authority has no name of its own among the errors; dates were looked at before.
        Err(rustls::Error::InvalidCertificate(UnknownIssuer | Other(_))) if named.contains(certificate) => {
            verify_server_name(&ParsedCertificate::try_from(certificate)?, name)
        }
        verified => verified.map(|_| ()),
    }
}
