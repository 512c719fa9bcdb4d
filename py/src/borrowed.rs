//! Connections that the application makes: an SQLAlchemy engine's, Django's.
//!
//! `leafmint._internal.borrowed` opens them and runs statements, and raises nothing. Each is used on a native thread of
//! its own, which attaches to the interpreter for a call.

use crate::arguments;
use crate::native_thread::{self, call_or_hang};
use leafmint::binding::borrowed::{Blocking, BlockingConnection, Connected, DriverError, Lender, OnThreads, Ran};
use leafmint::config::Database;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{BorrowedFd, RawFd};
use std::sync::Arc;

/// Returns the lender of what a generator is opened from; `None` if it is no way to connect, but a URL.
pub(crate) fn lender(value: &Bound<'_, PyAny>) -> PyResult<Option<Arc<dyn Lender>>> {
    if value.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let lent = value.py().import("leafmint._internal.borrowed")?.call_method1("lend", (value,))?;
    if lent.is_none() {
        return Ok(None);
    }
    let name = lent.getattr("name")?.cast::<PyString>()?.to_string_lossy().into_owned();
    Ok(Some(Arc::new(OnThreads::new(Source { name, lent: lent.unbind() }))))
}

/// A database that is given by a URL, or by what connects to it.
pub(crate) struct Given {
    url: String,
    lender: Option<Arc<dyn Lender>>,
}

impl Given {
    /// Reads what is given.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let lender = lender(value)?;
        let url = if lender.is_some() { String::new() } else { arguments::url(value)? };
        Ok(Self { url, lender })
    }

    pub(crate) fn database(&self) -> Database<'_> {
        self.lender.clone().map_or(Database::Url(&self.url), Database::Lent)
    }
}

struct Source {
    name: String,
    lent: Py<PyAny>,
}

impl Blocking for Source {
    type Connection = Connection;

    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> Result<(Connection, Connected), DriverError> {
        on_interpreter(|py| {
            let opened = call(self.lent.bind(py), "connect", PyTuple::empty(py))?;
            if let Some(error) = driver_error(&opened)? {
                return Ok(Err(error));
            }
            let text = |name: &str| Ok::<_, PyErr>(opened.getattr(name)?.cast::<PyString>()?.to_string_lossy().into());
            let is_shared = opened.getattr("is_shared")?.extract()?;
            let connected = Connected { product: text("product")?, version: text("version")?, is_shared };
            let socket = opened.getattr("descriptor")?.extract::<Option<RawFd>>()?.and_then(copy);
            Ok(Ok((Connection { opened: Some(Arc::new(opened.unbind())), socket: socket.map(Arc::new) }, connected)))
        })
    }
}

struct Connection {
    /// `None` once it has ended.
    opened: Option<Arc<Py<PyAny>>>,
    /// A descriptor of our own, which is valid for as long as another thread may cut the connection.
    socket: Option<Arc<TcpStream>>,
}

/// Copies the descriptor of a socket, of whatever kind: all that is done with it is to shut it down.
fn copy(descriptor: RawFd) -> Option<TcpStream> {
    if descriptor < 0 {
        return None;
    }
    // SAFETY: the driver has just opened the descriptor, and nothing else uses the connection yet.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    descriptor.try_clone_to_owned().ok().map(TcpStream::from)
}

impl Connection {
    fn run_all(&self, statements: &[String], together: bool) -> Vec<Result<Ran, DriverError>> {
        let Some(connection) = &self.opened else { return vec![Err(DriverError::lost("the connection is closed"))] };
        let ran = on_interpreter(|py| {
            let arguments = (statements, together).into_pyobject(py)?;
            let results = call(connection.bind(py), "run", arguments)?;
            Ok(Ok(results.try_iter()?.map(|result| ran(&result?)).collect::<PyResult<Vec<_>>>()?))
        });
        ran.unwrap_or_else(|error| vec![Err(error)])
    }

    fn finish(&mut self, method: &str) {
        if let Some(connection) = self.opened.take() {
            finish(&connection, method);
        }
    }
}

impl BlockingConnection for Connection {
    fn run(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        self.run_all(statements, false)
    }

    fn run_together(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        self.run_all(statements, true)
    }

    fn end(mut self) {
        self.finish("end");
    }

    fn cutter(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        if let Some(socket) = self.socket.clone() {
            return Some(Box::new(move || drop(socket.shutdown(Shutdown::Both))));
        }
        let connection = self.opened.clone()?;
        Some(Box::new(move || finish(&connection, "cut")))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.finish("drop");
    }
}

/// Attaches this thread for calls that may block. Python's side raises nothing, so an exception is ours.
fn on_interpreter<T>(work: impl FnOnce(Python<'_>) -> PyResult<Result<T, DriverError>>) -> Result<T, DriverError> {
    let done = native_thread::call(|py| {
        work(py).unwrap_or_else(|error| Err(DriverError::lost(error.get_type(py).to_string())))
    });
    done.unwrap_or_else(|| Err(DriverError::lost("the interpreter is exiting")))
}

/// Calls a method whose outcome no call waits for.
fn finish(connection: &Py<PyAny>, method: &str) {
    let _ = on_interpreter(|py| Ok(Ok(call(connection.bind(py), method, PyTuple::empty(py)).map(drop)?)));
}

fn call<'py>(object: &Bound<'py, PyAny>, method: &str, arguments: Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    call_or_hang(&object.getattr(method)?, &arguments)
}

/// Reads the result of a statement: an error, a number of changed rows, or rows.
fn ran(result: &Bound<'_, PyAny>) -> PyResult<Result<Ran, DriverError>> {
    if let Some(error) = driver_error(result)? {
        return Ok(Err(error));
    }
    if let Ok(changed) = result.extract() {
        return Ok(Ok(Ran::Changed(changed)));
    }
    Ok(Ok(Ran::Rows(result.extract()?)))
}

/// Reads an error: a tuple of the server's number, the SQLSTATE, the text, and whether the connection is lost.
fn driver_error(result: &Bound<'_, PyAny>) -> PyResult<Option<DriverError>> {
    let Ok(error) = result.cast::<PyTuple>() else { return Ok(None) };
    let (number, state, text, is_lost) = error.extract::<(_, _, Bound<'_, PyString>, _)>()?;
    Ok(Some(DriverError { number, state, text: text.to_string_lossy().into_owned(), is_lost }))
}
