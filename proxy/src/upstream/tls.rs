//! Whom we trust: the system's authorities (Mozilla's list where the system has none), those a person added, or anybody
//! where a person said so.

use super::{UpstreamError, UpstreamTrust};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;

pub(super) fn client_config(trust: &UpstreamTrust) -> Result<ClientConfig, UpstreamError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    if trust.insecure {
        let anybody = Arc::new(Anybody { provider });
        return Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(anybody)
            .with_no_client_auth());
    }
    let added = added(trust)?;
    let roots = Arc::new(roots(&added)?);
    if added.is_empty() {
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    let inner = WebPkiServerVerifier::builder_with_provider(roots, provider)
        .build()
        .map_err(|error| rustls::Error::General(error.to_string()))?;
    let named = added.into_iter().map(|(_, certificate)| certificate).collect();
    let verifier = Arc::new(OrOneOf { inner, named });
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
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
#[derive(Debug)]
struct OrOneOf {
    inner: Arc<WebPkiServerVerifier>,
    named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for OrOneOf {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use rustls::CertificateError::{Other, UnknownIssuer};
        let verified = self.inner.verify_server_cert(certificate, between, name, ocsp, now);
        match verified {
            // That it is an authority has no name of its own among the errors; dates were looked at before.
            Err(rustls::Error::InvalidCertificate(UnknownIssuer | Other(_))) if self.named.contains(certificate) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.inner.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.inner.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

/// Accepts any certificate, but not a handshake that its key did not sign.
#[derive(Debug)]
struct Anybody {
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
