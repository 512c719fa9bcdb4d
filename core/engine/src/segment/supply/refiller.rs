//! The refiller: the background task that leases ahead of need, one attempt at a time per tag.

use super::attempt::{attempt, end_if_content};
use super::refill::Refill;
use super::store_queue::Admission;
use crate::backoff::pause_after_refusal;
use crate::runtime::background::nudge;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use crate::segment::tag::Tag;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use leafmint_ids::panics::caught;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Supply is not known to last for longer than this, in seconds.
const LONGEST_SUPPLY: f64 = 86_400.0;

/// Starts a refill if the step policy wants one. A caller that crossed a soft limit calls this.
pub(crate) fn refill_if_due(tag: &Arc<Tag>) {
    let mut refill = tag.refill.lock();
    let (counts, now) = (tag.counts(), tag.shared.timeline.now());
    refill.note_use(counts.issued, now);
    if refill.can_start() && tag.shared.settings.policy.lease(&refill.usage(&counts, now)) > 0 {
        // Ids are still in hand: a caller that finds none gets the error.
        let _ = start(tag, &mut refill);
    }
}

/// Starts a refill for a caller that found too few ids in hand: it needs `count` of them, `run` of which contiguous.
pub(crate) fn demand(tag: &Arc<Tag>, count: i64, run: i64) -> Result<()> {
    let mut refill = tag.refill.lock();
    if let Some(error) = &refill.stuck {
        return Err(error.clone());
    }
    let longest = tag.shared.store.longest_run(&tag.name, refill.step);
    if refill.step > 0 && run > longest {
        return Err(too_long(tag, run, longest));
    }
    let (counts, now) = (tag.counts(), tag.shared.timeline.now());
    refill.note_use(counts.issued, now);
    let was_wanted = refill.is_wanted();
    refill.note_demand(count, run, counts.supply, now);
    if refill.can_start() {
        start(tag, &mut refill)?;
    } else if !was_wanted {
        // It may be put off.
        nudge(&tag.nudge);
    }
    Ok(())
}

/// Describes a contiguous range that no number of leases can provide.
fn too_long(tag: &Tag, run: i64, longest: i64) -> Error {
    let text = format!(
        "{run} contiguous ids of tag {:?} cannot be had from {}: a lease has at most {longest}, and no two leases need be \
         contiguous: ask for fewer, or for ids that need not be contiguous",
        tag.name,
        tag.shared.store.scope()
    );
    Error::new(ErrorKind::InvalidArgument, text)
}

fn start(tag: &Arc<Tag>, refill: &mut Refill) -> Result<()> {
    tag.shared.timeline.spawn(Box::pin(run(tag.clone()))).inspect_err(|error| refill.note_failure(error.clone()))?;
    refill.progress.running = true;
    Ok(())
}

/// Leases until the policy is content, the tag is closed, or the store refuses for good.
async fn run(tag: Arc<Tag>) {
    let mut running = Running { tag: &tag, has_ended: false };
    let mut due = tag.shared.timeline.now();
    while let Some(admission) = next_admission(&tag, due).await {
        match ask_and_wait(&tag, admission).await {
            Ok(true) => due = tag.shared.timeline.now(),
            Ok(false) => {
                running.has_ended = true;
                return;
            }
            Err(Failed { error, is_outage }) => {
                if !running.fail(error, is_outage) {
                    look_again(&tag);
                    return;
                }
            }
        }
        if end_if_content(&tag) {
            running.has_ended = true;
            return;
        }
    }
}

/// Begins to look, after a pause, whether an operator has ended what the store refused for. Without that, an instance
/// that gets no calls because it reports that it can serve none would never serve again.
fn look_again(tag: &Arc<Tag>) {
    let mut refill = tag.refill.lock();
    if refill.looks_again || !refill.is_blocked() {
        return;
    }
    let (timeline, blocked) = (tag.shared.timeline.clone(), Arc::downgrade(tag));
    let look = async move {
        timeline.sleep(pause_after_refusal(fastrand::f64())).await;
        let Some(tag) = blocked.upgrade() else { return };
        let mut refill = tag.refill.lock();
        refill.looks_again = false;
        if refill.is_blocked() && refill.can_start() {
            // If no task can be started, the next call says so.
            let _ = start(&tag, &mut refill);
        }
    };
    refill.looks_again = tag.shared.timeline.spawn(Box::pin(look)).is_ok();
}

/// A failed attempt.
struct Failed {
    error: Error,
    /// See [`StoreQueue::note`](super::StoreQueue::note).
    is_outage: bool,
}

/// Asks the store. If a turn shows that the row is locked, others have their turns while this tag waits for the row.
async fn ask_and_wait(tag: &Tag, admission: Admission<'_>) -> std::result::Result<bool, Failed> {
    let is_turn = admission.is_turn();
    let answer = ask(tag, admission).await;
    let is_locked = |error: &Error| error.is_of_one_tag() && error.reason() == Some(Reason::Locked);
    let Some(failed) = answer.as_ref().err().filter(|failed| is_turn && is_locked(&failed.error)) else {
        return answer;
    };
    let Some(aside) = tag.shared.queue.step_aside() else { return answer };
    tag.refill.lock().progress.fail_attempt(failed.error.clone());
    ask(tag, aside).await
}

/// Asks the store once. Returns false if nothing is needed any more.
async fn ask(tag: &Tag, admission: Admission<'_>) -> std::result::Result<bool, Failed> {
    match caught(attempt(tag, admission.is_turn())).await {
        Ok(false) => Ok(false),
        Ok(true) => {
            tag.shared.queue.note(admission, None);
            Ok(true)
        }
        Err(error) => {
            let error = error.during(format_args!("leasing ids of tag {:?}", tag.name));
            let is_outage = tag.shared.queue.note(admission, Some(&error));
            Err(Failed { error, is_outage })
        }
    }
}

/// Waits until this tag, whose refill became due at `due`, may ask the store. Returns `None` if the tag is closed
/// before.
async fn next_admission(tag: &Tag, due: Instant) -> Option<Admission<'_>> {
    rest(tag, |refill, now| refill.rest_left(now)).await?;
    let mut has_waited = false;
    loop {
        if let Some(lasts) = supply_lasts(tag) {
            let until = tag.shared.queue.put_off(due, lasts, has_waited);
            rest(tag, |refill, now| (!refill.is_wanted() && now < until).then(|| until - now)).await?;
        }
        let standing = tag.refill.lock().standing(&tag.shared.settings.policy);
        let mut entry = pin!(tag.shared.queue.enter(!has_waited, &standing, || supply_lasts(tag)));
        let admission = loop {
            tokio::select! {
                biased;
                admission = &mut entry => break admission,
                () = tag.nudge.notified() => {
                    if tag.refill.lock().progress.closed {
                        return None;
                    }
                }
            }
        };
        if admission.is_some() {
            return admission;
        }
        has_waited = true;
    }
}

/// Waits for as long as there is something left. Returns `None` if the tag is closed before. A call that begins to wait
/// makes it look again.
async fn rest(tag: &Tag, left: impl Fn(&Refill, Instant) -> Option<Duration>) -> Option<()> {
    loop {
        let left = {
            let refill = tag.refill.lock();
            if refill.progress.closed {
                return None;
            }
            left(&refill, tag.shared.timeline.now())
        };
        let Some(left) = left else { return Some(()) };
        tokio::select! {
            biased;
            () = tag.shared.timeline.sleep(left) => {}
            () = tag.nudge.notified() => {}
        }
    }
}

/// Returns how long the supply lasts. `None` if a call waits, or nothing is in hand.
fn supply_lasts(tag: &Tag) -> Option<Duration> {
    let refill = tag.refill.lock();
    let lasts = refill.supply_seconds(tag.counts().supply).filter(|lasts| *lasts > 0.0 && !refill.is_wanted())?;
    Some(Duration::from_secs_f64(lasts.min(LONGEST_SUPPLY)))
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
            self.tag.shared.failures.note(error.kind());
            refill.note_failure(error.clone());
            if !is_outage {
                refill.note_refusal(self.tag.shared.timeline.now());
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
        let text = format_args!("the refill of tag {name:?} failed: {error}");
        events::emit_failure(kind, &scope, name, &error, text);
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
