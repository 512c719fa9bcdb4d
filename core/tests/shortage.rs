//! A process that is short of descriptors or threads gets a named error, and ids once the shortage is over.
//!
//! The test is alone in its binary, because limits are those of the whole process, and it tests the first call of the
//! process.

use leafmint::{ErrorKind, SegmentGenerator, SnowflakeGenerator};
use std::fs::{File, Permissions, set_permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

type Resource = libc::__rlimit_resource_t;

/// Lowers a limit of this process until it is dropped.
struct Lowered(Resource, libc::rlimit);

impl Lowered {
    fn to(resource: Resource, limit: libc::rlim_t) -> Self {
        let mut before = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the limits are valid for as long as the calls take.
        unsafe {
            assert_eq!(libc::getrlimit(resource, &raw mut before), 0);
            let lowered = libc::rlimit { rlim_cur: limit, ..before };
            assert_eq!(libc::setrlimit(resource, &raw const lowered), 0);
        }
        Self(resource, before)
    }
}

impl Drop for Lowered {
    fn drop(&mut self) {
        // SAFETY: the limit is the one that was there before.
        unsafe { libc::setrlimit(self.0, &raw const self.1) };
    }
}

fn no_descriptors() -> Lowered {
    let lowest = File::open("/dev/null").unwrap().as_raw_fd();
    Lowered::to(libc::RLIMIT_NOFILE, lowest as libc::rlim_t)
}

fn no_threads() -> Lowered {
    // Root has no limit of threads, so from here on the process runs as another user.
    // SAFETY: the calls have no preconditions.
    let is_limited = unsafe { libc::geteuid() != 0 || libc::setuid(100_000 + libc::getpid() as libc::uid_t) == 0 };
    assert!(is_limited);
    Lowered::to(libc::RLIMIT_NPROC, 0)
}

fn flakes(folder: &Path) -> SnowflakeGenerator {
    leafmint::open::snowflake(&format!("local:{}", folder.join("workers").display()), []).unwrap()
}

fn ids(folder: &Path) -> SegmentGenerator {
    leafmint::open::segment(&format!("sqlite:///{}", folder.join("ids.db").display()), []).unwrap()
}

/// Makes the first calls of the process, each twice, and drops the generators, including two that were never used.
fn assert_short(folder: &Path, shortage: fn() -> Lowered, cause: &str) {
    let (flakes, ids, unused) = (flakes(folder), ids(folder), (self::flakes(folder), self::ids(folder)));
    let order = ids.biz_tag("order").unwrap();
    let _short = shortage();
    for _ in 0..2 {
        for error in [flakes.next_id().unwrap_err(), order.next_id().unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
            assert!(error.message().contains(cause), "{error}");
        }
    }
    flakes.close().unwrap();
    drop((flakes, order, ids, unused));
}

#[test]
fn a_shortage_at_the_first_call_is_a_named_error_that_is_not_remembered_and_no_drop_panics() {
    let folder = tempfile::tempdir().unwrap();
    set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
    assert_short(folder.path(), no_descriptors, "Too many open files (os error 24)");
    assert_short(folder.path(), no_threads, "Resource temporarily unavailable (os error 11)");
    let (flakes, ids) = (flakes(folder.path()), ids(folder.path()));
    assert!(flakes.next_id().unwrap() > 0);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    flakes.close().unwrap();
    ids.close().unwrap();
}
