//! The SHA-256 by which bodies, page data and screenshots are known.
//!
//! A hash becomes a file name. Traces and runs come from other people, so the text is checked once, here: nothing that
//! is not 64 lower-case hexadecimal digits can be made into a [`Sha256`], and so no path can be smuggled in by one.

use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Sha256(String);

#[derive(Debug, thiserror::Error)]
#[error("`{shown}` is not a SHA-256: 64 lower-case hexadecimal digits are expected")]
pub struct NotAHash {
    shown: String,
}

impl Sha256 {
    pub fn of(bytes: &[u8]) -> Sha256 {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        hasher.finish()
    }

    pub fn parse(text: &str) -> Result<Sha256, NotAHash> {
        text.to_owned().try_into()
    }
}

impl FromStr for Sha256 {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Sha256, NotAHash> {
        Sha256::parse(text)
    }
}

impl TryFrom<String> for Sha256 {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<Sha256, NotAHash> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 64 && text.bytes().all(digit) {
            return Ok(Sha256(text));
        }
        Err(NotAHash {
            shown: text.chars().take(80).collect(),
        })
    }
}

impl Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl From<Sha256> for String {
    fn from(hash: Sha256) -> String {
        hash.0
    }
}

impl Deref for Sha256 {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Hashes what comes in pieces.
#[derive(Default)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn finish(self) -> Sha256 {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = String::with_capacity(64);
        for byte in self.0.finalize() {
            text.push(DIGITS[usize::from(byte >> 4)] as char);
            text.push(DIGITS[usize::from(byte & 15)] as char);
        }
        Sha256(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nothing_is_the_well_known_one() {
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(&*Sha256::of(b""), expected);
    }

    #[test]
    fn what_could_be_a_path_is_not_a_hash() {
        let upper = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
        for text in [
            "",
            "../../etc/passwd",
            &"/".repeat(64),
            upper,
            &"a".repeat(63),
            &"a".repeat(65),
        ] {
            assert!(Sha256::parse(text).is_err(), "{text}");
        }
    }
}
