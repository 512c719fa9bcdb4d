//! Text for people: printed safely, quoted, and made to be pasted.

pub mod pasted;
mod printable;
mod quoted;

pub(crate) use printable::is_unprintable;
pub use printable::{beginning, cut, one_line, printable};
pub use quoted::quoted;
