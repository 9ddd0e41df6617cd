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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes::<N>().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
