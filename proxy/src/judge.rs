//! Whose certificate is taken is decided in three places by three rules; that whoever shows it also has its key is one
//! rule, and stands here, so that no new way of trusting somebody can forget it.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::fmt;
use std::sync::Arc;

/// What a server shows, and when it is shown for whom.
pub struct Shown<'a> {
    pub certificate: &'a CertificateDer<'a>,
    /// Those between it and its authority, as the server gives them; sometimes the authority's own.
    pub between: &'a [CertificateDer<'a>],
    pub name: &'a ServerName<'a>,
    pub ocsp: &'a [u8],
    pub now: UnixTime,
}

/// A verifier that takes the certificates which `judge` does not refuse, and no handshake that their keys did not sign.
pub fn judged_by(
    judge: impl Fn(&Shown<'_>) -> Result<(), Error> + Send + Sync + 'static,
) -> Arc<dyn ServerCertVerifier> {
    Arc::new(Judged {
        judge,
        algorithms: ring::default_provider().signature_verification_algorithms,
    })
}

struct Judged<J> {
    judge: J,
    algorithms: WebPkiSupportedAlgorithms,
}

impl<J> fmt::Debug for Judged<J> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Judged").finish_non_exhaustive()
    }
}

impl<J: Fn(&Shown<'_>) -> Result<(), Error> + Send + Sync> ServerCertVerifier for Judged<J> {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let shown = Shown {
            certificate,
            between,
            name,
            ocsp,
            now,
        };
        (self.judge)(&shown).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
