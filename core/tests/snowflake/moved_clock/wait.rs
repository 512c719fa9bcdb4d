//! Batches that wait for ticks, on a clock that the test moves.

use super::{clocks, open_jittering, timestamp};
use leafmint::Want;
use leafmint::snowflake::ClockRollback;
use leafmint_ids::error::ErrorKind;

#[test]
fn a_batch_that_oversleeps_uses_every_tick_that_elapsed_and_none_to_come() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open_jittering(folder.path(), &clock, ClockRollback::Continue, vec![7], 100);
        let mut last = flakes.next_id().unwrap();
        while let Some(id) = flakes.try_next_id().unwrap() {
            last = id;
        }
        let used_up = timestamp(&flakes, last);

        let mut batch = flakes.begin(Want::Many(3 * 4096 + 1), None, None).unwrap();
        assert_eq!(batch.poll().unwrap(), None, "the tick is used up");
        clock.pass(3);
        assert_eq!(batch.poll().unwrap(), None, "three ticks have come, and the batch wants one id more");
        clock.pass(2);
        let ids = batch.poll().unwrap().unwrap();
        let stamped: Vec<(i64, i64)> =
            ids.iter().map(|id| flakes.decode(*id).unwrap()).map(|id| (id.timestamp, id.sequence)).collect();
        let whole = (1..=3).flat_map(|tick| (0..4096).map(move |sequence| (used_up + tick, sequence)));
        assert!(
            stamped.iter().copied().eq(whole.chain([(used_up + 4, 0)])),
            "from {:?} to {:?}",
            stamped[0],
            stamped.last()
        );

        let next = flakes.next_ids(2).unwrap();
        assert_eq!(timestamp(&flakes, next[0]), used_up + 5, "a call that did not wait begins at the current tick");
    }
}

#[test]
fn a_used_up_last_tick_of_the_layout_is_named_at_once() {
    let last = leafmint_ids::layout::Layout::default().runs_out() - 1;
    let clock = std::sync::Arc::new(leafmint::clock::ManualClock::at(last));
    let folder = tempfile::tempdir().unwrap();
    let flakes = open_jittering(folder.path(), &clock, ClockRollback::Continue, vec![7], 0);
    assert_eq!(timestamp(&flakes, flakes.next_id().unwrap()), last);
    while flakes.try_next_id().is_ok_and(|id| id.is_some()) {}
    for error in [flakes.next_id().unwrap_err(), flakes.next_ids(9).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
    }
}
