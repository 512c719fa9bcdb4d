//! The events of a generator's life.

use super::report::subject;
use super::state::GeneratorState;
use crate::holder::WorkerLease;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use humantime::format_duration;
use leafmint_ids::layout::date;

/// Openings and closes of all generators of this kind are limited together: a test suite opens many.
const SCOPE: &str = "snowflake generators";

/// Reports that the generator is open, once in each process that uses it.
pub(super) fn opened(state: &GeneratorState) {
    if std::mem::replace(&mut state.keepalive.lock().reported, true) {
        return;
    }
    let (scope, pace, settings) = (state.holder.scope(), state.holder.lease_pace(), &state.settings);
    let text = format_args!(
        "a snowflake generator is open: {scope}; layout={}, lease_duration={}, heartbeat={}, timeout={}, \
         close_at_exit={}",
        settings.layout.fingerprint(),
        format_duration(pace.lease_duration),
        format_duration(pace.heartbeat),
        format_duration(settings.timeout),
        settings.close_at_exit
    );
    events::emit_in(EventKind::GeneratorOpened, SCOPE, &scope, text);
}

/// Reports that the generator is closed, if it was reported open, and whether its worker id could be given back.
pub(super) fn closed(state: &GeneratorState, held: Option<(WorkerLease, bool)>) {
    if !state.keepalive.lock().reported {
        return;
    }
    let worker = match held {
        None => "it held no worker id".to_owned(),
        Some((lease, true)) => format!("{} is free", subject(lease.worker_id)),
        Some((lease, false)) => {
            format!("{} is free from {} on", subject(lease.worker_id), date(state.holder.leased_until(&lease)))
        }
    };
    let scope = state.holder.scope();
    let text = format_args!("a snowflake generator is closed: {scope}; {worker}");
    events::emit_in(EventKind::GeneratorClosed, SCOPE, &scope, text);
}
