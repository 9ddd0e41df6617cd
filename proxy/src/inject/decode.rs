//! Takes content codings off a body, a bounded step at a time.
//!
//! A few bytes of gzip, brotli or zstd can stand for gigabytes, so a step ends when [`STEP`] bytes came out, whatever is
//! left to do. Windows are bounded as browsers bound them: brotli's "large window" streams are not for HTTP (RFC 7932),
//! zstd's window is at most 8 MiB (RFC 9659). What follows the end of a stream is ignored, as browsers do, unless it is
//! another gzip member or zstd frame.

use super::coding::Coding;
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::zstd::params::DParameter;
use compression_codecs::{BrotliDecoder, DecodeV2, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use std::io;

/// About how much one call may put out.
pub(crate) const STEP: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// All input was taken and nothing is pending: bring more, or finish.
    Hungry,
    /// There is more to come from what was given: send what is in `out`, then call again with the rest of the input.
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Damage {
    #[error("the body ends in the middle of its {0:?} data")]
    Truncated(Coding),
    #[error("the body's {0:?} data is corrupt")]
    Corrupt(Coding),
    #[error("the body's {0:?} data has a wrong checksum")]
    Checksum(Coding),
}

/// Undoes a response's codings, last applied first.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    layers: Vec<Layer>,
    /// What came out of each layer but the last and waits for the next one.
    between: Vec<Vec<u8>>,
}

impl Decoder {
    /// `codings` in the order in which they were applied. None at all makes a decoder that copies.
    pub(crate) fn new(codings: &[Coding]) -> Decoder {
        Decoder {
            layers: codings.iter().rev().map(|coding| Layer::new(*coding)).collect(),
            between: vec![Vec::new(); codings.len().saturating_sub(1)],
        }
    }

    /// Takes from the front of `input` and appends about [`STEP`] bytes to `out` at most. After damage the decoder is
    /// of no more use; what `out` got before it is good.
    pub(crate) fn decode(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Result<Flow, Damage> {
        let Some(last) = self.layers.len().checked_sub(1) else {
            let taken = input.len().min(STEP);
            out.extend_from_slice(&input[..taken]);
            *input = &input[taken..];
            return Ok(if input.is_empty() { Flow::Hungry } else { Flow::Full });
        };
        let mut flow = Flow::Hungry;
        for index in 0..=last {
            let (before, after) = self.between.split_at_mut(index);
            let target = if index == last { &mut *out } else { &mut after[0] };
            // A layer whose output still waits gives no more, so that what lies between stays bounded too.
            if index < last && target.len() >= STEP {
                flow = Flow::Full;
                continue;
            }
            let layer_flow = match before.last_mut() {
                None => self.layers[index].decode(input, target)?,
                Some(waiting) => {
                    let mut rest = waiting.as_slice();
                    let result = self.layers[index].decode(&mut rest, target);
                    let taken = waiting.len() - rest.len();
                    waiting.drain(..taken);
                    result?
                }
            };
            if layer_flow == Flow::Full {
                flow = Flow::Full;
            }
        }
        Ok(flow)
    }

    /// Says whether the body ended where its codings do. Call after `decode` said [`Flow::Hungry`].
    pub(crate) fn finish(&mut self) -> Result<(), Damage> {
        self.layers.iter_mut().try_for_each(Layer::finish)
    }
}

#[derive(Debug)]
struct Layer {
    coding: Coding,
    state: State,
    /// Where the codec writes; kept, so that small pieces of input cost little.
    scratch: Vec<u8>,
}

enum State {
    /// Nothing came yet, or too little to tell how to decode it.
    Start(Vec<u8>),
    Running {
        codec: Codec,
        /// The last output filled its buffer, so there may be more without more input.
        pending: bool,
    },
    /// A whole stream was read; another may follow.
    Between(Codec, Vec<u8>),
    /// What follows is ignored.
    Over,
}

enum Codec {
    Gzip(GzipDecoder),
    Zlib(ZlibDecoder),
    Deflate(DeflateDecoder),
    Brotli(BrotliDecoder),
    Zstd(ZstdDecoder),
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            State::Start(_) => "Start",
            State::Running { .. } => "Running",
            State::Between(..) => "Between",
            State::Over => "Over",
        })
    }
}

impl Layer {
    fn new(coding: Coding) -> Layer {
        Layer {
            coding,
            state: State::Start(Vec::new()),
            scratch: vec![0; STEP / 4],
        }
    }

    fn decode(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Result<Flow, Damage> {
        let until = out.len() + STEP;
        loop {
            match &mut self.state {
                State::Start(start) => {
                    let Some(codec) = choose_codec(self.coding, start, input).ok_or(Damage::Corrupt(self.coding))?
                    else {
                        return Ok(Flow::Hungry);
                    };
                    let start = std::mem::take(start);
                    self.state = State::Running { codec, pending: false };
                    self.run(&mut start.as_slice(), out)?;
                }
                State::Running { pending, .. } => {
                    if input.is_empty() && !*pending {
                        return Ok(Flow::Hungry);
                    }
                    if out.len() >= until {
                        return Ok(Flow::Full);
                    }
                    self.run(input, out)?;
                }
                State::Between(..) => {
                    if input.is_empty() {
                        return Ok(Flow::Hungry);
                    }
                    self.begin_next(input, out)?;
                }
                State::Over => {
                    *input = &[];
                    return Ok(Flow::Hungry);
                }
            }
        }
    }

    /// One call of the codec.
    fn run(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Result<(), Damage> {
        let State::Running { codec, pending } = &mut self.state else {
            return Ok(());
        };
        let mut buffer = WriteBuffer::new_initialized(&mut self.scratch);
        let mut partial = PartialBuffer::new(*input);
        let result = codec.step(&mut partial, &mut buffer);
        *input = &input[partial.written_len()..];
        *pending = buffer.has_no_spare_space();
        out.extend_from_slice(buffer.written());
        match result {
            Ok(false) => Ok(()),
            Ok(true) => {
                self.state = match std::mem::replace(&mut self.state, State::Over) {
                    State::Running { codec, .. } if codec.may_be_followed() => State::Between(codec, Vec::new()),
                    _ => State::Over,
                };
                Ok(())
            }
            Err(error) => {
                let checksum = matches!(codec, Codec::Gzip(_)) && error.kind() == io::ErrorKind::InvalidData;
                Err(if checksum {
                    Damage::Checksum(self.coding)
                } else {
                    Damage::Corrupt(self.coding)
                })
            }
        }
    }

    /// After a whole gzip member or zstd frame: another one, or something to ignore?
    fn begin_next(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Result<(), Damage> {
        let State::Between(codec, start) = &mut self.state else {
            return Ok(());
        };
        let magic = codec.magic();
        let wanted = magic.len() - start.len();
        let taken = wanted.min(input.len());
        start.extend_from_slice(&input[..taken]);
        *input = &input[taken..];
        if start.as_slice() == magic {
            let start = std::mem::take(start);
            codec.restart().map_err(|_| Damage::Corrupt(self.coding))?;
            if let State::Between(codec, _) = std::mem::replace(&mut self.state, State::Over) {
                self.state = State::Running { codec, pending: false };
            }
            return self.run(&mut start.as_slice(), out);
        }
        if !magic.starts_with(start) {
            self.state = State::Over;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Damage> {
        let whole = match &mut self.state {
            // A body of nothing is what some servers send for "nothing, compressed"; browsers take it.
            State::Start(start) => start.is_empty(),
            State::Running { codec, .. } => codec.is_at_end(),
            State::Between(..) | State::Over => true,
        };
        whole.then_some(()).ok_or(Damage::Truncated(self.coding))
    }
}

/// `None`: this is no such data. `Some(None)`: more bytes are needed to tell.
#[allow(clippy::option_option, reason = "read once, beside the only caller")]
fn choose_codec(coding: Coding, start: &mut Vec<u8>, input: &mut &[u8]) -> Option<Option<Codec>> {
    let wanted = match coding {
        Coding::Deflate => 2,
        Coding::Gzip | Coding::Brotli | Coding::Zstd => 1,
    };
    let taken = input.len().min(wanted - start.len());
    start.extend_from_slice(&input[..taken]);
    *input = &input[taken..];
    if start.len() < wanted {
        return Some(None);
    }
    Some(Some(match coding {
        Coding::Gzip => Codec::Gzip(GzipDecoder::new()),
        Coding::Zstd => Codec::Zstd(ZstdDecoder::new_with_params(&[DParameter::window_log_max(23)])),
        // The decoder would take a "large window" header, up to 1 GiB; for HTTP it is an error (RFC 7932 §9.1).
        Coding::Brotli if start[0] & 0x7f == 0x11 => return None,
        Coding::Brotli => Codec::Brotli(BrotliDecoder::new()),
        Coding::Deflate if is_zlib_header(start[0], start[1]) => Codec::Zlib(ZlibDecoder::new()),
        Coding::Deflate => Codec::Deflate(DeflateDecoder::new()),
    }))
}

/// "deflate" means zlib (RFC 9110 §8.4.1.2), but some servers send raw deflate, and browsers take it.
fn is_zlib_header(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && first >> 4 <= 7 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0
}

impl Codec {
    fn step(&mut self, input: &mut PartialBuffer<&[u8]>, out: &mut WriteBuffer<'_>) -> io::Result<bool> {
        let drain = input.unwritten().is_empty();
        match self {
            // Inflating without input and without pending output is an error there; its `flush` only drains.
            Codec::Gzip(codec) if drain => codec.flush(out).map(|_| false),
            Codec::Zlib(codec) if drain => codec.flush(out).map(|_| false),
            Codec::Deflate(codec) if drain => codec.flush(out).map(|_| false),
            Codec::Gzip(codec) => codec.decode(input, out),
            Codec::Zlib(codec) => codec.decode(input, out),
            Codec::Deflate(codec) => codec.decode(input, out),
            Codec::Brotli(codec) => DecodeV2::decode(codec, input, out),
            Codec::Zstd(codec) => codec.decode(input, out),
        }
    }

    /// Draining may have met the end of the stream without saying so.
    fn is_at_end(&mut self) -> bool {
        let mut none = WriteBuffer::new_initialized(&mut []);
        matches!(
            match self {
                Codec::Gzip(codec) => codec.finish(&mut none),
                Codec::Zlib(codec) => codec.finish(&mut none),
                Codec::Deflate(codec) => codec.finish(&mut none),
                Codec::Brotli(codec) => codec.finish(&mut none),
                Codec::Zstd(codec) => codec.finish(&mut none),
            },
            Ok(true)
        )
    }

    fn may_be_followed(&self) -> bool {
        matches!(self, Codec::Gzip(_) | Codec::Zstd(_))
    }

    fn magic(&self) -> &'static [u8] {
        match self {
            Codec::Gzip(_) => &[0x1f, 0x8b],
            _ => &[0x28, 0xb5, 0x2f, 0xfd],
        }
    }

    fn restart(&mut self) -> io::Result<()> {
        match self {
            Codec::Gzip(codec) => codec.reinit(),
            Codec::Zlib(codec) => codec.reinit(),
            Codec::Deflate(codec) => codec.reinit(),
            Codec::Brotli(codec) => codec.reinit(),
            Codec::Zstd(codec) => codec.reinit(),
        }
    }
}
