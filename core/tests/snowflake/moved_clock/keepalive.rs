//! Leases that are lost, or that cannot be extended, on a clock that the test moves.

use super::{BEAT, START, clocks, eventually, open, open_any, timestamp};
use leafmint::Want;
use leafmint::snowflake::ClockRollback;
use std::time::Instant;

#[test]
fn no_id_has_a_timestamp_that_could_not_be_reserved() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &clock, ClockRollback::Continue);
        flakes.next_id().unwrap();
        // From now on the path of the state file is a loop of symbolic links: no write can be confirmed.
        let path = |name: &str| folder.path().join(name);
        std::fs::hard_link(path("7.state"), path("kept")).unwrap();
        std::os::unix::fs::symlink("7.state", path("loop")).unwrap();
        std::fs::rename(path("loop"), path("7.state")).unwrap();
        eventually("a heartbeat fails", || {
            clock.pass(1);
            flakes.stats().last_error.is_some()
        });
        let state = std::fs::read_to_string(path("kept")).unwrap();
        let horizons = state.lines().filter_map(|line| line.strip_prefix("horizon ")?.parse::<i64>().ok());
        let horizon = horizons.max().unwrap();
        let until = Instant::now() + 30 * BEAT;
        while Instant::now() < until {
            clock.pass(100);
            if let Some(id) = flakes.try_next_id().unwrap() {
                assert!(
                    timestamp(&flakes, id) < horizon,
                    "{} is stamped, up to {horizon} is reserved",
                    timestamp(&flakes, id)
                );
            }
            std::thread::sleep(BEAT / 4);
        }
    }
}

#[test]
fn a_drawn_ticket_keeps_its_worker_id_if_the_lease_is_replaced_and_later_ids_are_greater() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let open = || open_any(folder.path(), &clock, ClockRollback::Continue, vec![7, 8]);
        // The later lease has the lower worker id, so that ids of one tick would not ascend by themselves.
        let lower = open();
        lower.next_id().unwrap();
        let flakes = open();
        let mut first = vec![flakes.next_id().unwrap()];
        while let Some(id) = flakes.try_next_id().unwrap() {
            first.push(id);
        }
        let mut waiting = flakes.begin(Want::One, None, None).unwrap();
        assert_eq!(waiting.poll().unwrap(), None, "its ticket is one of the next tick");
        lower.close().unwrap();
        std::fs::remove_file(folder.path().join("8.lock")).unwrap();
        eventually("the lease is replaced, and the lead of its clock is given up", || {
            flakes.worker_id() == Some(7) && flakes.stats().clock_lead_millis == 0
        });
        clock.pass(1);
        let kept = waiting.poll().unwrap().unwrap()[0];
        assert_eq!((flakes.decode(kept).unwrap().worker_id, kept > *first.last().unwrap()), (8, true));
        let mut next = None;
        eventually("an id comes", || {
            next = flakes.try_next_id().unwrap();
            if next.is_none() {
                clock.pass(1);
            }
            next.is_some()
        });
        assert_eq!(flakes.decode(next.unwrap()).unwrap().worker_id, 7);
        assert!(next > Some(kept), "ids continue to increase");
    }
}

#[test]
fn a_pause_past_the_horizon_ends_minting_until_time_is_reserved_again() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &clock, ClockRollback::Continue);
        let before = flakes.next_id().unwrap();
        clock.pass(60_000);
        let id = flakes.next_id().unwrap();
        assert!(id > before && timestamp(&flakes, id) >= START + 60_000);
    }
}
