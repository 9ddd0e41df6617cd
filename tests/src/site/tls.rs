//! A certificate authority for one test server.

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, SerialNumber};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

pub(super) struct Identity {
    pub(super) acceptor: TlsAcceptor,
    pub(super) authority_pem: String,
}

impl Identity {
    pub(super) fn make() -> Result<Identity> {
        let authority_key = KeyPair::generate()?;
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(DnType::CommonName, "xcheck test site");
        let authority_certificate = authority.self_signed(&authority_key)?;
        let key = KeyPair::generate()?;
        let mut leaf = CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()])?;
        // Authorities of two sites have the same name: serials must still differ, or Firefox refuses the second.
        leaf.serial_number = Some(SerialNumber::from_slice(&key.public_key_raw()[1..17]));
        let certificate = leaf.signed_by(&key, &Issuer::new(authority, authority_key))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Identity {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            authority_pem: authority_certificate.pem(),
        })
    }
}
