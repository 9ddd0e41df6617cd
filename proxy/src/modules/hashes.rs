//! Does a document give hashes of its modules: in an import map, on a script element, or on a link that loads one ahead?

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
}

impl Hashes {
    pub(super) fn are_in(&mut self, piece: &[u8]) -> bool {
        let mut found = false;
        for byte in piece {
            found |= self.byte(byte.to_ascii_lowercase());
        }
        found
    }

    fn byte(&mut self, byte: u8) -> bool {
        const WORD: &[u8] = b"integrity";
        if let Some(map) = &mut self.map {
            map.push(byte);
            if map.len() > WORD.len() {
                map.remove(0);
            }
            if map.ends_with(b"</script") {
                self.map = None;
                return false;
            }
            return map == WORD;
        }
        match (self.in_tag, self.quote, byte) {
            (false, _, b'<') => self.begin(),
            (false, ..) => {}
            (true, None, b'<') => self.begin(),
            (true, None, b'>') => return self.end(),
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
        false
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

    fn end(&mut self) -> bool {
        self.in_tag = false;
        let has = |word: &[u8]| self.tag.windows(word.len()).any(|part| part == word);
        if self.tag.starts_with(b"script") && has(b"importmap") {
            self.map = Some(Vec::new());
        }
        has(b"integrity") && has(b"module")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(document: &str, expected: bool) {
        for size in [1, 5, document.len()] {
            let mut hashes = Hashes::default();
            let found = document.as_bytes().chunks(size).any(|piece| hashes.are_in(piece));
            assert_eq!(found, expected, "{document} in pieces of {size}");
        }
    }

    #[test]
    fn hashes_of_modules_are_found() {
        check("<p><script type=module src=a.js integrity=sha256-x></script>", true);
        check("<LINK INTEGRITY='sha256-x' rel=modulepreload href=a.js>", true);
        check("<link title='a > b' integrity=sha256-x rel=\"modulepreload\">", true);
        check(
            "<script type=importmap>{\"imports\":{},\"integrity\":{\"/a.js\":\"sha256-x\"}}</script>",
            true,
        );
    }

    #[test]
    fn hashes_of_others_are_none() {
        check("<script src=a.js crossorigin integrity=sha256-x></script>", false);
        check(
            "<link rel=stylesheet integrity=sha256-x><script type=module src=a.js></script>",
            false,
        );
        check("<script type=importmap>{}</script><p>integrity</p>", false);
        check("<p>a < b 'module' integrity>", false);
    }
}
