//! How the reader of messages runs leafmint.

use std::sync::{Arc, RwLock};

/// How a command is typed so that it works where its reader is.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The program with its fixed words, if it is not `leafmint`.
    pub(super) program: Option<String>,
    /// The command that creates the tables, if it is not the program's `init`.
    pub(super) init: Option<String>,
    /// The options that name the store, and their values.
    pub(super) store: Vec<(String, String)>,
}

static READER: RwLock<Option<Arc<Reader>>> = RwLock::new(None);

/// Says how the reader of this process's messages runs leafmint: the program, such as `manage.py leafmint`, the command
/// that creates the tables, if it is not the program's `init`, and the options that name the store.
pub fn read_by(program: &str, init: Option<&str>, store: &[(String, String)]) {
    let reader = Reader { program: Some(program.to_owned()), init: init.map(str::to_owned), store: store.to_vec() };
    // A forked child may have inherited the lock from a thread that it does not have: nothing waits for it.
    if let Ok(mut current) = READER.try_write() {
        *current = Some(Arc::new(reader));
    }
}

/// Returns the reader, as far as it was said who that is.
pub(super) fn current() -> Arc<Reader> {
    READER.try_read().ok().and_then(|reader| reader.clone()).unwrap_or_default()
}
