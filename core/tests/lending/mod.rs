//! Applications that lend their connections: drivers behind the seam that the bindings use.
#![allow(dead_code)]

pub(crate) mod bridge;
#[macro_use]
pub(crate) mod drivers;
pub(crate) mod faulty;
pub(crate) mod mysql;
pub(crate) mod pool_of_one;
mod portable;
pub(crate) mod postgres;
mod spec;
pub(crate) mod sqlite;
mod texts;

use leafmint_backends::borrowed::{Borrowing, Lender};
use leafmint_backends::by_product::{Leasing, StoreByProduct};
use leafmint_backends::sessions::DatabaseSettings;
use leafmint_engine::store::SegmentStore;
use std::sync::Arc;
use std::time::Duration;

/// Returns how the core connects through a lender.
pub(crate) fn settings(lender: Arc<dyn Lender>) -> DatabaseSettings {
    DatabaseSettings::borrowed(Borrowing::new(lender), Duration::from_secs(20))
}

/// Returns the store over a table that a lender leads to.
pub(crate) fn store(lender: Arc<dyn Lender>, table: &str) -> Arc<dyn SegmentStore> {
    let leasing = Leasing { table: table.to_owned(), auto_create: Some(true), sequence: None, default_step: 7 };
    Arc::new(StoreByProduct::new(settings(lender), leasing))
}

/// Runs a statement on a connection of a lender, as an operator would. Its failure is of no interest.
pub(crate) fn sql(lender: &Arc<dyn Lender>, statement: &str) {
    let (connection, _) = spec::Asked::open(lender);
    connection.run(&[statement]);
}
