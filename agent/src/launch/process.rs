//! Processes that never outlive us, and folders that go with them.
//!
//! A browser is a tree of processes, some in sessions of their own, and we may end in ways that run no destructor
//! (`kill -9`, a crash). So a small shell stands between: it holds the reading end of a pipe whose writing end only we
//! have. When the pipe closes, however that came, it ends everything that is in its process group or carries our mark
//! in its environment (Chromium's helpers overwrite their environment, crash reporters leave the group), and then
//! removes the folder. Closing the pipe is the one way of ending a browser, so that way is always the one tried.
//! `PR_SET_PDEATHSIG` was rejected: it follows the *thread* that started the process, reaches only one process of the
//! tree, and leaves the profile behind.

use super::LaunchError;
use super::environment::{Home, Variables};
use crate::find::Installed;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;

/// `$1` the mark, `$2` the folder to remove or nothing, then the command. Standard output tells how the command ended.
const GUARD: &str = r#"
mark=$1 folder=$2
shift 2
( XCHECK_PROCESS=$mark; export XCHECK_PROCESS; "$@" </dev/null 1>&2; echo "ended $?" ) &
exec >/dev/null 2>&1
read -r _
trap '' TERM
kill -TERM 0
while :; do
    found=$(
        {
            grep -lzxF "XCHECK_PROCESS=$mark" /proc/[0-9]*/environ
            grep -lE "^[0-9]+ \(.*\) [^Z] [0-9]+ $$ " /proc/[0-9]*/stat | xargs -r grep -LE "^[0-9]+ \((sh|grep|cut|xargs)\) "
        } | cut -d/ -f3
    )
    [ -n "$found" ] || break
    kill -KILL $found
done
[ -z "$folder" ] || rm -rf -- "$folder"
"#;

const KEPT_LINES: usize = 200;

/// Lines that are shown when a browser did not start.
const LAST_WORDS: usize = 8;

/// How long everything may take to be gone once it was told to.
const END_DEADLINE: Duration = Duration::from_secs(20);

pub(crate) struct Spec<'a> {
    pub(crate) program: &'a Path,
    pub(crate) arguments: Vec<OsString>,
    /// `None` takes a variable away.
    pub(crate) environment: Vec<(&'static str, Option<OsString>)>,
    /// Removed after the last process.
    pub(crate) folder: Option<PathBuf>,
}

pub(crate) struct Process {
    guard: Child,
    /// Dropping this ends everything.
    leash: Option<ChildStdin>,
    said: Arc<Said>,
    ended: watch::Receiver<bool>,
}

/// What the process wrote to its standard error.
#[derive(Default)]
struct Said {
    lines: Mutex<VecDeque<String>>,
    changed: watch::Sender<u64>,
}

impl Process {
    pub(crate) fn spawn(spec: Spec<'_>) -> std::io::Result<Process> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", GUARD, "xcheck-guard"])
            .arg(mark())
            .arg(spec.folder.as_deref().map_or(OsStr::new(""), Path::as_os_str))
            .arg(spec.program)
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .current_dir("/");
        // A group of its own, so that Ctrl-C at the terminal reaches us and we end the browser in order.
        command.process_group(0);
        for (name, value) in &spec.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let mut guard = command.spawn()?;
        let said = Arc::new(Said::default());
        let (tell_end, ended) = watch::channel(false);
        if let Some(stderr) = guard.stderr.take() {
            tokio::spawn(keep_lines(stderr, said.clone()));
        }
        if let Some(stdout) = guard.stdout.take() {
            tokio::spawn(async move {
                // The only line there is comes at the end; an error means the guard itself is gone.
                let _ = BufReader::new(stdout).lines().next_line().await;
                tell_end.send_replace(true);
            });
        }
        Ok(Process {
            leash: guard.stdin.take(),
            guard,
            said,
            ended,
        })
    }

    /// The first thing `pick` finds on standard error; `None` when the process ends or the deadline passes before.
    pub(crate) async fn line<T>(&self, deadline: Duration, pick: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut changed = self.said.changed.subscribe();
        let mut ended = self.ended.clone();
        let search = async {
            loop {
                let found = self.said.lines.lock().unwrap().iter().find_map(|line| pick(line));
                if found.is_some() {
                    return found;
                }
                tokio::select! {
                    _ = changed.changed() => {}
                    _ = ended.wait_for(|ended| *ended) => {
                        return self.said.lines.lock().unwrap().iter().find_map(|line| pick(line));
                    }
                }
            }
        };
        tokio::time::timeout(deadline, search).await.ok().flatten()
    }

    /// Starts a browser that says on standard error where it listens, and waits until it has: `pick` knows that line.
    pub(crate) async fn listening(
        browser: &Installed,
        arguments: Vec<OsString>,
        environment: Variables,
        home: Home,
        deadline: Duration,
        pick: impl Fn(&str) -> Option<String>,
    ) -> Result<(Process, String), LaunchError> {
        let process = Process::spawn(Spec {
            program: &browser.binary,
            arguments,
            environment,
            folder: Some(home.hand_over()),
        })
        .map_err(|error| LaunchError::NotStarted {
            program: browser.binary.clone(),
            error,
        })?;
        match process.line(deadline, pick).await {
            Some(address) => Ok((process, address)),
            None => Err(LaunchError::NotReady {
                name: browser.name.clone(),
                after: deadline,
                stderr: process.last_lines(LAST_WORDS),
            }),
        }
    }

    /// Without the complaints about the session bus, which we do not let it have.
    pub(crate) fn last_lines(&self, count: usize) -> Vec<String> {
        let lines = self.said.lines.lock().unwrap();
        let telling: Vec<&String> = lines.iter().filter(|line| !line.contains(":ERROR:dbus/")).collect();
        let first = telling.len().saturating_sub(count);
        telling[first..].iter().map(|line| line.to_string()).collect()
    }

    /// Turns true when the command ended by itself.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.clone()
    }

    /// Ends everything and waits until it is gone.
    pub(crate) async fn end(mut self) -> std::io::Result<()> {
        drop(self.leash.take());
        match tokio::time::timeout(END_DEADLINE, self.guard.wait()).await {
            Ok(status) => status.map(|_| ()),
            Err(_) => Err(std::io::Error::other("its processes could not be ended")),
        }
    }
}

/// Unlike any other in this process and any other process.
fn mark() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let since_epoch = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |duration| duration.as_nanos());
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}-{since_epoch}", std::process::id())
}

async fn keep_lines(from: impl AsyncRead + Unpin, said: Arc<Said>) {
    let mut lines = BufReader::new(from).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.is_empty() {
            continue;
        }
        let mut kept = said.lines.lock().unwrap();
        if kept.len() == KEPT_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
        drop(kept);
        said.changed.send_modify(|count| *count += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, folder: Option<PathBuf>) -> Process {
        Process::spawn(Spec {
            program: Path::new("/bin/sh"),
            arguments: vec!["-c".into(), script.into()],
            environment: vec![],
            folder,
        })
        .unwrap()
    }

    fn alive(pid: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[tokio::test]
    async fn a_process_in_a_session_of_its_own_ends_with_the_others_and_the_folder_goes() {
        let folder = tempfile::tempdir().unwrap().keep();
        let process = sh(
            "setsid sleep 1000 & echo pid $! >&2; trap '' TERM; wait",
            Some(folder.clone()),
        );
        let pid = process
            .line(Duration::from_secs(30), |line| {
                line.strip_prefix("pid ").map(str::to_owned)
            })
            .await
            .unwrap();
        assert!(alive(&pid));
        process.end().await.unwrap();
        assert!(!alive(&pid));
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_process_that_ends_by_itself_is_noticed_and_its_words_are_kept() {
        let process = sh("echo alas >&2; exit 3", None);
        let mut ended = process.ended();
        ended.wait_for(|ended| *ended).await.unwrap();
        assert_eq!(process.line(Duration::from_secs(30), |_| None::<()>).await, None);
        assert_eq!(process.last_lines(5), ["alas"]);
    }
}
