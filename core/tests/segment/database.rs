//! Generators for the tests: over a SQLite file of their own, or in memory.

use crate::stores;
use crate::stores::options;
use leafmint::store::NewTagOptions;
use leafmint::{BizTag, SegmentGenerator};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// A SQLite file of its own.
pub(crate) struct Database {
    _folder: tempfile::TempDir,
    pub(crate) path: PathBuf,
}

impl Database {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ids.db");
        Self { _folder: folder, path }
    }

    pub(crate) fn open<const N: usize>(&self, given: [(&str, &str); N]) -> SegmentGenerator {
        leafmint::open::segment(&url(&self.path), options(given)).unwrap()
    }

    pub(crate) fn sql(&self, statement: &str) {
        Connection::open(&self.path).unwrap().execute_batch(statement).unwrap();
    }

    pub(crate) fn max_id(&self, tag: &str) -> i64 {
        let connection = Connection::open(&self.path).unwrap();
        connection.query_row("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?1", [tag], |row| row.get(0)).unwrap()
    }

    /// Holds the write lock, so that no lease can be had.
    pub(crate) fn outage(&self) -> Connection {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }
}

pub(crate) fn url(path: &Path) -> String {
    format!("sqlite:///{}", path.display())
}

pub(crate) fn memory<const N: usize>(given: [(&str, &str); N]) -> SegmentGenerator {
    leafmint::open::segment(&format!("memory://{}", stores::unique("segment")), options(given)).unwrap()
}

pub(crate) fn create(generator: &SegmentGenerator, tag: &str, step: i64) -> BizTag {
    generator.create_tag_with(tag, NewTagOptions::new().step(step)).unwrap().wait().unwrap();
    generator.biz_tag(tag).unwrap()
}
