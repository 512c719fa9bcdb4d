//! All errors of a configuration or a layout, collected for one message.

use crate::error::{Error, ErrorKind, Reason, Result};
use crate::text::printable;

/// Everything that is wrong with a configuration or a layout.
#[derive(Default)]
pub struct ConfigErrors {
    first: Vec<String>,
    count: usize,
    options: Vec<&'static str>,
    reason: Option<Reason>,
}

/// Most errors that one message lists.
const MOST: usize = 32;

impl ConfigErrors {
    /// Adds one error.
    pub fn add(&mut self, error: impl Into<String>) {
        self.count += 1;
        if self.first.len() < MOST {
            self.first.push(printable(error.into()));
        }
    }

    /// Adds one error of an option's value.
    pub fn add_of(&mut self, option: &'static str, error: impl Into<String>) {
        if !self.options.contains(&option) {
            self.options.push(option);
        }
        self.add(error);
    }

    /// Adds that the URL names a store or has a form that leafmint does not serve.
    pub fn add_unserved(&mut self, error: impl Into<String>) {
        self.reason = Some(Reason::UnservedUrl);
        self.add(error);
    }

    /// Returns the value of an option, or adds the error and returns `otherwise`.
    pub fn keep_of<T>(&mut self, option: &'static str, parsed: std::result::Result<T, String>, otherwise: T) -> T {
        parsed.unwrap_or_else(|error| {
            self.add_of(option, error);
            otherwise
        })
    }

    /// Returns the value, or adds the error and returns `otherwise`.
    pub fn keep<T>(&mut self, parsed: std::result::Result<T, String>, otherwise: T) -> T {
        parsed.unwrap_or_else(|error| {
            self.add(error);
            otherwise
        })
    }

    /// Raises `invalid_config` if there are errors; the message begins with `what`.
    pub fn into_result(self, what: &str) -> Result<()> {
        let text = match self.first.as_slice() {
            [] => return Ok(()),
            [one] => format!("{what}: {one}"),
            many => format!("{what}: {} problems: {}", self.count, many.join("; ")),
        };
        Err(Error::new(ErrorKind::InvalidConfig, text).because(self.reason).of_options(self.options))
    }
}
