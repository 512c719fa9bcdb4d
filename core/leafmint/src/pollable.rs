//! One interface for everything that a binding may wait for without a thread.

use leafmint_engine::runtime::background::Pending;
use leafmint_engine::segment::Wait;
use leafmint_engine::snowflake::{Backfill, SnowflakeWait};
use leafmint_ids::error::Result;
use std::ops::Range;
use std::task::Waker;
use std::time::Duration;

/// A call in progress that is polled: by an event loop, or by whatever completes a future of the binding's language.
///
/// Set a waker, poll, and poll again when woken or when the call is due. Dropping a call cancels it.
pub trait Pollable: Send {
    /// What the call returns.
    type Answer;

    /// Returns the answer, `None` while there is something to wait for. Never blocks. Raises what the call raises.
    fn poll(&mut self) -> Result<Option<Self::Answer>>;

    /// Returns how long the call may stay unpolled if nothing wakes it; `None` for ever.
    fn due(&self) -> Option<Duration>;

    /// Wakes `waker` whenever the call may have progressed. Poll once more after this.
    fn wake(&mut self, waker: Waker);
}

impl Pollable for Wait {
    type Answer = Vec<Range<i64>>;

    fn poll(&mut self) -> Result<Option<Self::Answer>> {
        Wait::poll(self)
    }

    fn due(&self) -> Option<Duration> {
        Some(self.left())
    }

    fn wake(&mut self, waker: Waker) {
        Wait::wake(self, waker);
    }
}

impl Pollable for SnowflakeWait {
    type Answer = Vec<i64>;

    fn poll(&mut self) -> Result<Option<Self::Answer>> {
        SnowflakeWait::poll(self)
    }

    fn due(&self) -> Option<Duration> {
        Some(self.next_tick_in().map_or(self.left(), |tick| tick.min(self.left())))
    }

    fn wake(&mut self, waker: Waker) {
        SnowflakeWait::wake(self, waker);
    }
}

impl Pollable for Backfill {
    type Answer = Vec<i64>;

    fn poll(&mut self) -> Result<Option<Self::Answer>> {
        self.wait_for(Duration::ZERO)
    }

    fn due(&self) -> Option<Duration> {
        Some(self.left())
    }

    fn wake(&mut self, waker: Waker) {
        Backfill::wake(self, waker);
    }
}

impl<T: Send + 'static> Pollable for Pending<T> {
    type Answer = T;

    fn poll(&mut self) -> Result<Option<T>> {
        self.wait_for(Duration::ZERO).transpose()
    }

    fn due(&self) -> Option<Duration> {
        Some(self.left())
    }

    fn wake(&mut self, waker: Waker) {
        Pending::wake(self, waker);
    }
}
