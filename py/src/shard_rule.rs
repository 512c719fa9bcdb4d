//! The class `ShardRule`.

use crate::arguments::{self, Key, string, whole, whole_or};
use crate::errors;
use crate::sharded_id::ShardedId;
use leafmint::ErrorKind::{InvalidArgument, InvalidConfig, InvalidId};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTypeInfo, intern};

/// How numbers with a shard suffix are made: business code, sequence and table, one after the other in decimal digits.
///
/// `business_code` has 1 to 9 digits and keeps its leading zeros; a table has `table_width` digits, 1 to 9, and there are
/// `tables` of them, 1 to 10**table_width. `strategy` is how the table of a key is found, by ShardingSphere's names: "hash_mod"
/// (abs(hashCode) mod tables, with Java's hash codes), "mod" (integers only) or "crc32". A rule can be pickled.
///
/// Raises InvalidConfigError with every problem found.
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ShardRule(leafmint::ShardRule);

impl ShardRule {
    pub(crate) fn new(rule: leafmint::ShardRule) -> Self {
        Self(rule)
    }

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
    #[pyo3(signature = (business_code, tables, table_width = None, strategy = None),
           text_signature = "(business_code, tables, table_width=4, strategy='hash_mod')")]
    fn with(
        business_code: &Bound<'_, PyAny>,
        tables: &Bound<'_, PyAny>,
        table_width: Option<&Bound<'_, PyAny>>,
        strategy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let code = arguments::borrowed(string(business_code, "business_code")?, InvalidConfig, "the business_code")?;
        let strategy = match strategy {
            Some(given) => arguments::borrowed(string(given, "strategy")?, InvalidConfig, "the strategy")?,
            None => "hash_mod",
        };
        let tables = whole(tables, "tables")?;
        let table_width = whole_or(leafmint::ShardRule::TABLE_WIDTH, table_width, "table_width")?;
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

    /// The digits of a table.
    #[getter]
    fn table_width(&self) -> i64 {
        self.0.table_width()
    }

    /// How the table of a key is found.
    #[getter]
    fn strategy(&self) -> &'static str {
        self.0.strategy().name()
    }

    /// Returns the table of a key, which is a str or an int of 64 bits: from 0 to `tables` - 1.
    ///
    /// Raises InvalidArgumentError for other ints, for text that is not valid, and for any text under the strategy "mod".
    fn table_of(&self, key: &Bound<'_, PyAny>) -> PyResult<i64> {
        self.table(key)
    }

    /// Puts a number together out of a sequence, which is an id of either mode, and a table.
    ///
    /// Raises InvalidArgumentError where the sequence is negative or beyond 64 bits, or there is no such table.
    fn compose(&self, sequence: &Bound<'_, PyAny>, table: &Bound<'_, PyAny>) -> PyResult<ShardedId> {
        let number = arguments::integer(sequence, InvalidArgument, "sequence")?;
        self.number(sequence.py(), number, whole(table, "table")?).map(ShardedId::new)
    }

    /// Takes the text of a number apart, strictly: whatever it accepts, `compose` writes the same way. Raises InvalidIdError.
    fn parse(&self, text: &Bound<'_, PyAny>) -> PyResult<ShardedId> {
        let number = arguments::borrowed(string(text, "text")?, InvalidId, "the number")?;
        errors::call(text.py(), || self.0.parse(number)).map(ShardedId::new)
    }

    /// Returns the text of a new number: the generator's next id, with the table of the key.
    ///
    /// The generator is whatever has `next_id()`, such as a BizTag. Raises what `table_of` raises, before an id is
    /// taken, and what `next_id` raises.
    fn mint(&self, generator: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = generator.py();
        let table = self.table(key)?;
        let Some(next_id) = generator.getattr_opt(intern!(py, "next_id"))? else {
            return Err(arguments::wrong_type(generator, "generator", "a BizTag, or something else with next_id()"));
        };
        let sequence = arguments::integer(&next_id.call0()?, InvalidArgument, "next_id()")?;
        Ok(self.number(py, sequence, table)?.to_string())
    }

    fn __repr__(&self) -> String {
        let (code, tables, width, strategy) = (self.business_code(), self.tables(), self.table_width(), self.strategy());
        format!("leafmint.ShardRule('{code}', {tables}, table_width={width}, strategy='{strategy}')")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str, i64, i64, &'static str)) {
        (Self::type_object(py), (self.business_code(), self.tables(), self.table_width(), self.strategy()))
    }
}
