//! Is this script a module? Only modules have `export`, and `import` otherwise than as a call.

/// No keyword, with what tells it from a name before it and behind it, is longer.
const CARRIED: usize = 16;

#[derive(Debug, Default)]
pub(super) struct ModuleText {
    is_module: bool,
    /// The end of what came before.
    tail: Vec<u8>,
}

impl ModuleText {
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.is_module {
            return;
        }
        self.tail.extend_from_slice(piece);
        self.is_module = has_keyword(&self.tail);
        self.tail.drain(..self.tail.len().saturating_sub(CARRIED));
    }

    pub(super) fn is_module(&self) -> bool {
        self.is_module
    }
}

fn has_keyword(text: &[u8]) -> bool {
    let starts = (0..text.len()).filter(|at| matches!(text[*at], b'e' | b'i'));
    let mut keywords = starts.filter_map(|at| {
        let rest = &text[at..];
        let behind: &[u8] = match rest.get(..6)? {
            b"export" => b"{ *\t\n\r",
            b"import" => b"{ *\t\n\r'\".",
            _ => return None,
        };
        let is_word = at.checked_sub(1).is_none_or(|before| !is_in_a_name(text[before]));
        (is_word && behind.contains(rest.get(6)?)).then_some(())
    });
    keywords.next().is_some()
}

fn is_in_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'\'' | b'"') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        for size in [1, 3, 7, text.len()] {
            let mut module = ModuleText::default();
            text.as_bytes().chunks(size).for_each(|piece| module.push(piece));
            assert_eq!(module.is_module(), expected, "{text} in pieces of {size}");
        }
    }

    #[test]
    fn a_module_is_known_by_its_keywords() {
        check("const a=1;export{a as default}", true);
        check("import{a}from'./a.js';a()", true);
        check("import './a.js'", true);
        check("const base=import.meta.url;", true);
        check("/* a */export default function(){}", true);
    }

    #[test]
    fn a_classic_script_is_none() {
        check("import('./a.js').then(run)", false);
        check("module.exports={important:1}", false);
        check("(self.chunks=self.chunks||[]).push([1,{}])", false);
    }
}
