//! Reads JSON Lines that a killed recorder, or a stranger, may have written.
//!
//! A last line without its end is what a kill leaves behind: it is skipped and said. A line in the middle that cannot be
//! read is skipped and said too, rather than making the whole trace worthless. Sizes are bounded, because a compressed
//! log of a few kilobytes can claim to be terabytes.

use crate::hash::Hasher;
use crate::warning::Warning;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Read};

/// The proxy takes no line from a page that is anywhere near this.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
const LARGEST_LOG: u64 = 4 * 1024 * 1024 * 1024;
/// A log that is no log at all need not be described line by line.
const MOST_WARNINGS: usize = 20;

/// All lines of one log, in order, and what ended the reading early. What was read goes through `hasher`.
pub(crate) fn read<T: DeserializeOwned>(
    file: &'static str,
    source: impl Read,
    hasher: &mut Hasher,
    warnings: &mut Vec<Warning>,
) -> (Vec<T>, Option<io::Error>) {
    let mut records = Vec::new();
    let result = read_into(&mut records, file, source, hasher, warnings);
    (records, result.err())
}

fn read_into<T: DeserializeOwned>(
    records: &mut Vec<T>,
    file: &'static str,
    source: impl Read,
    hasher: &mut Hasher,
    warnings: &mut Vec<Warning>,
) -> io::Result<()> {
    let mut source = BufReader::with_capacity(64 * 1024, source.take(LARGEST_LOG));
    let mut line = Vec::new();
    let mut bad = 0;
    for number in 1.. {
        line.clear();
        let length = (&mut source).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        hasher.update(&line);
        let ended = line.last() == Some(&b'\n');
        if !ended && length as u64 == LONGEST_LINE {
            skip_line(&mut source)?;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => records.push(record),
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) if !ended && (length as u64) < LONGEST_LINE => warnings.push(Warning::TornLine { file }),
            Err(error) => {
                bad += 1;
                if bad <= MOST_WARNINGS {
                    let reason = error.to_string();
                    warnings.push(Warning::BadLine { file, number, reason });
                }
            }
        }
    }
    if bad > MOST_WARNINGS {
        let more = bad - MOST_WARNINGS;
        warnings.push(Warning::MoreBadLines { file, more });
    }
    if source.into_inner().limit() == 0 {
        warnings.push(Warning::LogTooLarge { file });
    }
    Ok(())
}

fn skip_line(source: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = source.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        let (count, ended) = match available.iter().position(|byte| *byte == b'\n') {
            Some(position) => (position + 1, true),
            None => (available.len(), false),
        };
        source.consume(count);
        if ended {
            return Ok(());
        }
    }
}
