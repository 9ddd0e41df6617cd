//! A display of its own for an engine that has no headless mode.

use super::LaunchError;
use super::process::{Process, Spec};
use crate::find::first_of;
use std::path::PathBuf;
use std::time::Duration;
use xcheck_trace::manifest::Viewport;

/// Ends when dropped.
pub(crate) struct Screen {
    /// `:7`.
    pub(crate) name: String,
    process: Process,
}

impl Screen {
    pub(crate) async fn end(self) -> std::io::Result<()> {
        self.process.end().await
    }
}

/// Xvfb chooses a free number and tells it. The screen is what pages see as `screen`; windows may be larger. The pointer
/// begins in its middle, and without a window manager the window under it is the active one.
pub(crate) async fn start(screen: Viewport, deadline: Duration) -> Result<Screen, LaunchError> {
    let program = first_of(&["Xvfb"]).unwrap_or_else(|| PathBuf::from("Xvfb"));
    let size = format!("{}x{}x24", screen.width, screen.height);
    let arguments = [
        "-displayfd",
        "2",
        "-screen",
        "0",
        &size,
        "-dpi",
        "96",
        "-nolisten",
        "tcp",
        "-noreset",
    ];
    let process = Process::spawn(Spec {
        program: &program,
        arguments: arguments.iter().map(Into::into).collect(),
        environment: Vec::new(),
        folder: None,
    })
    .map_err(|error| LaunchError::NotStarted {
        program: program.clone(),
        error,
    })?;
    let number = process
        .line(deadline, |line| line.parse::<u32>().ok())
        .await
        .ok_or_else(|| LaunchError::NotReady {
            name: "Xvfb".to_owned(),
            after: deadline,
            stderr: process.last_lines(8),
        })?;
    Ok(Screen {
        name: format!(":{number}"),
        process,
    })
}
