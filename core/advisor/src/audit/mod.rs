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
pub mod tags;

pub use assemble::{Course, Listed, ListedColumn, ListedCounter};
pub(crate) use catalogue::least_room_of;
pub use catalogue::{Column, Tag};
pub use mysql::MySqlReader;
pub use reader::Reader;
pub(crate) use reader::if_allowed;
pub use tags::named as tag_named;

#[cfg(test)]
pub use assemble::ListedReference;

pub use finding::{Finding, FindingKind, Severity};
pub use ignored::Ignored;
pub use read::audit;
pub use report::{AuditReport, KeyUse};
pub use request::{AuditRequest, Chosen, Earlier};
