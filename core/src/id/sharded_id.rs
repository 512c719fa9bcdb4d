//! Numbers with a shard suffix.

use std::fmt;

/// The parts of a number with a shard suffix; its `Display` is the number itself.
///
/// ```
/// let number = leafmint::id::ShardRule::new("07", 16)?.parse("07120003")?;
/// assert_eq!((number.business_code(), number.sequence(), number.table()), ("07", 12, 3));
/// assert_eq!(number.to_string(), "07120003");
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardedId {
    text: String,
    code_width: usize,
    sequence: i64,
    table: i64,
}

impl ShardedId {
    pub(super) fn new(text: String, code_width: usize, sequence: i64, table: i64) -> Self {
        Self { text, code_width, sequence, table }
    }

    /// Returns the business code, with its leading zeros.
    pub fn business_code(&self) -> &str {
        &self.text[..self.code_width]
    }

    /// Returns the sequence: the id that the number was built from.
    pub fn sequence(&self) -> i64 {
        self.sequence
    }

    /// Returns the table.
    pub fn table(&self) -> i64 {
        self.table
    }
}

impl fmt::Display for ShardedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
