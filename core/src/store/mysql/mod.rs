//! The MySQL and MariaDB store: everyone on that database shares one id space, a running Leaf too.

mod statements;

use super::{Answer, NewTag, SegmentStore, schema};
use crate::error::{Error, Result};
use crate::mysql::{MySqlSettings, Sessions, Statement};
use statements::{CreateTable, CreateTag, GiveBack, Lease, ReadStep, Table};
use std::ops::Range;

/// Segments in the `leaf_alloc` table of a MySQL or MariaDB database.
///
/// Scope: everyone on that database. Needs `SELECT` and `UPDATE` on the table, `INSERT` for `create_tag`, and only the columns
/// `biz_tag`, `max_id` and `step`.
pub struct MySqlStore {
    sessions: Sessions,
    table: Table,
    auto_create: bool,
}

impl MySqlStore {
    /// Describes the database without connecting to it.
    ///
    /// With `auto_create` a missing table is created, if the account may.
    pub fn new(settings: MySqlSettings, table: &str, auto_create: bool) -> Self {
        let sessions = Sessions::new(settings);
        let table = Table {
            name: table.to_owned(),
            quoted: format!("`{}`", table.replace('.', "`.`")),
            scope: format!("{}, table {table} (scope: everyone on that database)", sessions.name()),
        };
        Self { sessions, table, auto_create }
    }

    /// Runs a statement, and once more where a missing table could be created.
    async fn run<S: Statement>(&self, statement: S) -> Result<S::Answer> {
        let refusal = match self.sessions.run(&statement).await {
            Ok(answer) => return Ok(answer),
            Err(refusal) => refusal,
        };
        if !refusal.missing_table {
            return Err(refusal.error);
        }
        if !self.auto_create {
            return Err(self.with_schema(refusal.error));
        }
        self.create_table().await.map_err(|error| self.with_schema(error))?;
        self.sessions.run(&statement).await.map_err(|refusal| refusal.error)
    }

    async fn create_table(&self) -> Result<()> {
        self.sessions.run(&CreateTable { table: &self.table }).await.map_err(|refusal| refusal.error)
    }

    /// Adds what an operator needs to the refusal of a missing table.
    fn with_schema(&self, error: Error) -> Error {
        Error::new(error.kind(), format!("{error}: call init_schema(), or run:\n{}", schema::mysql(&self.table.name)))
    }
}

impl SegmentStore for MySqlStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        Box::pin(self.run(ReadStep { table: &self.table, tag }))
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Range<i64>> {
        Box::pin(self.run(Lease { table: &self.table, tag, step }))
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        Box::pin(async move { self.sessions.once(&GiveBack { table: &self.table, tag, tail }).await })
    }

    fn create_tag<'a>(&'a self, new: &'a NewTag) -> Answer<'a, bool> {
        Box::pin(self.run(CreateTag { table: &self.table, new }))
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(self.create_table())
    }

    fn scope(&self) -> String {
        self.table.scope.clone()
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }
}
