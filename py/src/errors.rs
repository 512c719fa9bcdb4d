//! From the core's error kinds to the classes of `leafmint.errors`.

use leafmint::{Error, ErrorKind};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Names the class of a kind. Exhaustive: a new kind does not build until Python has a class for it.
const fn class_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidConfig => "InvalidConfigError",
        ErrorKind::InvalidArgument => "InvalidArgumentError",
        ErrorKind::UnknownTag => "UnknownTagError",
        ErrorKind::SegmentUnavailable => "SegmentUnavailableError",
        ErrorKind::StoreUnavailable => "StoreUnavailableError",
        ErrorKind::StoreRegressed => "StoreRegressedError",
        ErrorKind::WorkerIdUnavailable => "WorkerIdUnavailableError",
        ErrorKind::LeaseLost => "LeaseLostError",
        ErrorKind::ClockMovedBackwards => "ClockMovedBackwardsError",
        ErrorKind::IdSpaceExhausted => "IdSpaceExhaustedError",
        ErrorKind::InvalidId => "InvalidIdError",
        ErrorKind::Closed => "ClosedError",
    }
}

fn class(py: Python<'_>, kind: ErrorKind) -> PyResult<Bound<'_, PyType>> {
    Ok(py.import("leafmint.errors")?.getattr(class_name(kind))?.cast_into()?)
}

/// Turns a core error into the exception of its kind.
#[cold]
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    raise_as(py, error.kind(), error.message().to_owned())
}

/// Makes the exception of a kind, for input that cannot even be handed to the core.
#[cold]
pub(crate) fn raise_as(py: Python<'_>, kind: ErrorKind, message: String) -> PyErr {
    match class(py, kind) {
        Ok(class) => PyErr::from_type(class, (message,)),
        Err(error) => error,
    }
}

/// Refuses to load beside classes that do not agree with the core.
pub(crate) fn check_classes(py: Python<'_>) -> PyResult<()> {
    for kind in ErrorKind::ALL {
        let class = class(py, kind)?;
        let code: String = class.getattr("code")?.extract()?;
        let retryable: bool = class.getattr("retryable")?.extract()?;
        if (code.as_str(), retryable) != (kind.code(), kind.retryable()) {
            let name = class_name(kind);
            return Err(PyImportError::new_err(format!("leafmint.errors.{name} is of another version than leafmint._core")));
        }
    }
    Ok(())
}
