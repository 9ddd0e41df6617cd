//! What goes to a person: colours where there is a terminal, warnings, errors, the live line.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::Duration;
use tracing_subscriber::EnvFilter;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// The one line at the bottom that changes, where standard error is a terminal.
static LIVE: OnceLock<ProgressBar> = OnceLock::new();

/// `text` in a style; plain where the stream it goes to takes none.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Results, buffered, with colours only for a terminal.
pub(crate) fn stdout() -> io::BufWriter<anstream::AutoStream<io::StdoutLock<'static>>> {
    io::BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()))
}

/// A line on standard error, above the live line.
pub(crate) fn say(text: impl Display) {
    above_live_line(|| {
        // A closed standard error is nothing that could be told to anybody.
        let _ = writeln!(anstream::stderr(), "{text}");
    });
}

pub(crate) fn warn(text: impl Display) {
    say(format!("{} {text}", styled(WARNING, "warning:")));
}

pub(crate) fn error(error: &anyhow::Error) {
    say(format!("{} {error}", styled(BAD.bold(), "error:")));
    let mut said = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        // Many errors already quote what caused them.
        if !said.contains(&cause) {
            say(format!("  because: {cause}"));
        }
        said = cause;
    }
    // What stores write says so itself; whatever else writes gets the system's words only.
    let is_full = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::StorageFull;
    if error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(is_full))
    {
        say("  the disk is full: free some space and try again");
    }
}

/// Starts the live line. Hidden when standard error is not a terminal.
pub(crate) fn live_line() -> &'static ProgressBar {
    LIVE.get_or_init(|| {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner:.green} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    })
}

pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

/// `1 page`, `2 pages`, `3 bodies`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if number == 1 => format!("1 {thing}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if thing.ends_with('s') => format!("{number} {thing}es"),
        None => format!("{number} {thing}s"),
    }
}

/// What came from a network must not drive the terminal.
pub(crate) fn printable(text: &str) -> String {
    let visible = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// What the libraries have to say: warnings, or what `XCHECK_LOG` asks for.
pub(crate) fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("XCHECK_LOG").unwrap_or_else(|_| EnvFilter::new("xcheck=warn,error"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| AboveLiveLine)
        .without_time()
        .with_target(false)
        .init();
}

struct AboveLiveLine;

impl Write for AboveLiveLine {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        above_live_line(|| anstream::stderr().write(text))
    }

    fn flush(&mut self) -> io::Result<()> {
        anstream::stderr().flush()
    }
}

fn above_live_line<T>(print: impl FnOnce() -> T) -> T {
    match LIVE.get() {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}
