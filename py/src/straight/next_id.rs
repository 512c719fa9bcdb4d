//! The method `next_id`.

use super::{MintsStraight, by_method, in_hand};
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{ffi, intern};
use std::ffi::CString;

/// Puts the C function in the method's place, with its signature and documentation.
pub(super) fn stand_before<T: MintsStraight>(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<T>();
    let method = class.getattr(intern!(py, "next_id"))?;
    let (signature, text) = (method.getattr("__text_signature__")?, method.getattr("__doc__")?);
    let doc = format!("next_id{}\n--\n\n{}", signature.cast::<PyString>()?.to_str()?, text.cast::<PyString>()?.to_str()?);
    // Both live as long as the class, which is for ever.
    let doc = CString::new(doc)?.into_raw();
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"next_id".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: next_id::<T> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc,
    }));
    // SAFETY: the interpreter is attached; class and definition are alive, and the flags are those of the function's signature.
    let straight = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
    class.setattr("_next_id", method)?;
    class.setattr("next_id", straight)
}

unsafe extern "C" fn next_id<T: MintsStraight>(
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls its methods attached.
    let py = unsafe { Python::assume_attached() };
    if count == 0 && names.is_null() {
        // SAFETY: the descriptor lets no object in but those of its class, and the caller holds this one.
        if let Some(id) = unsafe { in_hand::<T>(py, this) } {
            return id;
        }
    }
    // SAFETY: these are the arguments as the interpreter gave them.
    unsafe { by_method::<T>(py, this, arguments, count, names) }
}
