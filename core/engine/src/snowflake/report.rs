//! The events of a worker id's lease.

use crate::holder::{WorkerIdHolder, WorkerLease};
use crate::runtime::events;
use crate::runtime::events::EventKind;
use humantime::format_duration;
use leafmint_ids::error::Error;
use leafmint_ids::layout::{Layout, date};

/// In milliseconds.
const DAY: i64 = 86_400_000;
/// The end of the time bits is reported if it is nearer than this when a worker id is taken.
const YEAR: i64 = 365 * DAY;

/// Reports that a worker id was taken, in place of the `lost` one if there is one: each loss that is reported is
/// followed by its replacement, also if that is the same worker id.
pub(super) fn taken(holder: &dyn WorkerIdHolder, lease: &WorkerLease, lost: Option<i64>) {
    let scope = holder.scope();
    events::clear(EventKind::LeaseFailed, &scope);
    let subject = format!("{} of {scope}", subject(lease.worker_id));
    let (until, heartbeat) = (date(holder.leased_until(lease)), format_duration(holder.lease_pace().heartbeat));
    let instead = lost.map(|worker_id| format!(" in place of worker id {worker_id}")).unwrap_or_default();
    let text =
        format_args!("{subject} is taken{instead}: its time is reserved until {until}, and extended every {heartbeat}");
    events::emit_in(EventKind::LeaseTaken, &subject, &instead, text);
}

/// Reports that no worker id of `scope` could be taken.
pub(super) fn not_taken(scope: &str, error: &Error) {
    let text = format_args!("no worker id of {scope} could be taken: {error}");
    events::emit_failure(EventKind::LeaseFailed, scope, "", error, text);
}

/// Reports that the time bits of the layout end soon, if they do.
pub(super) fn end_of_time_bits(layout: &Layout, now: i64) {
    let end = layout.runs_out();
    if end - now < YEAR {
        let days = (end - now) / DAY;
        let text = format_args!(
            "the time bits of the layout run out in {days} days, at {}: plan another layout or epoch",
            date(end)
        );
        events::emit(EventKind::TimeBitsEnd, &layout.fingerprint(), text);
    }
}

/// Reports that another owner has taken the worker id.
pub(super) fn lost(worker_id: i64, error: &Error) {
    let subject = subject(worker_id);
    let text = format_args!("the lease of {subject} is lost and will be replaced: {error}");
    events::emit_failure(EventKind::LeaseLost, &subject, "", error, text);
}

/// Reports that no more time could be reserved.
pub(super) fn not_extended(lease: &WorkerLease, error: &Error) {
    let (subject, horizon) = (subject(lease.worker_id), date(lease.horizon));
    let text = format_args!("{subject}: no more time could be reserved; ids can be minted until {horizon}: {error}");
    events::emit_failure(EventKind::LeaseExtensionFailed, &subject, "", error, text);
}

/// Reports that time is reserved again.
pub(super) fn extended(lease: &WorkerLease) {
    let (subject, horizon) = (subject(lease.worker_id), date(lease.horizon));
    events::clear(EventKind::LeaseExtensionFailed, &subject);
    let text = format_args!("{subject}: time is reserved again, now until {horizon}");
    events::emit(EventKind::LeaseExtensionRecovered, &subject, text);
}

/// Reports that a close could not give the worker id back.
pub(super) fn not_released(worker_id: i64, error: &Error) {
    let subject = subject(worker_id);
    let text = format_args!("{subject} could not be given back; it is free once its reservation has passed: {error}");
    events::emit_failure(EventKind::ReleaseFailed, &subject, "", error, text);
}

/// Reports a step of the wall clock. All generators of a process have one wall clock.
pub(super) fn clock_step(kind: EventKind, text: &str) {
    events::emit(kind, "", format_args!("{text}"));
}

/// Reports that the processor's counter went further than the system's clock by `millis` in `in_millis`.
pub(super) fn counter_given_up(millis: i64, in_millis: i64) {
    let text = format_args!(
        "the processor's counter went {millis} ms further than the system's clock in {in_millis} ms: from now on ids are \
         stamped with the system's clock, as with clock=system"
    );
    events::emit(EventKind::ClockCounterGivenUp, "", text);
}

/// Names a worker id.
pub(super) fn subject(worker_id: i64) -> String {
    format!("worker id {worker_id}")
}
