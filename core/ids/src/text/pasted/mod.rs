//! Commands and SQL that a person pastes.
//!
//! Messages, reports and plans carry names that other parties chose: tags, keys of series, tables. Only the types here
//! put a name into a command or a statement, quoted so that its reader takes it for that name and for nothing else. A
//! pasted text has one line and no character that a message escapes. `tests/lint/test_pasted.py` finds text that is put
//! together elsewhere.

mod reader;
mod shell;
mod sql;

pub use reader::read_by;
pub use shell::ShellCommand;
pub use sql::{Sql, SqlDialect};

/// Returns whether no message, terminal or clipboard changes a character: letters, digits, and what ASCII prints.
fn is_shown_as_it_is(character: char) -> bool {
    character == ' ' || character.is_ascii_graphic() || (!character.is_ascii() && character.is_alphanumeric())
}
