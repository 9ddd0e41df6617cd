//! Django's admin: log-in, CSRF tokens, cookies, and a server that changes with what is done.

use crate::own_server::OwnServer;
use crate::site::Prelude;
use crate::subject::DJANGO;
use anyhow::Result;
use tokio::process::Command;

const SERVE: &str = include_str!("django/serve.py");

/// With a database of its own.
pub(crate) async fn serve(prelude: Prelude) -> Result<OwnServer> {
    let subject = DJANGO.folder()?;
    OwnServer::start(prelude, |folder| {
        let database = folder.join("database");
        std::fs::copy(subject.join("database"), &database)?;
        let mut python = Command::new("python3");
        python
            .args(["-c", SERVE, "run"])
            .arg(database)
            .env("PYTHONPATH", &subject);
        Ok(python)
    })
    .await
}

/// Makes the database once: migrating takes seconds, copying it none.
pub(crate) fn make_database(subject: &std::path::Path) -> Result<()> {
    let mut python = std::process::Command::new("python3");
    python
        .args(["-c", SERVE, "prepare"])
        .arg(subject.join("database"))
        .env("PYTHONPATH", subject);
    crate::archive::run(&mut python)
}
