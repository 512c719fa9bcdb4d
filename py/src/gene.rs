//! Genes, as functions of the module.

use crate::arguments::{self, Key, whole};
use crate::errors;
use leafmint::id;
use pyo3::prelude::*;

/// Returns the gene of a key: an int mod 2**bits, or the hash of a str (Java's String.hashCode) mod 2**bits.
///
/// It is from 0 to 2**bits - 1, for negative ints too. `bits` is 1 to 12. Raises InvalidArgumentError for other bits, for ints
/// beyond 64 bits, and for text that is not valid.
#[pyfunction]
pub(crate) fn gene_of(key: &Bound<'_, PyAny>, bits: &Bound<'_, PyAny>) -> PyResult<i64> {
    let bits = whole(bits, "bits")?;
    match Key::read(key)? {
        Key::Text(text) => errors::call(key.py(), || id::gene_of_text(text, bits)),
        Key::Int(number) => errors::call(key.py(), || id::gene_of_int(number, bits)),
    }
}

/// Returns the gene that an id carries in its low bits.
///
/// `bits` is 1 to 12. Raises InvalidArgumentError for other bits, and InvalidIdError for a negative id and one beyond 64 bits.
#[pyfunction]
pub(crate) fn shard_of(id: &Bound<'_, PyAny>, bits: &Bound<'_, PyAny>) -> PyResult<i64> {
    let (number, bits) = (arguments::id(id)?, whole(bits, "bits")?);
    errors::call(id.py(), || id::shard_of(number, bits))
}
