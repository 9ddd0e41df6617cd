//! The first frames of pictures made of pixels. `None` where there is but one, or the file is not as its format has it.

/// Up to the end of its first image.
pub(super) fn gif(file: &[u8]) -> Option<Vec<u8>> {
    const EXTENSION: u8 = 0x21;
    const IMAGE: u8 = 0x2c;
    const END: u8 = 0x3b;
    if !file.starts_with(b"GIF8") {
        return None;
    }
    let mut at = 13 + colours(*file.get(10)?);
    let mut first_ends = None;
    loop {
        match *file.get(at)? {
            EXTENSION => at = after_pieces(file, at + 2)?,
            IMAGE => {
                if let Some(end) = first_ends {
                    return Some([&file[..end], &[END]].concat());
                }
                // Its place and size, its own colours, and how long its codes are.
                at = after_pieces(file, at + 10 + colours(*file.get(at + 9)?) + 1)?;
                first_ends = Some(at);
            }
            _ => return None,
        }
    }
}

/// Bytes of a table of colours.
fn colours(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Behind pieces that each tell their length, up to an empty one.
fn after_pieces(file: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*file.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

/// Without the chunks that make it move.
pub(super) fn png(file: &[u8]) -> Option<Vec<u8>> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    let mut still = file
        .get(..SIGNATURE.len())
        .filter(|start| *start == SIGNATURE)?
        .to_vec();
    let mut moves = false;
    let mut rest = &file[SIGNATURE.len()..];
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest.get(..4)?.try_into().ok()?);
        // Its length and kind before it, its checksum behind.
        let (chunk, behind) = rest.split_at_checked(usize::try_from(length).ok()?.checked_add(12)?)?;
        if matches!(&chunk[4..8], b"acTL" | b"fcTL" | b"fdAT") {
            moves = true;
        } else {
            still.extend_from_slice(chunk);
        }
        rest = behind;
    }
    moves.then_some(still)
}

/// The first frame's own chunks, where that frame covers the whole picture: another one would have to be painted.
pub(super) fn webp(file: &[u8]) -> Option<Vec<u8>> {
    const MOVES: u8 = 0x02;
    const HAS_ALPHA: u8 = 0x10;
    if file.get(..4)? != b"RIFF" || file.get(8..12)? != b"WEBP" {
        return None;
    }
    let chunks = riff(&file[12..]);
    let about = chunks.iter().find(|(kind, _)| *kind == b"VP8X")?.1;
    let frame = chunks.iter().find(|(kind, _)| *kind == b"ANMF")?.1;
    let (place, size, canvas) = (frame.get(..6)?, frame.get(6..12)?, about.get(4..10)?);
    if about[0] & MOVES == 0 || place != [0; 6] || size != canvas {
        return None;
    }
    let frame = riff(frame.get(16..)?);
    let mut about = about.to_vec();
    about[0] &= !MOVES;
    if frame.iter().any(|(kind, _)| *kind == b"ALPH") {
        about[0] |= HAS_ALPHA;
    }
    let mut still = b"WEBP".to_vec();
    chunk(&mut still, b"VP8X", &about);
    let profile = chunks.iter().filter(|(kind, _)| *kind == b"ICCP");
    let pixels = frame
        .iter()
        .filter(|(kind, _)| matches!(*kind, b"ALPH" | b"VP8 " | b"VP8L"));
    for (kind, data) in profile.chain(pixels) {
        chunk(&mut still, kind, data);
    }
    let mut whole = Vec::with_capacity(still.len() + 8);
    chunk(&mut whole, b"RIFF", &still);
    Some(whole)
}

/// Kinds and contents, as far as they are whole.
fn riff(mut rest: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut chunks = Vec::new();
    while let Some((head, behind)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some(data) = behind.get(..length) else { break };
        chunks.push((&head[..4], data));
        rest = behind.get(length + length % 2..).unwrap_or_default();
    }
    chunks
}

fn chunk(out: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
    out.extend_from_slice(kind);
    out.extend_from_slice(&u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(data);
    if data.len() % 2 == 1 {
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gif_of(images: usize) -> Vec<u8> {
        let mut file = b"GIF89a\x04\0\x04\0\x80\0\0\xff\0\0\0\0\xff!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0".to_vec();
        for _ in 0..images {
            file.extend_from_slice(b"!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x04\0\x04\0\0\x02\x04\x84\x8f\x09\x05\0");
        }
        file.push(0x3b);
        file
    }

    #[test]
    fn of_a_gif_the_first_image_is_left() {
        assert_eq!(gif(&gif_of(3)), Some(gif_of(1)));
        assert_eq!(gif(&gif_of(1)), None);
    }

    #[test]
    fn of_a_png_what_makes_it_move_is_left_out() {
        let chunk = |kind: &[u8], data: &[u8]| {
            let length = u32::try_from(data.len()).unwrap().to_be_bytes();
            [&length[..], kind, data, &[0; 4]].concat()
        };
        let start = b"\x89PNG\r\n\x1a\n".to_vec();
        let still = [
            start.clone(),
            chunk(b"IHDR", &[1; 13]),
            chunk(b"IDAT", &[2; 9]),
            chunk(b"IEND", &[]),
        ]
        .concat();
        let moving = [
            start,
            chunk(b"IHDR", &[1; 13]),
            chunk(b"acTL", &[0; 8]),
            chunk(b"fcTL", &[0; 26]),
            chunk(b"IDAT", &[2; 9]),
            chunk(b"fcTL", &[0; 26]),
            chunk(b"fdAT", &[3; 20]),
            chunk(b"IEND", &[]),
        ]
        .concat();
        assert_eq!(png(&moving).as_deref(), Some(&still[..]));
        assert_eq!(png(&still), None);
    }

    #[test]
    fn of_a_webp_the_first_frame_is_left_where_it_is_the_whole_picture() {
        let moving = |x: u8| {
            let mut frame = vec![x, 0, 0, 0, 0, 0, 9, 0, 0, 4, 0, 0, 100, 0, 0, 0];
            chunk(&mut frame, b"VP8L", b"pixels!");
            let mut chunks = b"WEBP".to_vec();
            chunk(&mut chunks, b"VP8X", &[0x12, 0, 0, 0, 9, 0, 0, 4, 0, 0]);
            chunk(&mut chunks, b"ANIM", &[0; 6]);
            chunk(&mut chunks, b"ANMF", &frame);
            chunk(&mut chunks, b"ANMF", &frame);
            let mut file = Vec::new();
            chunk(&mut file, b"RIFF", &chunks);
            file
        };
        let still = webp(&moving(0)).unwrap();
        let kinds: Vec<&[u8]> = riff(&still[12..]).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [b"VP8X", b"VP8L"]);
        assert_eq!(riff(&still[12..])[0].1[0], 0x10);
        assert_eq!(webp(&moving(1)), None);
        assert_eq!(webp(&still), None);
    }

    #[test]
    fn what_breaks_off_anywhere_is_left_as_it_is() {
        let file = gif_of(2);
        for end in 0..file.len() {
            let _no_panic = (gif(&file[..end]), png(&file[..end]), webp(&file[..end]));
        }
    }
}
