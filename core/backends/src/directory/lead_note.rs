//! A note in the lock file: up to when its owner may stamp, if that is further ahead of the clock than owners usually
//! are.
//!
//! It serves the next owner if the state file is damaged or gone. Without a note the owner was no further ahead than
//! usual, so that seconds are enough to wait; an owner that led the clock by an hour notes it first.

use crate::worker_files::durable_file::Content;

const HEADING: &str = "leafmint lead 1";

/// Time that a note covers beyond what was needed, so that it is seldom written. Milliseconds.
const AHEAD: i64 = 60_000;

/// What a lock file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeadNote {
    /// No owner was ever further ahead than usual.
    Never,
    /// No owner that was further ahead than usual stamped at or after this Unix millisecond.
    Until(i64),
    /// The note cannot be read.
    Unknown,
}

impl LeadNote {
    pub(crate) fn parse(content: &Content) -> Self {
        let until =
            |text: &str| text.strip_prefix(HEADING)?.strip_prefix("\nuntil ")?.strip_suffix("\nend\n")?.parse().ok();
        match content {
            Content::Nothing => LeadNote::Never,
            Content::Text(text) => until(text).map_or(LeadNote::Unknown, LeadNote::Until),
            Content::Damaged => LeadNote::Unknown,
        }
    }

    /// Returns whether the note covers a horizon.
    pub(crate) fn covers(self, horizon: i64) -> bool {
        matches!(self, LeadNote::Until(until) if horizon <= until)
    }

    /// Returns a note that covers a horizon, and its text.
    pub(crate) fn covering(horizon: i64) -> (Self, String) {
        let until = horizon.saturating_add(AHEAD);
        (LeadNote::Until(until), format!("{HEADING}\nuntil {until}\nend\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_back_and_covers_its_horizon_and_a_while_more() {
        let (note, text) = LeadNote::covering(1_000_000);
        assert_eq!(LeadNote::parse(&Content::Text(text)), note);
        assert_eq!([1_000_000, 1_060_000, 1_060_001].map(|horizon| note.covers(horizon)), [true, true, false]);
    }

    #[test]
    fn an_empty_lock_file_is_no_note_and_a_damaged_one_is_unknown() {
        assert_eq!(LeadNote::parse(&Content::Nothing), LeadNote::Never);
        assert_eq!(LeadNote::parse(&Content::Damaged), LeadNote::Unknown);
        assert_eq!(LeadNote::parse(&Content::Text("until 7\n".into())), LeadNote::Unknown);
        assert!(!LeadNote::Never.covers(0) && !LeadNote::Unknown.covers(0));
    }
}
