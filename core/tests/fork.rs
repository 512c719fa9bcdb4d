//! A forked child mints ids of its own with a tag and a generator that its parent was using.

use crate::stores::options;
use leafmint::ErrorKind;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::SeriesOptions;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::time::{Duration, Instant};

/// Runs the work in a forked child and returns its ids.
fn in_child(work: impl FnOnce() -> Vec<i64>) -> Vec<i64> {
    let mut ends = [0; 2];
    // SAFETY: the array has room for the two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the descriptors are open, and this function owns them.
    let (mut out, mut into) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    // SAFETY: the child calls nothing but the library, which is made for that, and ends by _exit.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let ids = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_default();
        let _ = ids.iter().try_for_each(|id| into.write_all(&id.to_ne_bytes()));
        // SAFETY: it runs no handlers of the parent's.
        unsafe { libc::_exit(0) };
    }
    drop(into);
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut status = 0;
    // SAFETY: the child is ours, and `status` is valid.
    while unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == 0 {
        if Instant::now() > deadline {
            // SAFETY: the child has not been waited for, so its process id is not another's.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("the child of the fork hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // All that the child wrote is readable now. There is no end of file if it has a child of its own.
    let mut bytes = [0; 4096];
    let length = out.read(&mut bytes).unwrap();
    bytes[..length].as_chunks().0.iter().map(|id| i64::from_ne_bytes(*id)).collect()
}

#[track_caller]
fn assert_apart(parents: &[i64], childs: &[i64]) {
    assert_eq!(childs.len(), 5, "{childs:?}");
    assert!(!childs.iter().any(|id| parents.contains(id)), "the parent has {parents:?}, the child {childs:?}");
}

#[test]
fn a_child_takes_no_ids_of_its_parents_segment() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:///{}", folder.path().join("ids.db").display());
    let ids = leafmint::open::segment(&url, options([("timeout", "10s")])).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let mut parents = vec![order.next_id().unwrap()];
    let childs = in_child(|| order.next_ids(5).unwrap_or_default());
    parents.extend(order.next_ids(5).unwrap());
    assert_apart(&parents, &childs);
}

#[test]
fn a_child_does_not_go_on_with_its_parents_fill_of_past_moments() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = leafmint::open::snowflake(&format!("local:{}", folder.path().display()), []).unwrap();
    let at = [1_600_000_000_000];
    flakes.backfill_all(&at).unwrap();
    let mut call = flakes.begin_backfill(&at, None, None).unwrap();
    let childs = in_child(|| match call.wait_for(Duration::MAX) {
        Err(error) if error.kind() == ErrorKind::Closed => flakes.backfill_all(&at).unwrap(),
        other => panic!("{other:?}"),
    });
    let parents = call.wait_for(Duration::MAX).unwrap().unwrap();
    assert_eq!(childs.len(), 1);
    assert_ne!(childs, parents);
}

#[test]
fn a_child_takes_no_numbers_of_its_parents_series() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:///{}", folder.path().join("ids.db").display());
    let ids = leafmint::open::segment(&url, options([("timeout", "10s")])).unwrap();
    let series = ids.series("invoice", SeriesOptions::new(Period::Day, "UTC").step(10)).unwrap();
    let today = CalendarDate::new(2026, 11, 25).unwrap();
    let five = || (0..5).map(|_| series.next_on(today).map_or(0, |number| number.number)).collect::<Vec<_>>();
    let mut parents = five();
    let childs = in_child(five);
    parents.extend(five());
    assert_apart(&parents, &childs);
}

#[test]
fn a_child_has_sessions_of_its_own_with_postgresql() {
    let table = crate::stores::postgres::Table::with_order(1, 10);
    let given = [("timeout", "10s"), ("max_step", "10"), ("table", table.0.as_str())];
    let ids = leafmint::open::segment(&crate::stores::postgres_url(), options(given)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let mut parents = order.next_ids(50).unwrap();
    let childs = in_child(|| order.next_ids(55).map(|ids| ids[50..].to_vec()).unwrap_or_default());
    parents.extend(order.next_ids(50).unwrap());
    assert_apart(&parents, &childs);
}

#[test]
fn the_snowflakes_of_a_child_have_another_worker_id_than_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("local:{}", folder.path().display());
    let flakes = leafmint::open::snowflake(&url, options([("timeout", "10s")])).unwrap();
    let mut parents = vec![flakes.next_id().unwrap()];
    let childs = in_child(|| flakes.next_ids(5).unwrap_or_default());
    parents.extend(flakes.next_ids(5).unwrap());
    assert_apart(&parents, &childs);
    let workers: Vec<i64> = childs.iter().map(|id| flakes.decode(*id).unwrap().worker_id).collect();
    assert_eq!((flakes.worker_id(), workers), (Some(0), vec![1; 5]));
}

#[test]
fn a_worker_id_is_free_after_its_owner_died_although_a_child_of_the_owner_lives() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("local:{}?workers=0", folder.path().display());
    let said = in_child(|| {
        let flakes = leafmint::open::snowflake(&url, options([("timeout", "10s")])).unwrap();
        let id = flakes.next_id().unwrap();
        // SAFETY: the orphan does nothing but sleep, and ends by _exit.
        let orphan = unsafe { libc::fork() };
        if orphan == 0 {
            std::thread::sleep(Duration::from_secs(60));
            // SAFETY: it runs no handlers of its ancestors'.
            unsafe { libc::_exit(0) };
        }
        std::mem::forget(flakes);
        vec![id, orphan.into()]
    });
    let [id, orphan] = said[..] else { panic!("the owner minted nothing: {said:?}") };
    let flakes = leafmint::open::snowflake(&url, options([("timeout", "15s")])).unwrap();
    let next = flakes.next_id();
    // SAFETY: the orphan began to sleep less than a minute ago, and no other process waits for it.
    let lived = unsafe { libc::kill(orphan as i32, libc::SIGKILL) } == 0;
    assert!(lived && next.as_ref().is_ok_and(|next| *next > id), "{lived}, {next:?}");
}

#[test]
fn a_sqlite_file_is_free_after_its_user_died_although_a_child_of_the_user_lives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.db");
    let url = format!("sqlite:///{}", path.display());
    let said = in_child(|| {
        let ids = leafmint::open::segment(&url, options([("timeout", "10s")])).unwrap();
        let id = ids.biz_tag("order").and_then(|order| order.next_id()).unwrap();
        // SAFETY: the orphan does nothing but sleep, and ends by _exit.
        let orphan = unsafe { libc::fork() };
        if orphan == 0 {
            std::thread::sleep(Duration::from_secs(60));
            // SAFETY: it runs no handlers of its ancestors'.
            unsafe { libc::_exit(0) };
        }
        std::mem::forget(ids);
        vec![id, orphan.into()]
    });
    let [_, orphan] = said[..] else { panic!("the user minted nothing: {said:?}") };
    // The tests share one copy of SQLite: a child must not inherit its locks from a call of this one.
    // Leaving the WAL fails at once while another process has the file open. The orphan closes it as soon as it runs.
    let other = rusqlite::Connection::open(&path).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let left = loop {
        let left = other.pragma_update(None, "journal_mode", "DELETE");
        if left.is_ok() || Instant::now() > deadline {
            break left;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    // SAFETY: the orphan began to sleep less than a minute ago, and no other process waits for it.
    let lived = unsafe { libc::kill(orphan as i32, libc::SIGKILL) } == 0;
    assert!(lived && left.is_ok(), "{lived}, {left:?}");
}
