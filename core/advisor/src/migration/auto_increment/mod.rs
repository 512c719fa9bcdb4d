//! The move from `AUTO_INCREMENT` of MySQL or MariaDB, while old writers go on inserting. Nothing here writes.
//!
//! An explicit id above the counter pushes the counter, so a tag cannot count above it while old writers insert. It can
//! count below it: the counter is raised once, and the numbers left out are the *room* of the tag. No insert by the
//! counter reaches into the room, whatever a session counts by, and no id of the room pushes the counter.

mod beyond;
mod judge;
mod read;
mod room;
mod steps;

pub use beyond::{Beyond, KnownTag, beyond};
pub use judge::{Writers, judge};
pub use read::{CountedTable, Counters, ServerFacts, StoredTag, read};
pub use room::{Planned, ROOM, plan};
pub use steps::{Command, commands, steps};
