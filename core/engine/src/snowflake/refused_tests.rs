//! What becomes of a generator whose holder refuses it a worker id.

use super::{ClockPolicy, ClockRollback, Settings, SnowflakeGenerator};
use crate::answer::Answer;
use crate::clock::{Clock, SystemClock};
use crate::holder::{MemoryHolder, Pace, SnowflakeCheck, WorkerIdHolder, WorkerInfo, WorkerLease};
use crate::runtime::background::Hasty;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::layout::Layout;
use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A holder that refuses for as long as a test wants.
struct Refusing {
    holder: MemoryHolder,
    refuses: Arc<AtomicBool>,
}

impl WorkerIdHolder for Refusing {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        if self.refuses.load(Ordering::SeqCst) {
            return Box::pin(ready(Err(Error::new(ErrorKind::InvalidConfig, "no table"))));
        }
        self.holder.acquire()
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        self.holder.extend(lease, horizon)
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        self.holder.release(lease, used)
    }

    fn list_workers(&self) -> Answer<'_, Vec<WorkerInfo>> {
        self.holder.list_workers()
    }

    fn release_worker(&self, worker_id: i64, force: bool) -> Answer<'_, bool> {
        self.holder.release_worker(worker_id, force)
    }

    fn check(&self) -> Answer<'_, SnowflakeCheck> {
        self.holder.check()
    }

    fn pace(&self) -> Pace {
        self.holder.pace()
    }

    fn name(&self) -> &'static str {
        self.holder.name()
    }

    fn scope(&self) -> String {
        self.holder.scope()
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        self.holder.in_child()
    }
}

#[test]
fn a_refusal_of_the_holder_ends_without_a_call_once_it_is_undone() {
    let refuses = Arc::new(AtomicBool::new(true));
    let holder = Refusing { holder: MemoryHolder::new(7, 1023), refuses: refuses.clone() };
    let settings = Settings {
        layout: Layout::default(),
        datacenter_id: 0,
        timeout: Duration::from_secs(20),
        clock: ClockPolicy { rollback: ClockRollback::Continue, max_clock_lead: Duration::from_secs(5) },
        jitter: 0,
        eager: false,
        close_at_exit: false,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let flakes = SnowflakeGenerator::new(Arc::new(holder), settings, clock, Arc::new(Hasty::default()));
    assert_eq!(flakes.next_id().unwrap_err().kind(), ErrorKind::InvalidConfig);
    assert!(!flakes.stats().holder_up);
    let failures = flakes.stats().lease_failures;
    wait_for(|| flakes.stats().lease_failures > failures);
    refuses.store(false, Ordering::SeqCst);
    wait_for(|| flakes.stats().holder_up);
    assert_eq!(flakes.stats().worker_id, Some(7));
}

fn wait_for(is_there: impl Fn() -> bool) {
    while !is_there() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
