//! Where a script calls `import()`. A script is read only as far as that needs: what is a string, a comment, a template or a
//! regular expression, and which parenthesis closes which. A text that does not come out even is not understood.

use std::ops::Range;

/// Words that an expression follows, so that a `/` behind them begins a regular expression.
const BEFORE_EXPRESSION: [&[u8]; 12] = [
    b"return",
    b"typeof",
    b"instanceof",
    b"in",
    b"new",
    b"delete",
    b"void",
    b"throw",
    b"case",
    b"await",
    b"yield",
    b"extends",
];

/// Words whose parentheses are no value: what stands behind them begins anew.
const WITH_HEAD: [&[u8]; 4] = [b"if", b"for", b"while", b"with"];

/// What the last token was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The end of a value: a `/` divides it.
    Operand,
    /// An expression comes: a `/` begins a regular expression, and a `{` an object.
    Operator,
    /// A statement may come: a `/` begins a regular expression, and a `{` a block.
    Start,
}

enum Open {
    /// Of a call of `import` that begins there, where it is one; of the head of a statement.
    Parenthesis {
        call: Option<usize>,
        is_head: bool,
    },
    Bracket,
    Block,
    Object,
    /// `${`
    Inserted,
}

/// The calls, each from its word to behind its parenthesis; `None` where the text is not understood.
pub(super) fn import_calls(text: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut reader = Reader {
        text,
        at: 0,
        last: Last::Start,
        open: Vec::new(),
        word: 0..0,
        is_property: false,
        calls: Vec::new(),
    };
    if text.starts_with(b"#!") {
        reader.skip_line();
    }
    while reader.skip_what_says_nothing()? {
        reader.token()?;
    }
    reader.calls.sort_by_key(|call| call.start);
    reader.open.is_empty().then_some(reader.calls)
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    last: Last,
    open: Vec<Open>,
    /// The last token, where it was a word that is no property.
    word: Range<usize>,
    /// Behind a `.`.
    is_property: bool,
    calls: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn starts(&self, with: &[u8]) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn skip_line(&mut self) {
        while self.byte(0).is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// White space and comments. Whether anything is left; `None` where a comment has no end.
    fn skip_what_says_nothing(&mut self) -> Option<bool> {
        while let Some(byte) = self.byte(0) {
            if byte.is_ascii_whitespace() || byte == 0x0b {
                self.at += 1;
            } else if self.starts(b"\xef\xbb\xbf") {
                self.at += 3;
            } else if self.starts(b"//") {
                self.skip_line();
            } else if self.starts(b"/*") {
                let comment = &self.text[self.at + 2..];
                let end = comment.windows(2).position(|two| two == b"*/")?;
                self.at += end + 4;
            } else {
                return Some(true);
            }
        }
        Some(false)
    }

    fn token(&mut self) -> Option<()> {
        let byte = self.byte(0)?;
        if is_in_a_word(byte) && !byte.is_ascii_digit() {
            self.word_token();
            return Some(());
        }
        let word = std::mem::take(&mut self.word);
        self.is_property = false;
        match byte {
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'"' | b'\'' => self.string(byte)?,
            b'`' => {
                self.at += 1;
                self.template()?;
            }
            b'/' if self.last != Last::Operand => self.regular_expression()?,
            b'(' => {
                let (start, word) = (word.start, &self.text[word]);
                let call = (word == b"import").then_some(start);
                let is_head = WITH_HEAD.contains(&word);
                self.open(Open::Parenthesis { call, is_head }, Last::Operator);
            }
            b'[' => self.open(Open::Bracket, Last::Operator),
            b'{' if self.last == Last::Operator => self.open(Open::Object, Last::Operator),
            b'{' => self.open(Open::Block, Last::Start),
            b')' | b']' | b'}' => self.close(byte)?,
            b'.' if self.starts(b"...") => self.operator(3),
            b'.' => {
                self.operator(1);
                self.is_property = true;
            }
            b'+' | b'-' if self.byte(1) == Some(byte) => {
                // Behind a value it belongs to it.
                self.at += 2;
            }
            b'=' if self.starts(b"=>") => {
                self.at += 2;
                self.last = Last::Start;
            }
            b';' => {
                self.at += 1;
                self.last = Last::Start;
            }
            b':' => {
                // Behind a label, or a case.
                let begins = matches!(self.open.last(), None | Some(Open::Block));
                self.at += 1;
                self.last = if begins { Last::Start } else { Last::Operator };
            }
            _ => self.operator(1),
        }
        Some(())
    }

    fn operator(&mut self, length: usize) {
        self.at += length;
        self.last = Last::Operator;
    }

    fn open(&mut self, open: Open, last: Last) {
        self.open.push(open);
        self.at += 1;
        self.last = last;
    }

    fn close(&mut self, byte: u8) -> Option<()> {
        let open = self.open.pop()?;
        self.at += 1;
        self.last = match (&open, byte) {
            (Open::Parenthesis { is_head: true, .. }, b')') | (Open::Block, b'}') => Last::Start,
            (Open::Parenthesis { .. }, b')') | (Open::Bracket, b']') | (Open::Object, b'}') => Last::Operand,
            (Open::Inserted, b'}') => return self.template(),
            _ => return None,
        };
        if let Open::Parenthesis { call: Some(start), .. } = open {
            let end = self.at;
            // `import(from) {` is a method of that name.
            if !self.skip_what_says_nothing()? || self.byte(0) != Some(b'{') {
                self.calls.push(start..end);
            }
        }
        Some(())
    }

    fn word_token(&mut self) {
        let start = self.at;
        while self.byte(0).is_some_and(is_in_a_word) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let is_property = std::mem::take(&mut self.is_property);
        self.last = match word {
            _ if is_property => Last::Operand,
            b"else" | b"do" => Last::Start,
            _ if BEFORE_EXPRESSION.contains(&word) => Last::Operator,
            _ => Last::Operand,
        };
        self.word = if is_property { 0..0 } else { start..self.at };
    }

    fn number(&mut self) {
        while self.byte(0).is_some_and(|byte| is_in_a_word(byte) || byte == b'.') {
            self.at += 1;
        }
        self.last = Last::Operand;
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            match self.byte(0)? {
                b'\\' => self.at += 1,
                b'\n' => return None,
                byte if byte == quote => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.last = Last::Operand;
        Some(())
    }

    /// What follows a back-tick, or what was inserted.
    fn template(&mut self) -> Option<()> {
        loop {
            match self.byte(0)? {
                b'\\' => self.at += 1,
                b'`' => break,
                b'$' if self.byte(1) == Some(b'{') => {
                    self.at += 1;
                    self.open(Open::Inserted, Last::Operator);
                    return Some(());
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.last = Last::Operand;
        Some(())
    }

    fn regular_expression(&mut self) -> Option<()> {
        let mut in_class = false;
        loop {
            self.at += 1;
            match self.byte(0)? {
                b'\\' => self.at += 1,
                b'\n' | b'\r' => return None,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.at += 1;
        while self.byte(0).is_some_and(is_in_a_word) {
            self.at += 1;
        }
        self.last = Last::Operand;
        Some(())
    }
}

fn is_in_a_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | b'#' | b'@') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str) -> Option<Vec<&str>> {
        let calls = import_calls(text.as_bytes())?;
        Some(calls.into_iter().map(|call| &text[call]).collect())
    }

    #[test]
    fn calls_are_found_wherever_an_expression_may_stand() {
        let found = |text: &str, expected: &[&str]| assert_eq!(calls(text).as_deref(), Some(expected), "{text}");
        found("import('./a.js')", &["import('./a.js')"]);
        found("a()\nimport(`./${b(`x`)}.js`).then(run)", &["import(`./${b(`x`)}.js`)"]);
        found(
            "const a=()=>import(/* ) */'a',{with:{type:'json'}});",
            &["import(/* ) */'a',{with:{type:'json'}})"],
        );
        found("[...import(a)]", &["import(a)"]);
        found("import (import(a))", &["import (import(a))", "import(a)"]);
        found("`${import('a')}`", &["import('a')"]);
        found(
            "if(a)import('a');else/x)/.test(b)&&import('b')",
            &["import('a')", "import('b')"],
        );
        found("if(a)/import(x)/.test(b)", &[]);
        found("a=b/2;import('c')/1", &["import('c')"]);
        found("a={}/1;import('c');1/1", &["import('c')"]);
        found("function f(){}/'/.test(a);import('c')", &["import('c')"]);
        found("a=>{}\n/'/.test(a);import('c')", &["import('c')"]);
        found("a++/2;import('c')//'", &["import('c')"]);
        found("x=/[/'\"]\\/'/g;import('c')", &["import('c')"]);
        found("case 1:/'/.test(a)", &[]);
        found("#!/usr/bin/env it's\nimport('c')", &["import('c')"]);
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "System.import('a')",
            "a?.import('a')",
            "'import(a)'",
            "\"it's import(a)\"",
            "// import(a)",
            "/* import(a) */",
            "`import(a)`",
            "/import(a)/",
            "import.meta.url",
            "import a from 'a'",
            "import{a}from'a'",
            "class A{import(a){}static async import(b){}#import(c){}}",
            "({import(a){},async import(b){}})",
            "a.import\n(b)",
            "$import(a);important(b);reimport(c)",
        ] {
            assert_eq!(calls(text), Some(vec![]), "{text}");
        }
    }

    #[test]
    fn what_does_not_come_out_even_is_not_understood() {
        for text in ["import('a'", "a)", "(]", "'a\n'", "`a${", "/* a", "a=/b\n/", "{"] {
            assert_eq!(calls(text), None, "{text}");
        }
    }
}
