//! Events: named, reported once in a while, and never with credentials.

use crate::stores::options;
use leafmint::binding::events;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, EventKind};
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The logger of a program: keeps what leafmint logs.
struct Kept(Mutex<Vec<(Level, String, String)>>);

static KEPT: Kept = Kept(Mutex::new(Vec::new()));
static WOKEN: AtomicU32 = AtomicU32::new(0);

impl Log for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("leafmint::")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let row = (record.level(), record.target().to_owned(), record.args().to_string());
            self.0.lock().unwrap().push(row);
        }
    }

    fn flush(&self) {}
}

fn listen() {
    log::set_logger(&KEPT).unwrap();
    log::set_max_level(LevelFilter::Info);
    events::listen(|| {
        WOKEN.fetch_add(1, Ordering::SeqCst);
    });
}

/// Returns what was logged about something, once there are this many records.
fn logged(about: &str, at_least: usize) -> Vec<(Level, String, String)> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let found: Vec<_> =
            KEPT.0.lock().unwrap().iter().filter(|(_, _, text)| text.contains(about)).cloned().collect();
        if found.len() >= at_least || Instant::now() > until {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn targets(rows: &[(Level, String, String)]) -> Vec<&str> {
    rows.iter().map(|(_, target, _)| target.as_str()).collect()
}

#[test]
fn an_event_has_a_target_in_the_log_crate_that_ends_with_its_name() {
    assert!(EventKind::ALL.iter().all(|kind| kind.target() == format!("leafmint::{}", kind.name())));
}

#[test]
fn an_outage_and_its_end_are_reported_once_each_to_the_log_crate_and_to_a_binding() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.db");
    let url = format!("sqlite:///{}", path.display());
    let ids = leafmint::open::segment(&url, options([("connect_timeout", "20ms")])).unwrap();
    let tag = crate::stores::unique("outage");
    ids.create_tag_with(&tag, NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    let order = ids.biz_tag(&tag).unwrap();
    let lock = rusqlite::Connection::open(&path).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    for _ in 0..5 {
        let error = order.next_id_within(Duration::from_millis(100)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    }
    // The lock is held until an attempt has failed.
    logged(&tag, 1);
    lock.execute_batch("ROLLBACK").unwrap();
    order.next_id().unwrap();
    let rows = logged(&tag, 2);
    assert_eq!(targets(&rows), ["leafmint::refill_failed", "leafmint::refill_recovered"], "{rows:?}");
    assert_eq!((rows[0].0, rows[1].0), (Level::Warn, Level::Info));
    assert!(rows[0].2.starts_with("store_unavailable: the refill of tag "), "{}", rows[0].2);
    assert_eq!(targets(&logged(&format!("open: sqlite://{}", path.display()), 1)), ["leafmint::generator_opened"]);
    assert!(WOKEN.load(Ordering::SeqCst) >= 3);
    assert!(events::waiting());
    let taken = events::take();
    assert!(taken.iter().any(|event| event.kind == EventKind::RefillFailed && event.text == rows[0].2), "{taken:?}");
    assert!(!events::waiting() && events::take().is_empty());
}

#[test]
fn outages_of_two_stores_are_both_reported_although_their_tags_have_the_same_name() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let tag = crate::stores::unique("two");
    let mut held = Vec::new();
    for name in ["first.db", "second.db"] {
        let path = folder.path().join(name);
        let ids =
            leafmint::open::segment(&format!("sqlite:///{}", path.display()), options([("connect_timeout", "20ms")]))
                .unwrap();
        ids.create_tag_with(&tag, NewTagOptions::new().step(100)).unwrap().wait().unwrap();
        let lock = rusqlite::Connection::open(&path).unwrap();
        lock.execute_batch("BEGIN IMMEDIATE").unwrap();
        ids.biz_tag(&tag).unwrap().next_id_within(Duration::from_millis(100)).unwrap_err();
        held.push((ids, lock));
    }
    assert_eq!(targets(&logged(&tag, 2)), ["leafmint::refill_failed"; 2]);
}

#[test]
fn credentials_are_never_logged() {
    listen();
    let url = "mysql://root:s3ntinel@127.0.0.1:1/leafmint";
    let ids = leafmint::open::segment(url, []).unwrap();
    let tag = crate::stores::unique("secret");
    ids.biz_tag(&tag).unwrap().next_id_within(Duration::from_millis(50)).unwrap_err();
    let flakes = leafmint::open::snowflake(url, options([("state_files", "false")])).unwrap();
    flakes.next_id_within(Duration::from_millis(50)).unwrap_err();
    assert_eq!(targets(&logged(&tag, 1)), ["leafmint::refill_failed"]);
    crate::stores::wait_until("the failure is not reported", || {
        targets(&logged("127.0.0.1", 4)).contains(&"leafmint::lease_failed")
    });
    assert_eq!(logged("s3ntinel", 0), []);
}

#[test]
fn the_end_of_the_time_bits_is_reported_long_before() {
    listen();
    let (soon, late) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let epoch = (now - 86_400_000).to_string();
    for (folder, layout) in
        [(&soon, "timestamp:31,worker:10,sequence:12"), (&late, "timestamp:41,worker:10,sequence:12")]
    {
        let given = options([("layout", layout), ("epoch", &epoch)]);
        let flakes = leafmint::open::snowflake(&format!("local:{}", folder.path().display()), given).unwrap();
        flakes.next_id().unwrap();
        let rows = logged(&folder.path().display().to_string(), 2);
        assert_eq!(targets(&rows), ["leafmint::generator_opened", "leafmint::lease_taken"]);
    }
    let rows = logged("run out in 23 days", 1);
    assert_eq!(targets(&rows), ["leafmint::time_bits_end"]);
    assert_eq!(logged("run out", 1).len(), 1);
}

#[test]
fn an_option_whose_default_depends_on_the_database_is_reported_as_default() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let lender = crate::lending::sqlite::lender(folder.path().join("app.db").to_str().unwrap());
    let _ids = leafmint::open::segment_through_unready(lender, options([])).unwrap();
    let rows = logged("a segment generator is open", 1);
    assert_eq!(targets(&rows), ["leafmint::generator_opened"]);
    assert!(rows[0].2.contains("auto_create=default, close_at_exit=true"), "{}", rows[0].2);
}

#[test]
fn a_segment_generator_reports_its_store_and_options_and_at_the_close_what_went_back() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:///{}?default_step=1000", folder.path().join("ids.db").display());
    let ids = leafmint::open::segment(&url, options([("timeout", "30s"), ("outage_budget", "2m")])).unwrap();
    let shown = format!("{} (scope", folder.path().join("ids.db").display());
    let rows = logged(&shown, 1);
    assert_eq!(targets(&rows), ["leafmint::generator_opened"]);
    assert_eq!(rows[0].0, Level::Info);
    assert!(rows[0].2.contains("timeout=30s, outage_budget=2m, auto_create=true, close_at_exit=true"), "{}", rows[0].2);
    ids.biz_tag("order").unwrap().next_ids(2).unwrap();
    ids.biz_tag("user").unwrap().next_id().unwrap();
    ids.close().unwrap();
    ids.close().unwrap();
    let highest: Vec<i64> = ids.stats().tags.iter().map(|(_, tag)| tag.highest_leased).collect();
    assert_eq!(highest, [1000, 1000], "as before the close");
    let rows = logged(&shown, 2);
    assert_eq!(targets(&rows), ["leafmint::generator_opened", "leafmint::generator_closed"]);
    assert_eq!(rows[1].0, Level::Info);
    let end = "1997 of 1997 unused ids were given back; highest_leased: \"order\" 1000, \"user\" 1000";
    assert!(rows[1].2.ends_with(end), "{}", rows[1].2);
}

#[test]
fn a_snowflake_generator_reports_its_lease_and_at_the_close_which_worker_id_is_free() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let flakes =
        leafmint::open::snowflake(&format!("local:{}", folder.path().display()), options([("workers", "5")])).unwrap();
    flakes.next_id().unwrap();
    flakes.close().unwrap();
    let rows = logged(&folder.path().display().to_string(), 3);
    assert_eq!(targets(&rows), ["leafmint::generator_opened", "leafmint::lease_taken", "leafmint::generator_closed"]);
    assert!(rows[0].2.contains("worker:10,sequence:12") && rows[0].2.contains("lease_duration=3s"), "{}", rows[0].2);
    assert!(rows[1].2.contains("is taken: its time is reserved until 20"), "{}", rows[1].2);
    assert!(rows[2].2.ends_with("; worker id 5 is free"), "{}", rows[2].2);
}

#[test]
fn generators_that_were_never_used_report_their_close_too() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display().to_string();
    drop(leafmint::open::segment(&format!("sqlite:///{shown}/ids.db"), []).unwrap());
    drop(leafmint::open::snowflake(&format!("local:{shown}/workers"), []).unwrap());
    let closed = logged(&shown, 4).into_iter().filter(|(_, target, _)| target == "leafmint::generator_closed");
    let mut texts: Vec<String> = closed.map(|(_, _, text)| text).collect();
    texts.sort();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].ends_with("0 of 0 unused ids were given back"), "{texts:?}");
    assert!(texts[1].ends_with("it held no worker id"), "{texts:?}");
}

#[test]
fn a_lost_worker_id_is_reported_and_so_is_what_replaces_it() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let given = options([("workers", "5"), ("heartbeat", "100ms"), ("lease_duration", "3s")]);
    let flakes = leafmint::open::snowflake(&format!("local:{}", folder.path().display()), given).unwrap();
    flakes.next_id().unwrap();
    std::fs::remove_file(folder.path().join("default/5.lock")).unwrap();
    let shown = folder.path().display().to_string();
    assert!(targets(&logged(&format!("{shown}/default/5.lock"), 1)).contains(&"leafmint::lease_lost"));
    // The same worker id, within the ten seconds in which the same event is reported once.
    let replaced = logged("is taken in place of worker id 5", 1);
    assert_eq!(targets(&replaced), ["leafmint::lease_taken"], "{replaced:?}");
}

#[test]
fn a_lease_of_a_database_is_reported_as_it_is_also_with_a_state_file_below_it() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let (namespace, state_dir) = (crate::stores::unique("events"), folder.path().display().to_string());
    let pace = [("lease_duration", "2m"), ("heartbeat", "7s")];
    let place = [("namespace", namespace.as_str()), ("state_dir", &state_dir), ("auto_create", "true")];
    let given = options([place[0], place[1], place[2], pace[0], pace[1]]);
    let flakes = leafmint::open::snowflake(&crate::stores::mysql_url(), given).unwrap();
    flakes.next_id().unwrap();
    let rows = logged(&namespace, 2);
    assert!(rows[0].2.contains("lease_duration=2m, heartbeat=7s"), "{}", rows[0].2);
    assert!(rows[1].2.ends_with("and extended every 7s"), "{}", rows[1].2);
    let horizon = flakes.stats().horizon_seconds.unwrap();
    assert!((60.0..=121.0).contains(&horizon), "{horizon} s");
}
