//! Work for several servers at once.

use super::ticket_servers::{PATIENCE, TicketServers};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

impl TicketServers {
    /// Does work for some servers at once, each as a task of its own that goes on even if its caller has gone.
    pub(super) fn on_each<T, W>(
        self: &Arc<Self>,
        servers: Vec<usize>,
        work: impl Fn(Arc<Self>, usize) -> W,
    ) -> mpsc::UnboundedReceiver<(usize, T)>
    where
        T: Send + 'static,
        W: Future<Output = T> + Send + 'static,
    {
        let (sender, answers) = mpsc::unbounded_channel();
        for at in servers {
            let (work, sender) = (work(self.clone(), at), sender.clone());
            tokio::spawn(async move { drop(sender.send((at, work.await))) });
        }
        answers
    }
}

/// Waits for answers: for all that come soon, and for more while there is not enough.
pub(super) async fn gather<T>(mut answers: mpsc::UnboundedReceiver<T>, is_enough: impl Fn() -> bool) -> Vec<T> {
    let (mut gathered, began) = (Vec::new(), Instant::now());
    loop {
        let longest = if is_enough() { PATIENCE.saturating_sub(began.elapsed()) } else { Duration::MAX };
        match tokio::time::timeout(longest, answers.recv()).await {
            Ok(Some(answer)) => gathered.push(answer),
            Ok(None) | Err(_) => return gathered,
        }
    }
}
