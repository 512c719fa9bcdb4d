//! The functions of genes.

use crate::arguments::{self, Key, saturating_int};
use crate::errors;
use leafmint::gene;
use pyo3::prelude::*;

/// Returns the gene of a key: an int mod 2**bits, or the hash of a str (Java's String.hashCode) mod 2**bits.
///
/// The result is 0 to 2**bits - 1, also for a negative int.
///
/// Args:
///     key: A str, or an int of 64 bits.
///     bits: 1 to 12.
///
/// Raises:
///     InvalidArgumentError: `bits` is out of range, the int does not fit 64 bits, or the str has a lone surrogate.
#[pyfunction]
pub(crate) fn gene_of_key(key: &Bound<'_, PyAny>, bits: &Bound<'_, PyAny>) -> PyResult<i64> {
    let bits = saturating_int(bits, "bits")?;
    match Key::read(key)? {
        Key::Text(text) => errors::call(key.py(), || gene::gene_of_text(text, bits)),
        Key::Int(number) => errors::call(key.py(), || gene::gene_of_int(number, bits)),
    }
}

/// Returns the gene that an id carries in its low bits.
///
/// Args:
///     id: An id with a gene.
///     bits: The number of gene bits, 1 to 12.
///
/// Raises:
///     InvalidArgumentError: `bits` is out of range.
///     InvalidIdError: The id is negative or does not fit 64 bits.
#[pyfunction]
pub(crate) fn gene_of_id(id: &Bound<'_, PyAny>, bits: &Bound<'_, PyAny>) -> PyResult<i64> {
    let (number, bits) = (arguments::id(id)?, saturating_int(bits, "bits")?);
    errors::call(id.py(), || gene::gene_of_id(number, bits))
}
