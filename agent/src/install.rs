//! Getting a browser that is missing. Only where one command of the system does it and asks nothing: Debian and Ubuntu.
//! Elsewhere the thing is named and the person decides.

use crate::find::{Missing, first_of};
use std::process::Command;

#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(
        "{0} cannot be installed from here: this is not Debian or Ubuntu, or its packages do not have it. Install it as its vendor says, and run `xcheck browsers` again"
    )]
    NotHere(String),
    #[error("`{command}` could not be started: {error}")]
    NotStarted { command: String, error: std::io::Error },
    #[error(
        "`{command}` failed ({status}); what it said is above. Run it in a terminal, by somebody who may, and try again"
    )]
    Failed {
        command: String,
        status: std::process::ExitStatus,
    },
}

/// One command for all of these, where there is one on this machine.
pub fn command_for_all(missing: &[Missing]) -> Option<String> {
    let mut packages: Vec<&str> = missing.iter().flat_map(|missing| missing.packages).copied().collect();
    packages.sort_unstable();
    packages.dedup();
    command_for(&packages)
}

/// Runs the command that installs all of these; its words go to our standard error, so that a person sees what happens.
pub fn install(missing: &[Missing]) -> Result<(), InstallError> {
    let names = || missing.iter().map(|missing| missing.name.as_str()).collect::<Vec<_>>();
    let command = command_for_all(missing).ok_or_else(|| InstallError::NotHere(names().join(", ")))?;
    let not_started = |error| InstallError::NotStarted {
        command: command.clone(),
        error,
    };
    let status = Command::new("/bin/sh")
        .args(["-c", &format!("{{ {command}; }} 1>&2")])
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .map_err(not_started)?;
    if status.success() {
        Ok(())
    } else {
        Err(InstallError::Failed { command, status })
    }
}

/// The exact command for this machine, if there is one.
pub(crate) fn command_for(packages: &[&str]) -> Option<String> {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| {
        #[cfg(unix)]
        {
            std::os::unix::fs::MetadataExt::uid(&own) == 0
        }
        #[cfg(not(unix))]
        {
            let _ = own;
            false
        }
    });
    let root = match is_root {
        true => Root::Already,
        false if first_of(&["sudo"]).is_some() => Root::BySudo,
        false => Root::BySu,
    };
    command_on(&release, root, packages)
}

/// How a command comes by root's rights.
#[derive(Clone, Copy)]
enum Root {
    Already,
    BySudo,
    /// Debian has no `sudo` where its installer was given a password for root.
    BySu,
}

fn command_on(release: &str, root: Root, packages: &[&str]) -> Option<String> {
    let is_debian = release.lines().any(|line| {
        let Some((name, value)) = line.split_once('=') else {
            return false;
        };
        let mut words = value.trim_matches('"').split(' ');
        matches!(name, "ID" | "ID_LIKE") && words.any(|word| matches!(word, "debian" | "ubuntu"))
    });
    if !is_debian || packages.is_empty() {
        return None;
    }
    // Ubuntu's `chromium` and `firefox` are snaps, which can neither see our profile folder nor be given a proxy's CA;
    // the plain packages have these names on Debian only, and apt says so itself when they are not there.
    let sudo = if matches!(root, Root::BySudo) { "sudo " } else { "" };
    // A machine that was never asked for anything knows no package at all.
    let command = format!(
        "{sudo}apt-get update && {sudo}apt-get install --yes --no-install-recommends {}",
        packages.join(" ")
    );
    Some(match root {
        Root::BySu => format!("su -c '{command}'"),
        Root::Already | Root::BySudo => command,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_relatives_get_a_command_and_others_do_not() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n";
        let mint = "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
        assert_eq!(
            command_on(debian, Root::Already, &["webkit2gtk-driver", "xvfb"]).as_deref(),
            Some("apt-get update && apt-get install --yes --no-install-recommends webkit2gtk-driver xvfb")
        );
        assert_eq!(
            command_on(mint, Root::BySudo, &["firefox-esr"]).as_deref(),
            Some("sudo apt-get update && sudo apt-get install --yes --no-install-recommends firefox-esr")
        );
        assert_eq!(
            command_on(debian, Root::BySu, &["chromium"]).as_deref(),
            Some("su -c 'apt-get update && apt-get install --yes --no-install-recommends chromium'")
        );
        assert_eq!(command_on("ID=fedora\n", Root::Already, &["chromium"]), None);
        assert_eq!(command_on(debian, Root::Already, &[]), None);
    }
}
