//! What is done on a session: one type per statement, which says what is sent and what its answer means.

use super::failure::Failure;
use crate::mutants::weaken;
use mysql_async::consts::StatusFlags;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Value};

pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// Something to do on a session. It may be done again on another one.
pub(crate) trait Statement: Sync {
    type Answer: Send;

    fn run(&self, session: &mut Conn) -> impl Future<Output = Outcome<Self::Answer>> + Send;
}

/// What a statement changed, and the value that `LAST_INSERT_ID(…)` carried in its OK packet.
pub(crate) struct Changed {
    pub(crate) rows: u64,
    pub(crate) value: Option<u64>,
}

/// Runs one statement that writes, as a transaction of its own.
pub(crate) async fn write(session: &mut Conn, sql: String, params: Vec<Value>) -> Outcome<Changed> {
    session.exec_iter(sql, params).await?.drop_result().await?;
    let Some(packet) = session.last_ok_packet() else {
        return Err(Failure::broken("the server sent no OK packet"));
    };
    let is_open = packet.status_flags().contains(StatusFlags::SERVER_STATUS_IN_TRANS);
    if weaken!("answer-of-an-open-transaction", false, is_open) {
        // Not committed: were it handed out, another connection would get the same range.
        return Err(Failure::broken("the server left the statement in an open transaction; autocommit must be on"));
    }
    Ok(Changed { rows: packet.affected_rows(), value: packet.last_insert_id() })
}
