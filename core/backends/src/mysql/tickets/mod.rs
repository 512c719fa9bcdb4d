//! Flickr's ticket servers: two or more independent MySQL or MariaDB servers, which know nothing of one another.
//!
//! Each draws numbers of its own, tickets, from an `AUTO_INCREMENT` column: `auto_increment_increment` and
//! `auto_increment_offset` keep them apart. Ticket t leases the block `[t * B, (t + 1) * B)`, where B is fixed in the
//! databases.

mod admission;
mod draw;
mod floors;
mod names;
mod pin;
mod reports;
mod rows;
mod server;
mod setup;
mod tags;
mod tasks;
mod ticket_servers;
mod tickets_seen;

use crate::sessions::DatabaseSettings;
use leafmint_engine::answer::Answer;
use leafmint_engine::store::tag_rules::unknown_tag;
use leafmint_engine::store::{Checked, NewTagOptions, SegmentCheck, SegmentStore, TagChange, TagInfo};
use leafmint_ids::error::{Error, ErrorKind, Result};
pub(crate) use names::OWN_TABLES;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use ticket_servers::{Leased, TicketServers};

/// Segments from ticket servers.
struct TicketStore {
    settings: DatabaseSettings,
    auto_create: bool,
    /// The number of ids of a ticket, if `init_schema` is the first to fix it.
    block: i64,
    servers: Arc<TicketServers>,
}

/// Returns the store over ticket servers, without connecting to them. Each host of the settings is one of them.
///
/// Scope: everyone on those servers. `block` is the number of ids that a ticket leases, if the databases do not say so
/// yet. Needs `SELECT`, `INSERT` and `DELETE` on the ticket tables, `SELECT`, `INSERT` and `UPDATE` on leafmint's own,
/// and `CREATE` for `init_schema` and `create_tag`. With `auto_create` both are called on first use.
pub fn over_tickets(settings: DatabaseSettings, block: i64, auto_create: bool) -> Arc<dyn SegmentStore> {
    let servers = Arc::new(TicketServers::new(&settings));
    Arc::new(TicketStore { settings, auto_create, block, servers })
}

impl TicketStore {
    /// Makes the servers known, and sets them up if they are new and that was asked for.
    async fn meet(&self) -> Result<()> {
        match self.servers.meet().await {
            Err(_) if self.auto_create && self.servers.is_new() => self.servers.set_up(self.block).await,
            answer => answer,
        }
    }

    async fn leased(&self, tag: &str, gene_bits: Option<i64>) -> Result<Leased> {
        self.meet().await?;
        self.servers.lease(tag, gene_bits).await.map_err(|error| self.named(tag, error))
    }

    /// Names all servers in the error of a tag that none of them has.
    fn named(&self, tag: &str, error: Error) -> Error {
        if error.kind() == ErrorKind::UnknownTag { unknown_tag(tag, &self.servers.scope) } else { error }
    }

    /// Returns the gene bits of a tag.
    async fn genes(&self, tag: &str) -> Result<i64> {
        self.meet().await?;
        self.servers.genes(tag).await.map_err(|error| self.named(tag, error))
    }
}

impl SegmentStore for TicketStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        Box::pin(async move {
            self.genes(tag).await?;
            self.servers.block()
        })
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        Box::pin(async move {
            match self.genes(tag).await {
                Err(error) if error.kind() == ErrorKind::UnknownTag => Ok(Some(0)),
                answer => answer.map(Some),
            }
        })
    }

    /// Leases one block, whatever `step` is.
    fn lease<'a>(&'a self, tag: &'a str, _step: i64) -> Answer<'a, Vec<Range<i64>>> {
        Box::pin(async move { Ok(vec![self.leased(tag, None).await?.range]) })
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, _amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let sent = Instant::now();
            let Leased { range, block } = self.leased(tag, Some(gene_bits)).await?;
            Ok(Checked { ranges: vec![range], step: block, round_trip: sent.elapsed(), other_name: None })
        })
    }

    fn longest_run(&self, _tag: &str, step: i64) -> i64 {
        step
    }

    /// Gives nothing back: a ticket is drawn once.
    fn give_back<'a>(&'a self, _tag: &'a str, _tail: Range<i64>) -> Answer<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        Box::pin(async move {
            self.meet().await?;
            self.servers.meet_all().await?;
            self.servers.create_tag(tag, new, self.block).await
        })
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        Box::pin(async {
            match self.servers.meet().await {
                Err(_) if self.auto_create && self.servers.is_new() => Ok(Vec::new()),
                Err(error) => Err(error),
                Ok(()) => self.servers.list_tags().await,
            }
        })
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        Box::pin(async move {
            self.servers.meet_all().await?;
            self.servers.set_tag(change).await
        })
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        Box::pin(async move {
            self.servers.meet_all().await?;
            self.servers.raise_tag(tag, max_id).await
        })
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        Box::pin(async {
            match self.servers.meet().await {
                Err(_) if self.auto_create && self.servers.is_new() => {
                    Ok(SegmentCheck { is_new: true, creates_tags: true, ..SegmentCheck::default() })
                }
                Err(error) => Err(error),
                Ok(()) => self.servers.check().await,
            }
        })
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(self.servers.set_up(self.block))
    }

    fn scope(&self) -> String {
        self.servers.scope.clone()
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            for server in &self.servers.servers {
                server.close().await;
            }
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        over_tickets(self.settings.clone(), self.block, self.auto_create)
    }
}
