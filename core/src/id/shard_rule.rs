//! Shard suffixes: the table of a record, as the last digits of its number.

use super::format::{Format, NumberParts};
use super::quote::quoted;
use super::shard_strategy::ShardStrategy;
use super::sharded_id::ShardedId;
use super::{invalid_argument, invalid_id};
use crate::config_errors::ConfigErrors;
use crate::error::Result;

/// Most digits of a business code and of a table.
const MOST_DIGITS: i64 = 9;

/// The form of numbers with a shard suffix: `business code + sequence + table`, all in decimal digits.
///
/// The business code and the table have fixed widths, the sequence between them has any. This is the decimal gene
/// method. The rule `10` is the [`Format`] `10{number}{shard:4}`, and knows the table of a key.
///
/// ```
/// use leafmint::id::ShardRule;
/// let orders = ShardRule::new("10", 1024)?;
/// let number = orders.compose(1_769_649_671_860_822_016, 1023)?.to_string();
/// assert_eq!(number, "1017696496718608220161023");
/// assert_eq!(orders.parse(&number)?.table(), 1023);
/// assert_eq!(orders.table_of_text("user-42")?, 64);
/// # Ok::<(), leafmint::Error>(())
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
