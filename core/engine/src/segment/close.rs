//! The close of a generator: unused ids that no later lease follows on go back to the store.

use super::give_back::{self, Unused};
use super::lifecycle;
use super::shared::Shared;
use super::state::GeneratorState;
use super::tag::Tag;
use crate::runtime::background::{Pending, Task, within};
use leafmint_ids::error::Result;
use std::sync::Arc;
use std::time::Duration;

/// How long a close waits for leases in flight, so that they can be given back too.
const FLIGHT_WAIT: Duration = Duration::from_secs(1);

/// Ends all draws of a generator and begins to give its unused ids back. Does nothing if it is closed already.
pub(super) fn begin(state: &GeneratorState) -> Pending<()> {
    let Some(tags) = state.close() else { return Pending::done(()) };
    let shared = state.shared.clone();
    if !shared.timeline.is_started() {
        // Nothing was leased.
        lifecycle::closed(&shared, &tags, 0);
        return Pending::done(());
    }
    let timeline = shared.timeline.clone();
    Pending::ending(&*timeline, longest(&shared), async move {
        give_all_back(shared, tags).await;
        Ok(())
    })
}

/// Returns how long a close takes at most.
fn longest(shared: &Shared) -> Duration {
    shared.settings.timeout.max(Duration::from_millis(100))
}

impl Drop for GeneratorState {
    fn drop(&mut self) {
        drop(begin(self));
    }
}

/// Gives back the unused ids of tags that are closed, within the generator's timeout.
///
/// A statement that was sent by then goes on to its own end, but nothing waits for it.
async fn give_all_back(shared: Arc<Shared>, tags: Vec<Arc<Tag>>) {
    let timeline = &*shared.timeline;
    let began = timeline.now();
    let deadline = longest(&shared);
    for tag in &tags {
        while tag.refill.lock().progress.running && timeline.now() - began < FLIGHT_WAIT.min(deadline) {
            timeline.sleep(Duration::from_millis(1)).await;
        }
    }
    let unused = tags.iter().map(|tag| tag.stats().unused).sum();
    let left = deadline.saturating_sub(timeline.now() - began);
    if let Ok(ending) = Task::spawn(timeline, end(shared.clone(), tags.clone())) {
        within(timeline, left, ending).await;
    }
    lifecycle::closed(&shared, &tags, unused);
}

/// Gives the unused ids back until the store cannot be reached, and closes it.
async fn end(shared: Arc<Shared>, tags: Vec<Arc<Tag>>) -> Result<()> {
    give_back::give_all_back(tags.iter().map(|tag| Unused::new(tag, tag.buffer.unused())).collect()).await;
    shared.store.close().await
}
