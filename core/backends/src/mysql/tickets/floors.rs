//! The highest tickets, which every server stores of all: one that was restored would draw its tickets again.

use super::rows::{note_floor, read_floors};
use super::tasks::gather;
use super::ticket_servers::TicketServers;
use super::tickets_seen::Reading;
use std::sync::Arc;
use std::time::Instant;

impl TicketServers {
    /// Reads what all servers know of the tickets of a tag, unless that was done a moment ago.
    pub(super) async fn read_floors(self: &Arc<Self>, tag: &str) {
        let Some(reading) = self.seen.begin_floors(tag, Instant::now()) else { return };
        let tag: Arc<str> = tag.into();
        let known: Vec<usize> = self.order();
        let answers = self.on_each(known, |fleet, at| {
            let tag = tag.clone();
            async move {
                // A server that does not say is left: it is read when it is back.
                let floors = fleet.on(&fleet.servers[at], |session, _| Box::pin(read_floors(session, &tag))).await;
                fleet.note_floors(&tag, &floors.unwrap_or_default());
            }
        });
        // All that serve: one of them may know that another was restored. Later, those that answer soon.
        gather(answers, || reading == Reading::Again).await;
    }

    fn note_floors(&self, tag: &str, floors: &[(i64, i64)]) {
        for (offset, ticket) in floors {
            self.seen.note_floor(tag, *offset, *ticket);
        }
    }

    /// Stores a ticket on all servers, in the background: each knows what the others have drawn.
    pub(super) fn store_floor(self: &Arc<Self>, tag: &str, offset: i64, ticket: i64) {
        let tag: Arc<str> = tag.into();
        drop(self.on_each(self.order(), |fleet, at| {
            let tag = tag.clone();
            async move {
                // Another ticket will be stored later.
                let note =
                    fleet.on(&fleet.servers[at], |session, _| Box::pin(note_floor(session, &tag, offset, ticket)));
                let _ = note.await;
            }
        }));
    }
}
