//! What an operator should know: named events, for the `log` crate and for the bindings.
//!
//! An event is never emitted while a lock of the core is held, because a logger may call leafmint. The same event of
//! the same subject is reported at most once in ten seconds, and less and less often while it goes on. So are the
//! events of all tags of one store.

mod kind;
mod limit;
mod outbox;

pub use kind::EventKind;
use leafmint_ids::error::Error;
use leafmint_ids::text::printable;
pub use outbox::{Event, listen, take, waiting};
use std::fmt;

/// Emits an event. Repetitions are counted by the subject: a worker id, a file.
pub fn emit(kind: EventKind, subject: &str, text: fmt::Arguments<'_>) {
    emit_in(kind, subject, "", text);
}

/// Emits an event of one member of a scope, such as a tag of a store. Beyond a few events of the same scope, they are
/// only counted.
pub fn emit_in(kind: EventKind, scope: &str, name: &str, text: fmt::Arguments<'_>) {
    let logged = log::log_enabled!(target: kind.target(), kind.level());
    if !logged && !outbox::is_heard() {
        return;
    }
    let Some(passed) = outbox::pass(kind, scope, name) else { return };
    let mut text = text.to_string();
    if passed.left_out > 0 {
        text += &format!(" ({} more like this were left out)", passed.left_out);
    }
    if let Some(pause) = passed.last_for {
        text += &format!(" (more like this are left out for {} s)", pause.as_secs());
    }
    let text = printable(text);
    log::log!(target: kind.target(), kind.level(), "{text}");
    outbox::push(Event { kind, text });
}

/// Emits the event of a failure, whose text begins with the code of the error. The code is left out if it is the name
/// of the event.
pub fn emit_failure(kind: EventKind, scope: &str, name: &str, error: &Error, text: fmt::Arguments<'_>) {
    match error.kind().code() {
        code if code == kind.name() => emit_in(kind, scope, name, text),
        code => emit_in(kind, scope, name, format_args!("{code}: {text}")),
    }
}

/// Notes that a condition has ended: if it happens again, that is news.
pub fn clear(kind: EventKind, subject: &str) {
    clear_in(kind, subject, "");
}

/// Does the same for one member of a scope.
pub fn clear_in(kind: EventKind, scope: &str, name: &str) {
    outbox::end(kind, scope, name);
}
