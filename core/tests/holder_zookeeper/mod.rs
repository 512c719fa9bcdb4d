//! Promises of the holder over ZooKeeper that the suites of all holders do not test: on real servers, one file per
//! topic.

mod accounts;
mod faults;
mod forever;
mod nodes;
mod recycled;
mod secure;

use crate::stores::zookeeper as operator;
