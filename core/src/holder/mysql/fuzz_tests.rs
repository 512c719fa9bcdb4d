//! Fuzz target: the rows of the registry.

use crate::background::real_time;
use crate::clock::ManualClock;
use crate::database::{DatabaseSettings, LogIn, SslMode};
use crate::error::{Error, ErrorKind};
use crate::fuzz::{assert_refusal, fuzz, rows};
use crate::holder::rows::{HolderState, RowHolderSettings, Survey, clocks};
use crate::holder::tables::TableRegistry;
use crate::holder::{Endpoint, Pace, Workers};
use crate::mysql::{MySql, typed};
use std::sync::Arc;
use std::time::Duration;

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
        if let Err(error) = clocks::compare(&registry.settings, NOW, NOW, &survey) {
            assert_refusal(&error, &[ErrorKind::InvalidConfig, ErrorKind::ClockMovedBackwards]);
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
        max_clock_skew: Duration::from_secs(10),
    };
    let registry = TableRegistry::<MySql>::new(mysql, &settings);
    HolderState::new(Arc::new(registry), settings, Arc::new(ManualClock::at(NOW)), real_time())
}
