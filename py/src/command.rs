//! Commands for people.

use leafmint::{ShellCommand, read_by};
use pyo3::prelude::*;

/// Says how the reader of messages runs leafmint: the program, the command that creates the tables, if it is not the
/// program's `init`, and the options that name the store.
#[pyfunction]
#[pyo3(name = "_read_by")]
pub(crate) fn set_reader(program: &str, init: Option<&str>, store: Vec<(String, String)>) {
    read_by(program, init, &store);
}

/// Returns a command as its reader types it. An option without a value is a flag.
#[pyfunction]
#[pyo3(name = "_command", signature = (words, operands, options))]
pub(crate) fn command(words: &str, operands: Vec<String>, options: Vec<(String, Option<String>)>) -> String {
    let begun = ShellCommand::leafmint(words);
    let command = operands.iter().fold(begun, |command, operand| command.operand(operand));
    let add = |command: ShellCommand, (option, value): (String, Option<String>)| match value {
        Some(value) => command.value(&option, &value),
        None => command.flag(&option),
    };
    options.into_iter().fold(command, add).to_string()
}
