//! Does a document give hashes of its modules, or of other scripts: in an import map, on a script element, or on a link that
//! loads one ahead?

/// A tag that is longer has not been looked at to its end.
const LONGEST: usize = 4096;

/// The text of a document, piece by piece.
#[derive(Debug, Default)]
pub(super) struct Hashes {
    /// From `<` on.
    tag: Vec<u8>,
    in_tag: bool,
    quote: Option<u8>,
    /// Between the tags of an import map; the last of its text.
    map: Option<Vec<u8>>,
    found: Hashed,
}

/// What there are hashes of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hashed {
    pub(super) modules: bool,
    pub(super) scripts: bool,
}

impl Hashes {
    /// What has been found by now.
    pub(super) fn look_at(&mut self, piece: &[u8]) -> Hashed {
        for byte in piece {
            self.byte(byte.to_ascii_lowercase());
        }
        self.found
    }

    fn byte(&mut self, byte: u8) {
        const WORD: &[u8] = b"integrity";
        if let Some(map) = &mut self.map {
            map.push(byte);
            if map.len() > WORD.len() {
                map.remove(0);
            }
            if map.ends_with(b"</script") {
                self.map = None;
            } else if map == WORD {
                self.found.modules = true;
            }
            return;
        }
        match (self.in_tag, self.quote, byte) {
            (false, _, b'<') => self.begin(),
            (false, ..) => {}
            (true, None, b'<') => self.begin(),
            (true, None, b'>') => self.end(),
            (true, Some(quote), _) if byte == quote => {
                self.quote = None;
                self.keep(byte);
            }
            (true, None, b'"' | b'\'') => {
                self.quote = Some(byte);
                self.keep(byte);
            }
            (true, ..) => self.keep(byte),
        }
    }

    fn begin(&mut self) {
        self.tag.clear();
        self.in_tag = true;
    }

    fn keep(&mut self, byte: u8) {
        self.tag.push(byte);
        let name = [&b"script"[..], b"link"];
        let may_be_one = name.iter().any(|name| {
            let length = name.len().min(self.tag.len());
            self.tag[..length] == name[..length]
        });
        // Of text such as `a < b` no more is kept, and nothing is taken for a quotation.
        if !may_be_one || self.tag.len() > LONGEST {
            self.in_tag = false;
            self.quote = None;
        }
    }

    fn end(&mut self) {
        self.in_tag = false;
        let has = |word: &[u8]| self.tag.windows(word.len()).any(|part| part == word);
        if self.tag.starts_with(b"script") && has(b"importmap") {
            self.map = Some(Vec::new());
        }
        if has(b"integrity") {
            let of_module = has(b"module");
            self.found.modules |= of_module;
            self.found.scripts |= !of_module && (self.tag.starts_with(b"script") || has(b"preload"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Hashed = Hashed {
        modules: false,
        scripts: false,
    };
    const MODULES: Hashed = Hashed { modules: true, ..NONE };
    const SCRIPTS: Hashed = Hashed { scripts: true, ..NONE };

    fn check(document: &str, expected: Hashed) {
        for size in [1, 5, document.len()] {
            let mut hashes = Hashes::default();
            let found = document
                .as_bytes()
                .chunks(size)
                .map(|piece| hashes.look_at(piece))
                .last();
            assert_eq!(found, Some(expected), "{document} in pieces of {size}");
        }
    }

    #[test]
    fn hashes_of_modules_are_found() {
        check("<p><script type=module src=a.js integrity=sha256-x></script>", MODULES);
        check("<LINK INTEGRITY='sha256-x' rel=modulepreload href=a.js>", MODULES);
        check("<link title='a > b' integrity=sha256-x rel=\"modulepreload\">", MODULES);
        check(
            "<script type=importmap>{\"imports\":{},\"integrity\":{\"/a.js\":\"sha256-x\"}}</script>",
            MODULES,
        );
    }

    #[test]
    fn hashes_of_others_are_none() {
        check("<script src=a.js crossorigin integrity=sha256-x></script>", SCRIPTS);
        check("<link rel=preload as=script href=a.js integrity=sha256-x>", SCRIPTS);
        check(
            "<link rel=stylesheet integrity=sha256-x><script type=module src=a.js></script>",
            NONE,
        );
        check("<script type=importmap>{}</script><p>integrity</p>", NONE);
        check("<p>a < b 'module' integrity>", NONE);
    }
}
