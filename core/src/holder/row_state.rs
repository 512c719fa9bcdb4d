//! What a host knows about the row of a worker id in a database.

use super::Token;

/// Maximum number of unconfirmed versions. A restart that finds none that fits takes no risk.
const MOST_UNCONFIRMED: usize = 8;

/// The version of a row that a compare-and-set names: its token, and its horizon.
///
/// The horizon belongs to it: the clone of a machine has the same token, and moves the row on to horizons of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowVersion {
    pub(super) token: Token,
    pub(super) horizon: i64,
}

/// What a host knows about a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowState {
    /// What the row was last known to show; `None` before the first answer.
    pub(super) known: Option<RowVersion>,
    /// What else it may show: versions that were written down before they were sent, and not answered.
    pub(super) unconfirmed: Vec<RowVersion>,
    /// The lease is being released: another process may get the row at any time.
    pub(super) releasing: bool,
}

impl RowState {
    /// Returns everything that the row may show.
    pub(super) fn versions(&self) -> impl Iterator<Item = &RowVersion> {
        self.known.iter().chain(&self.unconfirmed)
    }
}

/// Adds a version that is about to be sent.
pub(super) fn add_unconfirmed(unconfirmed: &mut Vec<RowVersion>, version: RowVersion) {
    if unconfirmed.last() == Some(&version) {
        return;
    }
    if unconfirmed.len() == MOST_UNCONFIRMED {
        unconfirmed.remove(0);
    }
    unconfirmed.push(version);
}
