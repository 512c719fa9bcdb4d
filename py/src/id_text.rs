//! The text of a typed id, as `leafmint.TypedId` declares it.

use crate::arguments::{self, exact_int, string};
use crate::errors;
use crate::format::Format;
use crate::id_keys::IdKeys;
use leafmint::ErrorKind::{InvalidConfig, InvalidId};
use pyo3::prelude::*;

/// How a type of ids is written, without its keys.
#[pyclass(frozen, name = "_IdText", module = "leafmint")]
pub(crate) struct IdText(leafmint::IdText);

#[pymethods]
impl IdText {
    #[new]
    #[pyo3(signature = (form, name = None, prefix = None, format = None, key_number = None))]
    fn of(
        form: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        prefix: Option<&Bound<'_, PyAny>>,
        format: Option<&Bound<'_, PyAny>>,
        key_number: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = form.py();
        let form = text_of("form", form)?;
        let name = name.map(|name| text_of("name", name)).transpose()?.unwrap_or_default();
        let prefix = prefix.map(|prefix| text_of("prefix", prefix)).transpose()?;
        let format = format.map(Format::read_text).transpose()?;
        let number = key_number.map(|number| exact_int(number, InvalidConfig, "key_number")).transpose()?;
        let made = || leafmint::IdText::new(&form, &name, prefix.as_deref(), format.as_deref(), number);
        errors::call(py, made).map(Self)
    }

    /// Whether `bind` needs keys.
    #[getter]
    fn needs_keys(&self) -> bool {
        self.0.needs_keys()
    }

    /// A regular expression that matches each text, and few others, for JSON Schema.
    #[getter]
    fn pattern(&self) -> String {
        self.0.pattern()
    }

    /// A text of the right shape, which does not depend on keys.
    #[getter]
    fn example(&self) -> String {
        self.0.example()
    }

    /// Returns it with its keys.
    #[pyo3(signature = (keys))]
    fn bind(&self, py: Python<'_>, keys: Option<&Bound<'_, IdKeys>>) -> PyResult<BoundIdText> {
        errors::call(py, || self.0.bind(keys.map(|keys| &keys.get().0))).map(BoundIdText)
    }
}

/// How a type of ids is written, with its keys.
#[pyclass(frozen, name = "_BoundIdText", module = "leafmint")]
pub(crate) struct BoundIdText(leafmint::BoundIdText);

#[pymethods]
impl BoundIdText {
    fn encode(&self, id: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = arguments::id(id)?;
        errors::call(id.py(), || self.0.encode(number))
    }

    fn decode(&self, text: &Bound<'_, PyAny>) -> PyResult<i64> {
        let id = arguments::borrowed_text(string(text, "text")?, InvalidId, "the text")?;
        errors::call(text.py(), || self.0.decode(id))
    }
}

fn text_of(what: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    arguments::text(string(value, what)?, InvalidConfig, what)
}
