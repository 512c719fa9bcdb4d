//! Work on a session: one type per statement, which defines what is sent and what its answer means.

use super::failure::Outcome;
use super::session::Session;

/// Work on a session. It may be done again on another one.
pub(crate) trait Statement: Sync {
    type Answer: Send;

    fn run(&self, session: &mut Session) -> impl Future<Output = Outcome<Self::Answer>> + Send;
}
