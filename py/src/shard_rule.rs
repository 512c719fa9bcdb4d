//! The classes `ShardRule` and `ShardedId`.

use crate::arguments::{self, Key, saturating_int, saturating_int_or, string};
use crate::{errors, pickling};
use leafmint::ErrorKind::{InvalidArgument, InvalidConfig, InvalidId};
use leafmint::shard::ShardStrategy;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyType};
use pyo3::{PyTypeInfo, intern};

/// The format of numbers with a shard suffix: business code, sequence and table, in decimal digits.
///
/// Immutable; compares by its settings, and can be pickled.
///
/// Args:
///     business_code: 1 to 9 digits; leading zeros are kept.
///     tables: The number of tables, 1 to 10**table_width.
///     table_width: The number of digits of a table, 1 to 9.
///     strategy: How the table of a key is computed, by ShardingSphere's names: "hash_mod" (abs(hashCode) mod tables,
///         with Java's hash codes), "mod" (ints only) or "crc32".
///
/// Raises:
///     InvalidConfigError: An argument is invalid; the message names every problem.
///
/// Example:
///     >>> import leafmint
///     >>> orders = leafmint.ShardRule("10", tables=1024)
///     >>> order = leafmint.SegmentGenerator("memory://sharded").tag("order")
///     >>> orders.table_of("user-42"), orders.mint(order, "user-42")
///     (64, '1010064')
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ShardRule(leafmint::ShardRule);

impl ShardRule {
    fn table(&self, key: &Bound<'_, PyAny>) -> PyResult<i64> {
        match Key::read(key)? {
            Key::Text(text) => errors::call(key.py(), || self.0.table_of_text(text)),
            Key::Int(number) => Ok(self.0.table_of_int(number)),
        }
    }

    fn number(&self, py: Python<'_>, sequence: i64, table: i64) -> PyResult<leafmint::ShardedId> {
        errors::call(py, || self.0.compose(sequence, table))
    }
}

#[pymethods]
impl ShardRule {
    #[new]
    #[pyo3(signature = (business_code, *, tables, table_width = None, strategy = None),
           text_signature = "(business_code, *, tables, table_width=4, strategy='hash_mod')")]
    fn with(
        business_code: &Bound<'_, PyAny>,
        tables: &Bound<'_, PyAny>,
        table_width: Option<&Bound<'_, PyAny>>,
        strategy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let code =
            arguments::borrowed_text(string(business_code, "business_code")?, InvalidConfig, "the business_code")?;
        let strategy = match strategy {
            Some(value) => arguments::borrowed_text(string(value, "strategy")?, InvalidConfig, "the strategy")?,
            None => "hash_mod",
        };
        let tables = saturating_int(tables, "tables")?;
        let table_width = saturating_int_or(leafmint::ShardRule::TABLE_WIDTH, table_width, "table_width")?;
        let rule = || leafmint::ShardRule::with(code, tables, table_width, strategy);
        errors::call(business_code.py(), rule).map(Self)
    }

    /// The business code, with its leading zeros.
    #[getter]
    fn business_code(&self) -> &str {
        self.0.business_code()
    }

    /// The number of tables.
    #[getter]
    fn tables(&self) -> i64 {
        self.0.tables()
    }

    /// The number of digits of a table.
    #[getter]
    fn table_width(&self) -> i64 {
        self.0.table_width()
    }

    /// How the table of a key is computed: "hash_mod", "mod" or "crc32".
    #[getter]
    fn strategy(&self) -> &'static str {
        self.0.strategy().name()
    }

    /// Returns the table of a key, 0 to `tables` - 1.
    ///
    /// Args:
    ///     key: A str, or an int of 64 bits.
    ///
    /// Raises:
    ///     InvalidArgumentError: The int does not fit 64 bits, the str has a lone surrogate, or the strategy is "mod"
    ///         and the key is a str.
    fn table_of(&self, key: &Bound<'_, PyAny>) -> PyResult<i64> {
        self.table(key)
    }

    /// Returns the number that consists of a sequence and a table.
    ///
    /// Args:
    ///     sequence: An id of either mode, not negative.
    ///     table: 0 to `tables` - 1.
    ///
    /// Raises:
    ///     InvalidArgumentError: The sequence is negative or does not fit 64 bits, or the table does not exist.
    fn compose(&self, sequence: &Bound<'_, PyAny>, table: &Bound<'_, PyAny>) -> PyResult<ShardedId> {
        let number = arguments::exact_int(sequence, InvalidArgument, "sequence")?;
        self.number(sequence.py(), number, saturating_int(table, "table")?).map(ShardedId::new)
    }

    /// Parses a number. Accepts exactly the texts that `compose` writes.
    ///
    /// Raises:
    ///     InvalidIdError: The text is not a number of this rule.
    fn parse(&self, text: &Bound<'_, PyAny>) -> PyResult<ShardedId> {
        let number = arguments::borrowed_text(string(text, "text")?, InvalidId, "the number")?;
        errors::call(text.py(), || self.0.parse(number)).map(ShardedId::new)
    }

    /// Returns a new number as text: the next id of a generator, with the table of a key.
    ///
    /// Args:
    ///     generator: A `Tag`, a `SnowflakeGenerator`, or another object with a method `next_id()`.
    ///     key: As in `table_of`.
    ///
    /// Raises:
    ///     InvalidArgumentError: As in `table_of`; no id is taken then.
    ///     LeafmintError: What `next_id` raises.
    fn mint(&self, generator: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = generator.py();
        let table = self.table(key)?;
        let Some(next_id) = generator.getattr_opt(intern!(py, "next_id"))? else {
            return Err(arguments::wrong_type(generator, "generator", "a Tag, or another object with next_id()"));
        };
        let sequence = arguments::exact_int(&next_id.call0()?, InvalidArgument, "next_id()")?;
        Ok(self.number(py, sequence, table)?.to_string())
    }

    fn __repr__(&self) -> String {
        let (code, tables, width, strategy) =
            (self.business_code(), self.tables(), self.table_width(), self.strategy());
        format!("leafmint.ShardRule('{code}', tables={tables}, table_width={width}, strategy='{strategy}')")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        let keywords = [("tables", self.tables()), ("table_width", self.table_width())].into_py_dict(py)?;
        keywords.set_item("strategy", self.strategy())?;
        Ok((pickling::by_keywords(&Self::type_object(py), &keywords)?, (self.business_code(),)))
    }
}

/// The parts of a number with a shard suffix. Made by `ShardRule`; `str()` returns the number itself.
///
/// Immutable; compares by its parts, and can be pickled.
///
/// Example:
///     >>> import leafmint
///     >>> number = leafmint.ShardRule("10", tables=1024).parse("1070064")
///     >>> number.business_code, number.sequence, number.table, str(number)
///     ('10', 7, 64, '1070064')
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ShardedId(leafmint::ShardedId);

impl ShardedId {
    pub(crate) fn new(number: leafmint::ShardedId) -> Self {
        Self(number)
    }
}

#[pymethods]
impl ShardedId {
    /// The business code, with its leading zeros.
    #[getter]
    fn business_code(&self) -> &str {
        self.0.business_code()
    }

    /// The sequence: the id that the number was made from.
    #[getter]
    fn sequence(&self) -> i64 {
        self.0.sequence()
    }

    /// The table, counted from 0.
    #[getter]
    fn table(&self) -> i64 {
        self.0.table()
    }

    /// Returns the number in decimal digits.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let number = &self.0;
        let (code, sequence, table) = (number.business_code(), number.sequence(), number.table());
        format!("<leafmint.ShardedId {number} business_code='{code}' sequence={sequence} table={table}>")
    }

    /// Parses a number with the widest rule that has this business code and table width. Pickles name this method,
    /// because a number does not show the rule that made it.
    #[classmethod]
    fn _parse(
        _class: &Bound<'_, PyType>,
        text: &Bound<'_, PyAny>,
        business_code: &str,
        table_width: u32,
    ) -> PyResult<Self> {
        let number = arguments::borrowed_text(string(text, "text")?, InvalidId, "the number")?;
        errors::call(text.py(), || {
            let tables = 10_i64.saturating_pow(table_width);
            let strategy = ShardStrategy::default().name();
            leafmint::ShardRule::with(business_code, tables, i64::from(table_width), strategy)?.parse(number)
        })
        .map(Self)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String, usize))> {
        let number = &slf.get().0;
        let (text, code) = (number.to_string(), number.business_code());
        let table_width = text.len() - code.len() - number.sequence().to_string().len();
        let parse = slf.get_type().getattr(intern!(slf.py(), "_parse"))?;
        Ok((parse, (text, code.to_owned(), table_width)))
    }
}
