//! Fuzz targets: what a server may answer of the row of a tag, and of the registry.

use super::MySql;
use super::session::typed;
use crate::rows::tables::TableRegistry;
use crate::rows::{Endpoint, HolderState, RowHolderSettings, Survey, compare_clocks};
use crate::sessions::{DatabaseSettings, LogIn, SslMode};
use crate::tables::stored_row::StoredRow;
use crate::tables::table::Table;
use leafmint_engine::clock::ManualClock;
use leafmint_engine::holder::{Pace, Workers};
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::runtime::background::real_time;
use leafmint_fuzz::{assert_refusal, fuzz};
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::pasted::SqlDialect;
use mysql_async::{Row, Value};
use mysql_common::constants::ColumnType;
use mysql_common::packets::Column;
use mysql_common::row::new_row;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn fuzz_rows_of_tags() {
    let table = Table::new("leaf_alloc", "db", SqlDialect::MySql, "everyone");
    fuzz("tags", Vec::new(), |input| {
        let mut outcome = String::new();
        for row in rows(input) {
            let written = match row.as_ref(0) {
                Some(Value::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
                _ => String::new(),
            };
            let found = match typed::<StoredRow>(row).map_err(|failure| failure.into_error("db")) {
                Ok(found) => found,
                Err(error) => {
                    assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                    continue;
                }
            };
            for amount in [None, Some(1), Some(i64::from(i32::MAX))] {
                match StoredRow::problem(Some(&found), &table.scope, "order", amount) {
                    Some(error) => {
                        let kinds = [ErrorKind::InvalidConfig, ErrorKind::IdSpaceExhausted, ErrorKind::UnknownTag];
                        assert_refusal(&error, &kinds);
                        outcome += error.message();
                    }
                    None => {
                        let whole = written.split('.').next().unwrap_or_default().to_owned();
                        let max_id: i128 = whole.parse().expect("only a number is leased from");
                        let end = max_id + i128::from(amount.unwrap_or(found.whole_step));
                        assert!(0 <= max_id && end <= i128::from(FIRST_REFUSED), "{max_id} {end}");
                        outcome += "leased";
                    }
                }
            }
        }
        outcome
    });
}

const NOW: i64 = 1_793_491_200_000;

#[test]
fn fuzz_registry_rows() {
    let registry = registry();
    fuzz("registry", Vec::new(), |input| {
        let found: Result<Vec<_>, Error> =
            rows(input).into_iter().map(|row| typed(row).map_err(|failure| failure.into_error("db"))).collect();
        let mut survey = match found {
            Ok(found) => Survey::of(found),
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                return error.to_string();
            }
        };
        // As ORDER BY and the primary key have them.
        survey.rows.sort_by_key(|row| row.worker_id);
        survey.rows.dedup_by_key(|row| row.worker_id);
        let mut outcome = String::new();
        if let Err(error) = compare_clocks(&registry.settings, NOW, NOW, &survey) {
            assert_refusal(&error, &[ErrorKind::ClockMovedBackwards]);
            outcome += error.message();
        }
        for (worker_id, floor) in registry.free(&survey).take(64) {
            assert!((0..8).contains(&worker_id));
            if let Some(row) = survey.rows.iter().find(|row| row.worker_id == worker_id) {
                assert!(floor >= row.horizon, "worker id {worker_id} from {floor}, reserved up to {}", row.horizon);
                assert!(row.horizon <= survey.now || row.token.is_none(), "worker id {worker_id} is held");
            }
            outcome += "free";
        }
        let error = registry.none_free(&survey);
        assert_refusal(&error, &[ErrorKind::WorkerIdUnavailable]);
        outcome + error.message()
    });
}

/// Worker ids 0 to 7 of a registry that is never connected to.
fn registry() -> HolderState {
    let mysql = DatabaseSettings {
        hosts: vec![("h".into(), 3306)],
        database: "db".into(),
        log_in: LogIn::Configured { user: None, password: None },
        sasl: false,
        takes_replica: false,
        lender: None,
        ssl_mode: SslMode::Preferred,
        ssl_ca: None,
        connect_timeout: Duration::from_secs(1),
    };
    let settings = RowHolderSettings {
        is_assigned: false,
        namespace: "fuzz".into(),
        workers: [0..=7].into_iter().collect::<Workers>(),
        layout: "leaf".into(),
        endpoint: Endpoint::given("host a"),
        pace: Pace::LEASE,
        file_pace: Pace::LEASE,
        state_dir: None,
        auto_create: Some(true),
        max_clock_skew: Duration::from_secs(10),
    };
    let registry = TableRegistry::<MySql>::new(mysql, &settings);
    HolderState::new(Arc::new(registry), settings, Arc::new(ManualClock::at(NOW)), real_time())
}

/// Most rows and columns; more would only cost memory for the descriptions of columns.
const MOST: usize = 16;

/// Reads rows of any number of columns: NULL or bytes, as in the text protocol.
fn rows(input: &[u8]) -> Vec<Row> {
    input.split(|byte| *byte == b'\n').take(MOST).map(row).collect()
}

fn row(line: &[u8]) -> Row {
    let value = |text: &[u8]| if text == b"NULL" { Value::NULL } else { Value::Bytes(text.to_vec()) };
    let values: Vec<Value> = line.split(|byte| *byte == b'|').take(MOST).map(value).collect();
    let columns: Vec<Column> = values.iter().map(|_| Column::new(ColumnType::MYSQL_TYPE_VAR_STRING)).collect();
    new_row(values, columns.into())
}
