//! Operators by their full names.
//!
//! A short one is looked up on the search path, like the short name of a function or a type: a role that may create
//! objects in a schema there would decide what our statements run, with our rights. `BETWEEN`, `IN`,
//! `IS DISTINCT FROM`, `CASE … WHEN` and `USING` stand for operators too. All of these names have one precedence, which
//! is lower than that of `+` and higher than that of `AND`.

pub const EQ: &str = "OPERATOR(pg_catalog.=)";
pub(crate) const LT: &str = "OPERATOR(pg_catalog.<)";
pub(crate) const LE: &str = "OPERATOR(pg_catalog.<=)";
pub(crate) const GE: &str = "OPERATOR(pg_catalog.>=)";
pub const ADD: &str = "OPERATOR(pg_catalog.+)";
pub(crate) const SUB: &str = "OPERATOR(pg_catalog.-)";
pub(crate) const MUL: &str = "OPERATOR(pg_catalog.*)";
