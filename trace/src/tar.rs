//! As much of the tar format (POSIX ustar) as one file for a trace needs: plain files with short names.
//!
//! Tar, because anybody can look into it, and because its members stay where they are: a packed trace is read in place,
//! nothing is unpacked to open it. Links, devices, long names and sparse files are not written and not accepted.

use std::io::{self, Read, Seek, SeekFrom, Write};

pub(crate) const BLOCK: u64 = 512;
/// Eleven octal digits.
const LARGEST: u64 = 0o777_7777_7777;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) start: u64,
    pub(crate) size: u64,
}

pub(crate) fn append(archive: &mut impl Write, name: &str, size: u64, content: &mut impl Read) -> io::Result<()> {
    archive.write_all(&header(name, size)?)?;
    let copied = io::copy(&mut content.take(size), archive)?;
    if copied != size {
        return Err(io::Error::other(format!("{name} changed while it was packed")));
    }
    archive.write_all(&vec![0; padding(size) as usize])
}

/// Two empty blocks end an archive.
pub(crate) fn finish(archive: &mut impl Write) -> io::Result<()> {
    archive.write_all(&[0; 2 * BLOCK as usize])?;
    archive.flush()
}

/// All members, without reading their content.
pub(crate) fn members(archive: &mut (impl Read + Seek)) -> io::Result<Vec<Member>> {
    let length = archive.seek(SeekFrom::End(0))?;
    let mut members = Vec::new();
    let mut at = 0;
    loop {
        archive.seek(SeekFrom::Start(at))?;
        let mut block = [0; BLOCK as usize];
        archive
            .read_exact(&mut block)
            .map_err(|_| refused("it ends too early"))?;
        if block.iter().all(|byte| *byte == 0) {
            return Ok(members);
        }
        let (name, size) = read_header(&block)?;
        let start = at + BLOCK;
        if size > length.saturating_sub(start) {
            return Err(refused("it ends too early"));
        }
        members.push(Member { name, start, size });
        at = start + size + padding(size);
    }
}

fn padding(size: u64) -> u64 {
    (BLOCK - size % BLOCK) % BLOCK
}

fn header(name: &str, size: u64) -> io::Result<[u8; BLOCK as usize]> {
    if name.len() > 100 || size > LARGEST {
        return Err(io::Error::other(format!(
            "{name} is too large to be packed (8 GiB at most)"
        )));
    }
    let mut block = [0; BLOCK as usize];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000600\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    // No time: the same trace packs to the same bytes.
    put(136, b"00000000000\0");
    put(156, b"0");
    put(257, b"ustar\x0000");
    put(148, b"        ");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

fn read_header(block: &[u8; BLOCK as usize]) -> io::Result<(String, u64)> {
    if &block[257..262] != b"ustar" {
        return Err(refused("it is not a tar archive"));
    }
    if !matches!(block[156], b'0' | 0) {
        return Err(refused("it holds something that is not a plain file"));
    }
    let sum: u32 = block
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) })
        .sum();
    if octal(&block[148..156]) != Some(u64::from(sum)) {
        return Err(refused("the check sum of a header is wrong"));
    }
    let name = text(&block[..100]).ok_or_else(|| refused("a name is not UTF-8"))?;
    let size = octal(&block[124..136]).ok_or_else(|| refused("a size is not a number"))?;
    Ok((name.to_owned(), size))
}

fn text(field: &[u8]) -> Option<&str> {
    std::str::from_utf8(field.split(|byte| *byte == 0).next()?).ok()
}

fn octal(field: &[u8]) -> Option<u64> {
    u64::from_str_radix(text(field)?.trim(), 8).ok()
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn archive() -> Vec<u8> {
        let mut archive = Vec::new();
        append(&mut archive, "a", 3, &mut &b"abc"[..]).unwrap();
        append(&mut archive, "empty", 0, &mut &b""[..]).unwrap();
        append(&mut archive, "block", 512, &mut &[1; 512][..]).unwrap();
        finish(&mut archive).unwrap();
        archive
    }

    #[test]
    fn members_are_found_where_they_were_put() {
        let archive = archive();
        let members = members(&mut Cursor::new(&archive)).unwrap();
        let names: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_str(), member.size))
            .collect();
        assert_eq!(names, [("a", 3), ("empty", 0), ("block", 512)]);
        let start = members[0].start as usize;
        assert_eq!(&archive[start..start + 3], b"abc");
    }

    #[test]
    fn every_truncation_is_refused() {
        let archive = archive();
        // The last block may be missing: one empty block ends it as well.
        for length in 0..archive.len() - BLOCK as usize {
            assert!(members(&mut Cursor::new(&archive[..length])).is_err(), "{length}");
        }
    }

    #[test]
    fn a_size_beyond_the_file_is_refused() {
        let mut archive = header("bomb", LARGEST).unwrap().to_vec();
        finish(&mut archive).unwrap();
        assert!(members(&mut Cursor::new(&archive)).is_err());
    }

    #[test]
    fn what_is_not_a_plain_file_is_refused() {
        for kind in [b'1', b'2', b'5', b'L', b'x', b'S'] {
            let mut archive = archive();
            let before = archive[156];
            archive[156] = kind;
            let sum = octal(&archive[148..156]).unwrap() + u64::from(kind) - u64::from(before);
            archive[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
            let error = members(&mut Cursor::new(&archive)).unwrap_err();
            assert!(error.to_string().contains("plain file"), "{error}");
        }
    }
}
