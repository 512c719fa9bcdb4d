//! Work that a call waits for until its timeout.

use crate::error::{Error, ErrorKind, Result};
use crate::panics::caught;
use std::future::Future;
use std::time::Duration;

/// Waits for work of a store or a holder, for at most `timeout`. The work itself continues to its own end: if it were
/// cut off in the middle of a statement, its session would be left waiting.
pub(crate) async fn in_time<T: Send + 'static>(
    call: &'static str,
    timeout: Duration,
    scope: String,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::time::timeout(timeout, tokio::spawn(caught(work))).await {
        Ok(Ok(answer)) => answer,
        _ => {
            let text =
                format!("no answer to {call} within timeout={timeout:?} from {scope}; it may still be carried out");
            Err(Error::new(ErrorKind::StoreUnavailable, text))
        }
    }
}
