//! Certificates for the hosts we stand in for.
//!
//! Each has a key and a random serial of its own. Serials derived from the key repeat when keys are shared, and Firefox
//! then refuses the second host with `SEC_ERROR_REUSED_ISSUER_AND_SERIAL`, which nothing can switch off.

use super::CaError;
use quick_cache::sync::Cache;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    SanType, SerialNumber,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::net::IpAddr;
use std::sync::Arc;
use time::{Duration, OffsetDateTime};

/// Hosts remembered; the least used are made anew when a session visits more.
const REMEMBERED: usize = 1_000;

/// Browsers refuse certificates that are valid for longer than 398 days.
const DAYS: i64 = 180;

pub(super) struct Leaves {
    issuer: Issuer<'static, KeyPair>,
    authority: CertificateDer<'static>,
    made: Cache<String, Arc<ServerConfig>>,
}

impl Leaves {
    pub(super) fn new(issuer: Issuer<'static, KeyPair>, authority: CertificateDer<'static>) -> Self {
        Leaves {
            issuer,
            authority,
            made: Cache::new(REMEMBERED),
        }
    }

    pub(super) fn server_config(&self, name: &str) -> Result<Arc<ServerConfig>, CaError> {
        let name = name.trim_matches(['[', ']']).to_ascii_lowercase();
        self.made.get_or_insert_with(&name, || self.make(&name))
    }

    fn make(&self, name: &str) -> Result<Arc<ServerConfig>, CaError> {
        let failed = |why: String| CaError::Sign {
            name: name.to_owned(),
            why,
        };
        let key = KeyPair::generate().map_err(|error| failed(error.to_string()))?;
        let params = params(name).map_err(|error| failed(error.to_string()))?;
        let certificate = params
            .signed_by(&key, &self.issuer)
            .map_err(|error| failed(error.to_string()))?;
        // The authority goes along: Chromium's list of trusted keys is compared with the chain as sent.
        let chain = vec![certificate.into(), self.authority.clone()];
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(error.to_string()))?
            .with_no_client_auth()
            .with_single_cert(chain, PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .map_err(|error| failed(error.to_string()))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

fn params(name: &str) -> Result<CertificateParams, rcgen::Error> {
    let alternative = match name.parse::<IpAddr>() {
        Ok(address) => SanType::IpAddress(address),
        Err(_) => SanType::DnsName(name.try_into()?),
    };
    let mut subject = DistinguishedName::new();
    // A common name has at most 64 characters; nobody reads it but people.
    subject.push(DnType::CommonName, name.chars().take(64).collect::<String>());
    let mut params = CertificateParams::default();
    params.distinguished_name = subject;
    params.subject_alt_names = vec![alternative];
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    params.serial_number = Some(random_serial());
    params.not_before = OffsetDateTime::now_utc() - Duration::days(2);
    params.not_after = OffsetDateTime::now_utc() + Duration::days(DAYS);
    Ok(params)
}

pub(super) fn random_serial() -> SerialNumber {
    let mut bytes = crate::random::bytes::<16>();
    // A serial is a positive number without leading zeros.
    bytes[0] = bytes[0] & 0x3f | 0x40;
    SerialNumber::from_slice(&bytes)
}
