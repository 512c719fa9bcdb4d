//! An event as a binding takes it.

use super::kind::EventKind;

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What kind of event.
    pub kind: EventKind,
    /// The full text, for people; never with credentials.
    pub text: String,
}
