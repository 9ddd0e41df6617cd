//! The analysis as it is, in JSON. The format is [`xcheck_analyzer::findings`]' own, versioned by its `format`.

use std::io::{self, Write};
use xcheck_analyzer::findings::Analysis;

pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, analysis)?;
    out.write_all(b"\n")
}
