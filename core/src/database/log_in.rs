//! How to log in: with credentials that stay, or with those that a source supplies for each connection.

use super::failure::{Failure, Outcome};
use crate::credentials::{Credentials, CredentialsSource};
use std::time::Duration;

/// How to log in.
#[derive(Clone, PartialEq, Eq)]
pub enum LogIn {
    /// Always with the same credentials.
    Configured {
        /// The account.
        user: Option<String>,
        /// Its password.
        password: Option<String>,
    },
    /// With those that the source supplies for each new connection.
    Supplied(CredentialsSource),
}

/// What one connection logs in with.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) is_supplied: bool,
}

impl LogIn {
    /// Returns what the next connection logs in with. Waits for a source, for at most `longest`.
    pub(super) async fn account(&self, longest: Duration) -> Outcome<Account> {
        match self {
            LogIn::Configured { user, password } => {
                Ok(Account { user: user.clone(), password: password.clone(), is_supplied: false })
            }
            LogIn::Supplied(source) => {
                let Credentials { user, password } = source.ask(longest).await.map_err(Failure::NoCredentials)?;
                Ok(Account { user: Some(user), password: Some(password), is_supplied: true })
            }
        }
    }
}
