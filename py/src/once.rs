//! Makes classes once per process, even if Python code imports leafmint again: `importlib.reload`, plugin reloaders and
//! mocks of `sys.modules` execute the modules a second time, and an older `except` clause must still match.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The classes that are written in Python, by name, as the first import defined them.
static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Sets `__module__` of the native classes to the package, which has another name in a vendored copy. The first import
/// decides.
pub(crate) fn name_package(module: &Bound<'_, PyModule>) -> PyResult<()> {
    static NAMED: PyOnceLock<()> = PyOnceLock::new();
    if NAMED.set(module.py(), ()).is_ok()
        && let Some((package, _)) = module.name()?.to_str()?.rsplit_once('.')
    {
        for value in module.dict().values() {
            if let Ok(class) = value.cast::<PyType>() {
                class.setattr("__module__", package)?;
            }
        }
    }
    Ok(())
}

/// Adds the class decorator `_once`.
pub(crate) fn add_decorator(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.as_any().setattr("_once", wrap_pyfunction!(once, module)?)
}

/// Returns the class of the same name that the first import defined.
#[pyfunction]
#[pyo3(name = "_once")]
fn once<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let classes = CLASSES.get_or_init(py, || PyDict::new(py).unbind());
    classes.bind(py).call_method1("setdefault", (class.name()?, class))
}

/// Returns a decorated class by its name.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyType>>> {
    let Some(classes) = CLASSES.get(py) else { return Ok(None) };
    Ok(classes.bind(py).get_item(name)?.map(Bound::cast_into).transpose()?)
}
