//! Work on a session: one type per statement, which defines what is sent and what its answer means.

use super::failure::Outcome;

/// Work on a session of one kind of database. It may be done again on another one.
pub(crate) trait Statement<Session>: Sync {
    type Answer: Send;

    fn run(&self, session: &mut Session) -> impl Future<Output = Outcome<Self::Answer>> + Send;
}
