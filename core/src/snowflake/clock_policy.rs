//! What to do about a wall clock that jumps. It is asked at the start and at heartbeats, never per id.

use crate::error::{Error, ErrorKind};
use crate::events::EventKind;
use std::time::Duration;

/// Leaf waits for a clock that is behind by this much at the most, for twice the offset. Milliseconds.
const LEAF_WAIT: i64 = 5;

/// A step forward beyond this needs a second opinion. Milliseconds.
const BOLD_STEP: i64 = 600_000;

/// The shared clock agrees with a step when it is no further from it. Milliseconds.
const AGREEMENT: i64 = 10_000;

/// Where nobody shares a clock, a bold step must last for so many heartbeats.
const PERSISTENCE: u32 = 30;

/// A step is told of from here on; anything less is a drift. Milliseconds.
const TOLD: i64 = 1_000;

/// What a generator does when the wall clock is behind the time of its ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockRollback {
    /// Goes on ahead of it, by `max_clock_lead` at the most.
    Continue,
    /// Waits out up to 5 ms, as Leaf does, and fails beyond.
    Wait,
    /// Fails.
    Fail,
}

/// The options that the policy goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockPolicy {
    pub(crate) rollback: ClockRollback,
    pub(crate) max_clock_lead: Duration,
}

impl ClockPolicy {
    /// Judges a lead of the ids' time over the wall clock, in milliseconds.
    pub(crate) fn judge(&self, lead: i64, wall: i64) -> Result<(), Error> {
        let allowed = match self.rollback {
            ClockRollback::Continue => i64::try_from(self.max_clock_lead.as_millis()).unwrap_or(i64::MAX),
            ClockRollback::Wait => 2 * LEAF_WAIT,
            // Reading two clocks one after the other can make a millisecond.
            ClockRollback::Fail => 1,
        };
        if lead <= allowed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::ClockMovedBackwards,
            format!(
                "the wall clock stands at {wall} (Unix ms), {lead} ms before the time that ids already carry; allowed are \
                 {allowed} ms: correct the clock, or allow more with clock_rollback=continue and max_clock_lead"
            ),
        ))
    }
}

/// Judges steps of the wall clock forward.
#[derive(Default)]
pub(crate) struct ForwardSteps {
    seen: u32,
}

impl ForwardSteps {
    /// Tells whether a second opinion is needed before a step of so many milliseconds is taken.
    pub(crate) fn is_bold(step: i64) -> bool {
        step > BOLD_STEP
    }

    /// Tells whether to go along with a wall clock that is ahead by `step`, given the shared clock where there is one.
    pub(crate) fn accept(&mut self, step: i64, wall: i64, shared: Option<i64>) -> bool {
        if !Self::is_bold(step) {
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

/// Notices steps of the wall clock, whatever is done about them.
#[derive(Default)]
pub(super) struct ClockWatch {
    /// By how much the wall clock was ahead of the generator's time at the last look.
    ahead: Option<i64>,
}

impl ClockWatch {
    /// Looks at a wall clock that is ahead by so many milliseconds, and is followed or not, or refused. Returns what to tell.
    pub(super) fn look(&mut self, ahead: i64, follows: bool, refusal: Option<&Error>) -> Option<(EventKind, String)> {
        let step = ahead - self.ahead.replace(ahead)?;
        if step.abs() < TOLD {
            return None;
        }
        Some(match refusal {
            Some(error) if step < 0 => {
                (EventKind::ClockSteppedBack, format!("the wall clock was set back by {} ms: {error}", -step))
            }
            _ if step < 0 => {
                let text = format!("the wall clock was set back by {} ms: ids go on, {} ms ahead of it", -step, (-ahead).max(0));
                (EventKind::ClockSteppedBack, text)
            }
            _ => {
                let then = if follows || ahead <= 0 { "ids go on" } else { "ids follow it only if it stays so" };
                (EventKind::ClockSteppedForward, format!("the wall clock was set forward by {step} ms: {then}"))
            }
        })
    }

    /// Notes that the generator's time stands where the wall clock stands.
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
    fn continue_goes_on_for_two_hours_wait_for_ten_milliseconds_and_fail_not_at_all() {
        for (rollback, allowed) in [(ClockRollback::Continue, 7_200_000), (ClockRollback::Wait, 10), (ClockRollback::Fail, 1)] {
            assert!(policy(rollback).judge(allowed, 0).is_ok());
            let error = policy(rollback).judge(allowed + 1, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
        }
    }

    #[test]
    fn a_bold_step_forward_needs_the_shared_clock_or_persistence() {
        let mut steps = ForwardSteps::default();
        assert!(steps.accept(600_000, 5_000_000, None));
        assert!(!steps.accept(600_001, 5_000_000, Some(4_000_000)));
        assert!(steps.accept(600_001, 5_000_000, Some(5_000_500)));
        let mut alone = ForwardSteps::default();
        assert_eq!((0..40).filter(|_| alone.accept(3_600_000, 5_000_000, None)).count(), 10);
    }

    #[test]
    fn a_step_either_way_is_told_once_and_a_drift_never() {
        let (mut watch, error) = (ClockWatch::default(), Error::new(ErrorKind::ClockMovedBackwards, "refused"));
        let mut kind = |ahead, refusal| watch.look(ahead, true, refusal).map(|(kind, _)| kind);
        let looks = [-5_000, -5_000, -5_999, -7_200_000, -7_199_999, -7_199_998].map(|ahead| kind(ahead, None));
        assert_eq!(looks, [None, None, None, Some(EventKind::ClockSteppedBack), None, None]);
        assert_eq!(kind(0, None), Some(EventKind::ClockSteppedForward));
        assert_eq!(kind(3_600_000, None), Some(EventKind::ClockSteppedForward));
        watch.followed();
        assert_eq!(watch.look(0, false, None), None);
        let (kind, text) = watch.look(-20_000, false, Some(&error)).unwrap();
        assert_eq!((kind, text.as_str()), (EventKind::ClockSteppedBack, "the wall clock was set back by 20000 ms: refused"));
    }
}
