//! How a generator reacts to a wall clock that jumps. Judged at the start of a lease and at heartbeats, never per id.

use crate::runtime::events::EventKind;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::layout::date;
use std::time::Duration;

/// Leaf waits for a clock that is at most this far behind, for twice the offset. Milliseconds.
const LEAF_WAIT: i64 = 5;

/// A larger step forward needs a second opinion. Milliseconds.
const LARGE_STEP: i64 = 600_000;

/// The shared clock confirms a step if it differs from the wall clock by at most this. Milliseconds.
const AGREEMENT: i64 = 10_000;

/// Without a shared clock, a large step must last for this number of heartbeats.
const PERSISTENCE: u32 = 30;

/// The smallest step that is reported; anything less is a drift. Milliseconds.
const REPORTED: i64 = 1_000;

/// What a generator does if the wall clock is behind the time of its ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRollback {
    /// Continues ahead of it, by at most `max_clock_lead`.
    Continue,
    /// Waits out up to 5 ms, as Leaf does, and fails beyond that.
    Wait,
    /// Fails.
    Fail,
}

/// The options of the policy.
#[derive(Clone, Copy, Debug)]
pub struct ClockPolicy {
    pub rollback: ClockRollback,
    pub max_clock_lead: Duration,
}

impl ClockPolicy {
    /// Judges a lead of the generator's time over the wall clock, in milliseconds. Raises `clock_moved_backwards`.
    pub fn judge(&self, lead: i64, wall: i64) -> Result<(), Error> {
        let allowed = match self.rollback {
            ClockRollback::Continue => i64::try_from(self.max_clock_lead.as_millis()).unwrap_or(i64::MAX),
            ClockRollback::Wait => 2 * LEAF_WAIT,
            // Two clocks that are read one after the other can differ by a millisecond.
            ClockRollback::Fail => 1,
        };
        if lead <= allowed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::ClockMovedBackwards,
            format!(
                "the wall clock shows {}, {lead} ms behind the timestamps of earlier ids, and at most {allowed} ms are \
                 allowed: correct the clock, or allow more with clock_rollback=continue and max_clock_lead",
                date(wall)
            ),
        ))
    }
}

/// Judges steps of the wall clock forward.
#[derive(Default)]
pub(super) struct ForwardSteps {
    /// Heartbeats in a row that saw a large step.
    seen: u32,
}

impl ForwardSteps {
    /// Returns whether a step of this number of milliseconds needs a second opinion.
    pub(super) fn is_large(step: i64) -> bool {
        step > LARGE_STEP
    }

    /// Returns whether to follow a wall clock that is ahead by `step`. `shared` is the clock that all users of the
    /// holder share.
    pub(super) fn accept(&mut self, step: i64, wall: i64, shared: Option<i64>) -> bool {
        if !Self::is_large(step) {
            self.seen = 0;
            return true;
        }
        self.seen += 1;
        match shared {
            Some(shared) => (shared - wall).abs() <= AGREEMENT,
            None => self.seen > PERSISTENCE,
        }
    }
}

/// Notices steps of the wall clock, whether they are followed or not.
#[derive(Default)]
pub(super) struct ClockWatch {
    /// Milliseconds by which the wall clock was ahead of the generator's time at the last heartbeat.
    ahead: Option<i64>,
}

impl ClockWatch {
    /// Compares with the last heartbeat. `ahead` is the lead of the wall clock in milliseconds. Returns an event if the
    /// clock was set.
    pub(super) fn look(&mut self, ahead: i64, follows: bool, refusal: Option<&Error>) -> Option<(EventKind, String)> {
        let step = ahead - self.ahead.replace(ahead)?;
        if step.abs() < REPORTED {
            return None;
        }
        Some(match refusal {
            Some(error) if step < 0 => {
                (EventKind::ClockSteppedBack, format!("the wall clock was set back by {} ms: {error}", -step))
            }
            _ if step < 0 => {
                let text = format!(
                    "the wall clock was set back by {} ms: ids continue, {} ms ahead of it",
                    -step,
                    (-ahead).max(0)
                );
                (EventKind::ClockSteppedBack, text)
            }
            _ => {
                let then = if follows || ahead <= 0 { "ids continue" } else { "ids follow it only if the step lasts" };
                (EventKind::ClockSteppedForward, format!("the wall clock was set forward by {step} ms: {then}"))
            }
        })
    }

    /// Records that the generator's time now equals the wall clock.
    pub(super) fn followed(&mut self) {
        self.ahead = Some(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(rollback: ClockRollback) -> ClockPolicy {
        ClockPolicy { rollback, max_clock_lead: Duration::from_secs(7200) }
    }

    #[test]
    fn continue_allows_a_lead_of_two_hours_wait_of_ten_milliseconds_and_fail_none() {
        for (rollback, allowed) in
            [(ClockRollback::Continue, 7_200_000), (ClockRollback::Wait, 10), (ClockRollback::Fail, 1)]
        {
            assert!(policy(rollback).judge(allowed, 0).is_ok());
            let error = policy(rollback).judge(allowed + 1, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
        }
    }

    #[test]
    fn a_large_step_forward_needs_the_shared_clock_or_persistence() {
        let mut steps = ForwardSteps::default();
        assert!(steps.accept(600_000, 5_000_000, None));
        assert!(!steps.accept(600_001, 5_000_000, Some(4_000_000)));
        assert!(steps.accept(600_001, 5_000_000, Some(5_000_500)));
        let mut alone = ForwardSteps::default();
        assert_eq!((0..40).filter(|_| alone.accept(3_600_000, 5_000_000, None)).count(), 10);
    }

    #[test]
    fn a_step_either_way_is_reported_once_and_a_drift_never() {
        let (mut watch, error) = (ClockWatch::default(), Error::new(ErrorKind::ClockMovedBackwards, "refused"));
        let mut kind = |ahead, refusal| watch.look(ahead, true, refusal).map(|(kind, _)| kind);
        let looks = [-5_000, -5_000, -5_999, -7_200_000, -7_199_999, -7_199_998].map(|ahead| kind(ahead, None));
        assert_eq!(looks, [None, None, None, Some(EventKind::ClockSteppedBack), None, None]);
        assert_eq!(kind(0, None), Some(EventKind::ClockSteppedForward));
        assert_eq!(kind(3_600_000, None), Some(EventKind::ClockSteppedForward));
        watch.followed();
        assert_eq!(watch.look(0, false, None), None);
        let (kind, text) = watch.look(-20_000, false, Some(&error)).unwrap();
        assert_eq!(
            (kind, text.as_str()),
            (EventKind::ClockSteppedBack, "the wall clock was set back by 20000 ms: refused")
        );
    }
}
