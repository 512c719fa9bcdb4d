//! What a server answered.

use crate::printable::printable;
use std::{error, fmt};

/// An error of the server itself, or of SQLite: its number, its state and its text.
///
/// MySQL and MariaDB have a number and a state, for example 1045 and `28000`; PostgreSQL has a state only, ZooKeeper a
/// number only. SQLite's number is its extended result code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    number: Option<i32>,
    state: Option<String>,
    text: String,
}

impl ServerError {
    pub(crate) fn new(number: Option<i32>, state: Option<String>, text: String) -> Self {
        Self { number, state: state.map(printable), text: printable(text) }
    }

    /// Returns the server's own number.
    pub fn number(&self) -> Option<i32> {
        self.number
    }

    /// Returns the SQLSTATE.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl error::Error for ServerError {}
