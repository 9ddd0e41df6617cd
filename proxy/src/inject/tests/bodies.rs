//! Codings, chunks and charsets on the way.
