//! Shard suffixes: the table of a record, as the last digits of its number.

use crate::error::{ConfigErrors, Result, invalid_argument, invalid_id};
use crate::format::{Format, NumberParts};
use crate::text::quoted;
use std::fmt;

/// Most digits of a business code and of a table.
const MOST_DIGITS: i64 = 9;

/// The form of numbers with a shard suffix: `business code + sequence + table`, all in decimal digits.
///
/// The business code and the table have fixed widths, the sequence between them has any. This is the decimal gene
/// method. The rule `10` is the [`Format`] `10{number}{shard:4}`, and knows the table of a key.
///
/// ```
/// use leafmint_ids::shard::ShardRule;
/// let orders = ShardRule::new("10", 1024)?;
/// let number = orders.compose(1_769_649_671_860_822_016, 1023)?.to_string();
/// assert_eq!(number, "1017696496718608220161023");
/// assert_eq!(orders.parse(&number)?.table(), 1023);
/// assert_eq!(orders.table_of_text("user-42")?, 64);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardRule {
    business_code: String,
    tables: i64,
    table_width: i64,
    strategy: ShardStrategy,
    format: Format,
}

impl ShardRule {
    /// Default number of digits of a table.
    pub const TABLE_WIDTH: i64 = 4;

    /// Makes a rule with tables of 4 digits and the strategy `hash_mod`. Raises what [`ShardRule::with`] raises.
    pub fn new(business_code: &str, tables: i64) -> Result<Self> {
        Self::with(business_code, tables, Self::TABLE_WIDTH, ShardStrategy::default().name())
    }

    /// Makes a rule.
    ///
    /// The business code has 1 to 9 digits and keeps its leading zeros. A table has `table_width` digits, 1 to 9;
    /// `tables` is 1 to 10^table_width. The strategy is `hash_mod`, `mod` or `crc32`. Raises `invalid_config`, whose
    /// message lists everything that is wrong.
    pub fn with(business_code: &str, tables: i64, table_width: i64, strategy: &str) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        if !all_digits(business_code) || business_code.len() > MOST_DIGITS as usize {
            let code = quoted(business_code);
            errors.add(format!("business_code={code} is not 1 to {MOST_DIGITS} digits, such as \"10\""));
        }
        let width_holds = (1..=MOST_DIGITS).contains(&table_width);
        if !width_holds {
            errors.add(format!("table_width={table_width} is not from 1 to {MOST_DIGITS}"));
        }
        // A wrong width is taken as the widest, so that `tables` is not reported as well.
        let table_width = if width_holds { table_width } else { MOST_DIGITS };
        let most = 10_i64.pow(table_width as u32);
        if !(1..=most).contains(&tables) {
            errors.add(format!("tables={tables} is not from 1 to {most} ({table_width} digits)"));
        }
        let known = ShardStrategy::from_name(strategy);
        if known.is_none() {
            let names = ShardStrategy::ALL.map(ShardStrategy::name).join(", ");
            errors.add(format!("strategy={} is none of {names}", quoted(strategy)));
        }
        errors.into_result("the shard rule")?;
        let strategy = known.unwrap_or_default();
        let format = Format::new(&format!("{business_code}{{number}}{{shard:{table_width}}}"))?;
        Ok(Self { business_code: business_code.to_owned(), tables, table_width, strategy, format })
    }

    /// Returns the business code, with its leading zeros.
    pub fn business_code(&self) -> &str {
        &self.business_code
    }

    /// Returns the number of tables.
    pub fn tables(&self) -> i64 {
        self.tables
    }

    /// Returns the number of digits of a table.
    pub fn table_width(&self) -> i64 {
        self.table_width
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> ShardStrategy {
        self.strategy
    }

    /// Returns the table of a text key, from 0 to `tables` - 1. Raises `invalid_argument` under the strategy `mod`.
    pub fn table_of_text(&self, key: &str) -> Result<i64> {
        self.strategy.table_of_text(key, self.tables)
    }

    /// Returns the table of an integer key, from 0 to `tables` - 1.
    pub fn table_of_int(&self, key: i64) -> i64 {
        self.strategy.table_of_int(key, self.tables)
    }

    /// Builds a number from a sequence (an id of either mode) and a table.
    ///
    /// Raises `invalid_argument` if the sequence is negative or the rule has no such table.
    pub fn compose(&self, sequence: i64, table: i64) -> Result<ShardedId> {
        if sequence < 0 {
            return Err(invalid_argument(format!("sequence={sequence} is negative")));
        }
        if !(0..self.tables).contains(&table) {
            return Err(invalid_argument(format!("table={table} is not from 0 to {}", self.tables - 1)));
        }
        let text =
            self.format.format(&NumberParts { number: sequence, shard: Some(table), ..NumberParts::default() })?;
        Ok(ShardedId::new(text, self.business_code.len(), sequence, table))
    }

    /// Takes a number apart. It accepts exactly the texts that [`ShardRule::compose`] writes.
    ///
    /// Raises `invalid_id` if the text is not ASCII digits only, has another business code, no sequence or one with
    /// leading zeros or above 2^63 - 1, or a table that the rule does not have.
    pub fn parse(&self, text: &str) -> Result<ShardedId> {
        let refuse = |why: &str| invalid_id(format!("{} is not a number of this shard rule: {why}", quoted(text)));
        let parts = self.format.read(text, false).map_err(|why| refuse(&why))?;
        match parts.shard {
            Some(table) if table < self.tables => {
                Ok(ShardedId::new(text.to_owned(), self.business_code.len(), parts.number, table))
            }
            table => Err(refuse(&format!("table {} is not below {}", table.unwrap_or_default(), self.tables))),
        }
    }
}

/// Returns whether the text is ASCII digits only; Unicode has digits of other scripts as well.
fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The parts of a number with a shard suffix; its `Display` is the number itself.
///
/// ```
/// let number = leafmint_ids::shard::ShardRule::new("07", 16)?.parse("07120003")?;
/// assert_eq!((number.business_code(), number.sequence(), number.table()), ("07", 12, 3));
/// assert_eq!(number.to_string(), "07120003");
/// # Ok::<(), leafmint_ids::error::Error>(())
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

/// A strategy that chooses the table of a key, by ShardingSphere's name.
///
/// ```
/// use leafmint_ids::shard::ShardStrategy;
/// assert_eq!(ShardStrategy::default().name(), "hash_mod");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShardStrategy {
    /// `hash_mod`: `abs(hashCode) mod tables`, with `String.hashCode` over UTF-16 units for text and `Long.hashCode`
    /// for integers.
    ///
    /// The absolute value is taken in 64 bits, as in ShardingSphere, so that a hash of `Integer.MIN_VALUE` gives a
    /// table. Java hashes a negative `Integer` and the same `Long` differently: the hash of the `Long` is used.
    #[default]
    HashMod,
    /// `mod`: the non-negative `key mod tables` of an integer, as in ShardingSphere; text keys are refused.
    Mod,
    /// `crc32`: CRC-32 (IEEE 802.3, as in zlib) of the UTF-8 bytes, mod tables; of an integer, its decimal text.
    Crc32,
}

impl ShardStrategy {
    /// Every strategy.
    pub const ALL: [ShardStrategy; 3] = [ShardStrategy::HashMod, ShardStrategy::Mod, ShardStrategy::Crc32];

    /// Returns the name that all languages share: `hash_mod`, `mod` or `crc32`.
    pub const fn name(self) -> &'static str {
        match self {
            ShardStrategy::HashMod => "hash_mod",
            ShardStrategy::Mod => "mod",
            ShardStrategy::Crc32 => "crc32",
        }
    }

    /// Returns the strategy of a name, if there is one.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    pub(super) fn table_of_text(self, key: &str, tables: i64) -> Result<i64> {
        match self {
            ShardStrategy::HashMod => Ok(hash_mod(hash_of_text(key), tables)),
            ShardStrategy::Mod => {
                Err(invalid_argument("the strategy mod takes integers; for text keys take hash_mod or crc32"))
            }
            ShardStrategy::Crc32 => Ok(crc32_mod(key, tables)),
        }
    }

    pub(super) fn table_of_int(self, key: i64, tables: i64) -> i64 {
        match self {
            ShardStrategy::HashMod => hash_mod(hash_of_int(key), tables),
            ShardStrategy::Mod => key.rem_euclid(tables),
            ShardStrategy::Crc32 => crc32_mod(&key.to_string(), tables),
        }
    }
}

/// Computes in 64 bits: in 32, the absolute value of the lowest hash is negative.
fn hash_mod(hash: i32, tables: i64) -> i64 {
    i64::from(hash).abs() % tables
}

fn crc32_mod(text: &str, tables: i64) -> i64 {
    i64::from(crc32fast::hash(text.as_bytes())) % tables
}

/// Returns `String.hashCode` of a text: `s[0]*31^(n-1) + ... + s[n-1]` over its UTF-16 units, in wrapping 32-bit
/// arithmetic.
pub(crate) fn hash_of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Returns `Long.hashCode` of a number: its upper half xor its lower half.
pub(crate) const fn hash_of_int(number: i64) -> i32 {
    (number ^ (number >> 32)) as i32
}
