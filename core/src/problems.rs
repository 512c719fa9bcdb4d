//! Everything that is wrong with something, collected, so that one message can tell it all.

use crate::error::{Error, ErrorKind, Result};
use crate::printable::printable;

/// Everything that is wrong with a configuration, told in one message.
#[derive(Default)]
pub(crate) struct Problems {
    first: Vec<String>,
    count: usize,
}

/// No message lists more.
const MOST: usize = 32;

impl Problems {
    pub(crate) fn add(&mut self, problem: impl Into<String>) {
        self.count += 1;
        if self.first.len() < MOST {
            self.first.push(printable(problem.into()));
        }
    }

    /// Keeps the value, or notes the problem and goes on with what stands in for it.
    pub(crate) fn keep<T>(&mut self, parsed: std::result::Result<T, String>, otherwise: T) -> T {
        parsed.unwrap_or_else(|problem| {
            self.add(problem);
            otherwise
        })
    }

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
