//! The `xcheck` program as a process, in a world of its own: what it starts and leaves behind can be told from what
//! others on the same machine do.

use anyhow::{Context, Result, ensure};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;

/// Machines that test also build, and some runs start three browsers one after the other.
const PATIENCE: Duration = Duration::from_secs(240);

/// For a program that replays in several browsers, on a machine that builds three other things at the same time.
pub const LONG: Duration = Duration::from_secs(400);
const PULSE: Duration = Duration::from_millis(5);

/// Folders for one or more runs of the program: its data, its temporary files, and where it works.
pub struct World {
    folder: TempDir,
}

/// A run of the program that is still going on. Dropping it kills whatever is left of it.
pub struct Running {
    child: std::process::Child,
    world: PathBuf,
}

impl World {
    pub fn new() -> Result<World> {
        let folder = tempfile::Builder::new().prefix("xcheck-world-").tempdir()?;
        std::fs::create_dir(folder.path().join("tmp"))?;
        Ok(World { folder })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the program in a process group of its own, as a shell does.
    pub fn start(&self, arguments: &[&str]) -> Result<Running> {
        let mut command = Command::new(crate::xcheck()?);
        command.args(arguments);
        self.start_command(command)
    }

    /// The same for a command that becomes the program.
    pub fn start_command(&self, mut command: Command) -> Result<Running> {
        let said = |name: &str| std::fs::File::create(self.path(name));
        let child = command
            .current_dir(self.folder.path())
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env_remove("HTTP_PROXY")
            .env_remove("http_proxy")
            .stdin(Stdio::null())
            .stdout(said("stdout")?)
            .stderr(said("stderr")?)
            .process_group(0)
            .spawn()
            .with_context(|| format!("starting {command:?}"))?;
        Ok(Running {
            child,
            world: self.folder.path().to_owned(),
        })
    }

    pub fn stderr(&self) -> Result<String> {
        Ok(std::fs::read_to_string(self.path("stderr"))?)
    }

    /// Processes of this world whose executable has `word` in its path.
    pub fn processes(&self, word: &str) -> Result<Vec<u32>> {
        running(self.folder.path(), word)
    }

    /// No process of this world runs any more, and its temporary files are gone.
    pub async fn must_be_empty(&self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let processes = processes_of(self.folder.path())?;
            let files = names_in(&self.path("tmp"))?;
            if processes.is_empty() && files.is_empty() {
                return Ok(());
            }
            ensure!(
                Instant::now() < deadline,
                "left behind: processes {processes:?}, files {files:?}"
            );
            tokio::time::sleep(PULSE).await;
        }
    }
}

impl Running {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until `condition` holds, for as long as the program runs.
    pub async fn until(&mut self, what: &str, mut condition: impl FnMut() -> Result<bool>) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !condition()? {
            let said = || std::fs::read_to_string(self.world.join("stderr"));
            if let Some(status) = self.child.try_wait()? {
                anyhow::bail!("ended with {status} before {what}: {:?}", said());
            }
            ensure!(
                Instant::now() < deadline,
                "waited {} s for {what}: {:?}",
                PATIENCE.as_secs(),
                said()
            );
            tokio::time::sleep(PULSE).await;
        }
        Ok(())
    }

    /// Processes in the program's world whose executable has `word` in its path.
    pub fn processes(&self, word: &str) -> Result<Vec<u32>> {
        running(&self.world, word)
    }

    /// To the program alone.
    pub fn signal(&self, name: &str) -> Result<()> {
        signal(name, &self.pid().to_string())
    }

    /// To the program and what it started, as Ctrl-C in a terminal.
    pub fn interrupt_group(&self) -> Result<()> {
        signal("INT", &format!("-{}", self.pid()))
    }

    pub async fn ended(&mut self) -> Result<ExitStatus> {
        self.ended_within(PATIENCE).await
    }

    pub async fn ended_within(&mut self, patience: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            ensure!(
                Instant::now() < deadline,
                "it still runs after {} s",
                patience.as_secs()
            );
            tokio::time::sleep(PULSE).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nothing can be done about processes that end meanwhile.
        let left = processes_of(&self.world).unwrap_or_default();
        for (pid, _) in left {
            let _already_gone = signal("KILL", &pid.to_string());
        }
        let _reaped = self.child.wait();
    }
}

pub fn signal(name: &str, process: &str) -> Result<()> {
    crate::archive::run(Command::new("kill").args(["-s", name, "--", process]))
}

fn running(world: &Path, word: &str) -> Result<Vec<u32>> {
    let mut found = Vec::new();
    for (pid, _) in processes_of(world)? {
        // It may have ended meanwhile.
        if std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|path| path.to_string_lossy().contains(word)) {
            found.push(pid);
        }
    }
    Ok(found)
}

/// Processes whose environment or command line names the folder, with their command lines.
fn processes_of(world: &Path) -> Result<Vec<(u32, String)>> {
    let name = world
        .file_name()
        .and_then(|name| name.to_str())
        .context("the world has a name")?;
    let mut found = Vec::new();
    for pid in names_in(Path::new("/proc"))?
        .iter()
        .filter_map(|name| name.parse().ok())
    {
        // A process may end while it is looked at, and a zombie has neither.
        let read = |file: &str| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        if command.contains(name) || String::from_utf8_lossy(&read("environ")).contains(name) {
            found.push((pid, command));
        }
    }
    Ok(found)
}

fn names_in(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}
