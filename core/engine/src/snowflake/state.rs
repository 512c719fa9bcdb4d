//! The state of a generator in one process. Calls and the keepalive task work on it.

use super::counter_time::Checked;
use super::current_lease::{ActiveLease, CurrentLease};
use super::generator_clock::GeneratorClock;
use super::leased_past::{HeldPast, LeasedPast};
use super::report;
use super::settings::Settings;
use super::tickets::{Drawn, Tickets};
use crate::clock::TRUST;
use crate::holder::{KeptFailures, WorkerIdHolder, WorkerLease};
use crate::runtime::background::{Timeline, nudge};
use crate::runtime::progress::{Progress, Watched};
use crate::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::date;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// The state of a generator in one process.
pub(super) struct GeneratorState {
    pub(super) settings: Arc<Settings>,
    pub(super) holder: Arc<dyn WorkerIdHolder>,
    pub(super) clock: GeneratorClock,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) current_lease: CurrentLease,
    pub(super) keepalive: Watched<KeepaliveState>,
    pub(super) leased_past: Mutex<LeasedPast>,
    pub(super) past: Mutex<HeldPast>,
    /// Ends the sleep of the keepalive task early.
    pub(super) nudge: Notify,
    /// Ends what leases for the past when the generator is closed.
    closing: Notify,
    /// Never false again once true, so that the child of a fork may read it.
    closed: AtomicBool,
}

/// The state of the keepalive task.
#[derive(Default)]
pub(super) struct KeepaliveState {
    pub(super) progress: Progress,
    /// Why the clock policy refuses ids for now.
    pub(super) clock_refusal: Option<Error>,
    pub(super) leases_lost: i64,
    /// Attempts to take or to extend a lease that failed.
    pub(super) lease_failures: i64,
    /// The last of them failed, too.
    pub(super) is_away: bool,
    /// Work that looks again after a refusal is under way.
    pub(super) looks_again: bool,
    /// How many of the holder's [`KeptFailures`] are among them.
    kept: i64,
    /// This process has reported that the generator is open.
    pub(super) reported: bool,
    /// The first tick that no lease of this generator has touched.
    next_tick: i64,
}

impl KeepaliveState {
    pub(super) fn note_failure(&mut self) {
        self.lease_failures += 1;
        self.is_away = true;
    }
}

impl AsMut<Progress> for KeepaliveState {
    fn as_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }
}

impl GeneratorState {
    pub(super) fn new(
        holder: Arc<dyn WorkerIdHolder>,
        settings: Arc<Settings>,
        clock: GeneratorClock,
        timeline: Arc<dyn Timeline>,
        closed: bool,
    ) -> Self {
        let mut keepalive = KeepaliveState::default();
        keepalive.progress.closed = closed;
        Self {
            settings,
            holder,
            clock,
            timeline,
            current_lease: CurrentLease::none(),
            keepalive: Watched::new(keepalive),
            leased_past: Mutex::default(),
            past: Mutex::default(),
            nudge: Notify::new(),
            closing: Notify::new(),
            closed: AtomicBool::new(closed),
        }
    }

    /// Makes the state of a forked child. Reads only what no other thread could have been changing during the fork.
    ///
    /// The child's ids need not lie above its parent's: they carry another worker id, or timestamps after the parent's
    /// lease.
    pub(super) fn in_child(&self) -> Self {
        let closed = self.closed.load(Ordering::Acquire);
        Self::new(self.holder.in_child(), self.settings.clone(), self.clock.in_child(), self.timeline.clone(), closed)
    }

    /// Raises `closed` after a close.
    pub(super) fn check_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) { Err(Error::closed()) } else { Ok(()) }
    }

    /// Draws an id of the current tick. `None` if there is no lease, no ticket of it for this tick, or if the counter
    /// that tells the time must be checked first.
    #[inline]
    pub(super) fn draw(&self) -> Option<i64> {
        self.current_lease.with(|active| {
            // In this order: a limit that trusts no counter is published after the counter was given up.
            let limit = active.tickets.limit();
            let tick = self.settings.layout.tick_at(self.clock.quick_now());
            self.draw_below(active, limit, tick)
        })?
    }

    /// Draws an id of the current tick by the system's clock. `None` if there is no lease, or no ticket of it for this
    /// tick.
    #[cold]
    pub(super) fn draw_checked(&self) -> Option<i64> {
        self.check_clock();
        self.current_lease.with(|active| self.draw_below(active, active.limit(), self.tick()))?
    }

    #[inline]
    fn draw_below(&self, active: &ActiveLease, limit: i64, tick: i64) -> Option<i64> {
        match active.tickets.draw_current(limit, tick, || self.first_sequence()) {
            Drawn::Ticket(ticket) => Some(active.encoder.encode(ticket, 0)),
            Drawn::TooFar(_) | Drawn::AtLimit => None,
        }
    }

    /// Checks the counter that tells the time, and allows ids to be stamped with it for a while.
    pub(super) fn check_clock(&self) {
        // Before the lock, because this may read files.
        self.clock.find_counter();
        let mut checked = Checked::System;
        let mut check = || {
            checked = self.clock.check();
            self.trusted_tick(&checked)
        };
        match self.current_lease.get() {
            Some(active) => active.trust_before(check),
            None => _ = check(),
        }
        if let Checked::GivenUp { millis, in_millis } = checked {
            report::counter_given_up(millis, in_millis);
        }
    }

    /// Returns the first tick that the counter must not be trusted with before the next check.
    fn trusted_tick(&self, checked: &Checked) -> i64 {
        match checked {
            Checked::Counter => {
                let (layout, now) = (&self.settings.layout, self.clock.now());
                layout.tick_at(now.saturating_add(TRUST)).max(layout.tick_at(now) + 1)
            }
            Checked::System | Checked::GivenUp { .. } => i64::MAX,
        }
    }

    /// Returns the current tick of the generator's clock.
    pub(super) fn tick(&self) -> i64 {
        self.settings.layout.tick_at(self.clock.now())
    }

    /// Returns the sequence number that a tick begins at. It is random, so that the ids of slow traffic do not all fall
    /// on one shard.
    #[inline]
    pub(super) fn first_sequence(&self) -> i64 {
        if self.settings.jitter > 1 { fastrand::i64(0..self.settings.jitter) } else { 0 }
    }

    /// Raises `clock_moved_backwards` if the wall clock shows a time before the layout's first one.
    pub(super) fn check_epoch(&self) -> Result<()> {
        let (wall, epoch) = (self.clock.wall(), self.settings.layout.epoch());
        if wall >= epoch {
            return Ok(());
        }
        let (wall, epoch) = (date(wall), date(epoch));
        let text = format!("the wall clock shows {wall}, before the layout's epoch {epoch}: correct the clock");
        Err(Error::new(ErrorKind::ClockMovedBackwards, text))
    }

    /// Makes a lease the current one, if clock and layout allow it.
    pub(super) fn activate(&self, lease: WorkerLease) -> Result<()> {
        let (layout, wall) = (&self.settings.layout, self.clock.wall());
        self.settings.clock.judge(lease.floor.saturating_sub(wall), wall)?;
        let encoder = layout.ticket_encoder(self.settings.datacenter_id, lease.worker_id)?;
        let mut keepalive = self.keepalive.lock();
        if keepalive.progress.closed {
            return Err(Error::closed());
        }
        // Part of the tick of the floor may have been stamped, unless that tick begins at the floor.
        let allowed = layout.tick_at(lease.floor.saturating_sub(1)) + 1;
        let first = allowed.max(keepalive.next_tick).max(0);
        layout.check_tick(first.max(layout.tick_at(wall)))?;
        // The generator's clock may have been wrong so far. It starts again at the wall clock, but not before a tick
        // that was touched.
        let touched = self.clock.now().min(layout.start_of(keepalive.next_tick));
        self.clock.start_at(wall.max(lease.floor).max(touched));
        let (tickets, limit) = (Tickets::new(first, layout.bits().sequence), self.limit_tick(lease.horizon));
        let active = ActiveLease::new(lease, tickets, encoder);
        active.reserve_before(limit);
        self.current_lease.set(Arc::new(active));
        keepalive.clock_refusal = None;
        self.keepalive.announce(&mut keepalive);
        Ok(())
    }

    /// Records that the current lease is lost. Its tickets are shut: the next lease begins with `next_tick`, above
    /// them.
    pub(super) fn lose(&self, next_tick: i64, error: Error) {
        let mut keepalive = self.keepalive.lock();
        keepalive.next_tick = keepalive.next_tick.max(next_tick);
        keepalive.leases_lost += 1;
        keepalive.progress.note_error(error);
        self.current_lease.take();
        self.keepalive.announce(&mut keepalive);
    }

    /// Records a heartbeat that extended the lease, and what the holder failed to do meanwhile.
    pub(super) fn note_extension(&self, kept: KeptFailures) {
        let mut keepalive = self.keepalive.lock();
        keepalive.is_away = kept.is_away;
        let new = kept.count - std::mem::replace(&mut keepalive.kept, kept.count);
        keepalive.lease_failures += new;
        if let Some(error) = kept.last.filter(|_| new > 0) {
            keepalive.progress.note_error(error);
        }
    }

    /// Records a heartbeat that failed.
    pub(super) fn note(&self, error: Error) {
        let mut keepalive = self.keepalive.lock();
        keepalive.note_failure();
        keepalive.progress.note_error(error);
        self.keepalive.announce(&mut keepalive);
    }

    /// Refuses all draws from now on. Returns false if the generator was closed before.
    pub(super) fn close(&self) -> bool {
        let mut keepalive = self.keepalive.lock();
        if std::mem::replace(&mut keepalive.progress.closed, true) {
            return false;
        }
        self.closed.store(true, Ordering::Release);
        self.current_lease.with(|active| active.hold_back());
        nudge(&self.nudge);
        nudge(&self.closing);
        self.keepalive.announce(&mut keepalive);
        true
    }

    /// Waits until the generator is closed.
    pub(super) async fn until_closed(&self) {
        while self.check_open().is_ok() {
            self.closing.notified().await;
        }
        // A nudge wakes one task.
        self.closing.notify_one();
    }

    /// Returns the first tick that does not end before a horizon, or the first one past the time bits.
    pub(super) fn limit_tick(&self, horizon: i64) -> i64 {
        self.settings.layout.tick_at(horizon).clamp(0, self.settings.layout.last_tick() + 1)
    }
}
