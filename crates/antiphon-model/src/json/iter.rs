use super::raw::RawRef;
use super::scan::{Pair, Scanner};
use std::borrow::Cow;

/// The members of an object; see [`RawRef::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    scanner: Scanner<'a>,
    first: bool,
    done: bool,
}

impl<'a> Members<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut scanner = Scanner::new(text);
        let open = scanner.eat(b'{');
        Self { scanner, first: true, done: !open }
    }

    /// The next member with its key as written.
    pub(super) fn next_pair(&mut self) -> Option<Pair<'a>> {
        if self.done {
            return None;
        }
        // The text was validated, so an error cannot come; ending is the total answer.
        let pair = self.scanner.next_pair(self.first).ok().flatten();
        self.first = false;
        self.done = pair.is_none();
        pair
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, RawRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_pair().map(|pair| (pair.key(), pair.value))
    }
}

/// The elements of an array; see [`RawRef::elements`].
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    scanner: Scanner<'a>,
    first: bool,
    done: bool,
}

impl<'a> Elements<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut scanner = Scanner::new(text);
        let open = scanner.eat(b'[');
        Self { scanner, first: true, done: !open }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = RawRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let more = self.scanner.next_element(self.first).unwrap_or(false);
        self.first = false;
        let value = if more { self.scanner.skip_value().ok() } else { None };
        self.done = value.is_none();
        value
    }
}
