//! Sessions with MySQL and MariaDB servers: how they are dialled, what is sent, and what an error means.

mod borrowed;
mod dial;
mod errors;
#[cfg(test)]
mod fuzz_tests;
mod options;
pub mod schema;
pub mod segments;
mod session;
mod table;
pub mod tickets;
pub mod workers;

pub use dial::MySql;
pub use errors::meaning;
pub use session::{Changed, Session};
use table::facts;
pub use table::{ShownTables, check, check_gapless, is_transactional, look, show, shown};
pub use tickets::over_tickets;
