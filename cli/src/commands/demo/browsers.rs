//! The engines that are here, and what to run for those that are not.

use crate::commands::browsers::install_all;
use crate::exit::Failure;
use crate::terminal::{self, BOLD, styled};
use anyhow::anyhow;
use xcheck_agent::install::command_for_all;
use xcheck_agent::{Installed, Missing, find};

/// One for each engine. The first that is here is the one that is recorded.
pub(super) const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

pub(super) fn here(install_missing: bool) -> Result<Vec<Installed>, Failure> {
    let look = || ENGINES.map(|name| find(name, &[]));
    let mut found = look();
    if install_missing {
        let missing: Vec<Missing> = found.into_iter().filter_map(Result::err).collect();
        if !install_all(&missing) {
            terminal::warn("not everything could be installed; going on with the engines that are here");
        }
        found = look();
    }
    let (mut browsers, mut missing) = (Vec::new(), Vec::new());
    for looked_for in found {
        match looked_for {
            Ok(browser) => browsers.push(browser),
            Err(lacking) => missing.push(lacking),
        }
    }
    say_missing(&missing);
    match browsers.len() {
        0 => Err(anyhow!(
            "no browser is here; `xcheck demo --install-browsers` brings them on Debian and Ubuntu, elsewhere install Chromium or Firefox"
        )
        .into()),
        _ => Ok(browsers),
    }
}

/// What is missing, and the one command that brings all of it.
fn say_missing(missing: &[Missing]) {
    for missing in missing {
        terminal::warn(format!("{}: {}", missing.name, missing.reason));
    }
    if let Some(command) = command_for_all(missing) {
        terminal::say(format!("  run  {}  or give --install-browsers", styled(BOLD, &command)));
    }
}
