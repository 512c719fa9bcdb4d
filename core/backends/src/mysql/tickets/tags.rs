//! The tags of ticket servers, each of which every server has.

use super::pin::Pin;
use super::rows::{
    check_server, create_tag, describe, last_ticket, lift, list_tags, note_floor, read_floors, read_tag, read_tags,
};
use super::ticket_servers::TicketServers;
use leafmint_engine::store::tag_rules::{USUAL_STEP, other_gene_bits, unknown_tag};
use leafmint_engine::store::{NewTagOptions, SegmentCheck, TagChange, TagInfo, check_step};
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::sync::Arc;

impl TicketServers {
    /// Creates a tag on every server that lacks it. Returns whether no server had it.
    ///
    /// Raises `invalid_argument` for a step that is neither the size of the blocks nor a default: the usual one, or the
    /// option `default_step`. Bindings send a default if the caller named no step.
    pub(super) async fn create_tag(&self, tag: &str, new: &NewTagOptions, default_step: i64) -> Result<bool> {
        let NewTagOptions { step, start, gene_bits, description } = new;
        let pins = self.all_pins()?;
        if ![USUAL_STEP, default_step].contains(step) {
            self.check_is_block(tag, *step)?;
        }
        // In the order of their offsets, so that of two processes one comes first, and the other takes over its bits.
        let mut order: Vec<usize> = (0..pins.len()).collect();
        order.sort_by_key(|at| pins[*at].offset);
        let (mut is_new, mut agreed, mut having) = (false, None, Vec::new());
        for at in &order {
            let stored = self.stored_bits(*at, tag).await?;
            having.extend(stored.map(|_| *at));
            agreed = agreed.or(stored);
        }
        if let Some(stored) = agreed.filter(|stored| *gene_bits != 0 && stored != gene_bits) {
            return Err(other_gene_bits(tag, stored, *gene_bits));
        }
        for at in order {
            let wanted = agreed.unwrap_or(*gene_bits);
            if self.stored_bits(at, tag).await?.is_none() {
                let begin = start.saturating_sub(1).max(0) / pins[at].block;
                let last = self.highest_last(tag, &having).await?.max(begin);
                let description = Some(description.as_str()).filter(|text| !text.is_empty());
                let create = self.at(at, |session, _| Box::pin(create_tag(session, tag, wanted, description, last)));
                let created = create.await?;
                is_new |= created && agreed.is_none();
            }
            let stored = self.stored_bits(at, tag).await?.ok_or_else(|| unknown_tag(tag, &self.scope))?;
            if stored != wanted && (*gene_bits != 0 || agreed.is_some()) {
                return Err(other_gene_bits(tag, stored, wanted));
            }
            agreed = Some(stored);
            having.push(at);
        }
        Ok(is_new)
    }

    /// Returns the highest last ticket of a tag on these servers. One that gets the tag later must begin above it: ids
    /// below the tag's start, or below what it was raised to, may be in use elsewhere.
    pub(super) async fn highest_last(&self, tag: &str, servers: &[usize]) -> Result<i64> {
        let mut highest = 0;
        for at in servers {
            highest = highest.max(self.at(*at, |session, _| Box::pin(last_ticket(session, tag))).await?);
        }
        Ok(highest)
    }

    /// Reads the gene bits of a tag from one server that must answer.
    async fn read_tag(&self, at: usize, tag: &str) -> Result<Result<i64>> {
        self.at(at, |session, _| Box::pin(read_tag(session, &self.servers[at].name, tag))).await
    }

    /// Reads the gene bits of a tag from one server; `None` if it lacks the tag.
    async fn stored_bits(&self, at: usize, tag: &str) -> Result<Option<i64>> {
        match self.read_tag(at, tag).await? {
            Err(error) if error.kind() == ErrorKind::UnknownTag => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// Lists the tags of the first server that answers, with the highest ticket of any that does.
    pub(super) async fn list_tags(self: &Arc<Self>) -> Result<Vec<TagInfo>> {
        let block = self.block()?;
        let listed = self.ask(|session, _| Box::pin(list_tags(session))).await?;
        let names: Vec<String> = listed.iter().map(|tag| tag.biz_tag.clone()).collect();
        let mut of_servers = Vec::new();
        for server in self.servers.iter().filter(|server| server.is_admitted()) {
            let found = server.run(|session, _| Box::pin(read_tags(session, &server.name, &names))).await;
            of_servers.push(found.unwrap_or_else(|error| vec![Err(error); names.len()]));
        }
        let mut tags = Vec::new();
        for (at, tag) in listed.into_iter().enumerate() {
            let known = TagInfo {
                gene_bits: Some(tag.gene_bits),
                description: tag.description,
                update_time: tag.update_time,
                ..TagInfo::default()
            };
            let (mut last, mut problem) = (0, Ok(()));
            for found in &of_servers {
                match &found[at] {
                    Ok(ticket) => last = last.max(*ticket),
                    Err(error) => problem = Err(error.clone()),
                }
            }
            let max_id = last.saturating_add(1).saturating_mul(block);
            let info = TagInfo { biz_tag: tag.biz_tag, ..known }.judged_by_numbers(max_id, block, &self.scope);
            let problem = info.problem.clone().or(problem.err().map(|error| error.message().to_owned()));
            tags.push(TagInfo { problem, ..info });
        }
        tags.sort_by(|a, b| a.biz_tag.cmp(&b.biz_tag));
        Ok(tags)
    }

    /// Changes the description of a tag on every server. Its step is the size of the blocks, which is fixed.
    pub(super) async fn set_tag(&self, change: &TagChange) -> Result<()> {
        let tag = &change.tag;
        self.all_pins()?;
        change.step.map_or(Ok(()), |step| self.check_is_block(tag, step))?;
        for at in 0..self.servers.len() {
            match &change.description {
                Some(description) => {
                    if !self.at(at, |session, _| Box::pin(describe(session, tag, description))).await? {
                        return Err(unknown_tag(tag, &self.scope));
                    }
                }
                None => drop(self.read_tag(at, tag).await??),
            }
        }
        Ok(())
    }

    /// Raises `invalid_argument` for a step that is not the size of the blocks.
    fn check_is_block(&self, tag: &str, step: i64) -> Result<()> {
        let block = self.block()?;
        if step == block {
            return Ok(());
        }
        let text = format!(
            "the step of tag {tag:?} cannot be {step}: every ticket leases {block} ids, which is fixed in the databases of \
             {}; leave the step out",
            self.scope
        );
        Err(Error::new(ErrorKind::InvalidArgument, text))
    }

    /// Lets the tickets of every server go on above this id, and above every ticket that is known to have been drawn.
    /// Returns the first id that may be leased then.
    pub(super) async fn raise_tag(&self, tag: &str, max_id: i64) -> Result<i64> {
        let block = self.block()?;
        let pins = self.all_pins()?;
        let mut last = max_id.saturating_sub(1).max(0) / block;
        let (mut lowest, mut reached) = (i64::MAX, i64::MAX);
        let mut floors: Vec<(i64, i64)> = Vec::new();
        for at in 0..self.servers.len() {
            self.read_tag(at, tag).await??;
            lowest = lowest.min(self.at(at, |session, _| Box::pin(last_ticket(session, tag))).await?);
            floors.extend(self.at(at, |session, _| Box::pin(read_floors(session, tag))).await?);
        }
        // A server that was restored is at least lifted above its own tickets, as far as any server knows them.
        last = last.max(lowest);
        let highest =
            |offset| floors.iter().filter(|(of, _)| *of == offset).map(|(_, ticket)| *ticket).max().unwrap_or(0);
        for (at, pin) in pins.iter().enumerate() {
            let last = last.max(highest(pin.offset));
            self.at(at, |session, _| Box::pin(lift(session, tag, last))).await?;
            self.at(at, |session, _| Box::pin(note_floor(session, tag, pin.offset, last))).await?;
            let stored = self.at(at, |session, _| Box::pin(last_ticket(session, tag))).await?;
            if stored < last {
                return Err(not_raised(tag, &self.servers[at].name, last, stored));
            }
            reached = reached.min(stored);
        }
        Ok((reached + 1).saturating_mul(block))
    }

    /// Checks the tables and the account on every server that answers.
    pub(super) async fn check(self: &Arc<Self>) -> Result<SegmentCheck> {
        let mut tags = 0;
        for server in self.servers.iter().filter(|server| server.is_admitted()) {
            tags = tags.max(server.run(|session, _| Box::pin(check_server(session))).await?);
        }
        check_step("", self.block()?, &self.scope)?;
        Ok(SegmentCheck { tags, creates_tags: true, ..SegmentCheck::default() })
    }

    /// Returns the number of ids that a ticket leases.
    pub(super) fn block(&self) -> Result<i64> {
        let pin = self.servers.iter().find_map(|server| server.known_pin());
        pin.map(|pin| pin.block).ok_or_else(|| self.error())
    }

    /// Returns whether no server was ever set up: their tables are missing.
    pub(super) fn is_new(&self) -> bool {
        self.servers
            .iter()
            .all(|server| server.error().is_some_and(|error| error.reason() == Some(Reason::MissingTable)))
    }

    /// Returns what all servers have pinned. Raises the error of one that is not used.
    fn all_pins(&self) -> Result<Vec<Pin>> {
        let pin_of = |server: &super::server::Server| {
            let pin = server.known_pin().filter(|_| server.is_admitted());
            pin.ok_or_else(|| {
                let none_yet = || Error::new(ErrorKind::StoreUnavailable, "it has not answered yet");
                let error = server.error().unwrap_or_else(none_yet);
                let text = format!("all ticket servers must answer for this; {} did not: {error}", server.name);
                error.saying(text)
            })
        };
        self.servers.iter().map(pin_of).collect()
    }
}

/// Names a server whose tickets are lower than they were raised to.
fn not_raised(tag: &str, server: &str, last: i64, stored: i64) -> Error {
    let text = format!(
        "raising the tickets of tag {tag:?} on the ticket server {server} to {last} left them at {stored}: a trigger changes what \
         is written, or another process empties the table: correct that, and raise it again"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}
