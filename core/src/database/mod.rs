//! Sessions with database servers, whichever kind they are: few sessions, bounded waits, conflicts tried again, then
//! the next host.
//!
//! The kinds, `mysql`, `postgres` and `zookeeper`, only dial, speak and say what a server's error means.

mod connect;
mod dial;
mod engine;
mod error_table;
mod failure;
mod hosts;
mod location;
mod log_in;
mod sessions;
mod settings;
mod tls;
mod trusted_certificates;
mod work;

pub(crate) use connect::connect;
pub(crate) use engine::{Engine, Opened};
pub(crate) use error_table::{Remedy, Row, Sense, look_up, row};
pub(crate) use failure::{Failure, Outcome, cut, of_tls};
pub(crate) use hosts::{Hosts, Stay};
pub use location::Location;
pub(crate) use log_in::Account;
pub use log_in::LogIn;
pub(crate) use sessions::Sessions;
pub use settings::{DatabaseSettings, SslMode};
pub(crate) use settings::{LOCK_MOMENT, LockWait};
pub(crate) use tls::config as tls_config;
pub(crate) use trusted_certificates::read as read_authorities;
pub(crate) use work::Work;
