//! How a command ends: the exit codes that scripts rely on, and errors that carry theirs.

use std::io;
use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done, and no incompatibility.
    Clean,
    /// 1: incompatibilities were found.
    Found,
    /// 2: used wrongly, or given something that is not what it should be.
    Usage,
    /// 3: a browser died, a trace cannot be read: nothing is known.
    NotMeasured,
    /// Of the command that was recorded.
    Passed(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::NotMeasured => 3,
            Exit::Passed(status) => status,
        })
    }
}

/// An error, and the exit code it leads to.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) error: anyhow::Error,
}

impl Failure {
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure {
            exit: Exit::Usage,
            error: error.into(),
        }
    }

    /// `xcheck … | head` is no failure.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        let of_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        let mut causes = self.error.chain();
        causes.any(|cause| cause.downcast_ref::<io::Error>().is_some_and(of_pipe))
    }
}

/// What was not said to be the user's doing means that nothing could be measured.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure {
            exit: Exit::NotMeasured,
            error: error.into(),
        }
    }
}

pub(crate) trait OrUsage<T> {
    /// The error is about what the command was given.
    fn or_usage(self) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> OrUsage<T> for Result<T, E> {
    fn or_usage(self) -> Result<T, Failure> {
        self.map_err(Failure::usage)
    }
}
