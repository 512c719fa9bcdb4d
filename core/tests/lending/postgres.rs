//! An application with a connection to PostgreSQL.

use super::texts::{Source, Texts, several};
use crate::stores::postgres::log_in;
use leafmint_backends::borrowed::{Connected, DriverError, Lender, OnThreads, Ran};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// Lends connections to the server of a URL.
pub(crate) fn lender(url: &str) -> Arc<dyn Lender> {
    Arc::new(OnThreads::new(Source::<Postgres>::new(url)))
}

struct Postgres(Client);

impl Texts for Postgres {
    const BEGIN: &str = "BEGIN";

    async fn connect(url: &str) -> Result<(Self, Connected), DriverError> {
        let (config, host) = log_in(url);
        let stream = TcpStream::connect(host).await.map_err(|error| DriverError::lost(error.to_string()))?;
        let (client, connection) = config.connect_raw(stream, NoTls).await.map_err(error)?;
        let version = connection.parameter("server_version").unwrap_or_default().to_owned();
        tokio::spawn(connection);
        Ok((Self(client), Connected { product: "PostgreSQL".to_owned(), version, is_shared: false }))
    }

    async fn run(&mut self, statement: &str) -> Result<Ran, DriverError> {
        let (mut rows, mut has_rows, mut ends) = (Vec::new(), false, Vec::new());
        for message in self.0.simple_query(statement).await.map_err(error)? {
            match message {
                SimpleQueryMessage::RowDescription(_) => has_rows = true,
                SimpleQueryMessage::Row(row) => {
                    rows.push((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect());
                }
                SimpleQueryMessage::CommandComplete(changed) => ends.push(changed),
                _ => {}
            }
        }
        match (ends.as_slice(), has_rows) {
            ([_], true) => Ok(Ran::Rows(rows)),
            ([changed], false) => Ok(Ran::Changed(*changed)),
            _ => Err(several(statement)),
        }
    }
}

fn error(error: tokio_postgres::Error) -> DriverError {
    match error.as_db_error() {
        Some(answer) => DriverError {
            number: None,
            state: Some(answer.code().code().to_owned()),
            text: answer.message().to_owned(),
            is_lost: false,
        },
        None => DriverError::lost(error.to_string()),
    }
}
