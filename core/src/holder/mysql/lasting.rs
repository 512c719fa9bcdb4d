//! Leafmint's own tables must keep what is written, for every process and after a crash.

use crate::database::Outcome;
use crate::mutants::weaken;
use crate::mysql::{self, Session};

/// Leafmint's tables, quoted: that of the worker ids is the first.
pub(super) const TABLES: [&str; 3] = ["`leafmint_worker`", "`leafmint_namespace`", "`leafmint_schema`"];

/// Refuses tables that do not keep what is written, by the answers to [`mysql::show`].
pub(super) async fn check_lasting(session: &mut Session, tables: &[&str]) -> Outcome<()> {
    match mysql::check(session, tables).await {
        Err(failure) if weaken!("mysql-worker-in-a-table-that-does-not-last", true, without = false) => Err(failure),
        _ => Ok(()),
    }
}
