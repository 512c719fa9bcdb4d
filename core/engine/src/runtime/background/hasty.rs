//! A timeline for tests of long pauses.

use super::{Timeline, Work, real_time};
use leafmint_ids::error::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time of this process, in which each pause takes a hundredth of its time.
pub(crate) struct Hasty(Arc<dyn Timeline>);

impl Default for Hasty {
    fn default() -> Self {
        Self(real_time())
    }
}

impl Timeline for Hasty {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn sleep(&self, time: Duration) -> Work {
        self.0.sleep(time / 100)
    }

    fn spawn(&self, work: Work) -> Result<()> {
        self.0.spawn(work)
    }

    fn is_started(&self) -> bool {
        self.0.is_started()
    }
}
