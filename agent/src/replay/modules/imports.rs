//! Which modules a module waits for. One that code asks for by `import()` runs when it is there with all that it names in
//! `import … from`, and what these name. Who asked is in the request, who is named is in the text.

use crate::replay::plan::is_module;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use url::Url;
use xcheck_trace::Trace;
use xcheck_trace::exchange::{Exchange, ExchangeId};

/// A module whose text is longer is not looked into.
const TEXT: u64 = 16 * 1024 * 1024;

/// Modules that code has asked for and that have not run yet, each with what they still wait for: themselves to begin with.
pub(super) struct Imports {
    waiting: BTreeMap<ExchangeId, BTreeSet<ExchangeId>>,
}

impl Imports {
    pub(super) fn of(trace: &Trace) -> Imports {
        if has_hashes(trace) {
            return Imports {
                waiting: BTreeMap::new(),
            };
        }
        let mut reading = Reading::new(trace);
        let modules = trace.exchanges.iter().filter(|exchange| is_module(exchange));
        let waiting = modules.filter_map(|module| {
            let needed = reading
                .is_asked_for_by_code(module)
                .then(|| reading.needed_by(module))?;
            Some((module.id, needed?))
        });
        Imports {
            waiting: waiting.collect(),
        }
    }

    /// These come as they like, and are nobody's to wait for.
    pub(super) fn forget(&mut self, is_free: impl Fn(ExchangeId) -> bool) {
        self.waiting.retain(|_, needed| {
            needed.retain(|one| !is_free(*one));
            !needed.is_empty()
        });
    }

    pub(super) fn asked_for(&self) -> impl Iterator<Item = ExchangeId> {
        self.waiting.keys().copied()
    }

    /// Those that have waited for nothing but this one.
    pub(super) fn came(&mut self, exchange: ExchangeId) -> Vec<ExchangeId> {
        let mut ran = Vec::new();
        self.waiting.retain(|module, needed| {
            let was_last = needed.remove(&exchange) && needed.is_empty();
            if was_last {
                ran.push(*module);
            }
            !was_last
        });
        ran
    }
}

/// What each of these names in `import … from`, directly or not, itself too, where that can be known.
pub(in crate::replay) type Graph = HashMap<ExchangeId, BTreeSet<ExchangeId>>;

pub(super) fn graph(trace: &Trace, modules: &HashSet<ExchangeId>) -> Graph {
    let mut reading = Reading::new(trace);
    let modules = modules.iter().filter_map(|id| trace.exchange(*id));
    modules
        .filter_map(|module| Some((module.id, reading.needed_by(module)?)))
        .collect()
}

struct Reading<'t> {
    trace: &'t Trace,
    /// By address, in the order in which they were asked for.
    modules: HashMap<&'t str, Vec<&'t Exchange>>,
    /// What each names, once it was read; `None` where that cannot be known.
    named: HashMap<ExchangeId, Option<Vec<String>>>,
}

impl<'t> Reading<'t> {
    fn new(trace: &'t Trace) -> Self {
        let mut modules: HashMap<&str, Vec<&Exchange>> = HashMap::new();
        for exchange in trace.exchanges.iter().filter(|exchange| is_module(exchange)) {
            modules.entry(&exchange.request.url).or_default().push(exchange);
        }
        Reading {
            trace,
            modules,
            named: HashMap::new(),
        }
    }

    /// By a module that does not name it.
    fn is_asked_for_by_code(&mut self, module: &'t Exchange) -> bool {
        let asked_by = module
            .request
            .header("referer")
            .and_then(|url| self.latest(url, module));
        let Some(asked_by) = asked_by else { return false };
        let names = self.named_by(asked_by);
        names.is_some_and(|names| !names.contains(&module.request.url))
    }

    /// What it cannot run without, itself too.
    fn needed_by(&mut self, module: &'t Exchange) -> Option<BTreeSet<ExchangeId>> {
        let (mut needed, mut open) = (BTreeSet::from([module.id]), vec![module]);
        let mut seen = HashSet::from([module.request.url.clone()]);
        while let Some(next) = open.pop() {
            for url in self.named_by(next)? {
                if !seen.insert(url.clone()) {
                    continue;
                }
                // One that no request was made for was there already.
                if let Some(named) = self.nearest(&url, module) {
                    needed.insert(named.id);
                    open.push(named);
                }
            }
        }
        Some(needed)
    }

    /// The last of this address that had been asked for when `module` was.
    fn latest(&self, url: &str, module: &Exchange) -> Option<&'t Exchange> {
        let all = self.modules.get(url)?;
        all.iter()
            .rev()
            .find(|one| one.started_ms <= module.started_ms)
            .copied()
    }

    /// A document asks for each address once: the next one is the document's that `module` is of, if no other document
    /// began in between.
    fn nearest(&self, url: &str, module: &Exchange) -> Option<&'t Exchange> {
        let documents = |exchange: &Exchange| {
            let began = self.trace.loads.iter().filter(|load| load.at <= exchange.started_ms);
            began.count()
        };
        let all = self.modules.get(url)?.iter();
        let of_the_same = all.filter(|one| documents(one) == documents(module));
        of_the_same.copied().next_back()
    }

    fn named_by(&mut self, module: &Exchange) -> Option<Vec<String>> {
        if !self.named.contains_key(&module.id) {
            let named = self.read(module);
            self.named.insert(module.id, named);
        }
        self.named[&module.id].clone()
    }

    fn read(&self, module: &Exchange) -> Option<Vec<String>> {
        let text = self.trace.response_body(module, TEXT)?;
        let base = Url::parse(&module.request.url).ok()?;
        specifiers(&text)
            .map(|specifier| {
                let is_address = specifier.starts_with(['.', '/']) || Url::parse(specifier).is_ok();
                // What a bare name stands for says an import map.
                is_address.then(|| base.join(specifier).ok())?
            })
            .map(|url| url.map(String::from))
            .collect()
    }
}

/// A module whose hash an import map gives would be refused for what is put behind it.
fn has_hashes(trace: &Trace) -> bool {
    let documents = trace.loads.iter().filter_map(|load| trace.exchange(load.exchange?));
    let mut texts = documents.filter_map(|document| trace.response_body(document, TEXT));
    let holds = |text: &[u8], what: &str| text.windows(what.len()).any(|window| window == what.as_bytes());
    texts.any(|text| holds(&text, "importmap") && holds(&text, "integrity"))
}

/// What stands in quotes behind `from` or `import`. A sentence in a text may look the same: then somebody is waited for
/// who is not needed, and another one is told of later than could be.
fn specifiers(text: &[u8]) -> impl Iterator<Item = &str> {
    let keywords: [&[u8]; 2] = [b"from", b"import"];
    let ends = move |at: usize| {
        let keyword = keywords.iter().find(|keyword| text[at..].starts_with(keyword))?;
        let is_word = at.checked_sub(1).is_none_or(|before| !is_in_a_name(text[before]));
        is_word.then_some(at + keyword.len())
    };
    let starts = (0..text.len()).filter(|at| matches!(text[*at], b'f' | b'i'));
    starts.filter_map(ends).filter_map(move |end| {
        let space = text[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let quote = *text.get(end + space).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let rest = &text[end + space + 1..];
        let length = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
        let specifier = std::str::from_utf8(&rest[..length]).ok()?;
        let is_one = rest[length] == quote && !specifier.is_empty() && !specifier.contains(is_in_no_address);
        is_one.then_some(specifier)
    })
}

/// Code that stands between two texts does, of which the first ends in one of the words.
fn is_in_no_address(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '(' | ')' | '<' | '>' | '{' | '}' | '`' | ',' | ';' | '|')
}

fn is_in_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_module_names_is_found_in_minified_text_too() {
        for (text, expected) in [
            ("import a from './a.js';\nimport \"./b.js\"", vec!["./a.js", "./b.js"]),
            (
                "import{x as y}from\"/c.js\";export*from'./d.js';",
                vec!["/c.js", "./d.js"],
            ),
            ("import('./e.js'); import(`./f.js`); import.meta", vec![]),
            ("const t={from:'./g.js'};a.from('./h.js');Array.from\"x\"", vec![]),
            (
                "import {\n  z\n} from\n  \"https://cdn.test/i.js\"",
                vec!["https://cdn.test/i.js"],
            ),
            ("if (a == \"from\") b(c, \"d\"); x(\"from\"+d+\"\")", vec!["+d+"]),
            ("x_import './j.js'; importa './k.js'; import './l", vec![]),
        ] {
            let found: Vec<&str> = specifiers(text.as_bytes()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_module_has_run_when_the_last_came_that_it_waits_for() {
        let mut imports = Imports {
            waiting: BTreeMap::from([(1, BTreeSet::from([1, 3])), (2, BTreeSet::from([2, 3, 4]))]),
        };
        let came: Vec<Vec<ExchangeId>> = [1, 2, 3, 4, 4].map(|id| imports.came(id)).into();
        assert_eq!(came, [vec![], vec![], vec![1], vec![2], vec![]]);
    }
}
