//! The class `ScrambledNumbers`.

use crate::arguments::{self, exact_int, string};
use crate::format::Format;
use crate::{errors, id_keys, pickling};
use leafmint::ErrorKind::{InvalidConfig, InvalidId};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Writes ids as short numbers for people, such as the member number "M-90839619-3", and reads them back.
///
/// The numbers of a format change places, by a secret order that depends on the key and the name (FF1 with AES-128). A
/// number hides how many there are, and their order and time. The check of the format finds what was mistyped.
///
/// A number can be guessed: each number with a right check is some id's. With a million ids in use and eight digits,
/// one guess in 100 hits. Ask for something else too, limit the attempts, or take `PublicIds`.
///
/// A text has no room for the number of a key, so one key writes and reads all of them, for ever. Immutable and
/// thread-safe; cannot be pickled, because the pickle would contain the key.
///
/// Args:
///     name: What the ids are of, as of `PublicIds`.
///     keys: The keys, as of `PublicIds`.
///     format: A `Format` or its text: literals, a number of fixed width with a million numbers or more, and a check.
///     key_number: The number of the key, if there are several.
///
/// Raises:
///     InvalidConfigError: An argument is invalid; the message names every problem and contains no part of a key.
///
/// Example:
///     >>> import leafmint
///     >>> key = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
///     >>> members = leafmint.ScrambledNumbers("member", [key], format="M-{number:8}-{check:damm}")
///     >>> members.encode(42)
///     'M-90839619-3'
///     >>> members.decode(members.encode(42).lower().replace("-", ""), forgiving=True)
///     42
#[pyclass(frozen, module = "leafmint")]
pub(crate) struct ScrambledNumbers {
    name: String,
    ids: leafmint::ScrambledNumbers,
}

#[pymethods]
impl ScrambledNumbers {
    #[new]
    #[pyo3(signature = (name, keys, *, format, key_number = None))]
    fn of(
        name: &Bound<'_, PyAny>,
        keys: &Bound<'_, PyAny>,
        format: &Bound<'_, PyAny>,
        key_number: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = name.py();
        let name = arguments::text(string(name, "name")?, InvalidConfig, "the name")?;
        let format = Format::read(format)?;
        let number = key_number.map(|number| exact_int(number, InvalidConfig, "key_number")).transpose()?;
        let keys = id_keys::read(keys)?;
        let ids = errors::call(py, || leafmint::ScrambledNumbers::new(&name, &keys, number, &format))?;
        Ok(Self { name, ids })
    }

    /// What the ids are of, for which the key was derived.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The largest id that has a number.
    #[getter]
    fn largest(&self) -> i64 {
        self.ids.largest()
    }

    /// A regular expression that matches each text, and few others, for JSON Schema.
    #[getter]
    fn pattern(&self) -> String {
        self.ids.pattern()
    }

    /// Returns the text of an id.
    ///
    /// Raises:
    ///     IdSpaceExhaustedError: The id is above `largest`.
    ///     InvalidIdError: The id is negative or does not fit 64 bits.
    fn encode(&self, id: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = arguments::id(id)?;
        errors::call(id.py(), || self.ids.encode(number))
    }

    /// Returns the id of a text. Whether it is in use is for the caller to find out.
    ///
    /// Args:
    ///     text: The number.
    ///     forgiving: Whether to accept what people write, as `Format.parse` does.
    ///
    /// Raises:
    ///     InvalidIdError: The text is not a number of this format; the message says what is wrong with it.
    #[pyo3(signature = (text, *, forgiving = false))]
    fn decode(&self, text: &Bound<'_, PyAny>, forgiving: bool) -> PyResult<i64> {
        let id = arguments::borrowed_text(string(text, "text")?, InvalidId, "the text")?;
        let decode = || if forgiving { self.ids.decode_forgiving(id) } else { self.ids.decode(id) };
        errors::call(text.py(), decode)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let format = PyString::new(py, self.ids.format().text()).repr()?;
        Ok(format!("<leafmint.ScrambledNumbers name='{}' format={format}>", self.name))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse_keys(&slf.get_type()))
    }
}
