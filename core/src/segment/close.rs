//! The clean close: what was leased and never used goes back, where nobody leased after us.

use super::generator::Shared;
use super::tag::Tag;
use crate::error::ErrorKind;
use crate::events::{self, EventKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a close waits for leases in flight, so that they can go back too.
const FLIGHT_WAIT: Duration = Duration::from_secs(1);

/// Gives back the unused tails of tags that are shut, within the generator's timeout.
///
/// What is sent by then goes on to its own end, without anybody who waits for it.
pub(super) async fn close(shared: Arc<Shared>, tags: Vec<Arc<Tag>>) {
    let began = Instant::now();
    let deadline = shared.behaviour.timeout.max(Duration::from_millis(100));
    for tag in &tags {
        while tag.refill.lock().in_flight && began.elapsed() < FLIGHT_WAIT.min(deadline) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    let ending = tokio::spawn(async move {
        for tag in &tags {
            if !give_back(&shared, tag).await {
                break;
            }
        }
        let _ = shared.store.close().await;
    });
    let left = deadline.saturating_sub(began.elapsed());
    let _ = tokio::time::timeout(left, ending).await;
}

/// Sends the unused tail back, at most once. Returns false where the store cannot be reached, so that there is no use in going on.
async fn give_back(shared: &Shared, tag: &Tag) -> bool {
    // From here on these numbers are dead to us, whatever becomes of the statement.
    let Some(tail) = tag.buffer.unused_tail() else { return true };
    let count = tail.end - tail.start;
    match shared.store.give_back(&tag.name, tail).await {
        Ok(true) => tag.refill.lock().given_back = count,
        Ok(false) => {}
        Err(error) => {
            let text = format_args!("{count} unused ids of biz_tag {:?} could not be given back and are lost: {error}", tag.name);
            events::emit_in(EventKind::GiveBackFailed, &shared.store.scope(), &tag.name, text);
            return error.kind() != ErrorKind::StoreUnavailable;
        }
    }
    true
}
