//! Worker ids in tables of these products.

mod backfill;
mod claims;
mod registry;
