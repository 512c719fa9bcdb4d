//! The products.

mod derby;
mod h2;
mod hsqldb;
mod sqlite;

use super::product::Product;

const ALL: [&Product; 4] = [&h2::H2, &hsqldb::HSQLDB, &derby::DERBY, &sqlite::SQLITE];

/// Finds a product by the name that its driver says.
pub(super) fn by_name(name: &str) -> Option<&'static Product> {
    ALL.into_iter().find(|product| product.name.eq_ignore_ascii_case(name))
}
