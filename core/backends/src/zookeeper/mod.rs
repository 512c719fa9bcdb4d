//! ZooKeeper as an engine: a small client of what leafmint needs, over [`crate::sessions::Sessions`].
//!
//! A ZooKeeper session is transport only: nothing is ephemeral and nothing is watched, so that the loss of a session
//! means nothing. As with databases, few sessions are kept, every statement has a deadline, and a statement whose
//! session broke is run again on another one, on each server of the list in turn.
//!
//! Work is a statement of [`crate::sessions`] over a [`Session`]:
//!
//! * `get` and `get_all` (data with version and time of the last change), `children`, `create` (persistent, or with a
//!   number behind its name), `set` (if the node still has a version), `sync`;
//! * `None` and the enums [`Created`] and [`Changed`] say what a node was like; a [`crate::sessions::Failure`] says
//!   that the server refused, or did not answer.
//!
//! A write may have been carried out although its statement failed, and is then sent again: the writer must
//! recognise its own write, by the version or by what the node shows. Reads never go back behind what the same
//! [`ZooKeeper`] has seen, whichever server answers. Paths are absolute; a chroot is
//! their beginning.

#[cfg(test)]
mod client_tests;
mod dial;
mod digest_md5;
mod errors;
pub mod forever;
#[cfg(test)]
mod fuzz_tests;
mod node;
mod session;
mod stream;
pub mod workers;

pub use dial::ZooKeeper;
pub use node::{Access, Changed, Created, Kind, Node, problem_of_part};
pub use session::Session;
