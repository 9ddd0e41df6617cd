//! Unguessable numbers: tokens of pages, serials of certificates, names of temporary files.

/// `N` random bytes from the system.
///
/// A system that cannot give random numbers cannot do TLS either, so there is nothing to fall back to.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rustls::crypto::ring::default_provider()
        .secure_random
        .fill(&mut bytes)
        .expect("the system gives random numbers");
    bytes
}

/// `N` random bytes as lower-case hexadecimal.
pub(crate) fn hex<const N: usize>() -> String {
    crate::random::bytes::<N>()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
