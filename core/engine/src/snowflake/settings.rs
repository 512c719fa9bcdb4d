//! The options of a snowflake generator, apart from its holder's.

use super::clock_policy::ClockPolicy;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::Layout;
use std::time::Duration;

/// The options that a generator goes by.
pub struct Settings {
    pub layout: Layout,
    pub datacenter_id: i64,
    pub timeout: Duration,
    pub clock: ClockPolicy,
    /// A tick begins at a random sequence number below this.
    pub jitter: i64,
    pub eager: bool,
    pub close_at_exit: bool,
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
