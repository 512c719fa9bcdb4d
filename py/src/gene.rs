//! Genes, as functions of the module.

use crate::arguments::{self, Key, Whole};
use crate::errors;
use leafmint::id;
use pyo3::prelude::*;

/// Returns the gene of a key: an int mod 2**bits, or the hash of a str (Java's String.hashCode) mod 2**bits.
///
/// It is from 0 to 2**bits - 1, for negative ints too. `bits` is 1 to 12. Raises InvalidArgumentError for other bits, for ints
/// beyond 64 bits, and for text that is not valid.
#[pyfunction]
pub(crate) fn gene_of(key: &Bound<'_, PyAny>, bits: Whole) -> PyResult<i64> {
    match Key::read(key)? {
        Key::Text(text) => errors::call(key.py(), || id::gene_of_text(text, bits.0)),
        Key::Int(number) => errors::call(key.py(), || id::gene_of_int(number, bits.0)),
    }
}

/// Returns the gene that an id carries in its low bits.
///
/// `bits` is 1 to 12. Raises InvalidArgumentError for other bits, and InvalidIdError for a negative id and one beyond 64 bits.
#[pyfunction]
pub(crate) fn shard_of(id: &Bound<'_, PyAny>, bits: Whole) -> PyResult<i64> {
    let number = arguments::id(id)?;
    errors::call(id.py(), || id::shard_of(number, bits.0))
}
