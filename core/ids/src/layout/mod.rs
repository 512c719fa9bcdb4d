//! Layouts: which bits of an id mean what, and the ids of a time span.

mod bits;
mod dates;
mod encoding;
mod layout_text;
mod ticks;

pub(crate) use bits::ones;
pub use bits::{Layout, LayoutBits, MAX_GENE_BITS, TICKET_BITS};
pub use dates::{date, time_from_text};
pub use encoding::{DecodedId, TicketEncoder};
pub use layout_text::LAYOUT_PRESETS;
pub use ticks::{moments_of_span, period_tables};
