//! Reads how far the keys of a database are used up, and what lies behind or is too narrow. Nothing here writes.
//!
//! A `Reader` for each engine fills one description (`catalogue`) that is the same for all engines. Plain functions
//! (`judge`) turn it into findings.

mod assemble;
mod catalogue;
mod finding;
mod glob;
mod growth;
mod ignored;
mod integer_type;
mod judge;
mod mysql;
mod postgres;
mod read;
mod reader;
mod report;
mod request;
mod snowflakes;
mod sqlite;
mod tags;

pub(crate) use assemble::{Course, Listed, ListedColumn, ListedCounter};
pub(crate) use catalogue::{Column, Tag};
pub(crate) use mysql::MySqlReader;
pub(crate) use reader::{Reader, if_allowed};
pub(crate) use tags::named as tag_named;

#[cfg(test)]
pub(crate) use assemble::ListedReference;

pub use finding::{Finding, FindingKind, Severity};
pub use ignored::Ignored;
pub use read::audit;
pub use report::{AuditReport, KeyUse};
pub use request::{AuditRequest, Earlier};
