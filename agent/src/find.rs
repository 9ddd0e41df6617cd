//! Which browsers this machine has, and how each can be driven.
//!
//! A browser is looked for by its usual program names on the `PATH` and by the places its installers use, so that the
//! answer to "what is missing" can name both the thing and the command that brings it. Nothing is started here but
//! `--version`.

mod places;

use crate::install::command_for;
use crate::remote::{Agent, AgentAddress, AgentError, RemoteBrowser};
use places::{Place, known};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use xcheck_trace::manifest::Engine;

/// A browser that can be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Installed {
    /// As on the command line.
    pub name: String,
    pub engine: Engine,
    /// As the program states it, without its name; `?` when it can only be known by starting it.
    pub version: String,
    pub binary: PathBuf,
    pub driver: Driver,
    /// Additional ones, from `xcheck.toml`.
    pub arguments: Vec<String>,
    /// Of Firefox, from `xcheck.toml`.
    pub preferences: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// The browser itself speaks the Chrome DevTools Protocol.
    DevTools,
    /// The browser itself speaks WebDriver BiDi.
    BiDi,
    /// A program of its own that speaks W3C WebDriver and starts the browser.
    WebDriver { program: PathBuf, flavour: Flavour },
    /// A W3C WebDriver server that is already there, such as Selenium Grid.
    Remote { url: String, browser_name: String },
    /// An agent replays in it, over there.
    Agent(Box<Agent>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Gtk,
    Wpe,
    Safari,
}

/// A browser that cannot be started, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}{}", command_for(.packages).map(|command| format!("; install it with: {command}")).unwrap_or_default())]
pub struct Missing {
    pub name: String,
    pub reason: String,
    /// What it is in, by Debian's names; none where it cannot be installed.
    pub packages: &'static [&'static str],
}

impl Missing {
    /// What installs it on this machine, where that is one command.
    pub fn command(&self) -> Option<String> {
        command_for(self.packages)
    }
}

/// A `[[browser]]` of `xcheck.toml`: "Firefox with this flag off" or an old build is a browser like any other.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomBrowser {
    pub name: String,
    pub engine: Engine,
    /// A path; without it, the engine's usual browser.
    #[serde(default)]
    pub binary: Option<PathBuf>,
    #[serde(default)]
    pub arguments: Vec<String>,
    /// `about:config` of Firefox.
    #[serde(default)]
    pub preferences: BTreeMap<String, serde_json::Value>,
}

/// Every browser we know of on this system, there or missing, and the custom ones.
pub fn find_all(custom: &[CustomBrowser]) -> Vec<Result<Installed, Missing>> {
    let names = known().map(|place| place.name.to_owned());
    names
        .chain(custom.iter().map(|browser| browser.name.clone()))
        .map(|name| find(&name, custom))
        .collect()
}

/// `name` is a known name, one from `xcheck.toml`, a path, or `webdriver://host:port/browserName`.
pub fn find(name: &str, custom: &[CustomBrowser]) -> Result<Installed, Missing> {
    if let Some(browser) = custom.iter().find(|browser| browser.name == name) {
        return find_custom(browser);
    }
    if let Some(place) = known().find(|place| place.name == name) {
        return find_known(place);
    }
    if name.starts_with("agent://") {
        return Err(Missing {
            name: name.to_owned(),
            reason: "a browser behind an agent can only replay".to_owned(),
            packages: &[],
        });
    }
    if let Some(remote) = name.strip_prefix("webdriver://") {
        return remote_end(name, remote);
    }
    if name.contains(std::path::MAIN_SEPARATOR) {
        return find_path(name, Path::new(name), None);
    }
    let names: Vec<&str> = known()
        .map(|place| place.name)
        .chain(custom.iter().map(|browser| browser.name.as_str()))
        .collect();
    Err(Missing {
        name: name.to_owned(),
        reason: format!(
            "no browser is called that; the names are {}, a path, or webdriver://HOST:PORT/BROWSER",
            names.join(", ")
        ),
        packages: &[],
    })
}

fn find_known(place: &'static Place) -> Result<Installed, Missing> {
    let missing = |what: &str| Missing {
        name: place.name.to_owned(),
        reason: format!("{what} is not installed"),
        packages: place.packages,
    };
    let binary = first_of(place.programs).ok_or_else(|| missing(place.title))?;
    let driver = match place.flavour {
        None if place.engine == Engine::Gecko => Driver::BiDi,
        None => Driver::DevTools,
        Some(flavour) => Driver::WebDriver {
            program: first_of(place.drivers).ok_or_else(|| missing(&format!("the WebDriver of {}", place.title)))?,
            flavour,
        },
    };
    if place.flavour == Some(Flavour::Gtk) && first_of(&["Xvfb"]).is_none() {
        return Err(Missing {
            name: place.name.to_owned(),
            reason: "Xvfb, the display it is given, is not installed".to_owned(),
            packages: &["xvfb"],
        });
    }
    Ok(Installed {
        name: place.name.to_owned(),
        engine: place.engine,
        version: version_of(&binary, &driver),
        binary,
        driver,
        arguments: Vec::new(),
        preferences: BTreeMap::new(),
    })
}

fn find_custom(browser: &CustomBrowser) -> Result<Installed, Missing> {
    let found = match &browser.binary {
        Some(binary) => find_path(&browser.name, binary, Some(browser.engine))?,
        None => find_known(usual(browser.engine))?,
    };
    Ok(Installed {
        name: browser.name.clone(),
        arguments: browser.arguments.clone(),
        preferences: browser.preferences.clone(),
        ..found
    })
}

/// What a path leads to is told by the program's name, unless somebody says it.
fn find_path(name: &str, path: &Path, engine: Option<Engine>) -> Result<Installed, Missing> {
    let missing = |reason: String| Missing {
        name: name.to_owned(),
        reason,
        packages: &[],
    };
    if !path.is_file() {
        return Err(missing(format!("there is no program at {}", path.display())));
    }
    let binary =
        std::path::absolute(path).map_err(|error| missing(format!("{} cannot be used: {error}", path.display())))?;
    let file_name = binary
        .file_name()
        .map(|file_name| file_name.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let engine = match engine {
        Some(engine) => engine,
        None if file_name.contains("firefox") => Engine::Gecko,
        None if file_name.contains("minibrowser") || file_name.contains("safari") => Engine::WebKit,
        None if ["chrom", "edge", "headless_shell"]
            .iter()
            .any(|part| file_name.contains(part)) =>
        {
            Engine::Blink
        }
        None => {
            return Err(missing(format!(
                "it is not clear what engine {} has; name it in xcheck.toml, under [[browser]]",
                path.display()
            )));
        }
    };
    let driver = match engine {
        Engine::Blink => Driver::DevTools,
        Engine::Gecko => Driver::BiDi,
        Engine::WebKit => {
            let flavour = if binary.to_string_lossy().contains("wpe") {
                Flavour::Wpe
            } else {
                Flavour::Gtk
            };
            let place = known()
                .find(|place| place.flavour == Some(flavour))
                .unwrap_or_else(|| usual(engine));
            Driver::WebDriver {
                program: first_of(place.drivers)
                    .ok_or_else(|| missing(format!("the WebDriver of {} is not installed", place.title)))?,
                flavour,
            }
        }
    };
    Ok(Installed {
        name: name.to_owned(),
        engine,
        version: version_of(&binary, &driver),
        binary,
        driver,
        arguments: Vec::new(),
        preferences: BTreeMap::new(),
    })
}

fn remote_end(name: &str, remote: &str) -> Result<Installed, Missing> {
    let (host, browser_name) = remote.split_once('/').unwrap_or((remote, ""));
    let engine = match browser_name {
        "chrome" | "chromium" | "MicrosoftEdge" => Engine::Blink,
        "firefox" => Engine::Gecko,
        "safari" | "Safari" | "MiniBrowser" => Engine::WebKit,
        _ => {
            return Err(Missing {
                name: name.to_owned(),
                reason:
                    "a remote browser is written webdriver://HOST:PORT/chrome, …/firefox, …/MicrosoftEdge or …/safari"
                        .to_owned(),
                packages: &[],
            });
        }
    };
    Ok(Installed {
        name: name.to_owned(),
        engine,
        version: "?".to_owned(),
        binary: PathBuf::new(),
        driver: Driver::Remote {
            url: format!("http://{host}"),
            browser_name: browser_name.to_owned(),
        },
        arguments: Vec::new(),
        preferences: BTreeMap::new(),
    })
}

/// `agent://HOST:PORT/BROWSER`: asks the agent what it has. One that cannot be asked is no reason not to go on with other
/// browsers, where it is clear from the name what the browser would be: its replay will tell why it was not measured.
pub async fn find_remote(name: &str, agent: Agent, browser: &str) -> Result<Installed, Missing> {
    let missing = |reason: String| Missing {
        name: name.to_owned(),
        reason,
        packages: &[],
    };
    let found = match agent.browsers().await {
        Ok(offered) => {
            let names: Vec<String> = offered.iter().map(|browser| browser.name.clone()).collect();
            let found = offered.into_iter().find(|offered| offered.name == browser);
            found.ok_or_else(|| {
                let address: &AgentAddress = &agent.address;
                missing(format!(
                    "the agent at {address} has no such browser; it has {}",
                    names.join(", ")
                ))
            })?
        }
        Err(error @ (AgentError::Unreachable { .. } | AgentError::Answer { .. })) => {
            let usual = known().find(|place| place.name == browser);
            RemoteBrowser {
                name: browser.to_owned(),
                engine: usual.ok_or_else(|| missing(error.to_string()))?.engine,
                version: "?".to_owned(),
            }
        }
        Err(error) => return Err(missing(error.to_string())),
    };
    Ok(Installed {
        name: name.to_owned(),
        engine: found.engine,
        version: found.version,
        binary: PathBuf::new(),
        driver: Driver::Agent(Box::new(agent)),
        arguments: Vec::new(),
        preferences: BTreeMap::new(),
    })
}

fn usual(engine: Engine) -> &'static Place {
    known()
        .find(|place| place.engine == engine)
        .expect("each engine is in the table of each system")
}

/// Names are looked for on the `PATH`, paths as they are; `{}` in a path stands for any one folder or part of it.
pub(crate) fn first_of(programs: &[&str]) -> Option<PathBuf> {
    programs.iter().find_map(|program| {
        if program.contains(['/', '\\']) {
            return places::expand(program);
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .map(|folder| folder.join(program))
            .find(|candidate| candidate.is_file())
    })
}

/// Programs that open a window instead of answering `--version` are not asked.
fn version_of(binary: &Path, driver: &Driver) -> String {
    let answer = match driver {
        Driver::DevTools | Driver::BiDi => std::process::Command::new(binary).arg("--version").output(),
        Driver::WebDriver {
            flavour: Flavour::Gtk, ..
        } => package_version("libwebkit2gtk-4.1-0"),
        Driver::WebDriver {
            flavour: Flavour::Wpe, ..
        } => package_version("libwpewebkit-1.1-0"),
        Driver::WebDriver {
            program,
            flavour: Flavour::Safari,
        } => std::process::Command::new(program).arg("--version").output(),
        Driver::Remote { .. } | Driver::Agent(_) => return "?".to_owned(),
    };
    let text = answer
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    first_number(&text)
}

fn package_version(package: &str) -> std::io::Result<std::process::Output> {
    std::process::Command::new("dpkg-query")
        .args(["-W", "-f", "${Version}", package])
        .output()
}

/// `Mozilla Firefox 153.7.0esr` → `153.7.0esr`.
fn first_number(text: &str) -> String {
    text.split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.'))
        .map(|word| word.split('-').next().unwrap_or(word).to_owned())
        .unwrap_or_else(|| "?".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_say() {
        assert_eq!(first_number("Mozilla Firefox 153.7.0esr\n"), "153.7.0esr");
        assert_eq!(
            first_number("Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)"),
            "156.0.8078.79"
        );
        assert_eq!(first_number("2.50.6-1~deb12u2"), "2.50.6");
        assert_eq!(first_number("Included with Safari 26.0 (20623.1.14)"), "26.0");
        assert_eq!(first_number(""), "?");
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_names_there_are() {
        let missing = find("netscape", &[]).unwrap_err();
        assert!(missing.to_string().contains("firefox"), "{missing}");
    }

    #[test]
    fn a_path_that_is_not_there_is_named() {
        let missing = find("/nowhere/firefox", &[]).unwrap_err();
        assert_eq!(missing.reason, "there is no program at /nowhere/firefox");
    }

    #[test]
    fn a_custom_browser_has_its_own_name_arguments_and_the_engine_it_states() {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("old-build");
        std::fs::write(&binary, "").unwrap();
        let custom = CustomBrowser {
            name: "chromium-78".to_owned(),
            engine: Engine::Blink,
            binary: Some(binary.clone()),
            arguments: vec!["--disable-blink-features=X".to_owned()],
            preferences: BTreeMap::new(),
        };
        let found = find("chromium-78", &[custom]).unwrap();
        assert_eq!(found.name, "chromium-78");
        assert_eq!(found.driver, Driver::DevTools);
        assert_eq!(found.binary, binary);
        assert_eq!(found.arguments, ["--disable-blink-features=X"]);
    }

    #[test]
    fn a_remote_end_is_told_from_its_address() {
        let found = find("webdriver://grid:4444/MicrosoftEdge", &[]).unwrap();
        assert_eq!(found.engine, Engine::Blink);
        assert!(matches!(found.driver, Driver::Remote { url, .. } if url == "http://grid:4444"));
        assert!(find("webdriver://grid:4444/lynx", &[]).is_err());
    }
}
