//! Answers that come from other threads.

use super::runtime::{Drive, driven};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Where the answer to one question goes, from any thread. Dropped without one, it tells who waits.
pub struct Reply<T> {
    sender: Option<oneshot::Sender<T>>,
    drive: Option<Arc<Drive>>,
}

/// Makes a reply, and what waits for it.
pub fn reply<T>() -> (Reply<T>, oneshot::Receiver<T>) {
    let (sender, answer) = oneshot::channel();
    (Reply { sender: Some(sender), drive: driven() }, answer)
}

impl<T> Reply<T> {
    /// Sends the answer, unless the caller has stopped waiting.
    pub fn send(mut self, answer: T) {
        if let Some(sender) = self.sender.take() {
            Drive::wake_on(self.drive.as_deref(), || drop(sender.send(answer)));
        }
    }

    /// Returns whether the caller has stopped waiting.
    pub fn is_closed(&self) -> bool {
        self.sender.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        let sender = self.sender.take();
        Drive::wake_on(self.drive.as_deref(), || drop(sender));
    }
}
