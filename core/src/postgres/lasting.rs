//! Which tables keep what was committed, for every session.

use super::operators::EQ;

/// The condition that a table, whose row in `pg_class` is `c`, is an ordinary one that the write-ahead log covers.
///
/// After a crash an unlogged table is empty, and begins again; other kinds of tables commit elsewhere. A temporary
/// table that another client of a pool left in the session hides leafmint's from this session alone.
pub(crate) const LASTING: &str = "c.relpersistence OPERATOR(pg_catalog.=) 'p' AND c.relkind OPERATOR(pg_catalog.=) 'r'";

/// Returns the condition that the row of this alias is in a lasting table.
pub(crate) fn is_lasting(alias: &str) -> String {
    format!("(SELECT {LASTING} FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} {alias}.tableoid)")
}
