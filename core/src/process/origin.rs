//! The process that a value was made in.

use super::forks::{count_forks, forks};

/// The process that a value was made in.
///
/// A call that a fork interrupted checks it before it touches what it inherited from the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin(u32);

impl Origin {
    /// Returns the origin of a value that this process makes.
    pub(crate) fn here() -> Self {
        Self(count_forks())
    }

    /// Returns whether the value was inherited: this process is a forked child of the one that made it.
    pub(crate) fn is_inherited(self) -> bool {
        forks() != self.0
    }
}
