//! The order of a tag's ids.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// How the ids of one tag follow on one another: the option `order` of a tag.
///
/// ```
/// use leafmint::segment::Order;
/// assert_eq!("relaxed".parse::<Order>()?, Order::Relaxed);
/// assert_eq!(Order::default().to_string(), "strict");
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Ids strictly increase, whichever thread takes them. All threads share one counter.
    #[default]
    Strict,
    /// Ids strictly increase for each thread, and not from thread to thread: each mints from a block of its own, of at most 256
    /// ids, so that threads do not slow one another down. What is left of blocks at a close is unused, and not given back.
    Relaxed,
}

impl FromStr for Order {
    type Err = Error;

    /// Reads `strict` or `relaxed`. Raises `invalid_argument` for anything else.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "strict" => Ok(Order::Strict),
            "relaxed" => Ok(Order::Relaxed),
            _ => Err(Error::new(ErrorKind::InvalidArgument, format!("order={text:?} is neither \"strict\" nor \"relaxed\""))),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Strict => "strict",
            Order::Relaxed => "relaxed",
        })
    }
}
