//! The tickets that a generator has seen, so that its ranges ascend and no server draws one again.

use leafmint_engine::sync::Mutex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The highest tickets of a tag are stored and read no more often than this.
const STORED_AGAIN: Duration = Duration::from_secs(10);

/// The highest tickets of each tag, by the offset of the server that drew them: a host name may lead to another server
/// later.
#[derive(Default)]
pub(super) struct Seen {
    tags: Mutex<HashMap<String, OfTag>>,
}

#[derive(Clone, Default)]
struct OfTag {
    /// Drawn for this generator.
    own: HashMap<i64, i64>,
    /// Known to the databases of the servers.
    floors: HashMap<i64, i64>,
    /// When the floors were last read; `None` if they are to be read by all means.
    read: Option<Instant>,
    /// When the last ticket of a server was stored.
    stored: HashMap<i64, Instant>,
}

/// Whether floors are read for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    First,
    Again,
}

impl Seen {
    fn with<T>(&self, tag: &str, work: impl FnOnce(&mut OfTag) -> T) -> T {
        let mut tags = self.tags.lock();
        if !tags.contains_key(tag) {
            tags.insert(tag.to_owned(), OfTag::default());
        }
        work(tags.get_mut(tag).expect("it was inserted"))
    }

    /// Returns a ticket that the server with this offset has drawn, or 1, and a ticket of another server that the next
    /// must be above, or 0 if this server drew the highest.
    pub(super) fn bounds(&self, tag: &str, offset: i64) -> (i64, i64) {
        self.with(tag, |seen| {
            let own = seen.own.get(&offset).copied().unwrap_or(0);
            let highest = seen.own.values().copied().max().unwrap_or(0);
            let floor = seen.floors.get(&offset).copied().unwrap_or(0);
            (own.max(floor).max(1), if highest > own { highest } else { 0 })
        })
    }

    /// Records a ticket. Returns false if a higher one is known: ranges would not ascend.
    pub(super) fn note(&self, tag: &str, offset: i64, ticket: i64) -> bool {
        self.with(tag, |seen| {
            let ascends = seen.own.values().all(|known| *known < ticket);
            let own = seen.own.entry(offset).or_default();
            *own = ticket.max(*own);
            ascends
        })
    }

    /// Returns whether nothing was drawn of a tag from the server with this offset yet.
    pub(super) fn is_first(&self, tag: &str, offset: i64) -> bool {
        self.with(tag, |seen| !seen.own.contains_key(&offset))
    }

    pub(super) fn note_floor(&self, tag: &str, offset: i64, ticket: i64) {
        self.with(tag, |seen| {
            let floor = seen.floors.entry(offset).or_default();
            *floor = ticket.max(*floor);
        });
    }

    /// Lets the floors of all tags be read again: a server is back, perhaps with other data.
    pub(super) fn forget_floors(&self) {
        self.tags.lock().values_mut().for_each(|seen| seen.read = None);
    }

    /// Returns whether the floors of a tag are to be read now, and records that they are. They are due again after a
    /// while: a server may have been restored while this process drew nothing.
    pub(super) fn begin_floors(&self, tag: &str, now: Instant) -> Option<Reading> {
        self.with(tag, |seen| {
            let reading = match seen.read {
                None => Reading::First,
                Some(read) if now.saturating_duration_since(read) >= STORED_AGAIN => Reading::Again,
                Some(_) => return None,
            };
            seen.read = Some(now);
            Some(reading)
        })
    }

    /// Forgets a tag of which nothing was drawn.
    pub(super) fn forget(&self, tag: &str) {
        let mut tags = self.tags.lock();
        if tags.get(tag).is_some_and(|seen| seen.own.is_empty()) {
            tags.remove(tag);
        }
    }

    /// Returns whether a ticket of the server with this offset is to be stored now, and records that it is.
    pub(super) fn is_to_be_stored(&self, tag: &str, offset: i64, now: Instant) -> bool {
        self.with(tag, |seen| {
            let stored = seen.stored.get(&offset);
            let is_due = stored.is_none_or(|stored| now.saturating_duration_since(*stored) >= STORED_AGAIN);
            if is_due {
                seen.stored.insert(offset, now);
            }
            is_due
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_behind_is_lifted_above_the_highest_ticket_of_another() {
        let seen = Seen::default();
        assert_eq!(seen.bounds("order", 1), (1, 0));
        assert!(seen.note("order", 1, 1001));
        assert_eq!(seen.bounds("order", 1), (1001, 0));
        assert_eq!(seen.bounds("order", 2), (1, 1001));
        assert!(!seen.note("order", 2, 12), "it is passed over");
        assert_eq!(seen.bounds("order", 2), (12, 1001));
        assert!(seen.note("order", 2, 1002));
        assert_eq!(seen.bounds("invoice", 2), (1, 0), "another tag");
    }

    #[test]
    fn a_floor_holds_for_its_server_and_lifts_no_other() {
        let seen = Seen::default();
        seen.note_floor("order", 1, 501);
        assert_eq!((seen.bounds("order", 1), seen.bounds("order", 2)), ((501, 0), (1, 0)));
    }

    #[test]
    fn a_ticket_of_each_server_is_stored_after_a_while() {
        let (seen, begun) = (Seen::default(), Instant::now());
        for (offset, after, is_due) in [(1, 0, true), (1, 1, false), (2, 1, true), (2, 10, false), (1, 10, true)] {
            let now = begun + Duration::from_secs(after);
            assert_eq!(seen.is_to_be_stored("order", offset, now), is_due, "server {offset} after {after} s");
        }
    }

    #[test]
    fn floors_are_read_again_after_a_while_and_by_all_means_if_a_server_is_back() {
        let (seen, begun) = (Seen::default(), Instant::now());
        assert_eq!(seen.begin_floors("order", begun), Some(Reading::First));
        assert_eq!(seen.begin_floors("order", begun + STORED_AGAIN / 2), None);
        assert_eq!(seen.begin_floors("order", begun + STORED_AGAIN), Some(Reading::Again));
        assert_eq!(seen.begin_floors("order", begun + STORED_AGAIN), None);
        seen.forget_floors();
        assert_eq!(seen.begin_floors("order", begun + STORED_AGAIN), Some(Reading::First));
    }

    #[test]
    fn a_tag_is_forgotten_if_nothing_was_drawn_of_it() {
        let seen = Seen::default();
        seen.note("order", 1, 1001);
        seen.begin_floors("missing", Instant::now());
        seen.forget("order");
        seen.forget("missing");
        assert_eq!(seen.tags.lock().keys().collect::<Vec<_>>(), ["order"]);
    }
}
