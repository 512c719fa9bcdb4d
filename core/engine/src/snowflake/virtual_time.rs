//! Virtual time: on a clock that only a test moves there is no keepalive task. Each call and each move of the clock
//! does at once what the task would do later, so that a test sees the same in each run.

use super::state::GeneratorState;
use crate::answer::Answer;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Takes a worker id if there is none, and judges the clock. Raises what the first id would raise.
#[cold]
pub(super) fn attend(state: &GeneratorState) -> Result<()> {
    if state.current_lease.get().is_none() {
        state.check_epoch()?;
        state.activate(answer_of(state.holder.acquire())?)?;
        state.check_clock();
    }
    judge_clock(state);
    Ok(())
}

/// Refuses or allows ids, as a heartbeat does.
fn judge_clock(state: &GeneratorState) {
    let wall = state.clock.wall();
    let refusal = state.settings.clock.judge(state.clock.lead(), wall).err();
    let mut keepalive = state.keepalive.lock();
    let Some(active) = state.current_lease.get().filter(|_| !keepalive.progress.closed) else { return };
    match refusal {
        Some(_) => active.hold_back(),
        None => active.reserve_before(state.limit_tick(active.lease().horizon)),
    }
    keepalive.clock_refusal = refusal;
}

/// Returns the answer of a holder that does no I/O.
fn answer_of<T>(answer: Answer<'_, T>) -> Result<T> {
    match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => Err(Error::new(ErrorKind::InvalidConfig, "virtual time needs a worker id in memory")),
    }
}
