//! The set-up of ticket servers: what each draws is pinned in its database, and made known to the others.

use super::names::OWN_TABLES;
use super::pin::{ConfiguredServer, Pin, check_configured, invalid};
use super::rows::{create_tag, list_tags, read_members, read_server, store_pin};
use super::ticket_servers::TicketServers;
use crate::mysql::Session;
use crate::sessions::Work;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// Maximum number of lost races against the set-up by another process.
const MOST_TURNS: u32 = 5;

impl TicketServers {
    /// Creates the tables, pins what each server draws, and creates the tags on servers that lack them. All servers
    /// must answer.
    ///
    /// `block` is the number of ids that a ticket leases, if no server has it pinned yet.
    pub(super) async fn set_up(self: &std::sync::Arc<Self>, block: i64) -> Result<()> {
        for at in 0..self.servers.len() {
            for sql in OWN_TABLES {
                self.at(at, |session, _| Box::pin(session.run(sql, &[]))).await?;
            }
        }
        for _ in 0..MOST_TURNS {
            if self.pin_all(block).await? {
                self.copy_tags().await?;
                self.servers.iter().for_each(|server| server.forget_failure());
                return self.meet().await;
            }
        }
        let text = format!("{}: other processes set the servers up at the same time: try again", self.scope);
        Err(Error::new(ErrorKind::StoreUnavailable, text))
    }

    /// Does work on a server that must answer.
    pub(super) async fn at<'env, T: Send>(&self, at: usize, work: impl Work<'env, Session, T>) -> Result<T> {
        let server = &self.servers[at];
        server.run(work).await.map_err(|error| {
            let text = format!("all ticket servers must answer for this; {} did not: {error}", server.name);
            error.saying(text)
        })
    }

    /// Pins what each server draws. Returns false if another process was faster.
    async fn pin_all(&self, block: i64) -> Result<bool> {
        let mut found = Vec::new();
        for at in 0..self.servers.len() {
            found.push(self.at(at, |session, _| Box::pin(read_server(session))).await?);
        }
        let pins = self.wanted(found, block)?;
        // In the order of their offsets, so that of two processes one comes first.
        let mut order: Vec<usize> = (0..pins.len()).collect();
        order.sort_by_key(|at| pins[*at].offset);
        for at in order {
            self.check_members(at, &pins).await?;
            self.at(at, |session, _| Box::pin(store_pin(session, &pins[at], true))).await?;
            let stored =
                self.at(at, |session, _| Box::pin(read_server(session))).await?.checked(&self.servers[at].name)?;
            if stored != pins[at] {
                return Ok(false);
            }
        }
        for at in 0..pins.len() {
            for other in pins.iter().filter(|other| other.offset != pins[at].offset) {
                self.at(at, |session, _| Box::pin(store_pin(session, other, false))).await?;
            }
        }
        Ok(true)
    }

    /// Returns what is to be pinned on each server. What is pinned already stays.
    fn wanted(&self, found: Vec<ConfiguredServer>, block: i64) -> Result<Vec<Pin>> {
        let known = found.iter().find_map(|found| found.pin.clone());
        let (space, block) = match known {
            Some(pin) => (pin.space, pin.block),
            None => (token()?, block),
        };
        let mut pins: Vec<Pin> = Vec::new();
        for (server, found) in self.servers.iter().zip(found) {
            check_configured(&server.name, found.increment, found.offset)?;
            let pin = match found.pin {
                Some(_) => found.checked(&server.name)?,
                None => Pin {
                    space: space.clone(),
                    server: token()?,
                    increment: found.increment,
                    offset: found.offset,
                    block,
                },
            };
            for (other, name) in pins.iter().zip(self.servers.iter().map(|server| &server.name)) {
                pin.check_beside(&server.name, other, name)?;
            }
            pins.push(pin);
        }
        Ok(pins)
    }

    /// Refuses a server whose offset another server has, which need not be in the URL: it may still draw, or has drawn.
    async fn check_members(&self, at: usize, pins: &[Pin]) -> Result<()> {
        let pin = &pins[at];
        for other in 0..pins.len() {
            let members = self.at(other, |session, _| Box::pin(read_members(session))).await?;
            let taken = members.iter().any(|(offset, server)| *offset == pin.offset && *server != pin.server);
            if taken {
                // Another set-up may have pinned this server meanwhile.
                let now = self.at(at, |session, _| Box::pin(read_server(session))).await?.pin;
                if now.is_some_and(|now| now.server != pin.server) {
                    return Ok(());
                }
                return Err(invalid(format!(
                    "the ticket server {} is new, or has lost its data, but auto_increment_offset={} belongs to a server that \
                     {} knows: its tickets would be drawn again; set another offset on this server, from 1 to {}",
                    self.servers[at].name, pin.offset, self.servers[other].name, pin.increment
                )));
            }
        }
        Ok(())
    }

    /// Creates each tag on every server that lacks it, where it begins above what the others have drawn.
    async fn copy_tags(&self) -> Result<()> {
        let mut tags: BTreeMap<String, (i64, Option<String>)> = BTreeMap::new();
        let mut by_server = Vec::new();
        for at in 0..self.servers.len() {
            let listed = self.at(at, |session, _| Box::pin(list_tags(session))).await?;
            by_server.push(listed.iter().map(|tag| tag.biz_tag.clone()).collect::<Vec<_>>());
            for tag in listed {
                let (bits, _) = tags.entry(tag.biz_tag.clone()).or_insert((tag.gene_bits, tag.description));
                if *bits != tag.gene_bits {
                    return Err(leafmint_engine::store::tag_rules::other_gene_bits(&tag.biz_tag, *bits, tag.gene_bits));
                }
            }
        }
        for (at, has) in by_server.iter().enumerate() {
            for (tag, (gene_bits, description)) in tags.iter().filter(|(tag, _)| !has.contains(tag)) {
                let having: Vec<usize> = (0..by_server.len()).filter(|at| by_server[*at].contains(tag)).collect();
                let last = self.highest_last(tag, &having).await?;
                let description = description.as_deref();
                self.at(at, |session, _| Box::pin(create_tag(session, tag, *gene_bits, description, last))).await?;
            }
        }
        Ok(())
    }
}

/// Draws 128 random bits, as 32 hexadecimal digits.
fn token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        let text = format!("the system provides no random bits for the name of a ticket server: {error}");
        Error::new(ErrorKind::StoreUnavailable, text)
    })?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
