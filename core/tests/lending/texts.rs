//! Lenders over drivers of this process that run one text at a time, as the drivers of an application do.

use crate::stores::runtime;
use leafmint_backends::borrowed::{Blocking, BlockingConnection, Connected, DriverError, Ran};
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// A driver that runs texts.
pub(super) trait Texts: Sized + Send + 'static {
    /// Begins a transaction.
    const BEGIN: &str;

    async fn connect(url: &str) -> Result<(Self, Connected), DriverError>;

    async fn run(&mut self, statement: &str) -> Result<Ran, DriverError>;
}

/// What connects to the server of a URL.
pub(super) struct Source<T> {
    pub(super) url: String,
    name: String,
    driver: std::marker::PhantomData<fn() -> T>,
}

impl<T: Texts> Source<T> {
    pub(super) fn new(url: &str) -> Self {
        let name = format!("the test's driver ({})", url.split('@').next_back().unwrap());
        Self { url: url.to_owned(), name, driver: std::marker::PhantomData }
    }
}

impl<T: Texts> Blocking for Source<T> {
    type Connection = Connection<T>;

    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> Result<(Connection<T>, Connected), DriverError> {
        let runtime = runtime();
        let (driver, connected) = runtime.block_on(T::connect(&self.url))?;
        Ok((Connection { driver, runtime, is_cut: Arc::default() }, connected))
    }
}

/// One connection, in autocommit mode.
pub(super) struct Connection<T> {
    driver: T,
    runtime: Runtime,
    is_cut: Arc<Notify>,
}

impl<T: Texts> Connection<T> {
    fn one(&mut self, statement: &str) -> Result<Ran, DriverError> {
        self.runtime.block_on(async {
            tokio::select! {
                () = self.is_cut.notified() => Err(DriverError::lost("cut")),
                ran = self.driver.run(statement) => ran,
            }
        })
    }
}

impl<T: Texts> BlockingConnection for Connection<T> {
    fn run(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        let mut results = Vec::new();
        for statement in statements {
            let result = self.one(statement);
            let is_failed = result.is_err();
            results.push(result);
            if is_failed {
                break;
            }
        }
        results
    }

    fn run_together(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        if let Err(error) = self.one(T::BEGIN) {
            return vec![Err(error)];
        }
        let mut results = self.run(statements);
        match results.last() {
            Some(Err(error)) if error.is_lost => {}
            Some(Err(_)) => {
                let _ = self.one("ROLLBACK");
            }
            _ => results.extend(self.one("COMMIT").err().map(Err)),
        }
        results
    }

    fn end(self) {}

    fn cutter(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        let is_cut = self.is_cut.clone();
        Some(Box::new(move || is_cut.notify_one()))
    }
}

/// Describes a text that holds several statements, which the drivers of applications refuse.
pub(super) fn several(statement: &str) -> DriverError {
    DriverError { text: format!("more than one statement: {statement}"), ..DriverError::default() }
}
