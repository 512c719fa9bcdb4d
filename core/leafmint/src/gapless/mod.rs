//! Numbers without gaps: the statements that a binding runs in the caller's own transaction, and what their answers
//! mean.
//!
//! A period of a sequence is a row. The statement locks it until the transaction ends, so that the next number is given
//! out only once this one is committed or given back.

mod draw;
mod failure;
mod sequence;
mod statements;
mod unfit;

pub use draw::{Answer, Draw};
pub use failure::Refusal;
use leafmint_backends::tables::names::GAPLESS as TABLE;
use leafmint_backends::{mysql, postgresql, sqlite};
use leafmint_ids::error::{Error, ErrorKind, Result};
pub use sequence::{Sequence, SequenceGroup};
pub use statements::Statements;

/// A database that numbers without gaps can be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// MySQL and MariaDB.
    MySql,
    /// PostgreSQL.
    Postgres,
    /// SQLite, from 3.35 on.
    Sqlite,
}

impl Dialect {
    /// Returns the dialect of a name: SQLAlchemy's, Django's or that of a product in JDBC. Raises `invalid_argument`.
    pub fn named(name: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "mysql" | "mariadb" => Ok(Dialect::MySql),
            "postgresql" => Ok(Dialect::Postgres),
            "sqlite" => Ok(Dialect::Sqlite),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("numbers without gaps need MySQL, MariaDB, PostgreSQL or SQLite, not {name:?}"),
            )),
        }
    }

    const fn schema(self) -> &'static str {
        match self {
            Dialect::MySql => mysql::schema::GAPLESS,
            Dialect::Postgres => postgresql::schema::GAPLESS,
            Dialect::Sqlite => sqlite::schema::GAPLESS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_have_the_names_of_all_drivers() {
        assert_eq!(Dialect::named("MariaDB"), Ok(Dialect::MySql));
        assert_eq!(Dialect::named("oracle").unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
