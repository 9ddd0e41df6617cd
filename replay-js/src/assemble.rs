//! Turns the modules below `page/` into one script.
//!
//! The page's code is written as small ES modules so that it can be read, type-checked and tested as they are. A page
//! needs one classic script that leaves no names behind. A bundler would do it, at the price of npm in the build and
//! of output nobody reads; the subset we allow ourselves needs only this file: one-line `import { a, b } from './x.js'`,
//! `export function | const | class`, unique top-level names over all modules. Anything else is refused, with file and line.
//!
//! Whole-line comments, blank lines and indentation are dropped. That is safe because a template literal or a string
//! that spans lines is refused as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Follows the imports of `entry`, a path below `root`. What is imported comes before what imports it.
pub(crate) fn assemble(root: &Path, entry: &str) -> Result<String, String> {
    let mut assembly = Assembly {
        root,
        modules: BTreeMap::new(),
        names: BTreeMap::new(),
        script: String::new(),
    };
    assembly.add(Path::new(entry), &mut Vec::new())?;
    Ok(assembly.script)
}

struct Assembly<'a> {
    root: &'a Path,
    /// What each finished module exports.
    modules: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Top-level names and the module that declares them.
    names: BTreeMap<String, PathBuf>,
    script: String,
}

impl Assembly<'_> {
    fn add(&mut self, path: &Path, chain: &mut Vec<PathBuf>) -> Result<(), String> {
        if self.modules.contains_key(path) {
            return Ok(());
        }
        if chain.iter().any(|above| above == path) {
            return Err(format!("{}: imports itself by way of {chain:?}", path.display()));
        }
        chain.push(path.to_owned());
        let file = self.root.join(path);
        let source = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;

        let mut exports = BTreeSet::new();
        let mut text = String::new();
        let mut in_comment = false;
        for (index, line) in source.lines().enumerate() {
            let refuse = |why: &str| format!("{}:{}: {why}: `{line}`", path.display(), index + 1);
            let code = line.trim();
            if in_comment || code.starts_with("/*") {
                in_comment = !code.ends_with("*/");
                if !in_comment && code.find("*/") != Some(code.len() - 2) {
                    return Err(refuse("code after a block comment"));
                }
                continue;
            }
            if code.is_empty() || code.starts_with("//") {
                continue;
            }
            if code.matches('`').count() % 2 == 1 || code.ends_with('\\') {
                return Err(refuse("literals must not span lines"));
            }
            if starts_with_word(code, "import") {
                let (names, from) = parse_import(code).ok_or_else(|| refuse("not a one-line named import"))?;
                let module = normalise(path, from).ok_or_else(|| refuse("leads out of the folder"))?;
                self.add(&module, chain)?;
                if let Some(missing) = names.iter().find(|name| !self.modules[&module].contains(**name)) {
                    return Err(refuse(&format!("{} does not export {missing}", module.display())));
                }
                continue;
            }
            let exported = starts_with_word(code, "export");
            let code = if exported {
                code["export".len()..].trim_start()
            } else {
                code
            };
            let code = without_types(code).ok_or_else(|| refuse("an unfinished type comment"))?;
            let code = code.as_str();
            if returns_function_with_default(code) {
                return Err(refuse(
                    "WebKit of 2022 does not run what returns a named function whose parameter has a default",
                ));
            }
            if exported || line.starts_with(code.split(' ').next().unwrap_or(code)) {
                let names = declared(code).map_err(|why| refuse(&why))?;
                if exported && names.is_empty() {
                    return Err(refuse("only functions, constants and classes can be exported"));
                }
                for name in names {
                    if let Some(first) = self.names.insert(name.to_owned(), path.to_owned()) {
                        return Err(refuse(&format!("{name} is already a name in {}", first.display())));
                    }
                    if exported {
                        exports.insert(name.to_owned());
                    }
                }
            } else if text.is_empty() {
                return Err(refuse("an indented beginning"));
            }
            text.push_str(code);
            text.push('\n');
        }
        self.script.push_str(&text);
        chain.pop();
        self.modules.insert(path.to_owned(), exports);
        Ok(())
    }
}

/// Takes out `/** … */` within a line: types for the checker, a fifth of the text. No literal of ours contains `/**`.
fn without_types(code: &str) -> Option<String> {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, comment)) = rest.split_once("/**") {
        let (_, after) = comment.split_once("*/")?;
        out.push_str(before);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    out.push_str(rest);
    Some(out)
}

/// On one line: `return function name(parameter = …`.
fn returns_function_with_default(code: &str) -> bool {
    let returned = code
        .strip_prefix("return ")
        .map(|code| code.strip_prefix("async ").unwrap_or(code));
    let Some(named) = returned.and_then(|code| code.strip_prefix("function ")) else {
        return false;
    };
    named.rsplit_once(") {").is_some_and(|(head, _)| head.contains('='))
}

fn starts_with_word(code: &str, word: &str) -> bool {
    code.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == ':'))
}

/// `import { a, b } from './x.js';` gives `([a, b], "./x.js")`.
fn parse_import(code: &str) -> Option<(Vec<&str>, &str)> {
    let rest = code.strip_prefix("import {")?;
    let (names, rest) = rest.split_once('}')?;
    let from = rest.strip_prefix(" from '")?.strip_suffix("';")?;
    let names: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    let simple = names.iter().all(|name| is_name(name)) && from.starts_with('.');
    simple.then_some((names, from))
}

/// The names a top-level line declares. Destructuring counts as long as it stands on one line.
fn declared(code: &str) -> Result<Vec<&str>, String> {
    let code = code.strip_prefix("async ").unwrap_or(code);
    let Some((word, rest)) = code.split_once(' ') else {
        return Ok(Vec::new());
    };
    match word {
        "function" | "class" | "function*" => {
            let name = rest.split(|c: char| !is_name_char(c)).next().unwrap_or("");
            Ok(vec![name])
        }
        "const" | "let" if rest.starts_with('{') => {
            let (pattern, _) = rest[1..]
                .split_once('}')
                .ok_or("destructuring must stand on one line")?;
            pattern
                .split(',')
                .map(|part| part.rsplit(':').next().unwrap_or(part).trim())
                .filter(|name| !name.is_empty())
                .map(|name| {
                    if is_name(name) {
                        Ok(name)
                    } else {
                        Err(format!("`{name}` is not a plain name"))
                    }
                })
                .collect()
        }
        "const" | "let" if rest.starts_with('[') => Err("array patterns use the page's iterators".to_owned()),
        "const" | "let" => Ok(vec![rest.split(|c: char| !is_name_char(c)).next().unwrap_or("")]),
        "var" => Err("`var` is not used here".to_owned()),
        _ => Ok(Vec::new()),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Resolves `./x.js` and `../x.js` against the module that imports it.
fn normalise(importer: &Path, from: &str) -> Option<PathBuf> {
    let mut path = importer.parent()?.to_owned();
    for part in Path::new(from).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::Normal(name) => path.push(name),
            _ => return None,
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], expected: Result<&str, &str>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        match (assemble(folder.path(), "a.js"), expected) {
            (Ok(script), Ok(expected)) => assert_eq!(script, expected),
            (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
            (actual, _) => panic!("{actual:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn dependencies_come_first_and_once() {
        check(
            &[
                (
                    "a.js",
                    "import { b } from './b.js';\nimport { c } from './c.js';\n\n// why\nb(c);\n",
                ),
                (
                    "b.js",
                    "import { c } from './c.js';\nexport function b() {\n  return c;\n}\n",
                ),
                ("c.js", "/** doc\n * more\n */\nexport const c = 1;\n"),
            ],
            Ok("const c = 1;\nfunction b() {\nreturn c;\n}\nb(c);\n"),
        );
    }

    #[test]
    fn a_returned_function_with_a_default_is_refused() {
        let file = |line: &str| format!("function a() {{\n  {line}\n    return b;\n  }};\n}}\na();\n");
        for line in [
            "return function c(b = 1) {",
            "return async function c(b, /** @type {any} */ d = {}) {",
        ] {
            check(&[("a.js", &file(line))], Err("a.js:2: WebKit of 2022"));
        }
        check(
            &[("a.js", &file("return function c(/** @type {any} */ b) { const d = 1;"))],
            Ok("function a() {\nreturn function c(b) { const d = 1;\nreturn b;\n};\n}\na();\n"),
        );
    }

    #[test]
    fn the_same_name_in_two_modules_is_refused() {
        check(
            &[
                ("a.js", "import { b } from './b.js';\nconst x = b;\n"),
                ("b.js", "const { y: x } = {};\nexport const b = x;\n"),
            ],
            Err("a.js:2: x is already a name in b.js"),
        );
    }

    #[test]
    fn other_forms_of_import_and_export_are_refused() {
        for line in [
            "import './b.js';",
            "import * as b from './b.js';",
            "import b from './b.js';",
            "import('./b.js');",
        ] {
            check(&[("a.js", line), ("b.js", "")], Err("not a one-line named import"));
        }
        for line in ["export default 1;", "export { a };", "export * from './b.js';"] {
            check(&[("a.js", line)], Err("only functions, constants and classes"));
        }
    }

    #[test]
    fn types_within_a_line_are_dropped() {
        check(
            &[("a.js", "const a = /** @type {any} */ (b)(/** @type {any} */ c);\n")],
            Ok("const a = (b)(c);\n"),
        );
    }

    #[test]
    fn a_missing_export_is_refused() {
        check(
            &[("a.js", "import { b } from './b.js';"), ("b.js", "const b = 1;")],
            Err("b.js does not export b"),
        );
    }

    #[test]
    fn a_literal_over_several_lines_is_refused() {
        check(&[("a.js", "const x = `a\nb`;\n")], Err("must not span lines"));
    }

    #[test]
    fn a_circle_of_imports_is_refused() {
        check(
            &[
                ("a.js", "import { b } from './b.js';\nexport const a = 1;\n"),
                ("b.js", "import { a } from './a.js';\nexport const b = 1;\n"),
            ],
            Err("imports itself"),
        );
    }
}
