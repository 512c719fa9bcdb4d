//! Ids of one generator: unique, ascending, with their parts, until the close.

use super::open;
use leafmint::{ErrorKind, Want};
use std::collections::HashSet;
use std::time::Duration;

#[test]
fn ids_increase_are_unique_and_carry_time_and_worker_id() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    let before = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let ids: Vec<i64> = (0..50_000).map(|_| flakes.next_id().unwrap()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
    let (first, last) = (flakes.decode(ids[0]).unwrap(), flakes.decode(ids[49_999]).unwrap());
    assert_eq!((first.worker_id, last.worker_id), (0, 0));
    assert!(first.timestamp >= before && last.timestamp <= before + 60_000, "{first:?} {last:?}");
}

#[test]
fn threads_of_one_generator_share_its_ticks_and_repeat_no_id() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    let all: Vec<i64> = std::thread::scope(|scope| {
        let mint = |number: usize| {
            let flakes = flakes.clone();
            scope.spawn(move || {
                let mut ids = Vec::new();
                for _ in 0..20 {
                    match number % 2 {
                        0 => ids.extend((0..1_000).map(|_| flakes.next_id().unwrap())),
                        _ => ids.extend(flakes.next_ids(1_000).unwrap()),
                    }
                }
                assert!(ids.is_sorted_by(|a, b| a < b));
                ids
            })
        };
        let threads: Vec<_> = (0..8).map(mint).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 160_000);
}

#[test]
fn genes_are_in_the_lowest_bits_and_use_up_no_ids() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:8,gene:4")]);
    let mut seen = HashSet::new();
    for number in 0..2_000 {
        let id = flakes.next_id_with_gene(number % 16).unwrap();
        assert_eq!(flakes.decode(id).unwrap().gene, number % 16);
        assert!(seen.insert(id >> 4), "ids differ above the gene");
    }
    assert_eq!(flakes.next_id_with_gene(16).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let plain = open(folder.path(), [("namespace", "plain")]);
    assert_eq!(plain.next_id_with_gene(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn bad_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    for want in [Want::Many(-1), Want::Many(1 << 40), Want::Run(5)] {
        assert_eq!(flakes.begin(want, None, None).err().unwrap().kind(), ErrorKind::InvalidArgument);
    }
    for id in [-1, i64::MIN] {
        assert_eq!(flakes.decode(id).unwrap_err().kind(), ErrorKind::InvalidId);
    }
}

#[test]
fn a_batch_that_times_out_reports_the_ids_that_it_drops_and_none_is_handed_out_again() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:4")]);
    let first = flakes.next_id().unwrap();
    let batch = flakes.begin(Want::Many(1_000_000), None, Some(Duration::from_millis(20))).unwrap();
    let error = batch.finish().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RateExceeded);
    assert!(
        error.message().starts_with("only ") && error.message().contains("of 1000000 ids, which are dropped, within")
    );
    assert!(
        flakes.decode(flakes.next_id().unwrap()).unwrap().timestamp >= flakes.decode(first).unwrap().timestamp + 20
    );
}

#[test]
fn every_call_after_the_close_raises_closed() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    flakes.next_id().unwrap();
    flakes.close().unwrap();
    flakes.close().unwrap();
    for error in [flakes.next_id().unwrap_err(), flakes.try_next_id().unwrap_err(), flakes.next_ids(2).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Closed);
    }
}
