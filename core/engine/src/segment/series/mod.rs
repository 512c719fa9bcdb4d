//! Series: numbers that start again each day, month or year. Each period has a tag of its own, `invoice@2026-11-25`.
//!
//! Why no number comes twice: a number is one of its period's tag, so the proofs of tags hold. Clocks decide only from
//! which tag a number is drawn, and the text of a number names its period.
//!
//! | at | what happens | where |
//! |---|---|---|
//! | the first number | the rule, period and zone, is stored or compared with the stored one | `declaration.rs` |
//! | a number | the group in force is drawn from, if the clock is within its time | `handle.rs` |
//! | any other time | a binding says which period the calendar shows; its group is in force | `state.rs` |
//! | up to an hour before a period ends | the next period's tag is leased from | `next_period.rs` |
//! | up to an hour after it | what is left of the old one is given back | `next_period.rs` |
//! | while a key has no handle | its numbers are packed, and its tag is closed | `packed.rs` |
//! | one key too many | those used the longest ago are forgotten, and their rest is given back | `by_name.rs` |

mod by_name;
mod declaration;
mod group;
mod handle;
mod next_period;
mod options;
mod packed;
mod state;
mod totals;
mod width;

pub(super) use by_name::SeriesByName;
pub(super) use declaration::SeriesTag;
pub use group::{Calendar, SeriesGroup};
pub use handle::{Series, SeriesNumber};
pub use options::SeriesOptions;
pub(super) use totals::Totals;
