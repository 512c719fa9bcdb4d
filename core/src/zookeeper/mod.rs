//! ZooKeeper as an engine: a small client of what leafmint needs, over [`crate::database::Sessions`].
//!
//! A ZooKeeper session is transport only: nothing is ephemeral and nothing is watched, so that the loss of a session
//! means nothing. As with databases, few sessions are kept, every statement has a deadline, and a statement whose
//! session broke is run again on another one, on each server of the list in turn.
//!
//! Work is a [`crate::database::Statement`] over a [`Session`]:
//!
//! * `get` and `get_all` (data with version and time of the last change), `children`, `create` (persistent, or with a
//!   number behind its name), `set` (if the node still has a version), `sync`;
//! * `None` and the enums [`Created`] and [`Changed`] say what a node was like; a [`crate::database::Failure`] says
//!   that the server refused, or did not answer.
//!
//! A write may have been carried out although its statement failed, and is then sent again: the writer must
//! recognise its own write, by the version or by what the node shows. Reads never go back behind what the same
//! [`ZooKeeper`] has seen, whichever server answers. Paths are absolute; a chroot is
//! their beginning.

mod access;
#[cfg(test)]
mod client_tests;
mod dial;
mod digest_md5;
mod failure;
#[cfg(test)]
mod fuzz_tests;
mod handshake;
mod jute;
mod log_in;
mod node;
mod path;
mod session;
mod stream;

pub(crate) use access::Access;
pub(crate) use dial::ZooKeeper;
pub(crate) use node::{Changed, Created, Kind, Node};
pub(crate) use path::problem_of_part;
pub(crate) use session::Session;
