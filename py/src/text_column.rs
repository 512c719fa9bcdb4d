//! Columns of texts of one length: NumPy's arrays of bytes if NumPy is installed, else lists of bytes.

use crate::arguments::wrong_type;
use crate::column::{self, Column, DETACHED};
use crate::decode_array::Ids;
use crate::{errors, list};
use leafmint::ErrorKind::InvalidId;
use leafmint::PublicIds;
use leafmint::binding::room;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};

const EXPECTED: &str = "an array or another iterable of str or bytes";

/// Texts one after another, each of the length of the public ids that they were read for.
pub(crate) struct Texts {
    bytes: Vec<u8>,
    count: usize,
}

impl Texts {
    /// Copies texts. One of another length is refused, by its index.
    pub(crate) fn read(texts: &Bound<'_, PyAny>, of: &PublicIds) -> PyResult<Self> {
        // These yield characters or ints.
        if texts.is_instance_of::<PyBytes>()
            || texts.is_instance_of::<PyByteArray>()
            || texts.is_instance_of::<PyString>()
        {
            return Err(wrong_type(texts, "texts", EXPECTED));
        }
        match column::as_array(texts)? {
            // An array that has its mask no more would show what is masked.
            Some(_) if column::is_masked(texts)? => Self::read_items(texts, of),
            Some(array) => Self::read_array(&array, of),
            None => Self::read_items(texts, of),
        }
    }

    fn read_array(array: &Bound<'_, PyAny>, of: &PublicIds) -> PyResult<Self> {
        let py = array.py();
        let dimensions: usize = array.getattr(intern!(py, "ndim"))?.extract()?;
        if dimensions != 1 {
            return Err(PyTypeError::new_err(format!("texts must have one dimension, not {dimensions}")));
        }
        let dtype = array.getattr(intern!(py, "dtype"))?;
        let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
        let size: usize = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
        if kind != "S" || size != of.length() {
            return Self::read_items(array, of);
        }
        // A copy, since other threads may write to the array.
        let copied = array.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
        let bytes = errors::call(py, || room::all(copied.as_bytes().iter().copied()))?;
        Ok(Self { count: bytes.len() / size, bytes })
    }

    fn read_items(texts: &Bound<'_, PyAny>, of: &PublicIds) -> PyResult<Self> {
        let items = texts.try_iter().map_err(|_| wrong_type(texts, "texts", EXPECTED))?;
        let mut read = Self { bytes: Vec::new(), count: 0 };
        for item in items {
            read.push(&item?, of)?;
        }
        Ok(read)
    }

    fn push(&mut self, item: &Bound<'_, PyAny>, of: &PublicIds) -> PyResult<()> {
        let text = match (item.cast::<PyString>(), item.cast::<PyBytes>()) {
            (Ok(text), _) => text.to_string_lossy(),
            (_, Ok(bytes)) => String::from_utf8_lossy(bytes.as_bytes()),
            _ => return Err(wrong_type(item, &format!("texts[{}]", self.count), "a str or bytes")),
        };
        if text.len() != of.length() {
            let error = of.decode(&text).expect_err("all texts have one length");
            let message = format!("ids[{}]: {}", self.count, error.message());
            return Err(errors::raise_as(item.py(), InvalidId, message));
        }
        errors::call(item.py(), || room::extend(&mut self.bytes, text.as_bytes()))?;
        self.count += 1;
        Ok(())
    }
}

/// Returns a list of str.
pub(crate) fn encode_all<'py>(of: &PublicIds, ids: &Ids, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let mut column = errors::call(py, || room::zeros(ids.words.len() * of.length()))?;
    fill(of, ids, &mut column, py)?;
    let texts = column.chunks_exact(of.length());
    list::check(py, texts.len(), list::TEXT + of.length())?;
    list::of(py, texts.len(), texts, |text| list::text(py, text))
}

/// Returns an array of bytes.
pub(crate) fn encode_array<'py>(of: &PublicIds, ids: &Ids, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let size = ids.words.len() * of.length();
    let column = PyByteArray::new_with(py, size, |column| fill(of, ids, column, py))?;
    column::into_texts(column, of.length())
}

/// Returns an array of ints.
pub(crate) fn decode_array<'py>(of: &PublicIds, texts: &Texts, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let ids = decode(of, texts, py)?;
    let mut column = Column::new(py, ids.len())?;
    for (word, id) in column.words().iter_mut().zip(ids) {
        word.write(id.to_ne_bytes());
    }
    column.into_ints()
}

/// Returns a list of ints.
pub(crate) fn decode_all<'py>(of: &PublicIds, texts: &Texts, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let ids = decode(of, texts, py)?;
    list::check(py, ids.len(), list::INT)?;
    list::of(py, ids.len(), ids.into_iter(), |id| list::int(py, id))
}

/// Returns the ids of texts.
fn decode(of: &PublicIds, texts: &Texts, py: Python<'_>) -> PyResult<Vec<i64>> {
    let mut ids = errors::call(py, || room::zeros(texts.count))?;
    let work = || of.decode_column(&texts.bytes, &mut ids);
    if texts.count < DETACHED { errors::call(py, work) } else { errors::call_detached(py, work) }?;
    Ok(ids)
}

fn fill(of: &PublicIds, ids: &Ids, column: &mut [u8], py: Python<'_>) -> PyResult<()> {
    let work = || of.encode_column(&ids.words, column);
    if ids.words.len() < DETACHED { errors::call(py, work) } else { errors::call_detached(py, work) }
}
