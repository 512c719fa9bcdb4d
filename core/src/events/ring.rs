//! The events that the binding has not taken yet.

use super::event::Event;
use super::kind::EventKind;
use std::collections::VecDeque;

/// Most events kept; beyond that the oldest are dropped.
const ROOM: usize = 256;

/// A bounded queue.
pub(super) struct Ring {
    events: VecDeque<Event>,
    dropped: u64,
}

impl Ring {
    pub(super) const fn new() -> Self {
        Self { events: VecDeque::new(), dropped: 0 }
    }

    pub(super) fn push(&mut self, event: Event) {
        if self.events.len() == ROOM {
            self.events.pop_front();
            self.dropped += 1;
        }
        self.events.push_back(event);
    }

    /// Takes all events, the oldest first; an event that counts the dropped ones precedes them.
    pub(super) fn take(&mut self) -> Vec<Event> {
        let dropped = std::mem::take(&mut self.dropped);
        let report = (dropped > 0).then(|| {
            let text = format!("{dropped} older events were dropped: they were not taken in time");
            Event { kind: EventKind::EventsDropped, text }
        });
        report.into_iter().chain(self.events.drain(..)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_dropped_and_counted() {
        let mut ring = Ring::new();
        for number in 0..258 {
            ring.push(Event { kind: EventKind::RefillFailed, text: number.to_string() });
        }
        let taken = ring.take();
        assert_eq!(taken.len(), 257);
        assert_eq!(taken[0].kind, EventKind::EventsDropped);
        assert!(taken[0].text.starts_with("2 older"));
        assert_eq!((taken[1].text.as_str(), taken[256].text.as_str()), ("2", "257"));
        assert!(ring.take().is_empty());
    }
}
