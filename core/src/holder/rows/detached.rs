//! Runs work on leafmint's own runtime, to its end.

use crate::answer::Answer;
use crate::background::runtime;
use crate::error::{Error, ErrorKind, Result};
use std::future::Future;
use tokio::task::JoinError;

/// Runs work on leafmint's own runtime: it comes to its end even if the caller stops waiting for it.
pub(super) fn detached<'a, T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Answer<'a, T> {
    Box::pin(async move { joined(runtime()?.spawn(work).await) })
}

/// Turns a task that ended early into an error.
pub(super) fn joined<T>(ended: std::result::Result<Result<T>, JoinError>) -> Result<T> {
    ended.unwrap_or_else(|error| {
        Err(Error::new(ErrorKind::StoreUnavailable, format!("the background task ended early: {error}")))
    })
}
