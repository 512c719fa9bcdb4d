//! An application with a connection to MySQL or MariaDB.

use super::texts::{Source, Texts, several};
use leafmint_backends::borrowed::{Connected, DriverError, Lender, OnThreads, Ran};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, OptsBuilder, Row, Value};
use std::sync::Arc;

/// Lends connections to the server of a URL. They count the rows that a statement matched, as most applications' do.
pub(crate) fn lender(url: &str) -> Arc<dyn Lender> {
    Arc::new(OnThreads::new(Source::<MySql<true>>::new(url)))
}

/// Lends connections that count the rows that a statement changed.
pub(crate) fn lender_of_changed_rows(url: &str) -> Arc<dyn Lender> {
    Arc::new(OnThreads::new(Source::<MySql<false>>::new(url)))
}

struct MySql<const COUNTS_MATCHED: bool>(Conn);

impl<const COUNTS_MATCHED: bool> Texts for MySql<COUNTS_MATCHED> {
    const BEGIN: &str = "START TRANSACTION";

    async fn connect(url: &str) -> Result<(Self, Connected), DriverError> {
        let options = mysql_async::Opts::from_url(url).unwrap();
        let options = OptsBuilder::from_opts(options).client_found_rows(COUNTS_MATCHED).prefer_socket(false);
        let mut connection = Conn::new(options).await.map_err(error)?;
        let version: Option<String> = connection.query_first("SELECT VERSION()").await.map_err(error)?;
        let version = version.unwrap_or_default();
        let product = if version.contains("MariaDB") { "MariaDB" } else { "MySQL" }.to_owned();
        Ok((Self(connection), Connected { product, version, is_shared: false }))
    }

    async fn run(&mut self, statement: &str) -> Result<Ran, DriverError> {
        let mut answer = self.0.query_iter(statement).await.map_err(error)?;
        let ran = match answer.columns_ref().is_empty() {
            true => {
                let changed = answer.affected_rows();
                answer.collect::<Row>().await.map_err(error)?;
                Ran::Changed(changed)
            }
            false => Ran::Rows(answer.collect::<Row>().await.map_err(error)?.into_iter().map(texts).collect()),
        };
        if !answer.is_empty() {
            answer.drop_result().await.map_err(error)?;
            return Err(several(statement));
        }
        Ok(ran)
    }
}

fn texts(row: Row) -> Vec<Option<String>> {
    let text = |value| match value {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        other => panic!("{other:?} is not of the text protocol"),
    };
    row.unwrap().into_iter().map(text).collect()
}

fn error(error: mysql_async::Error) -> DriverError {
    match error {
        mysql_async::Error::Server(answer) => DriverError {
            number: Some(answer.code.into()),
            state: Some(answer.state),
            text: answer.message,
            is_lost: false,
        },
        other => DriverError::lost(other.to_string()),
    }
}
