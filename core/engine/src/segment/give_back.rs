//! Unused ids that go back to the store.

use super::supply::Density;
use super::tag::Tag;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use leafmint_ids::error::ErrorKind;
use std::ops::Range;
use std::time::Duration;

/// Pauses before numbers of a series that others leased after are offered again: processes that close together give
/// their numbers back one after another, from the last one on.
const PAUSES: [Duration; 3] = [Duration::from_millis(20), Duration::from_millis(60), Duration::from_millis(180)];

/// The unused ids of a tag, which this process never touches again, unless it leases them again.
pub(super) struct Unused<'a> {
    tag: &'a Tag,
    /// Ascending. None follows on another.
    ranges: Vec<Range<i64>>,
}

/// What became of the offer of a range.
enum Offered {
    Taken,
    /// Another process leased after it.
    NotLast,
    /// Nothing else is offered. The store may not be reachable.
    Failed {
        is_reachable: bool,
    },
}

impl<'a> Unused<'a> {
    pub(super) fn new(tag: &'a Tag, ranges: Vec<Range<i64>>) -> Self {
        Self { tag, ranges }
    }

    /// Gives ranges back, from the last one on, until another process leased after one. Returns false if the store
    /// cannot be reached.
    pub(super) async fn give_back(&mut self) -> bool {
        while let Some(last) = self.ranges.last() {
            match self.offer(last.clone()).await {
                Offered::Taken => drop(self.ranges.pop()),
                Offered::NotLast => return true,
                Offered::Failed { is_reachable } => {
                    // The answer may be lost, and a range is never offered again after that.
                    self.ranges.clear();
                    return is_reachable;
                }
            }
        }
        true
    }

    async fn offer(&self, range: Range<i64>) -> Offered {
        let (store, count) = (&self.tag.shared.store, range.end - range.start);
        match store.give_back(&self.tag.name, range).await {
            Ok(true) => {
                self.tag.refill.lock().given_back += count;
                Offered::Taken
            }
            Ok(false) => Offered::NotLast,
            Err(error) => {
                let name = &self.tag.name;
                let text =
                    format_args!("{count} unused ids of tag {name:?} could not be given back and are lost: {error}");
                events::emit_failure(EventKind::GiveBackFailed, &store.scope(), name, &error, text);
                Offered::Failed { is_reachable: error.kind() != ErrorKind::StoreUnavailable }
            }
        }
    }

    /// Returns whether it is worth to offer the rest again.
    fn is_offered_again(&self) -> bool {
        self.tag.density() == Density::Numbers && !self.ranges.is_empty()
    }
}

/// Gives back what is left of these tags, and offers numbers of series several times. Ends once the store cannot be
/// reached.
pub(super) async fn give_all_back(mut all: Vec<Unused<'_>>) {
    for pause in [Duration::ZERO].into_iter().chain(PAUSES) {
        if let Some(first) = all.first().filter(|_| !pause.is_zero()) {
            first.tag.shared.timeline.sleep(pause).await;
        }
        for unused in &mut all {
            if !unused.give_back().await {
                // There is no point in trying the other tags.
                return;
            }
        }
        all.retain(Unused::is_offered_again);
    }
}
