//! What the command line says of itself: help with examples, completions, manual pages, and a settings file to begin with.

use std::process::{Command, Output};

fn xcheck(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcheck"))
        .args(arguments)
        .output()
        .unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = xcheck(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Names below `Commands:` of a help text.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_examples_and_a_manual_page() {
    let top = commands(&said(&["--help"]));
    assert!(top.len() > 12, "{top:?}");
    for command in &top {
        let help = said(&[command, "--help"]);
        let below = commands(&help);
        assert!(
            help.contains("Example") || !below.is_empty(),
            "{command} has no examples:\n{help}"
        );
        for deeper in &below {
            let help = said(&[command, deeper, "--help"]);
            assert!(help.contains("Example"), "{command} {deeper} has no examples:\n{help}");
            assert!(said(&["man", command, deeper]).contains(".SH SYNOPSIS"));
        }
        assert!(said(&["man", command]).contains(".SH SYNOPSIS"));
    }
    assert_eq!(xcheck(&["man", "rekord"]).status.code(), Some(2));
}

#[test]
fn shells_are_told_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let text = said(&["completions", shell]);
        assert!(text.contains("install-browsers") && text.contains("accept"), "{shell}");
    }
}

#[test]
fn init_writes_a_file_that_can_be_used_and_never_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let init = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xcheck"));
        command.arg("init").current_dir(folder.path()).output().unwrap()
    };
    assert!(init().status.success());
    let config = folder.path().join("xcheck.toml");
    assert!(std::fs::read_to_string(&config).unwrap().contains("#[[browser]]"));
    said(&["browsers", "--config", config.to_str().unwrap()]);
    let again = init();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("is there already"));
}
