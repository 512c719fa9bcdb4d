//! The refiller: the background task that leases ahead of need, one attempt at a time per tag.

use super::attempt::attempt;
use super::refill::Refill;
use super::tag::Tag;
use super::turns::Turn;
use crate::background;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::panics::caught;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

/// Starts a refill if the step policy wants one. A caller that crossed a soft limit calls this.
pub(super) fn refill_if_due(tag: &Arc<Tag>) {
    let mut refill = tag.refill.lock();
    let (counts, now) = (tag.counts(), Instant::now());
    refill.note_use(counts.issued, now);
    if refill.can_start() && tag.shared.settings.policy.lease(&refill.usage(&counts, now)) > 0 {
        // Ids are still in hand: a caller that finds none gets the error.
        let _ = start(tag, &mut refill);
    }
}

/// Starts a refill for a caller that found too few ids in hand: it needs `count` of them, `run` of which contiguous.
pub(super) fn demand(tag: &Arc<Tag>, count: i64, run: i64) -> Result<()> {
    let mut refill = tag.refill.lock();
    if let Some(error) = &refill.stuck {
        return Err(error.clone());
    }
    refill.note_use(tag.counts().issued, Instant::now());
    refill.wanted = refill.wanted.max(count);
    refill.wanted_run = refill.wanted_run.max(run);
    if refill.can_start() {
        start(tag, &mut refill)?;
    }
    Ok(())
}

fn start(tag: &Arc<Tag>, refill: &mut Refill) -> Result<()> {
    let runtime = background::runtime().inspect_err(|error| refill.note_failure(error.clone()))?;
    refill.progress.running = true;
    runtime.spawn(run(tag.clone()));
    Ok(())
}

/// Leases until the policy is content, the tag is closed, or the store refuses for good.
async fn run(tag: Arc<Tag>) {
    let mut running = Running { tag: &tag, has_ended: false };
    while let Some(turn) = next_turn(&tag).await {
        let turns = &tag.shared.turns;
        match caught(attempt(&tag)).await {
            Ok(true) => turns.note_answer(),
            Ok(false) => {
                running.has_ended = true;
                return;
            }
            Err(error) => {
                let error = error.during(format_args!("leasing ids of biz_tag {:?}", tag.name));
                let is_outage = error.kind().retryable() && turns.note_failure(&turn, &error);
                if !error.kind().retryable() {
                    turns.note_answer();
                }
                if !running.fail(error, is_outage) {
                    return;
                }
            }
        }
    }
}

/// Waits until this tag may ask the store. Returns `None` if the tag is closed before.
async fn next_turn(tag: &Tag) -> Option<Turn<'_>> {
    loop {
        let (is_closed, left) = {
            let refill = tag.refill.lock();
            (refill.progress.closed, refill.rest_left(Instant::now()))
        };
        match left {
            _ if is_closed => return None,
            None => break,
            // A call that begins to wait shortens the rest.
            Some(left) => tokio::select! {
                () = tokio::time::sleep(left) => {}
                () = tag.nudge.notified() => {}
            },
        }
    }
    let mut turn = pin!(tag.shared.turns.take());
    loop {
        tokio::select! {
            turn = &mut turn => return Some(turn),
            () = tag.nudge.notified() => {
                if tag.refill.lock().progress.closed {
                    return None;
                }
            }
        }
    }
}

/// A refiller that runs. However it ends, even in a panic, the next one can start.
struct Running<'a> {
    tag: &'a Tag,
    has_ended: bool,
}

impl Running<'_> {
    /// Records a failed attempt. Returns whether to continue.
    fn fail(&mut self, error: Error, is_outage: bool) -> bool {
        {
            let mut refill = self.tag.refill.lock();
            self.has_ended = !error.kind().retryable() || refill.progress.closed;
            refill.note_failure(error.clone());
            if !is_outage {
                refill.note_refusal(Instant::now());
            }
            if self.has_ended {
                refill.progress.running = false;
                // A failure after which the refill continues changes nothing for the waiting calls.
                self.tag.refill.announce(&mut refill);
            }
        }
        let kind = match error.kind() {
            ErrorKind::StoreRegressed => EventKind::StoreRegressed,
            _ => EventKind::RefillFailed,
        };
        let (scope, name) = (self.tag.shared.store.scope(), &self.tag.name);
        events::emit_in(kind, &scope, name, format_args!("the refill of biz_tag {name:?} failed: {error}"));
        !self.has_ended
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            let mut refill = self.tag.refill.lock();
            refill.progress.running = false;
            self.tag.refill.announce(&mut refill);
        }
    }
}
