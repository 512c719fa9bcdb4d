//! The class `PublicIds`.

use crate::arguments::{self, string};
use crate::decode_array::Ids;
use crate::text_column::{self, Texts};
use crate::{errors, id_keys, pickling};
use leafmint::ErrorKind::{InvalidConfig, InvalidId};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Writes ids as texts for strangers, such as "order_55zyq8fyn6wyk243qwa6yvbrz1", and reads them back.
///
/// A text hides the id, how many there are, and their order and time, from everyone without the key. A text that was
/// not written with one of the keys, for this name and prefix, is refused, all but one in 2**65. It is neither a
/// password nor a permission: anyone who has a text can pass it on.
///
/// The same id has the same text for as long as the first key is the same. Store ids as numbers, never their texts.
/// Immutable and thread-safe; cannot be pickled, because the pickle would contain the keys.
///
/// Args:
///     name: What the ids are of: 1 to 63 small letters, digits and underscores, a letter first and no underscore last.
///         The keys are derived for it, so texts of two names have nothing in common.
///     keys: One to four keys, each a text as `leafmint id-keys new` prints it, or a pair of its number and 32 to
///         64 random bytes: a list of them, "env:NAME" for those in an environment variable, "file:PATH" for those in a
///         file, or a callable that returns one of these, which is called once. The first key encodes; all decode.
///     prefix: What each text begins with, of the same form as the name; by default the name.
///
/// Raises:
///     InvalidConfigError: An argument is invalid; the message names every problem and contains no part of a key.
///
/// Example:
///     >>> import leafmint
///     >>> key = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
///     >>> orders = leafmint.PublicIds("order", [key])
///     >>> orders.encode(42)
///     'order_55zyq8fyn6wyk243qwa6yvbrz1'
///     >>> orders.decode(orders.encode(42))
///     42
#[pyclass(frozen, module = "leafmint")]
pub(crate) struct PublicIds(leafmint::PublicIds);

#[pymethods]
impl PublicIds {
    #[new]
    #[pyo3(signature = (name, keys, *, prefix = None))]
    fn of(name: &Bound<'_, PyAny>, keys: &Bound<'_, PyAny>, prefix: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = name.py();
        let name = arguments::borrowed_text(string(name, "name")?, InvalidConfig, "the name")?;
        let prefix = match prefix {
            Some(prefix) => arguments::borrowed_text(string(prefix, "prefix")?, InvalidConfig, "the prefix")?,
            None => name,
        };
        let keys = id_keys::read(keys)?;
        errors::call(py, || leafmint::PublicIds::with_prefix(name, &keys, prefix)).map(Self)
    }

    /// What the ids are of, for which the keys were derived.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// What each text begins with, without the underscore after it.
    #[getter]
    fn prefix(&self) -> &str {
        self.0.prefix()
    }

    /// A regular expression that matches each text, and few others, for JSON Schema.
    #[getter]
    fn pattern(&self) -> String {
        self.0.pattern()
    }

    /// Returns the text of an id.
    ///
    /// Raises:
    ///     InvalidIdError: The id is negative or does not fit 64 bits.
    fn encode(&self, id: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = arguments::id(id)?;
        errors::call(id.py(), || self.0.encode(number))
    }

    /// Returns the id of a text.
    ///
    /// Raises:
    ///     InvalidIdError: The text was not written with one of the keys, for this name and prefix. The message does
    ///         not say what is wrong with it.
    fn decode(&self, text: &Bound<'_, PyAny>) -> PyResult<i64> {
        let id = arguments::borrowed_text(string(text, "text")?, InvalidId, "the text")?;
        errors::call(text.py(), || self.0.decode(id))
    }

    /// Returns the texts of many ids.
    ///
    /// Args:
    ///     ids: A NumPy array, a column of pandas or polars, or another iterable of ints.
    ///
    /// Raises:
    ///     InvalidIdError: An id is negative or does not fit 64 bits; the message has its index.
    fn encode_all<'py>(&self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        text_column::encode_all(&self.0, &Ids::read(ids)?, ids.py())
    }

    /// Returns the ids of many texts.
    ///
    /// Args:
    ///     texts: An iterable of str or bytes, such as a list, a NumPy array or a column of pandas or polars.
    ///
    /// Raises:
    ///     InvalidIdError: A text was not written with one of the keys; the message has its index.
    fn decode_all<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        text_column::decode_all(&self.0, &Texts::read(texts, &self.0)?, texts.py())
    }

    /// Returns the texts of many ids as a NumPy array of bytes, of the dtype S and their length.
    ///
    /// If NumPy is not installed, it is a list of bytes.
    ///
    /// Args:
    ///     ids: A NumPy array, a column of pandas or polars, or another iterable of ints.
    ///
    /// Raises:
    ///     InvalidIdError: An id is negative or does not fit 64 bits; the message has its index.
    fn encode_array<'py>(&self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        text_column::encode_array(&self.0, &Ids::read(ids)?, ids.py())
    }

    /// Returns the ids of many texts as a NumPy array of int64.
    ///
    /// If NumPy is not installed, it is of the type array('q').
    ///
    /// Args:
    ///     texts: An iterable of str or bytes, such as a list, a NumPy array or a column of pandas or polars.
    ///
    /// Raises:
    ///     InvalidIdError: A text was not written with one of the keys; the message has its index.
    fn decode_array<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        text_column::decode_array(&self.0, &Texts::read(texts, &self.0)?, texts.py())
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.PublicIds name='{}' prefix='{}'>", self.0.name(), self.0.prefix())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse_keys(&slf.get_type()))
    }
}
