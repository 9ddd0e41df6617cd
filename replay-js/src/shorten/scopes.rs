//! Finds which names of a script are variables of its own, where each is declared, and where it is used.
//!
//! Brackets are matched, and each kind of bracket is told by the token before it; that is enough for the language our
//! modules are written in (statements end with semicolons; no labels, no `var`, no `with`).

use super::tokens::{Kind, Token};
use std::collections::BTreeMap;

pub(crate) struct Scopes<'a> {
    pub(crate) scopes: Vec<Scope<'a>>,
    /// For each token, the variable it names.
    pub(crate) uses: Vec<Use>,
    pub(crate) brackets: Brackets,
    /// For each `{`, whether statements stand in it, rather than members or a pattern.
    pub(crate) is_block: Vec<bool>,
    /// For each `{` of a block, whether it ends a statement: not the body of a function within an expression.
    pub(crate) is_statement: Vec<bool>,
}

pub(crate) struct Scope<'a> {
    /// The scope around it; the outermost, which comes first, is its own.
    pub(crate) parent: usize,
    /// Tokens it reaches over: the first and the one behind the last.
    range: (usize, usize),
    /// The number of each variable that is declared in it.
    pub(crate) variables: BTreeMap<&'a str, usize>,
}

impl Scopes<'_> {
    /// The scope that begins with this token.
    pub(crate) fn scope_from(&self, index: usize) -> Option<usize> {
        self.scopes.iter().position(|scope| scope.range.0 == index)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Use {
    /// A word of the language, a property or key, or no name at all.
    None,
    /// A name from outside: of the browser, or a mistake.
    Free { scope: usize },
    Variable {
        scope: usize,
        number: usize,
        shorthand: bool,
    },
}

/// Words that begin a statement and nothing else.
const STATEMENTS: &[&str] = &["const", "let", "return", "if", "for", "while", "switch", "throw", "try"];

pub(crate) fn find<'a>(tokens: &[Token<'a>]) -> Scopes<'a> {
    let mut finder = Finder {
        tokens,
        brackets: Brackets::of(tokens),
        is_block: vec![false; tokens.len()],
        ranges: vec![(0, tokens.len())],
        declared: Vec::new(),
    };
    for (index, token) in tokens.iter().enumerate() {
        finder.is_block[index] = token.is("{") && finder.holds_statements(index);
    }
    for index in 0..tokens.len() {
        finder.scope_at(index);
        finder.declaration_at(index);
    }
    finder.resolve()
}

/// Which bracket belongs to which. Two lists, because a piece from the middle of a template closes one and opens another.
pub(crate) struct Brackets {
    pub(crate) opening: Vec<usize>,
    pub(crate) closing: Vec<usize>,
}

impl Brackets {
    fn of(tokens: &[Token<'_>]) -> Brackets {
        let mut brackets = Brackets {
            opening: vec![0; tokens.len()],
            closing: vec![0; tokens.len()],
        };
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            if token.closes() {
                let start = open.pop().unwrap_or_else(|| panic!("`{}` closes nothing", token.text));
                brackets.closing[start] = index;
                brackets.opening[index] = start;
            }
            if token.opens() {
                open.push(index);
            }
        }
        assert!(open.is_empty(), "a bracket is not closed");
        brackets
    }
}

struct Finder<'t, 'a> {
    tokens: &'t [Token<'a>],
    brackets: Brackets,
    is_block: Vec<bool>,
    ranges: Vec<(usize, usize)>,
    /// Tokens that declare a variable in the scope they stand in.
    declared: Vec<usize>,
}

impl<'a> Finder<'_, 'a> {
    fn text(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .filter(|token| token.kind != Kind::Literal)
            .map_or("", |token| token.text)
    }

    fn before(&self, index: usize) -> &'a str {
        index.checked_sub(1).map_or(";", |before| self.text(before))
    }

    fn is_name(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(Token::is_name)
    }

    fn holds_statements(&self, brace: usize) -> bool {
        match self.before(brace) {
            ")" | ";" | "{" | "}" | "=>" | "else" | "try" | "finally" | "do" | "catch" => true,
            ":" => {
                let line = (0..brace).rev().find(|index| self.tokens[*index].new_line).unwrap_or(0);
                matches!(self.text(line), "case" | "default")
            }
            _ => false,
        }
    }

    /// Adds the scope that begins with this token, and declares its parameters.
    fn scope_at(&mut self, index: usize) {
        let end = match self.text(index) {
            "(" => {
                let close = self.brackets.closing[index];
                let before = self.before(index);
                if before == "for" {
                    self.statement_end(close + 1)
                } else if self.text(close + 1) == "=>" {
                    self.parameters(index + 1, close);
                    self.arrow_end(close + 2)
                } else if self.text(close + 1) == "{" && !matches!(before, "if" | "while" | "switch") {
                    self.parameters(index + 1, close);
                    self.brackets.closing[close + 1] + 1
                } else {
                    return;
                }
            }
            "{" if self.is_block[index] && !self.is_function_body(index) => self.brackets.closing[index] + 1,
            // A function that is an expression knows its own name.
            "function" if !self.is_statement(index) && self.is_name(index + 1) => {
                self.declared.push(index + 1);
                let close = self.brackets.closing[index + 2];
                self.brackets.closing[close + 1] + 1
            }
            _ if self.is_name(index) && self.text(index + 1) == "=>" => {
                self.declared.push(index);
                self.arrow_end(index + 2)
            }
            _ => return,
        };
        self.ranges.push((index, end));
    }

    /// Parameters and what follows them are one scope.
    fn is_function_body(&self, brace: usize) -> bool {
        match self.before(brace) {
            "=>" => true,
            ")" => !matches!(
                self.before(self.brackets.opening[brace - 1]),
                "if" | "while" | "switch" | "for"
            ),
            _ => false,
        }
    }

    /// The body of a function that is a value, whose end is not the end of a statement.
    fn is_within_expression(&self, brace: usize) -> bool {
        if !self.is_function_body(brace) {
            return false;
        }
        let head = if self.before(brace) == ")" {
            self.brackets.opening[brace - 1]
        } else {
            brace
        };
        let function = (0..head).rev().take(3).find(|index| self.text(*index) == "function");
        self.before(head) != "catch" && !function.is_some_and(|function| self.is_statement(function))
    }

    /// `function` or `class` begins a statement, perhaps after `async`.
    fn is_statement(&self, index: usize) -> bool {
        let before = if self.before(index) == "async" {
            self.before(index - 1)
        } else {
            self.before(index)
        };
        matches!(before, ";" | "{" | "}")
    }

    fn arrow_end(&self, body: usize) -> usize {
        if self.text(body) == "{" {
            self.brackets.closing[body] + 1
        } else {
            self.expression_end(body)
        }
    }

    /// The `,`, `;` or closing bracket behind an expression.
    fn expression_end(&self, start: usize) -> usize {
        let mut index = start;
        while index < self.tokens.len() {
            let token = &self.tokens[index];
            if token.closes() || token.is(",") || token.is(";") {
                return index;
            }
            // It would be read as part of the expression, and its names as the expression's.
            let begins_another = token.new_line && STATEMENTS.contains(&token.text);
            assert!(
                !begins_another || index == start,
                "no semicolon before `{}`",
                token.text
            );
            index = self.behind(index);
        }
        index
    }

    /// The next token on the same level.
    fn behind(&self, index: usize) -> usize {
        let mut last = index;
        while self.tokens[last].opens() {
            last = self.brackets.closing[last];
        }
        last + 1
    }

    fn statement_end(&self, index: usize) -> usize {
        match self.text(index) {
            "{" => self.brackets.closing[index] + 1,
            "if" | "for" | "while" => {
                let end = self.statement_end(self.brackets.closing[index + 1] + 1);
                if self.text(end) == "else" {
                    self.statement_end(end + 1)
                } else {
                    end
                }
            }
            _ => {
                let mut end = index;
                while end < self.tokens.len() && !self.tokens[end].is(";") && !self.tokens[end].closes() {
                    end = self.behind(end);
                }
                end + usize::from(self.text(end) == ";")
            }
        }
    }

    fn declaration_at(&mut self, index: usize) {
        match self.text(index) {
            "const" | "let" => {
                let mut at = index + 1;
                loop {
                    self.pattern(at);
                    at = self.expression_end(self.behind(at));
                    if self.text(at) != "," {
                        return;
                    }
                    at += 1;
                }
            }
            "var" => panic!("`var` belongs to no block, and is not understood here"),
            "function" | "class" if self.is_statement(index) => {
                let name = index + 1 + usize::from(self.text(index + 1) == "*");
                self.declared.push(name);
            }
            _ => {}
        }
    }

    fn parameters(&mut self, mut at: usize, close: usize) {
        while at < close {
            let pattern = at + usize::from(self.text(at) == "...");
            self.pattern(pattern);
            at = self.expression_end(self.behind(pattern)) + 1;
        }
    }

    /// Declares what the pattern at `index` binds.
    fn pattern(&mut self, index: usize) {
        if self.is_name(index) {
            self.declared.push(index);
            return;
        }
        let close = self.brackets.closing[index];
        let mut at = index + 1;
        while at < close {
            let mut part = at + usize::from(self.text(at) == "...");
            if self.text(index) == "{" && self.text(self.behind(part)) == ":" {
                part = self.behind(part) + 1;
            }
            if self.text(part) != "," {
                self.pattern(part);
            }
            at = self.expression_end(part) + 1;
        }
    }

    fn resolve(mut self) -> Scopes<'a> {
        // What contains comes before what it contains.
        self.ranges.sort_by_key(|(start, end)| (*start, usize::MAX - end));
        let mut scopes: Vec<Scope<'a>> = Vec::new();
        let mut scope_of = Vec::with_capacity(self.tokens.len());
        let mut ranges = self.ranges.iter().peekable();
        let mut current = 0;
        for index in 0..self.tokens.len() {
            while current != 0 && scopes[current].range.1 <= index {
                current = scopes[current].parent;
            }
            while let Some(range) = ranges.next_if(|(start, _)| *start == index) {
                let variables = BTreeMap::new();
                scopes.push(Scope {
                    parent: current,
                    range: *range,
                    variables,
                });
                current = scopes.len() - 1;
            }
            scope_of.push(current);
        }
        for (number, index) in self.declared.iter().enumerate() {
            scopes[scope_of[*index]]
                .variables
                .entry(self.tokens[*index].text)
                .or_insert(number);
        }
        let uses = (0..self.tokens.len())
            .map(|index| self.use_of(index, scope_of[index], &scopes))
            .collect();
        let is_statement = (0..self.tokens.len())
            .map(|index| self.is_block[index] && !self.is_within_expression(index))
            .collect();
        Scopes {
            scopes,
            uses,
            brackets: self.brackets,
            is_block: self.is_block,
            is_statement,
        }
    }

    fn use_of(&self, index: usize, scope: usize, scopes: &[Scope<'a>]) -> Use {
        let name = self.tokens[index].text;
        if !self.is_name(index) {
            return Use::None;
        }
        let role = self.role(index);
        if role == Role::Member {
            return Use::None;
        }
        let mut at = scope;
        loop {
            if let Some(number) = scopes[at].variables.get(name) {
                return Use::Variable {
                    scope,
                    number: *number,
                    shorthand: role == Role::Shorthand,
                };
            }
            if at == 0 {
                return Use::Free { scope };
            }
            at = scopes[at].parent;
        }
    }

    fn role(&self, index: usize) -> Role {
        let before = self.before(index);
        let after = self.text(index + 1);
        if matches!(before, "." | "?.") {
            return Role::Member;
        }
        let is_modifier = matches!(self.text(index), "get" | "set" | "async" | "static");
        if is_modifier && self.is_name(index + 1) && !matches!(after, "of" | "in" | "instanceof") {
            return Role::Member;
        }
        let is_member = self.is_among_members(index) && matches!(before, "{" | ",");
        if is_modifier && is_member && after == "[" {
            return Role::Member;
        }
        let is_method = after == "(" && self.text(self.brackets.closing[index + 1] + 1) == "{";
        if is_method && before != "function" && !matches!(self.text(index), "if" | "for" | "while" | "switch" | "catch")
        {
            return Role::Member;
        }
        if !is_member {
            return Role::Name;
        }
        match after {
            ":" => Role::Member,
            "," | "}" | "=" => Role::Shorthand,
            _ => Role::Name,
        }
    }

    /// The bracket around this token holds members or a pattern.
    fn is_among_members(&self, index: usize) -> bool {
        let mut at = index;
        while at > 0 {
            at -= 1;
            if self.tokens[at].opens() && self.brackets.closing[at] > index {
                return self.tokens[at].is("{") && !self.is_block[at];
            }
            if self.tokens[at].closes() {
                at = self.brackets.opening[at];
            }
        }
        false
    }
}

#[derive(PartialEq)]
enum Role {
    Name,
    /// A property after a dot, a key, a method's name.
    Member,
    /// Key and variable at once: `{ name }`.
    Shorthand,
}
