//! The options of a snowflake generator, apart from its holder's.

use super::clock_policy::ClockPolicy;
use crate::error::{Error, ErrorKind, Result};
use crate::id::Layout;
use std::time::Duration;

/// The options that a generator goes by.
pub(crate) struct Settings {
    pub(crate) layout: Layout,
    pub(crate) datacenter_id: i64,
    pub(crate) timeout: Duration,
    pub(crate) clock: ClockPolicy,
    /// A tick begins at a random sequence number below this.
    pub(crate) jitter: i64,
    pub(crate) eager: bool,
    pub(crate) close_at_exit: bool,
}

impl Settings {
    /// Returns the gene to put into an id, 0 for `None`. Raises `invalid_argument` if it does not fit the layout.
    pub(super) fn gene(&self, gene: Option<i64>) -> Result<i64> {
        let bits = self.layout.bits().gene;
        let text = match gene {
            None => return Ok(0),
            Some(gene) if bits == 0 => format!(
                "gene={gene}, but the layout has no gene bits: choose a layout with gene bits, for example gene:4"
            ),
            Some(gene) if (0..1 << bits).contains(&gene) => return Ok(gene),
            Some(gene) => format!("gene={gene} is not from 0 to {} ({bits} bits)", (1 << bits) - 1),
        };
        Err(Error::new(ErrorKind::InvalidArgument, text))
    }
}
