//! The secret that client and daemon share.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Too long to be guessed over a network, if it was made by chance.
const SHORTEST: usize = 16;

#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error(
        "the token could not be read from {path}: {source}. To make one: head -c 24 /dev/urandom | base64 > {path}"
    )]
    Read { path: PathBuf, source: std::io::Error },
    #[error(
        "the token has fewer than {SHORTEST} characters: it could be guessed. To make one: head -c 24 /dev/urandom | base64"
    )]
    TooShort,
    #[error("the token has characters other than letters, digits and `+/=-_.~`")]
    Characters,
}

impl Token {
    pub fn new(text: &str) -> Result<Token, TokenError> {
        let text = text.trim();
        // What may stand behind `Bearer` (RFC 6750).
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_.~".contains(&byte);
        match text {
            _ if text.len() < SHORTEST => Err(TokenError::TooShort),
            _ if !text.bytes().all(allowed) => Err(TokenError::Characters),
            _ => Ok(Token(text.to_owned())),
        }
    }

    pub fn read(path: &Path) -> Result<Token, TokenError> {
        let text = std::fs::read_to_string(path).map_err(|source| TokenError::Read {
            path: path.to_owned(),
            source,
        })?;
        Token::new(&text)
    }

    pub(super) fn as_header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// How long it takes does not depend on how much of it is right: digests are compared, and all of them.
    pub(super) fn is_in(&self, header: Option<&[u8]>) -> bool {
        let given = Sha256::digest(header.unwrap_or_default());
        let expected = Sha256::digest(self.as_header());
        let differing = given.iter().zip(&expected).fold(0, |bits, (a, b)| bits | (a ^ b));
        std::hint::black_box(differing) == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_opens() {
        let token = Token::new(" 0123456789abcdef\n").unwrap();
        assert!(token.is_in(Some(b"Bearer 0123456789abcdef")));
        for header in [
            "Bearer 0123456789abcdee",
            "Bearer 0123456789abcde",
            "0123456789abcdef",
            "Bearer ",
            "",
        ] {
            assert!(!token.is_in(Some(header.as_bytes())), "{header}");
        }
        assert!(!token.is_in(None));
    }

    #[test]
    fn a_token_that_could_be_guessed_or_cannot_be_sent_is_refused() {
        assert!(matches!(Token::new("secret"), Err(TokenError::TooShort)));
        assert!(matches!(
            Token::new("0123456789abcdef\r\nX: y"),
            Err(TokenError::Characters)
        ));
    }
}
