//! Connections that the application makes: a binding opens them its way, runs statements on them, and says in plain
//! data what came of it. What to run and what the answers mean stays with the sessions of each server.

mod borrowing;
mod connection;
mod lender;
mod threads;

pub use borrowing::Borrowing;
pub(crate) use connection::Connection;
pub use lender::{Answer, Connected, DriverError, Lender, Question, Ran, Wanted};
pub use threads::{Blocking, BlockingConnection, OnThreads};
