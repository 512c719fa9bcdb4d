//! Promises of the holder over ZooKeeper that the suites of all holders do not test: on real servers, one file per
//! topic.

mod accounts;
mod faults;
mod forever;
#[macro_use]
#[path = "../holders/mod.rs"]
mod holders;
mod nodes;
mod recycled;
mod secure;
#[path = "../stores/mod.rs"]
mod stores;

use stores::zookeeper as operator;
