//! What a binding implements, and what it is asked and answers.

use leafmint_engine::runtime::background::Reply;

/// The application's way to connect to a database.
pub trait Lender: Send + Sync + 'static {
    /// Names the database and what connects to it, without secrets, for messages: `DataSource HikariPool-1
    /// (jdbc:mysql://db.example.com/shop)`. Two names are equal only if they lead to the same tables.
    fn name(&self) -> &str;

    /// Takes a question, to be answered by other threads: it returns at once. The questions about one connection come
    /// one after the other, but for [`Wanted::Abandon`], which comes while another one is not answered.
    fn ask(&self, question: Question);
}

/// Something to do with one connection.
pub struct Question {
    /// Chosen by who asks; no two connections of a process have the same.
    pub connection: u64,
    pub wanted: Wanted,
    /// Where the answer goes. Dropped, it is an error.
    pub reply: Reply<Result<Answer, DriverError>>,
}

/// What is to be done with a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Open it, or take it from the application's pool, in autocommit mode. Answered by [`Answer::Connected`]. After an
    /// error nothing more is asked of this connection, and the lender keeps nothing of it.
    Connect,
    /// Run these statements in turn, each as a transaction of its own, up to the first that fails. They are complete:
    /// no driver may look for parameters in them. Answered by [`Answer::Ran`].
    Run(Vec<String>),
    /// Run these statements in one transaction, and commit it if none fails, else roll it back. The answer is the same;
    /// an error of the commit is one more result.
    RunTogether(Vec<String>),
    /// Close it politely, or give it back to the pool as it was.
    End,
    /// Cut it at once, whatever it waits for. Nothing comes after it.
    Abandon,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Connected(Connected),
    /// One result a statement, up to and with the first failure.
    Ran(Vec<Result<Ran, DriverError>>),
    Ended,
}

/// A connection that was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connected {
    /// The product's name as the driver says it: `MySQL`, `MariaDB`, `PostgreSQL`, `H2`, `HSQL Database Engine`,
    /// `Apache Derby`, `SQLite`.
    pub product: String,
    /// Its version, for messages.
    pub version: String,
    /// It belongs to a pool that the application uses too: it is given back after each piece of work, as it was.
    pub is_shared: bool,
}

/// What a statement answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Its rows; each value is the text that the driver makes of it, booleans `true` or `t`, `false` or `f`.
    Rows(Vec<Vec<Option<String>>>),
    /// The number of rows that it changed.
    Changed(u64),
}

/// What the driver's error says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverError {
    /// The server's number, if it has numbers.
    pub number: Option<i32>,
    /// The SQLSTATE, if the driver knows one.
    pub state: Option<String>,
    /// The driver's message.
    pub text: String,
    /// Neither the server nor the driver answered this statement with an error of its own: the connection is gone, or
    /// none could be had.
    pub is_lost: bool,
}

impl DriverError {
    /// Describes a connection that is gone, or could not be had.
    pub fn lost(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_lost: true, ..Self::default() }
    }
}
