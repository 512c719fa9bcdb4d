//! Which tables keep what was committed, for every session.

use super::operators::EQ;

/// Returns the condition that the row of this alias is in an ordinary table, which the write-ahead log covers.
///
/// After a crash an unlogged table is empty, and begins again; other kinds of tables commit elsewhere. A temporary
/// table that another client of a pool left in the session hides leafmint's from this session alone.
pub(crate) fn is_lasting(alias: &str) -> String {
    format!(
        "(SELECT c.relpersistence {EQ} 'p' AND c.relkind {EQ} 'r' FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} {alias}.tableoid)"
    )
}
