//! Where ranges come from: one folder a server, and what servers share.
#![deny(unsafe_code)]

pub mod borrowed;
pub mod by_product;
pub mod directory;
pub mod mysql;
pub mod portable;
pub mod postgresql;
pub mod rows;
pub mod servers;
pub mod sessions;
pub mod sqlite;
pub mod tables;
pub mod worker_files;
pub mod zookeeper;
