//! Switches that a browser of `xcheck.toml` has besides ours.

use std::ffi::OsStr;

/// Hold lists, of which a browser takes the last alone, and what stands between two of their entries.
const LISTS: [(&str, &str); 7] = [
    ("--blink-settings", ","),
    ("--disable-blink-features", ","),
    ("--disable-features", ","),
    ("--enable-blink-features", ","),
    ("--enable-features", ","),
    ("--features", ","),
    ("--js-flags", " "),
];

/// What is ours stays where `others` add to the same list; any other switch is theirs where both have it, for it comes last.
pub(crate) fn add<Argument>(ours: &mut Vec<Argument>, others: &[String])
where
    Argument: AsRef<OsStr> + From<String>,
{
    for other in others {
        match list(other).and_then(|switch| joined(ours, switch, other)) {
            Some((at, both)) => ours[at] = both,
            None => ours.push(other.clone().into()),
        }
    }
}

fn list(argument: &str) -> Option<(&'static str, &'static str)> {
    let (name, _) = argument.split_once('=')?;
    LISTS.into_iter().find(|(switch, _)| *switch == name)
}

fn joined<Argument>(ours: &[Argument], (switch, between): (&str, &str), other: &str) -> Option<(usize, Argument)>
where
    Argument: AsRef<OsStr> + From<String>,
{
    let of = |argument: &str| argument.strip_prefix(switch)?.strip_prefix('=').map(str::to_owned);
    let added = of(other)?;
    ours.iter().enumerate().find_map(|(at, own)| {
        let own = of(own.as_ref().to_str()?)?;
        Some((at, format!("{switch}={own}{between}{added}").into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_added_to_and_anything_else_comes_last() {
        let mut ours: Vec<String> = ["--blink-settings=a=1", "--mute-audio", "--lang=en"]
            .map(str::to_owned)
            .into();
        let others = [
            "--blink-settings=imagesEnabled=false",
            "--js-flags=--jitless",
            "--js-flags=--no-opt",
            "--lang=de",
        ];
        add(&mut ours, &others.map(str::to_owned));
        assert_eq!(
            ours,
            [
                "--blink-settings=a=1,imagesEnabled=false",
                "--mute-audio",
                "--lang=en",
                "--js-flags=--jitless --no-opt",
                "--lang=de"
            ]
        );
    }
}
