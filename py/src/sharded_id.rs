//! The class `ShardedId`.

use crate::arguments::{self, string};
use crate::errors;
use leafmint::ErrorKind::InvalidId;
use leafmint::id::ShardStrategy;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The parts of a number with a shard suffix. Made by `ShardRule`; `str()` returns the number itself.
///
/// Immutable; compares by its parts, and can be pickled.
///
/// Example:
///     >>> import leafmint
///     >>> number = leafmint.ShardRule("10", 1024).parse("1070064")
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
