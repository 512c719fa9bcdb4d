//! Sequences that count by more than one, as Hibernate's do.

use super::Sequence;
use crate::stores::postgres::sql;
use leafmint::ErrorKind;
use std::collections::BTreeSet;

/// A process with Hibernate's optimizer, as its sources have it.
struct Hibernate<'a> {
    sequence: &'a Sequence,
    is_pooled: bool,
    increment: i64,
    initial: i64,
    value: i64,
    end: i64,
}

impl<'a> Hibernate<'a> {
    fn starts(sequence: &'a Sequence, is_pooled: bool, increment: i64, initial: i64) -> Self {
        Self { sequence, is_pooled, increment, initial, value: 0, end: 0 }
    }

    fn next(&mut self) -> i64 {
        if self.value == self.end {
            let (drawn, is_first) = (self.sequence.next(), self.end == 0);
            (self.value, self.end) = match self.is_pooled {
                true if is_first && drawn == self.initial => (drawn, drawn + 1),
                true => (drawn - self.increment + 1, drawn + 1),
                false => (drawn, drawn + self.increment),
            };
        }
        self.value += 1;
        self.value - 1
    }
}

/// Mints from Hibernate's processes and leafmint's in turn.
fn mint_in_turn(is_pooled: bool, increment: i64, start: i64) {
    let sequence = Sequence::made(&format!("INCREMENT {increment} START {start}"));
    let optimizer = [("sequence_optimizer", if is_pooled { "pooled" } else { "pooled-lo" })];
    for begins in [0, 1] {
        let mut theirs = [(); 2].map(|()| Hibernate::starts(&sequence, is_pooled, increment, start));
        let ours = [sequence.open(optimizer), sequence.open(optimizer)];
        let tags = ours.each_ref().map(|ids| ids.biz_tag("order").unwrap());
        let mut all = BTreeSet::new();
        for turn in begins..if increment == 1 { 40 } else { 600 } {
            let id = match turn % 4 {
                0 => tags[0].next_id().unwrap(),
                1 => theirs[0].next(),
                2 => theirs[1].next(),
                _ => tags[1].next_id().unwrap(),
            };
            assert!(
                id >= start && all.insert(id),
                "{id} of {increment} from {start} came twice, or is below the start"
            );
        }
        sequence.alter(&format!("RESTART WITH {}", start));
    }
}

#[test]
fn pooled_shares_a_sequence_with_hibernate() {
    for (increment, start) in [(50, 1), (50, 1000), (7, 3), (1, 1)] {
        mint_in_turn(true, increment, start);
    }
}

#[test]
fn pooled_lo_shares_a_sequence_with_hibernate() {
    for (increment, start) in [(50, 1), (20, 1000), (1, 1)] {
        mint_in_turn(false, increment, start);
    }
}

#[test]
fn the_first_value_of_pooled_is_worth_one_id_and_no_id_is_below_the_start() {
    let sequence = Sequence::made("INCREMENT 50 START 1000");
    let ids = sequence.open([("sequence_optimizer", "pooled")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(120).unwrap(), (1000..1120).collect::<Vec<_>>());
    let sequence = Sequence::made("INCREMENT 50 START 1");
    sequence.alter("RESTART WITH 2001");
    let ids = sequence.open([("sequence_optimizer", "pooled"), ("default_step", "100")]);
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(51).unwrap(), (2001..2052).collect::<Vec<_>>());
}

#[test]
fn a_value_off_the_grid_is_refused_with_what_to_do_about_it() {
    let sequence = Sequence::made("INCREMENT 50 START 1");
    let ids = sequence.open([("sequence_optimizer", "pooled-lo")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(50).unwrap().len(), 50);
    sql(&format!("SELECT setval('\"{sequence}\"', 1000)"));
    let error = order.next_ids(500).unwrap_err();
    // Which value it is depends on how often the background has tried.
    let refused = error.message().contains("which is not its start 1 and a multiple of its increment 50");
    assert!(error.kind() == ErrorKind::InvalidConfig && refused, "{error}");
    let again = sequence.open([("sequence_optimizer", "pooled-lo")]);
    let error = again.biz_tag("order").unwrap().next_ids(500).unwrap_err();
    let (_, statement) = error.message().split_once("make it the start: ").unwrap();
    sql(statement);
    let minted = sequence.open([("sequence_optimizer", "pooled-lo")]).biz_tag("order").unwrap().next_ids(100).unwrap();
    assert!(minted[0] > 1050, "{minted:?}");
}

#[test]
fn blocks_that_no_other_writer_drew_between_are_one_range() {
    for optimizer in ["pooled", "pooled-lo"] {
        let sequence = Sequence::made("INCREMENT 50");
        let ids = sequence.open([("sequence_optimizer", optimizer)]);
        let order = ids.biz_tag("order").unwrap();
        for turn in 0..40 {
            let range = order.next_range(500).unwrap();
            assert_eq!(range.end - range.start, 500, "{optimizer}, range {turn}");
        }
        assert_eq!(ids.stats().tags[0].1.refill_failures, 0, "{optimizer}");
    }
}

#[test]
fn the_advice_after_a_sequence_was_set_back_names_a_value_of_it() {
    for (optimizer, raised_to) in [("pooled", 1051), ("pooled-lo", 1001)] {
        let sequence = Sequence::made("INCREMENT 50");
        let ids = sequence.open([("sequence_optimizer", optimizer)]);
        let order = ids.biz_tag("order").unwrap();
        let leased = order.next_ids(100).unwrap()[99];
        sql(&format!("SELECT setval('\"{sequence}\"', 1)"));
        let error = (0..9).find_map(|_| order.next_ids(100).err()).unwrap();
        assert_eq!(error.kind(), ErrorKind::StoreRegressed, "{error}");
        let highest = ids.stats().tags[0].1.highest_leased;
        let error = ids.raise_tag_above("order", highest).unwrap().wait().unwrap_err();
        let (_, advice) = error.message().split_once("ALTER SEQUENCE").unwrap();
        sql(&format!("ALTER SEQUENCE{}", advice.split_once(',').unwrap().0));
        let again = sequence.open([("sequence_optimizer", optimizer)]);
        assert!(again.biz_tag("order").unwrap().next_id().unwrap() > leased);
        let raised = again.raise_tag("order", 999).unwrap().wait().unwrap_err();
        assert!(raised.message().contains(&format!("RESTART WITH {raised_to},")), "{raised}");
    }
}

#[test]
fn an_increment_that_changes_is_found_by_the_next_lease() {
    let sequence = Sequence::made("INCREMENT 100");
    let ids = sequence.open([("sequence_optimizer", "pooled-lo")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    sequence.alter("INCREMENT 50");
    let error = order.next_ids(500).unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains("from 100 to 50"), "{error}");
    assert_eq!(sequence.next(), 51, "nothing was drawn");
    sequence.alter("INCREMENT 100 RESTART WITH 201");
    assert_eq!(order.next_ids(96).unwrap()[95], 201, "the old one is there again");
}

#[test]
fn a_lease_that_waits_for_another_increment_hands_nothing_out() {
    let sequence = Sequence::made("INCREMENT 50");
    let ids = sequence.open([("sequence_optimizer", "pooled-lo")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    let error = std::thread::scope(|scope| {
        let changed = scope.spawn(|| {
            sql(&format!(
                "BEGIN; ALTER SEQUENCE \"{sequence}\" INCREMENT 25; DO $$ BEGIN \
                 FOR turn IN 1..1000 LOOP PERFORM pg_stat_clear_snapshot(); PERFORM pg_sleep(0.005); \
                 EXIT WHEN EXISTS (SELECT FROM pg_stat_activity AS a JOIN pg_locks AS l USING (pid) WHERE NOT l.granted \
                 AND l.relation = '\"{sequence}\"'::regclass); END LOOP; END $$; COMMIT"
            ))
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        let error = order.next_ids(500).unwrap_err();
        changed.join().unwrap();
        error
    });
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains("from 50 to 25"), "{error}");
    assert!(sequence.next() > 76, "the lease did not wait for the change: the test shows nothing");
}

#[test]
fn an_increment_that_changes_among_leases_makes_no_wrong_block() {
    let sequence = Sequence::made("INCREMENT 50");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..40 {
                sequence.alter("INCREMENT 10 NO MAXVALUE");
                std::thread::sleep(std::time::Duration::from_millis(2));
                sequence.alter("INCREMENT 50");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let ids = sequence.open([("sequence_optimizer", "pooled")]);
        let order = ids.biz_tag("order").unwrap();
        let (mut last, mut refused) = (0, 0);
        while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
            match order.next_ids(50) {
                Ok(minted) => {
                    assert!(minted.is_sorted() && minted[0] > last, "{minted:?} after {last}");
                    last = minted[49];
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
                    refused += 1;
                }
            }
        }
        println!("{last} ids, {refused} refusals");
    });
}
