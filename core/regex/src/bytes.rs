//! The interface that `mysql_common` uses of the module of this name.

pub use crate::parse::Unknown;
use crate::parse::parse;
use crate::program::{Program, Slots};

/// A pattern over bytes.
pub struct Regex(Program);

impl Regex {
    /// Reads a pattern. Fails if it has syntax that the patterns of `mysql_common` do not have.
    pub fn new(pattern: &str) -> Result<Self, Unknown> {
        parse(pattern).map(Self)
    }

    /// Returns whether the pattern matches anywhere.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.captures(text).is_some()
    }

    /// Returns the groups of the first match.
    pub fn captures<'t>(&self, text: &'t [u8]) -> Option<Captures<'t>> {
        self.0.find(text).map(|slots| Captures { text, slots })
    }
}

/// The groups of a match.
pub struct Captures<'t> {
    text: &'t [u8],
    slots: Slots,
}

impl<'t> Captures<'t> {
    /// Returns a group: 0 is the whole match.
    pub fn get(&self, group: usize) -> Option<Match<'t>> {
        let (start, end) = *self.slots.get(group)?;
        Some(Match(&self.text[start..end]))
    }
}

/// A part of the text.
pub struct Match<'t>(&'t [u8]);

impl<'t> Match<'t> {
    /// Returns the bytes.
    pub fn as_bytes(&self) -> &'t [u8] {
        self.0
    }
}
