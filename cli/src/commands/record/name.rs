//! The folder for a trace when nobody named one.

use std::path::PathBuf;

/// `shop.example.trace`, then `shop.example-2.trace`: never one that is there.
pub(super) fn unused(host: Option<&str>) -> PathBuf {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    };
    let stem: String = host.unwrap_or("recording").chars().map(allowed).take(80).collect();
    let stem = match stem.trim_matches(['.', '-']) {
        "" => "recording",
        stem => stem,
    };
    let names =
        std::iter::once(format!("{stem}.trace")).chain((2_u32..).map(|number| format!("{stem}-{number}.trace")));
    // A name that cannot be looked at is left to the error that making it will give.
    let unused = |path: &PathBuf| std::fs::symlink_metadata(path).is_err();
    names.map(PathBuf::from).find(unused).unwrap_or_default()
}
