//! What is done on a session: one type per statement, which says what is sent and what its answer means.

use super::failure::Outcome;
use super::session::Session;

/// Something to do on a session. It may be done again on another one.
pub(crate) trait Statement: Sync {
    type Answer: Send;

    fn run(&self, session: &mut Session) -> impl Future<Output = Outcome<Self::Answer>> + Send;
}
