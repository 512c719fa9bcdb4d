//! A lender as settings hold it.

use super::connection::Connection;
use super::lender::{DriverError, Lender};
use leafmint_engine::runtime::process::PerProcess;
use leafmint_engine::sync::Mutex;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// A lender, and the connection that was asked for the product's name. Two are equal if they are clones of one.
#[derive(Clone)]
pub struct Borrowing {
    lender: Arc<dyn Lender>,
    /// The child of a fork has none of its parent's.
    spare: Arc<PerProcess<Mutex<Option<Connection>>>>,
}

impl Borrowing {
    pub fn new(lender: Arc<dyn Lender>) -> Self {
        Self { lender, spare: Arc::new(PerProcess::new(Mutex::default())) }
    }

    /// Names the database and what connects to it.
    pub fn name(&self) -> &str {
        self.lender.name()
    }

    /// Asks for a connection. The caller sets the deadline.
    pub(crate) async fn connect(&self) -> Result<Connection, DriverError> {
        let spare = self.spare().lock().take();
        match spare {
            Some(connection) => Ok(connection),
            None => Connection::open(&self.lender).await,
        }
    }

    /// Asks what is on the other side. The connection serves the next that asks for one. The caller sets the deadline.
    pub(crate) async fn product(&self) -> Result<String, DriverError> {
        let connection = self.connect().await?;
        let product = connection.connected.product.clone();
        if connection.connected.is_shared {
            connection.end().await;
        } else {
            *self.spare().lock() = Some(connection);
        }
        Ok(product)
    }

    fn spare(&self) -> &Mutex<Option<Connection>> {
        self.spare.get(|_| Mutex::default())
    }
}

impl PartialEq for Borrowing {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lender, &other.lender)
    }
}

impl Eq for Borrowing {}

impl Debug for Borrowing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Borrowing({})", self.name())
    }
}
