//! What every segment store promises: one suite, run on each of them.

use crate::lending;
use crate::lending::drivers::Lent;
use leafmint::ErrorKind;
use leafmint::format::Period;
use leafmint::store::{MemoryStore, NewTagOptions, SegmentStore, SeriesRule, TagChange, TagInfo};
use leafmint_backends::mysql::over_tickets;
use leafmint_backends::postgresql::over_sequence;
use leafmint_backends::postgresql::sequences::{SequenceName, SequenceOptimizer};
use leafmint_backends::servers::{over_mysql, over_postgres};
use leafmint_backends::sqlite::SqliteStore;
use serde_json::Value;
use std::ops::Range;
use std::sync::{Arc, Barrier};
use std::time::Duration;

/// Opens stores on one and the same data.
trait Data {
    fn open(&self) -> Arc<dyn SegmentStore>;

    /// Makes a tag.
    fn create(&self, tag: &str, step: i64, start: i64) {
        create(&*self.open(), tag, step, start);
    }
}

struct Memory(String);

impl Data for Memory {
    fn open(&self) -> Arc<dyn SegmentStore> {
        Arc::new(MemoryStore::open(&self.0))
    }
}

struct Sqlite(tempfile::TempDir);

impl Data for Sqlite {
    fn open(&self) -> Arc<dyn SegmentStore> {
        Arc::new(SqliteStore::new(&self.0.path().join("ids.db"), "leaf_alloc", Duration::from_secs(20)).unwrap())
    }
}

struct MySql(crate::stores::Table);

impl Data for MySql {
    fn open(&self) -> Arc<dyn SegmentStore> {
        over_mysql(crate::stores::settings(&crate::stores::mysql_url()), &self.0.0, true)
    }
}

struct Postgres(crate::stores::postgres::Table);

impl Data for Postgres {
    fn open(&self) -> Arc<dyn SegmentStore> {
        over_postgres(crate::stores::settings(&crate::stores::postgres_url()), &self.0.0, true)
    }
}

impl Data for Lent {
    fn open(&self) -> Arc<dyn SegmentStore> {
        lending::store(self.lender(), &self.table)
    }
}

/// Sequences, each with the name of its tag behind this.
struct Sequences(String);

impl Sequences {
    fn none() -> Self {
        Self(crate::stores::unique("spec"))
    }
}

impl Data for Sequences {
    fn open(&self) -> Arc<dyn SegmentStore> {
        let name = SequenceName::parse(&format!("{}_{{tag}}_seq", self.0)).unwrap();
        let settings = crate::stores::settings(&crate::stores::postgres_url());
        over_sequence(settings, name, SequenceOptimizer::None, 7)
    }

    fn create(&self, tag: &str, _step: i64, start: i64) {
        crate::stores::postgres::sql(&format!("CREATE SEQUENCE \"{}_{tag}_seq\" START {start}", self.0));
    }
}

impl Drop for Sequences {
    fn drop(&mut self) {
        crate::stores::postgres::sql(&format!("DROP SEQUENCE IF EXISTS \"{}_order_seq\"", self.0));
    }
}

struct Tickets(crate::stores::tickets::Servers);

impl Tickets {
    fn set_up() -> Self {
        let data = Self(crate::stores::tickets::Servers::empty());
        wait(data.open().init_schema()).unwrap();
        data
    }
}

impl Data for Tickets {
    fn open(&self) -> Arc<dyn SegmentStore> {
        over_tickets(self.0.settings(), 7, true)
    }
}

macro_rules! suite {
    ($($promise:ident),* $(,)?) => {
        mod memory { $(#[test] fn $promise() { super::$promise(&super::Memory(crate::stores::unique("spec"))); })* }
        mod sqlite { $(#[test] fn $promise() { super::$promise(&super::Sqlite(tempfile::tempdir().unwrap())); })* }
        mod mysql { $(#[test] fn $promise() { super::$promise(&super::MySql(crate::stores::Table::missing())); })* }
        mod postgres { $(#[test] fn $promise() { super::$promise(&super::Postgres(crate::stores::postgres::Table::missing())); })* }
        on_each_driver! { suite; $($promise),* }
    };
    ($driver:ident, $data:expr; $($promise:ident),* $(,)?) => {
        mod $driver { $(#[test] fn $promise() { super::$promise(&$data); })* }
    };
}

suite! {
    ranges_are_those_that_leaf_would_lease,
    ranges_leased_at_once_through_many_stores_never_overlap,
    a_missing_tag_is_unknown,
    a_tag_is_created_once_and_never_changed_by_a_second_creation,
    a_tail_goes_back_only_if_no_range_was_leased_after_it,
    a_lease_out_of_the_id_space_is_refused_and_nothing_is_written,
    every_valid_name_is_a_tag_of_its_own,
    the_schema_can_be_initialised_again,
    many_that_start_at_once_without_a_table_all_lease,
    the_step_column_is_read_unchanged,
    the_scope_is_named_with_the_store,
    gene_bits_are_stored_with_a_new_tag_and_never_change,
    a_missing_tag_is_unknown_also_with_gene_bits,
    an_existing_tag_without_gene_bits_gets_none_and_nothing_is_written,
    of_many_creations_of_a_tag_with_different_gene_bits_one_succeeds,
    the_tags_are_listed_by_name_with_what_is_stored,
    a_tag_that_cannot_be_leased_from_is_listed_with_its_problem,
    the_step_and_the_description_of_a_tag_can_be_changed,
    max_id_is_raised_and_never_lowered,
    a_raise_among_leases_costs_no_uniqueness,
    a_check_counts_the_tags_and_leases_nothing,
    of_many_declarations_of_a_series_one_is_stored_and_all_read_it,
}

/// The promises of stores that do not lease by Leaf's table: `core/tests/tickets` has the others.
macro_rules! suite_of_tickets {
    ($($promise:ident),* $(,)?) => {
        mod tickets { $(#[test] fn $promise() { super::$promise(&super::Tickets::set_up()); })* }
    };
}

suite_of_tickets! {
    a_missing_tag_is_unknown,
    the_scope_is_named_with_the_store,
    of_many_creations_of_a_tag_with_different_gene_bits_one_succeeds,
    a_raise_among_leases_costs_no_uniqueness,
}

/// The promises of a store that others draw from too: `core/tests/sequences` has the others.
macro_rules! suite_of_sequences {
    ($($promise:ident),* $(,)?) => {
        mod sequences { $(#[test] fn $promise() { super::$promise(&super::Sequences::none()); })* }
    };
}

suite_of_sequences! {
    ranges_leased_at_once_through_many_stores_never_overlap,
    a_missing_tag_is_unknown,
    the_scope_is_named_with_the_store,
}

fn wait<T>(answer: leafmint::Answer<'_, T>) -> leafmint::Result<T> {
    crate::stores::runtime().block_on(answer)
}

fn create(store: &dyn SegmentStore, tag: &str, step: i64, start: i64) -> bool {
    create_with_genes(store, tag, step, start, 0).unwrap()
}

fn create_with_genes(
    store: &dyn SegmentStore,
    tag: &str,
    step: i64,
    start: i64,
    gene_bits: i64,
) -> leafmint::Result<bool> {
    let new = NewTagOptions::new().step(step).start(start).description("made by a test").gene_bits(gene_bits);
    wait(store.create_tag(tag, &new))
}

fn leases(store: &dyn SegmentStore, tag: &str, step: i64) -> Vec<Range<i64>> {
    wait(store.lease(tag, step)).unwrap()
}

fn lease(store: &dyn SegmentStore, tag: &str, step: i64) -> Range<i64> {
    let ranges = leases(store, tag, step);
    assert_eq!(ranges.len(), 1, "{ranges:?}");
    ranges[0].clone()
}

fn ranges_are_those_that_leaf_would_lease(data: &impl Data) {
    let store = data.open();
    let vectors: Value = serde_json::from_str(include_str!("../../tests/vectors/segments.json")).unwrap();
    for (number, case) in vectors["cases"].as_array().unwrap().iter().enumerate() {
        let of = |value: &Value| value.as_i64().unwrap();
        let (tag, step) = (format!("case {number}"), of(&case["step"]));
        create(&*store, &tag, step, of(&case["max_id"]));
        let range = lease(&*store, &tag, step);
        assert_eq!((range.start, range.end - 1), (of(&case["ids"][0]), of(&case["ids"][1])), "{case}");
        assert_eq!(lease(&*store, &tag, 1).start, of(&case["max_id_after"]), "{case}");
    }
}

fn ranges_leased_at_once_through_many_stores_never_overlap(data: &impl Data) {
    data.create("order", 7, 1);
    let leased: Vec<Vec<Range<i64>>> = std::thread::scope(|scope| {
        let leasing = |thread: i64| {
            let store = data.open();
            scope.spawn(move || {
                (0..40).map(|turn| leases(&*store, "order", 1 + (thread + turn) % 9)).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..6).map(leasing).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(leased.len(), 240);
    let mut sorted = leased.concat();
    sorted.sort_by_key(|range| range.start);
    assert_eq!(sorted[0].start, 1);
    for pair in sorted.windows(2) {
        assert_eq!(pair[0].end, pair[1].start, "no overlap, and no gap either");
    }
}

fn a_missing_tag_is_unknown(data: &impl Data) {
    let store = data.open();
    wait(store.init_schema()).unwrap();
    for error in [wait(store.step("missing")).unwrap_err(), wait(store.lease("missing", 5)).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::UnknownTag);
        assert!(error.message().contains("\"missing\"") && error.message().contains("scope"), "{error}");
    }
    assert!(!wait(store.give_back("missing", 1..5)).unwrap());
}

fn a_tag_is_created_once_and_never_changed_by_a_second_creation(data: &impl Data) {
    let store = data.open();
    assert!(create(&*store, "order", 10, 100));
    assert!(!create(&*store, "order", 99, 1));
    assert_eq!(wait(store.step("order")).unwrap(), 10);
    assert_eq!(lease(&*store, "order", 10), 100..110);
}

fn a_tail_goes_back_only_if_no_range_was_leased_after_it(data: &impl Data) {
    let (mine, theirs) = (data.open(), data.open());
    create(&*mine, "order", 10, 1);
    assert_eq!(lease(&*mine, "order", 10), 1..11);
    assert!(wait(mine.give_back("order", 5..11)).unwrap());
    assert_eq!(lease(&*theirs, "order", 10), 5..15, "what went back is leased again");
    assert!(!wait(mine.give_back("order", 3..5)).unwrap(), "a range was leased after it");
    assert_eq!(lease(&*mine, "order", 10), 15..25);
}

fn a_lease_out_of_the_id_space_is_refused_and_nothing_is_written(data: &impl Data) {
    let store = data.open();
    let edge = 1_i64 << 61;
    create(&*store, "high", 100, edge - 150);
    assert_eq!(wait(store.lease("high", 200)).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    assert_eq!(lease(&*store, "high", 100), edge - 150..edge - 50, "the refusal wrote nothing");
    assert_eq!(wait(store.lease("high", 51)).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    assert_eq!(lease(&*store, "high", 50), edge - 50..edge);
    create(&*store, "negative", 100, -5);
    assert_eq!(wait(store.lease("negative", 100)).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    create(&*store, "top", 100, i64::MAX - 3);
    assert_eq!(wait(store.lease("top", 100)).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
}

fn every_valid_name_is_a_tag_of_its_own(data: &impl Data) {
    let store = data.open();
    let long = "很".repeat(128);
    let names = [
        "a b",
        "o'hara",
        "\"quoted\"",
        "back`tick",
        "semi;colon -- x",
        "🙂🙃",
        "Order",
        "order",
        "%_",
        "\\",
        long.as_str(),
    ];
    for (number, name) in names.iter().enumerate() {
        assert!(create(&*store, name, 10, 1000 * (number as i64 + 1)), "{name}");
    }
    for (number, name) in names.iter().enumerate() {
        assert_eq!(lease(&*store, name, 10).start, 1000 * (number as i64 + 1), "{name}");
    }
}

fn the_schema_can_be_initialised_again(data: &impl Data) {
    let store = data.open();
    wait(store.init_schema()).unwrap();
    create(&*store, "order", 10, 1);
    wait(store.init_schema()).unwrap();
    assert_eq!(lease(&*store, "order", 10), 1..11);
}

fn many_that_start_at_once_without_a_table_all_lease(data: &impl Data) {
    let ready = Barrier::new(6);
    let started: Vec<(bool, Range<i64>)> = std::thread::scope(|scope| {
        let starting = || {
            let (store, ready) = (data.open(), &ready);
            scope.spawn(move || {
                ready.wait();
                (create(&*store, "order", 10, 1), lease(&*store, "order", 10))
            })
        };
        let threads: Vec<_> = (0..6).map(|_| starting()).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(started.iter().filter(|(created, _)| *created).count(), 1, "{started:?}");
    let mut starts: Vec<i64> = started.iter().map(|(_, range)| range.start).collect();
    starts.sort_unstable();
    assert_eq!(starts, [1, 11, 21, 31, 41, 51]);
}

fn the_step_column_is_read_unchanged(data: &impl Data) {
    let store = data.open();
    create(&*store, "order", 1_500_000_000, 1);
    assert_eq!(wait(store.step("order")).unwrap(), 1_500_000_000);
}

fn the_scope_is_named_with_the_store(data: &impl Data) {
    assert!(data.open().scope().contains("(scope: "));
}

fn gene_bits_are_stored_with_a_new_tag_and_never_change(data: &impl Data) {
    let store = data.open();
    assert!(create(&*store, "raw", 10, 1));
    assert!(create_with_genes(&*store, "o'rder 🙂", 10, 100, 4).unwrap());
    assert!(!create_with_genes(&*store, "o'rder 🙂", 99, 1, 4).unwrap());
    assert!(!create(&*store, "o'rder 🙂", 99, 1), "a creation without gene bits changes nothing either");
    let error = create_with_genes(&*store, "o'rder 🙂", 10, 1, 5).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("gene_bits=4") && error.message().contains("gene_bits=5"), "{error}");
    let again = data.open();
    for (tag, bits) in [("o'rder 🙂", 4), ("raw", 0), ("missing", 0)] {
        assert_eq!(wait(again.gene_bits(tag)).unwrap(), Some(bits), "{tag}");
    }
    assert_eq!(lease(&*store, "o'rder 🙂", 10), 100..110);
}

fn a_missing_tag_is_unknown_also_with_gene_bits(data: &impl Data) {
    let store = data.open();
    create_with_genes(&*store, "order", 10, 1, 4).unwrap();
    for bits in [0, 4] {
        assert_eq!(wait(store.lease_checked("missing", bits, Some(5))).unwrap_err().kind(), ErrorKind::UnknownTag);
    }
}

fn an_existing_tag_without_gene_bits_gets_none_and_nothing_is_written(data: &impl Data) {
    let store = data.open();
    create(&*store, "order", 10, 100);
    for _ in 0..2 {
        let error = create_with_genes(&*store, "order", 10, 1, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("already used without gene bits"), "{error}");
        assert_eq!(wait(store.gene_bits("order")).unwrap(), Some(0));
    }
    assert_eq!(lease(&*store, "order", 10), 100..110);
}

fn of_many_creations_of_a_tag_with_different_gene_bits_one_succeeds(data: &impl Data) {
    for turn in 0..10 {
        let tag = format!("order {turn}");
        let created: Vec<(i64, bool)> = std::thread::scope(|scope| {
            let creating = |bits: i64| {
                let (store, tag) = (data.open(), &tag);
                scope.spawn(move || (bits, create_with_genes(&*store, tag, 7, 1, bits).unwrap_or(false)))
            };
            let threads: Vec<_> = (0..4).map(creating).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winners: Vec<i64> = created.iter().filter(|(_, inserted)| *inserted).map(|(bits, _)| *bits).collect();
        assert_eq!(winners.len(), 1, "{created:?}");
        assert_eq!(wait(data.open().gene_bits(&tag)).unwrap(), Some(winners[0]));
    }
}

fn list(store: &dyn SegmentStore) -> Vec<TagInfo> {
    wait(store.list_tags()).unwrap()
}

fn set(store: &dyn SegmentStore, tag: &str, step: Option<i64>, description: Option<&str>) -> leafmint::Result<()> {
    let change = TagChange { tag: tag.into(), step, description: description.map(str::to_owned) };
    wait(store.set_tag(&change))
}

fn the_tags_are_listed_by_name_with_what_is_stored(data: &impl Data) {
    let store = data.open();
    assert_eq!(list(&*store), [], "an empty store, or one whose table is not there yet");
    let began = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis() as i64;
    create(&*store, "order", 10, 100);
    create_with_genes(&*store, "o'rder 🙂\n", 20, 1, 4).unwrap();
    assert_eq!(lease(&*store, "order", 10), 100..110);
    let tags = list(&*store);
    let numbers: Vec<_> = tags.iter().map(|tag| (tag.biz_tag.as_str(), tag.max_id, tag.step, tag.gene_bits)).collect();
    let expected = [("o'rder 🙂\n", Some(1), Some(20), Some(4)), ("order", Some(110), Some(10), Some(0))];
    assert_eq!(numbers, expected);
    for tag in tags {
        assert_eq!((tag.description.as_deref(), tag.problem), (Some("made by a test"), None));
        let age = tag.update_time.unwrap() - began;
        assert!((-2_000..60_000).contains(&age), "{age} ms");
    }
}

fn a_tag_that_cannot_be_leased_from_is_listed_with_its_problem(data: &impl Data) {
    let store = data.open();
    create(&*store, "good", 10, 1);
    create(&*store, "negative", 10, -5);
    create(&*store, "wide", (1 << 30) + 1, 1);
    create(&*store, "top", 100, (1 << 61) - 1);
    create_with_genes(&*store, "genes", 10, 1, 13).unwrap();
    let tags = list(&*store);
    let problems: Vec<_> =
        tags.iter().map(|tag| (tag.biz_tag.as_str(), tag.problem.as_deref().unwrap_or(""))).collect();
    for (problem, (tag, hint)) in
        problems.iter().zip([("genes", "13"), ("good", ""), ("negative", "-5"), ("top", "2^61"), ("wide", "step")])
    {
        assert_eq!((problem.0, problem.1.is_empty()), (tag, tag == "good"), "{problems:?}");
        assert!(problem.1.contains(hint), "{problems:?}");
    }
}

fn the_step_and_the_description_of_a_tag_can_be_changed(data: &impl Data) {
    let store = data.open();
    create(&*store, "o'rder", 10, 100);
    create(&*store, "other", 10, 100);
    let of = |tag: &str| list(&*store).into_iter().find(|it| it.biz_tag == tag).unwrap();
    set(&*store, "o'rder", Some(20), None).unwrap();
    set(&*store, "o'rder", Some(20), None).unwrap();
    assert_eq!((of("o'rder").step, of("o'rder").description.as_deref()), (Some(20), Some("made by a test")));
    set(&*store, "o'rder", None, Some("o'clock 🙂")).unwrap();
    assert_eq!((of("o'rder").step, of("o'rder").description.as_deref()), (Some(20), Some("o'clock 🙂")));
    set(&*store, "o'rder", Some(30), Some("")).unwrap();
    assert_eq!((of("o'rder").step, of("o'rder").description.as_deref()), (Some(30), Some("")));
    assert_eq!((of("other").step, of("other").description.as_deref()), (Some(10), Some("made by a test")));
    assert_eq!(lease(&*store, "o'rder", 5), 100..105, "max_id is what it was");
    let error = set(&*store, "missing", Some(5), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTag);
}

fn max_id_is_raised_and_never_lowered(data: &impl Data) {
    let store = data.open();
    create(&*store, "order", 10, 100);
    let raise = |tag: &str, max_id| wait(store.raise_tag(tag, max_id));
    assert_eq!(raise("order", 5000), Ok(5000));
    assert_eq!(raise("order", 5000), Ok(5000));
    assert_eq!(raise("order", 4999), Ok(5000), "it is never lowered");
    assert_eq!(lease(&*store, "order", 10), 5000..5010);
    assert_eq!(raise("order", 0), Ok(5010));
    assert_eq!(raise("missing", 5).unwrap_err().kind(), ErrorKind::UnknownTag);
    create(&*store, "negative", 10, -5);
    assert_eq!(raise("negative", 7), Ok(7), "so a row is mended");
    assert_eq!(lease(&*store, "negative", 10), 7..17);
    assert!(!wait(store.give_back("order", 3..5000)).unwrap(), "the end of a lease before the raise");
}

fn a_raise_among_leases_costs_no_uniqueness(data: &impl Data) {
    create(&*data.open(), "order", 7, 1);
    let mut leased: Vec<Range<i64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let store = data.open();
                scope.spawn(move || (0..40).map(|_| lease(&*store, "order", 5)).collect::<Vec<_>>())
            })
            .collect();
        let store = data.open();
        for turn in 1..40 {
            assert!(wait(store.raise_tag("order", turn * 11)).unwrap() >= turn * 11);
        }
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    leased.sort_by_key(|range| range.start);
    assert!(leased.windows(2).all(|pair| pair[0].end <= pair[1].start), "{leased:?}");
}

fn a_check_counts_the_tags_and_leases_nothing(data: &impl Data) {
    let store = data.open();
    let empty = wait(store.check()).unwrap();
    assert_eq!((empty.tags, empty.creates_tags), (0, true));
    create(&*store, "order", 10, 100);
    create(&*store, "invoice", 10, 100);
    for store in [store, data.open()] {
        let check = wait(store.check()).unwrap();
        assert_eq!((check.is_new, check.tags, check.creates_tags), (false, 2, true));
    }
    assert_eq!(lease(&*data.open(), "order", 10), 100..110);
}

fn of_many_declarations_of_a_series_one_is_stored_and_all_read_it(data: &impl Data) {
    assert_eq!(wait(data.open().list_series()).unwrap(), [], "an empty store, or one whose table is not there yet");
    let names = ["invoice", "Invoice", "facture d'été 🙂"];
    for name in names {
        let declared: Vec<_> = std::thread::scope(|scope| {
            let declaring = |zone: &'static str| {
                let store = data.open();
                let rule = SeriesRule { name: name.into(), period: Period::Day, zone: zone.into() };
                scope.spawn(move || wait(store.declare_series(&rule, Some("{number:4}"))).unwrap())
            };
            let threads: Vec<_> = ["UTC", "Europe/Madrid", "Asia/Tokyo"].map(declaring).into();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for series in &declared {
            assert_eq!((&series.period, &series.zone), (&"day".to_owned(), &declared[0].zone), "{declared:?}");
            if let Some(clock) = series.clock {
                let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis() as i64;
                assert!((-60_000..60_000).contains(&(now - clock)), "the clock shows {clock} at {now}");
            }
        }
    }
    wait(data.open().set_series_format("invoice", "'{number:5}")).unwrap();
    let listed = wait(data.open().list_series()).unwrap();
    let listed: Vec<_> = listed.iter().map(|(name, series)| (name.as_str(), series.format.as_deref())).collect();
    let before = Some("{number:4}");
    assert_eq!(listed, [("Invoice", before), ("facture d'été 🙂", before), ("invoice", Some("'{number:5}"))]);
}
