//! A fixed worker id that owners with different directories take in turn, on a clock that the test moves.

use super::{clocks, eventually, open_fixed, timestamp};
use leafmint::clock::Clock;
use leafmint::clock::MOST_LEAD;
use leafmint_ids::error::ErrorKind;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_fixed_worker_id_begins_above_what_an_owner_with_another_directory_may_have_stamped() {
    for clock in clocks() {
        for lead in 0..=MOST_LEAD {
            let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let namespace = format!("turns-{}-{}", std::process::id(), mine.path().display());
            let mint = |folder: &Path| {
                let flakes = open_fixed(folder, &clock, &namespace);
                let mut minted = None;
                eventually("an id", || match flakes.next_id_within(Duration::from_millis(500)) {
                    Ok(id) => minted.replace(id).is_none(),
                    Err(error) => {
                        // A heartbeat may have followed the wall clock, which is below the floor; on a busy machine
                        // the worker id may take longer.
                        assert!([ErrorKind::RateExceeded, ErrorKind::WorkerIdUnavailable].contains(&error.kind()));
                        clock.pass(1);
                        false
                    }
                });
                let id = minted.unwrap();
                let stamped = timestamp(&flakes, id);
                flakes.close().unwrap();
                stamped
            };
            let last = mint(mine.path());
            // What the owner's clock was ahead of the wall clock.
            clock.step(last - lead - clock.wall());
            let next = mint(theirs.path());
            assert!(next > last, "{next} is stamped again after {last}, with a lead of {lead} ms");
        }
    }
}
