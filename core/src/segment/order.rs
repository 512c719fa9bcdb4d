//! The option `order` of a tag.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// The order in which the ids of one tag are handed out.
///
/// ```
/// use leafmint::segment::Order;
/// assert_eq!("relaxed".parse::<Order>()?, Order::Relaxed);
/// assert_eq!(Order::default().to_string(), "strict");
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// Ids strictly increase across all threads, which share one counter.
    #[default]
    Strict,
    /// Ids strictly increase for each thread, but not across threads. Each thread draws from a block of at most 256
    /// ids, so that threads do not slow one another down. The rest of a block counts as unused at the close, and is not
    /// given back.
    Relaxed,
}

impl FromStr for Order {
    type Err = Error;

    /// Reads `strict` or `relaxed`. Raises `invalid_argument` for anything else.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "strict" => Ok(Order::Strict),
            "relaxed" => Ok(Order::Relaxed),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("order={text:?} is neither \"strict\" nor \"relaxed\""),
            )),
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
