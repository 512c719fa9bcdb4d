//! What the core promises, tested through its public interface: one file or folder per topic.
//!
//! One binary, since to link dozens takes longer than to run them. `cargo nextest run` gives each test a process of its
//! own, so that a test may fork, count threads or allocations, or set what a whole process has.

#[macro_use]
mod holders;
#[macro_use]
mod lending;

mod allocations;
mod background_end;
mod bad_input;
mod cold_start;
mod entrances;
mod events;
mod failover;
mod fork;
mod holder_directory;
mod holder_fixed;
mod holder_past;
mod holder_postgres;
mod holder_restart;
mod holder_rows;
mod holder_spec;
mod holder_zookeeper;
mod hostile_names;
mod id_properties;
mod id_vectors;
mod lent_faults;
mod locked_rows;
mod long_names;
mod lost_answers;
mod mended;
mod midnight;
mod mysql;
mod no_allocation;
mod odd_tables;
mod panics;
mod postgres;
mod public_id_vectors;
mod public_ids;
mod segment;
mod sequences;
mod shortage;
mod simulated_time;
mod slow_store;
mod snowflake;
mod sqlite_shared;
mod store_spec;
mod stores;
mod tickets;
mod vectors;
