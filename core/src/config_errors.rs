//! All errors of a configuration or a layout, collected for one message.

use crate::error::{Error, ErrorKind, Result};
use crate::printable::printable;

/// Everything that is wrong with a configuration or a layout.
#[derive(Default)]
pub(crate) struct ConfigErrors {
    first: Vec<String>,
    count: usize,
}

/// Most errors that one message lists.
const MOST: usize = 32;

impl ConfigErrors {
    /// Adds one error.
    pub(crate) fn add(&mut self, error: impl Into<String>) {
        self.count += 1;
        if self.first.len() < MOST {
            self.first.push(printable(error.into()));
        }
    }

    /// Returns the value, or adds the error and returns `otherwise`.
    pub(crate) fn keep<T>(&mut self, parsed: std::result::Result<T, String>, otherwise: T) -> T {
        parsed.unwrap_or_else(|error| {
            self.add(error);
            otherwise
        })
    }

    /// Raises `invalid_config` if there are errors; the message begins with `what`.
    pub(crate) fn into_result(self, what: &str) -> Result<()> {
        match self.first.as_slice() {
            [] => Ok(()),
            [one] => Err(Error::new(ErrorKind::InvalidConfig, format!("{what}: {one}"))),
            many => {
                let count = self.count;
                Err(Error::new(ErrorKind::InvalidConfig, format!("{what}: {count} problems: {}", many.join("; "))))
            }
        }
    }
}
