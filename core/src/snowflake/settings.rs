//! The options of a snowflake generator, apart from its holder's.

use super::clock_policy::ClockPolicy;
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
