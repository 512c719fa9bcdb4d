//! Worker ids in tables of a PostgreSQL database: the statements, and what the tables must be like.

mod backfill;
mod claims;
mod registry;
