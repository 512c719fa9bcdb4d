//! Runs work in the background, to its end.

use super::holder_state::HolderState;
use crate::answer::Answer;
use crate::background::Task;
use crate::error::Result;
use std::future::Future;
use std::sync::Arc;

impl HolderState {
    /// Runs work in the background: it comes to its end even if the caller stops waiting for it.
    pub(super) fn detached<'a, T, W>(self: &Arc<Self>, work: impl FnOnce(Arc<Self>) -> W) -> Answer<'a, T>
    where
        T: Send + 'static,
        W: Future<Output = Result<T>> + Send + 'static,
    {
        let (timeline, work) = (self.timeline.clone(), work(self.clone()));
        Box::pin(async move { Task::spawn(&*timeline, work)?.await })
    }
}
