//! What a transaction that writes needs of the server, whatever its defaults are.

use super::operators::EQ;
use std::time::Duration;

/// Returns a query of one row that makes the settings for the transaction that it runs in, and for no other.
///
/// They are part of each statement, since a proxy may give each transaction another session, and then share a setting
/// that stays with others.
/// * `synchronous_commit`: else the answer may come before the commit is on disk, and a crash of the server undoes a
///   lease that ids were taken from. A stronger value stays.
/// * `client_min_messages`: else the server may keep its warning that a commit reached no replica to itself.
/// * `lock_timeout`: a statement that is given up must not wait in the server's lock queue and burn a range later.
pub(super) fn settings(lock_wait: Duration) -> String {
    let lock_wait = lock_wait.as_millis();
    let commit = format!(
        "CASE WHEN pg_catalog.current_setting('synchronous_commit') {EQ} 'remote_apply' THEN 'remote_apply' ELSE 'on' END"
    );
    format!(
        "SELECT pg_catalog.set_config('synchronous_commit', {commit}, true) AS commit, \
         pg_catalog.set_config('client_min_messages', 'warning', true) AS warnings, \
         pg_catalog.set_config('lock_timeout', '{lock_wait}ms', true) AS lock_wait"
    )
}
