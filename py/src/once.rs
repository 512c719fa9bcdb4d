//! Makes classes once per process, even if Python code imports leafmint again: `importlib.reload`, plugin reloaders and
//! mocks of `sys.modules` execute the modules a second time, and an older `except` clause must still match.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The classes that are written in Python, by name, as the first import defined them.
static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// The name of the package.
static PACKAGE: PyOnceLock<String> = PyOnceLock::new();

/// Sets `__module__` of the native classes to the package, which has another name in a vendored copy. The first import
/// decides.
pub(crate) fn name_package(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if let Some((package, _)) = module.name()?.to_str()?.rsplit_once('.')
        && PACKAGE.set(module.py(), package.to_owned()).is_ok()
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

/// Returns a decorated class by its name. If it is missing, its module of the package is imported.
pub(crate) fn class<'py>(py: Python<'py>, module: &str, name: &str) -> PyResult<Bound<'py, PyType>> {
    if let Some(class) = known(py, name)? {
        return Ok(class);
    }
    let module = format!("{}.{module}", PACKAGE.get(py).map_or("leafmint", String::as_str));
    py.import(&*module)?;
    known(py, name)?
        .ok_or_else(|| PyImportError::new_err(format!("{module}.{name} is missing: install leafmint again")))
}

fn known<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyType>>> {
    let Some(classes) = CLASSES.get(py) else { return Ok(None) };
    Ok(classes.bind(py).get_item(name)?.map(Bound::cast_into).transpose()?)
}
