//! Tickets of a snowflake lease: none twice, none past the horizon, none of one lease encoded with the worker id of
//! another.

use crate::tickets::{Drawn, DrawnRun, Tickets};
use crate::{check, collect};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use loom::thread::JoinHandle;

/// Two ids a tick.
const SEQUENCE_BITS: u32 = 1;

fn tickets(first: i64, before: i64) -> Arc<Tickets> {
    let tickets = Tickets::new(first, SEQUENCE_BITS);
    tickets.allow_before(before);
    Arc::new(tickets)
}

/// Draws once at each of these ticks, as if the thread had read them from the clock.
fn mint(tickets: &Arc<Tickets>, ticks: &'static [i64]) -> JoinHandle<Vec<i64>> {
    let tickets = tickets.clone();
    thread::spawn(move || ticks.iter().filter_map(|tick| draw(&tickets, *tick)).collect())
}

fn draw(tickets: &Tickets, tick: i64) -> Option<i64> {
    match tickets.draw(tickets.limit(), tick, i64::MAX, 0) {
        Drawn::Ticket(ticket) => Some(ticket),
        Drawn::TooFar(_) | Drawn::AtLimit => None,
    }
}

fn ascending(tickets: &[i64]) -> bool {
    tickets.is_sorted_by(|a, b| a < b)
}

#[test]
fn a_jump_to_the_current_tick_and_a_carry_into_the_next_one_draw_no_ticket_twice() {
    check(|| {
        let tickets = tickets(3, 100);
        let threads = vec![mint(&tickets, &[5, 5]), mint(&tickets, &[5, 6]), mint(&tickets, &[4])];
        assert_eq!(collect(threads).len(), 5);
    });
}

#[test]
fn draws_limited_to_the_current_tick_and_other_draws_draw_no_ticket_twice() {
    check(|| {
        let tickets = tickets(5, 100);
        let present = {
            let tickets = tickets.clone();
            thread::spawn(move || {
                let drawn = (0..2).map(|_| tickets.draw_current(tickets.limit(), 5, || 0));
                drawn
                    .filter_map(|drawn| if let Drawn::Ticket(ticket) = drawn { Some(ticket) } else { None })
                    .collect::<Vec<_>>()
            })
        };
        let threads = vec![mint(&tickets, &[5, 5]), present];
        let mine = draw(&tickets, 6);
        let mut all = collect(threads);
        all.extend(mine);
        all.sort_unstable();
        assert!(ascending(&all), "a ticket was drawn twice: {all:?}");
    });
}

#[test]
fn no_ticket_reaches_a_horizon_that_is_raised_meanwhile() {
    check(|| {
        let tickets = tickets(5, 6);
        let threads = vec![mint(&tickets, &[5, 5]), mint(&tickets, &[5, 6])];
        tickets.allow_before(7);
        let all = collect(threads);
        assert!(all.iter().all(|ticket| (5 << SEQUENCE_BITS..7 << SEQUENCE_BITS).contains(ticket)), "{all:?}");
    });
}

#[test]
fn the_first_untouched_tick_of_a_shut_lease_lies_above_every_ticket_drawn() {
    check(|| {
        let tickets = tickets(5, 100);
        let threads = vec![mint(&tickets, &[5, 6]), mint(&tickets, &[7])];
        let untouched = tickets.shut();
        let all = collect(threads);
        assert!(
            all.iter().all(|ticket| ticket >> SEQUENCE_BITS < untouched),
            "{all:?} were drawn, {untouched} reported"
        );
        assert_eq!(draw(&tickets, 50), None);
    });
}

/// A lease as the generator has it: tickets and a worker id.
struct ActiveLease {
    tickets: Tickets,
    worker_id: i64,
}

/// The current lease, published as `current_lease.rs` does: by one flag for the first lease. For the one that replaces
/// it, `arc-swap` orders at least as much as the flag here.
struct CurrentLease {
    first: ActiveLease,
    is_first: AtomicBool,
    later: UnsafeCell<Option<ActiveLease>>,
    is_later: AtomicBool,
}

// SAFETY: `later` is written once, before `is_later` is set, and read by who has seen that. Loom checks it.
unsafe impl Sync for CurrentLease {}

impl CurrentLease {
    fn new(first: ActiveLease) -> Self {
        let (later, is_later) = (UnsafeCell::new(None), AtomicBool::new(false));
        Self { first, is_first: AtomicBool::new(true), later, is_later }
    }

    fn with<T>(&self, f: impl FnOnce(&ActiveLease) -> Option<T>) -> Option<T> {
        if self.is_first.load(Ordering::Acquire) {
            return f(&self.first);
        }
        match self.is_later.load(Ordering::Acquire) {
            // SAFETY: it was written before the flag was set, and is not written again.
            true => self.later.with(|later| unsafe { &*later }.as_ref().and_then(f)),
            false => None,
        }
    }

    fn take(&self) -> &ActiveLease {
        assert!(self.is_first.swap(false, Ordering::AcqRel));
        &self.first
    }

    fn set(&self, later: ActiveLease) {
        // SAFETY: no thread reads it before the flag is set.
        self.later.with_mut(|place| unsafe { *place = Some(later) });
        self.is_later.store(true, Ordering::Release);
    }
}

#[test]
fn a_lease_replaced_while_threads_draw_keeps_tickets_with_their_worker_id_and_ids_ascending() {
    check(|| {
        let first = ActiveLease { tickets: Tickets::new(5, SEQUENCE_BITS), worker_id: 1 };
        first.tickets.allow_before(100);
        let current = Arc::new(CurrentLease::new(first));
        let minting = || {
            let current = current.clone();
            thread::spawn(move || {
                let mut drawn = Vec::new();
                for tick in [5, 6] {
                    drawn.extend(current.with(|active| Some((draw(&active.tickets, tick)?, active.worker_id))));
                }
                drawn
            })
        };
        let threads = [minting(), minting()];
        // As in the keepalive task: the old lease is shut before the new one begins, above it.
        let begin = current.take().tickets.shut();
        let second = ActiveLease { tickets: Tickets::new(begin, SEQUENCE_BITS), worker_id: 2 };
        second.tickets.allow_before(100);
        current.set(second);
        let mut all = Vec::new();
        for thread in threads {
            let drawn = thread.join().unwrap();
            assert!(drawn.is_sorted_by(|a, b| a.0 < b.0), "a thread saw {drawn:?}");
            all.extend(drawn);
        }
        all.sort_unstable();
        assert!(all.is_sorted_by(|a, b| a.0 < b.0), "a ticket was drawn twice: {all:?}");
        for (ticket, worker_id) in all {
            assert_eq!(
                worker_id,
                if ticket >> SEQUENCE_BITS < begin { 1 } else { 2 },
                "ticket {ticket}, new lease from {begin}"
            );
        }
    });
}

#[test]
fn draws_of_the_current_tick_stop_at_the_horizon() {
    check(|| {
        let tickets = tickets(5, 6);
        let draw_current = |tickets: &Tickets| -> Vec<i64> {
            let drawn = [5, 5, 6].map(|now| tickets.draw_current(tickets.limit(), now, || 0));
            drawn
                .into_iter()
                .filter_map(|drawn| if let Drawn::Ticket(ticket) = drawn { Some(ticket) } else { None })
                .collect()
        };
        let minting = {
            let tickets = tickets.clone();
            thread::spawn(move || draw_current(&tickets))
        };
        let mine = draw_current(&tickets);
        let mut all: Vec<i64> = [minting.join().unwrap(), mine].concat();
        all.sort_unstable();
        assert_eq!(all, [5 << SEQUENCE_BITS, (5 << SEQUENCE_BITS) + 1], "the horizon is tick 6");
    });
}

#[test]
fn a_clock_past_the_horizon_draws_nothing() {
    check(|| {
        let tickets = tickets(5, 7);
        let minting = mint(&tickets, &[7, 5]);
        let mine = [8, 6].into_iter().filter_map(|tick| draw(&tickets, tick));
        let mut all: Vec<i64> = mine.collect();
        all.extend(minting.join().unwrap());
        assert!(!all.is_empty() && all.iter().all(|ticket| *ticket < 7 << SEQUENCE_BITS), "{all:?}");
    });
}

fn draw_run(tickets: &Tickets, entry: i64, now: i64) -> Vec<i64> {
    match tickets.draw_run(tickets.limit(), entry, now, 3, 0) {
        DrawnRun::Run(run) => run.collect(),
        DrawnRun::TooFar(_) | DrawnRun::AtLimit => Vec::new(),
    }
}

#[test]
fn runs_and_single_draws_draw_no_ticket_twice_and_none_of_a_tick_to_come() {
    check(|| {
        let tickets = tickets(5, 100);
        let runs = {
            let tickets = tickets.clone();
            // The second run begins one tick late.
            thread::spawn(move || [(5, 5), (6, 7)].map(|(entry, now)| draw_run(&tickets, entry, now)).concat())
        };
        let threads = vec![mint(&tickets, &[5, 5]), runs];
        let mine = draw_run(&tickets, 5, 5);
        assert!(mine.iter().all(|ticket| ticket >> SEQUENCE_BITS == 5), "the clock showed tick 5: {mine:?}");
        let mut all = collect(threads);
        all.extend(mine);
        all.sort_unstable();
        assert!(ascending(&all), "a ticket was drawn twice: {all:?}");
    });
}

#[test]
fn runs_stop_at_a_horizon_that_is_raised_meanwhile() {
    check(|| {
        let tickets = tickets(5, 6);
        let runs = {
            let tickets = tickets.clone();
            thread::spawn(move || [5, 6, 7].map(|now| draw_run(&tickets, now, now)).concat())
        };
        tickets.allow_before(7);
        let mut all = collect(vec![runs]);
        all.extend(draw_run(&tickets, 6, 8));
        assert!(!all.is_empty() && ascending(&all), "{all:?}");
        assert!(all.iter().all(|ticket| (5 << SEQUENCE_BITS..7 << SEQUENCE_BITS).contains(ticket)), "{all:?}");
    });
}
