//! One row that another transaction keeps locked holds up its own tag, and no other.

use crate::stores::{Table, mysql_url, options, postgres, postgres_url, runtime, sql, wait_until};
use leafmint::segment::BizTag;
use leafmint::{ErrorKind, Reason, SegmentGenerator};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A table of a server with the tags `locked`, whose row a transaction holds, and `0` to `8`.
struct Locked {
    url: String,
    // Ends before the table is dropped.
    holder: Holder,
    runtime: Runtime,
    table: Box<dyn std::fmt::Display>,
}

enum Holder {
    MySql(Box<mysql_async::Conn>),
    Postgres(tokio_postgres::Client),
}

impl Locked {
    fn on_mysql() -> Self {
        use mysql_async::prelude::Queryable;
        let (table, runtime) = (Table::of_leaf(), runtime());
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES {}", rows()));
        let mut holder = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
        for statement in ["BEGIN".to_owned(), format!("SELECT * FROM `{table}` WHERE biz_tag = 'locked' FOR UPDATE")] {
            runtime.block_on(holder.query_drop(statement)).unwrap();
        }
        Self { url: mysql_url(), table: Box::new(table), runtime, holder: Holder::MySql(Box::new(holder)) }
    }

    fn on_postgres() -> Self {
        let (table, runtime) = (postgres::Table::with_order(1, 10), runtime());
        postgres::sql(&format!("INSERT INTO \"{table}\" (biz_tag, max_id, step) VALUES {}", rows()));
        let holder = postgres::connect(&runtime, &postgres_url());
        let lock = format!("BEGIN; SELECT * FROM \"{table}\" WHERE biz_tag = 'locked' FOR UPDATE");
        runtime.block_on(holder.batch_execute(&lock)).unwrap();
        Self { url: postgres_url(), table: Box::new(table), runtime, holder: Holder::Postgres(holder) }
    }

    /// Opens a generator whose leases wait for a lock for about as long as `connect_timeout`.
    fn open(&self, connect_timeout: &str) -> SegmentGenerator {
        let table = self.table.to_string();
        leafmint::open::segment(&self.url, options([("table", table.as_str()), ("connect_timeout", connect_timeout)]))
            .unwrap()
    }

    fn release(&mut self) {
        use mysql_async::prelude::Queryable;
        match &mut self.holder {
            Holder::MySql(holder) => self.runtime.block_on(holder.query_drop("ROLLBACK")).unwrap(),
            Holder::Postgres(holder) => self.runtime.block_on(holder.batch_execute("ROLLBACK")).unwrap(),
        }
    }
}

fn rows() -> String {
    let names = (0..9).map(|tag| tag.to_string()).chain(["locked".to_owned()]);
    names.map(|tag| format!("('{tag}', 1, 10)")).collect::<Vec<_>>().join(", ")
}

fn others(ids: &SegmentGenerator) -> Vec<BizTag> {
    (0..9).map(|tag| ids.biz_tag(&tag.to_string()).unwrap()).collect()
}

fn failures_of(ids: &SegmentGenerator, tag: &str) -> i64 {
    ids.stats().tags.iter().find(|(name, _)| name == tag).map_or(0, |(_, stats)| stats.refill_failures)
}

/// A process that starts beside a locked row serves its other tags while the locked one still waits for its row, and
/// while callers retry it.
fn serves_nine_tags(mut row: Locked) {
    // A lock is waited for three times as long as the test may take.
    let ids = row.open("270s");
    let locked = ids.biz_tag("locked").unwrap();
    // Its lease is the first of this process.
    assert_eq!(locked.try_next_id().unwrap(), None);
    let is_released = AtomicBool::new(false);
    thread::scope(|scope| {
        let retried = scope.spawn(|| {
            while !is_released.load(Ordering::SeqCst) {
                let error = locked.next_id_within(Duration::from_millis(200)).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
            }
        });
        let take = |tag: BizTag| scope.spawn(move || tag.next_id_within(TIMEOUT));
        let taken: Vec<_> = others(&ids).into_iter().map(take).collect();
        let taken: Vec<_> = taken.into_iter().map(|call| call.join().unwrap()).collect();
        is_released.store(true, Ordering::SeqCst);
        retried.join().unwrap();
        assert!(taken.iter().all(|id| *id == Ok(1)), "{taken:?}");
    });
    wait_until("no call says that the row is locked", || {
        locked.next_id_within(Duration::from_millis(1)).unwrap_err().reason() == Some(Reason::Locked)
    });
    // The attempt that waits for the row has not ended, and has ids as soon as the lock does.
    assert_eq!(failures_of(&ids, "locked"), 0);
    row.release();
    assert_eq!(locked.next_id_within(TIMEOUT), Ok(1));
    assert_eq!(failures_of(&ids, "locked"), 0);
}

#[test]
fn a_process_that_starts_beside_a_locked_row_serves_every_other_tag_on_mysql() {
    serves_nine_tags(Locked::on_mysql());
}

#[test]
fn a_process_that_starts_beside_a_locked_row_serves_every_other_tag_on_postgres() {
    serves_nine_tags(Locked::on_postgres());
}

/// The store's answer that a row is locked is no outage: after it other tags lease at once, and the error says why.
fn is_no_outage(mut row: Locked) {
    let ids = row.open("2s");
    let (locked, others) = (ids.biz_tag("locked").unwrap(), others(&ids));
    others[0].next_id_within(TIMEOUT).unwrap();
    assert_eq!(locked.try_next_id().unwrap(), None);
    for (already, other) in others.iter().enumerate().skip(1).take(3) {
        wait_until("the locked row is not asked for", || failures_of(&ids, "locked") >= already as i64);
        assert_eq!(other.next_id_within(TIMEOUT), Ok(1));
    }
    let error = locked.next_id_within(Duration::from_millis(1)).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::SegmentUnavailable, Some(Reason::Locked)), "{error}");
    row.release();
    assert_eq!(locked.next_id_within(TIMEOUT), Ok(1));
}

#[test]
fn a_row_that_stays_locked_is_no_outage_of_mysql() {
    is_no_outage(Locked::on_mysql());
}

#[test]
fn a_row_that_stays_locked_is_no_outage_of_postgres() {
    is_no_outage(Locked::on_postgres());
}
