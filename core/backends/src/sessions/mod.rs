//! Sessions with database servers, whichever kind they are: few sessions, bounded waits, conflicts tried again, then
//! the next host.
//!
//! The kinds, `mysql`, `postgres` and `zookeeper`, only dial, speak and say what a server's error means.

mod connect;
pub mod credentials;
mod engine;
mod error_meaning;
mod hosts;
mod pool;
mod settings;
pub mod tls;
mod work;

pub(crate) use connect::addresses;
pub use connect::connect;
pub use credentials::{Account, LogIn};
pub use engine::{Engine, Opened};
pub use error_meaning::{Failure, Outcome, Remedy, Row, Sense, cut, row};
pub(crate) use error_meaning::{look_up, of_tls};
pub use hosts::{Hosts, Stay};
pub use pool::Sessions;
pub(crate) use settings::LOCK_MOMENT;
pub use settings::{DatabaseSettings, LockWait, SslMode};
pub use tls::{config as tls_config, read_authorities};
pub use work::Work;
