//! What ticket servers report as events: ids that are passed over, and servers that do not serve a tag.

use super::draw::DrawnTicket;
use super::pin::Pin;
use super::ticket_servers::TicketServers;
use leafmint_engine::runtime::events;
use leafmint_engine::runtime::events::EventKind;
use leafmint_ids::error::{Error, ErrorKind};
use std::sync::atomic::Ordering;

impl TicketServers {
    /// Reports what keeps a server from serving one tag, although another one serves it.
    pub(super) fn report_refusals(&self, tag: &str, errors: &[Error]) {
        for error in errors.iter().filter(|error| !error.kind().retryable()) {
            let is_regress = error.kind() == ErrorKind::StoreRegressed;
            let kind = if is_regress { EventKind::StoreRegressed } else { EventKind::TicketServerAway };
            let text = format_args!("another ticket server serves tag {tag:?}: {error}");
            events::emit_failure(kind, &self.scope, tag, error, text);
        }
    }

    pub(super) fn report_skipped(&self, tag: &str, server: usize, pin: &Pin, drawn: &DrawnTicket) {
        if drawn.skipped > 0 {
            let ids = drawn.skipped.saturating_mul(pin.block);
            self.waste(tag, server, ids, "it was behind another server, and was lifted");
        }
    }

    /// Counts and reports ids that are handed out by no one.
    pub(super) fn waste(&self, tag: &str, server: usize, ids: i64, why: &str) {
        let all = self.wasted.fetch_add(ids, Ordering::Relaxed).saturating_add(ids);
        let text = format_args!(
            "{ids} ids of tag {tag:?} on the ticket server {} are passed over, {all} in all since the generator was \
             opened: {why}",
            self.servers[server].name
        );
        events::emit_in(EventKind::TicketsSkipped, &self.scope, tag, text);
    }
}
