//! The class `ShardedId`.

use crate::errors;
use crate::shard_rule::ShardRule;
use leafmint::id::ShardStrategy;
use pyo3::intern;
use pyo3::prelude::*;

/// A number with a shard suffix, taken apart; str() gives the number itself. Comes from `ShardRule`.
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

    /// The sequence: the id that the number was made of.
    #[getter]
    fn sequence(&self) -> i64 {
        self.0.sequence()
    }

    /// The table.
    #[getter]
    fn table(&self) -> i64 {
        self.0.table()
    }

    /// Returns the number, in decimal digits.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let number = &self.0;
        let (code, sequence, table) = (number.business_code(), number.sequence(), number.table());
        format!("<leafmint.ShardedId {number} business_code='{code}' sequence={sequence} table={table}>")
    }

    /// Reads the number back with the widest rule of the same widths: which rule it was does not show in a number.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let (number, code) = (self.0.to_string(), self.0.business_code());
        let width = number.len() - code.len() - self.0.sequence().to_string().len();
        let tables = 10_i64.pow(width as u32);
        let rule = || leafmint::ShardRule::with(code, tables, width as i64, ShardStrategy::default().name());
        let rule = ShardRule::new(errors::call(py, rule)?).into_pyobject(py)?;
        Ok((rule.getattr(intern!(py, "parse"))?, (number,)))
    }
}
