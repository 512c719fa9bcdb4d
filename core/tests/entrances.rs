//! Each call that gives out ids passes the same judges: the tables below have a row for each. The bindings have tables
//! of their own, of what they make of these.

use crate::allocations;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::{Series, SeriesOptions, TagOptions};
use leafmint::store::NewTagOptions;
use leafmint::{BizTag, Error, ErrorKind, Reason, Result, SegmentGenerator, SnowflakeGenerator, Want};
use std::collections::BTreeSet;
use std::time::Duration;

/// Bytes of the smallest long answer.
const ANSWER: usize = 8 * COUNT as usize;

const COUNT: i64 = 1 << 14;

/// A call that gives out many ids.
struct LongAnswer {
    name: &'static str,
    take: fn(&Open) -> Result<Vec<i64>>,
    /// Shows what the call has taken of what the process has.
    first: fn(&[i64]) -> i64,
}

struct Open {
    segment: SegmentGenerator,
    snowflake: SnowflakeGenerator,
    moments: Vec<i64>,
    reversed: Vec<i64>,
    _directory: tempfile::TempDir,
}

const LONG_ANSWERS: [LongAnswer; 4] = [
    LongAnswer {
        name: "BizTag::next_ids",
        take: |open| open.segment.biz_tag("order")?.next_ids(COUNT),
        first: first_number,
    },
    LongAnswer { name: "SnowflakeGenerator::next_ids", take: |open| open.snowflake.next_ids(COUNT), first: any },
    LongAnswer {
        name: "SnowflakeGenerator::backfill_all, in order",
        take: |open| open.snowflake.backfill_all(&open.moments),
        first: sequence_number,
    },
    LongAnswer {
        name: "SnowflakeGenerator::backfill_all, out of order",
        take: |open| open.snowflake.backfill_all(&open.reversed),
        first: sequence_number,
    },
];

fn moments(offsets: impl Iterator<Item = i64>) -> Vec<i64> {
    offsets.map(|offset| 1_600_000_000_000 + offset).collect()
}

fn first_number(ids: &[i64]) -> i64 {
    ids[0]
}

fn any(_: &[i64]) -> i64 {
    0
}

fn sequence_number(ids: &[i64]) -> i64 {
    ids[0] & 0xfff
}

fn open() -> Open {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("local:{}", directory.path().display());
    Open {
        segment: leafmint::open::segment("memory:", []).unwrap(),
        snowflake: leafmint::open::snowflake(&url, []).unwrap(),
        moments: moments(0..COUNT),
        reversed: moments((0..COUNT).rev()),
        _directory: directory,
    }
}

fn is_out_of_memory(error: &Error) -> bool {
    (error.kind(), error.reason()) == (ErrorKind::InvalidArgument, Some(Reason::OutOfMemory))
}

#[test]
fn an_answer_without_memory_is_refused_and_takes_nothing() {
    for LongAnswer { name, take, first } in LONG_ANSWERS {
        let open = open();
        let start = first(&take(&open).unwrap());
        // However far an answer comes, from its first allocation to its last one.
        for most in (1..=16).map(|part| part * ANSWER / 4) {
            let answer = allocations::with_at_most(most, || take(&open));
            match answer {
                Ok(ids) => assert_eq!(ids.len(), COUNT as usize, "{name}"),
                Err(error) => assert!(is_out_of_memory(&error), "{name}: {error}"),
            }
        }
        let refused = |most| allocations::with_at_most(most, || take(&open)).is_err();
        assert!(refused(ANSWER - 1), "{name} does without memory");
        let before = first(&take(&open).unwrap());
        assert!((0..100).all(|_| refused(ANSWER - 1)));
        let after = first(&take(&open).unwrap());
        let (whole, one) = (after - before, if name.starts_with("BizTag") { COUNT } else { i64::from(start != after) });
        assert_eq!(whole, one, "{name} has taken what it did not give out");
    }
}

/// What the rows call.
struct Handles {
    tag: BizTag,
    genes: BizTag,
    series: Series,
    flakes: SnowflakeGenerator,
}

/// A row: the name of a call, and the call, which returns whether it gave out an id.
type Entrance = (&'static str, fn(&Handles) -> Result<bool>);

const LONG: Duration = Duration::from_secs(20);

const PAST: i64 = 1_600_000_000_000;

const OF_TAGS: [Entrance; 11] = [
    ("next_id", |of| of.tag.next_id().map(|_| true)),
    ("next_id_within", |of| of.tag.next_id_within(LONG).map(|_| true)),
    ("try_next_id", |of| of.tag.try_next_id().map(|id| id.is_some())),
    ("next_id_or_wait", |of| of.tag.next_id_or_wait(None).map(|drawn| drawn.is_ok())),
    ("next_id_with_gene", |of| of.genes.next_id_with_gene(3, None).map(|_| true)),
    ("try_next_id_with_gene", |of| of.genes.try_next_id_with_gene(3).map(|id| id.is_some())),
    ("run_in_hand", |of| Ok(of.tag.run_in_hand(2).is_some())),
    ("next_ids", |of| of.tag.next_ids(2).map(|_| true)),
    ("next_range", |of| of.tag.next_range(2).map(|_| true)),
    ("begin", |of| of.tag.begin(Want::Many(2), None)?.finish().map(|_| true)),
    ("begin_with_gene", |of| of.genes.begin_with_gene(3, None)?.finish().map(|_| true)),
];

const OF_SERIES: [Entrance; 4] = [
    ("next_on", |of| of.series.next_on(day()).map(|_| true)),
    ("next_in_hand", |of| of.series.on(day())?.next_in_hand().map(|number| number.is_some())),
    ("begin", |of| {
        let group = of.series.on(day())?;
        of.series.begin(&group, Want::Many(2), None)?.finish().map(|_| true)
    }),
    ("begin_up_to", |of| of.series.on(day())?.begin_up_to(999, Want::Many(2), None)?.finish().map(|_| true)),
];

const OF_SNOWFLAKES: [Entrance; 6] = [
    ("next_id", |of| of.flakes.next_id().map(|_| true)),
    ("next_id_within", |of| of.flakes.next_id_within(LONG).map(|_| true)),
    ("try_next_id", |of| of.flakes.try_next_id().map(|id| id.is_some())),
    ("next_ids", |of| of.flakes.next_ids(2).map(|_| true)),
    ("next_id_with_gene", |of| of.flakes.next_id_with_gene(3).map(|_| true)),
    ("begin", |of| of.flakes.begin(Want::Many(2), Some(3), None)?.finish().map(|_| true)),
];

const OF_THE_PAST: [Entrance; 3] = [
    ("backfill", |of| of.flakes.backfill(PAST).map(|_| true)),
    ("backfill_all", |of| of.flakes.backfill_all(&[PAST, PAST]).map(|_| true)),
    ("begin_backfill", |of| of.flakes.begin_backfill(&[PAST], None, None)?.wait_for(LONG).map(|ids| ids.is_some())),
];

fn day() -> CalendarDate {
    CalendarDate::new(2026, 11, 25).unwrap()
}

/// Returns the public methods of a source that give out ids. `begin_close` gives out none.
fn surface(source: &str) -> BTreeSet<&str> {
    let names = source.lines().filter_map(|line| line.trim_start().strip_prefix("pub fn ")?.split('(').next());
    let gives_out =
        |name: &&str| ["next", "try_next", "begin", "run_", "backfill"].iter().any(|it| name.starts_with(it));
    names.filter(gives_out).filter(|name| *name != "begin_close").collect()
}

#[test]
fn each_public_call_that_gives_out_ids_has_a_row() {
    for (entrances, source) in [
        (&OF_TAGS[..], include_str!("../engine/src/segment/biz_tag.rs")),
        (&OF_SERIES, include_str!("../engine/src/segment/series/handle.rs")),
        (&OF_SNOWFLAKES, include_str!("../engine/src/snowflake/generator.rs")),
        (&OF_THE_PAST, include_str!("../engine/src/snowflake/backfill.rs")),
    ] {
        assert_eq!(entrances.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(), surface(source));
    }
}

/// Opens what the rows call, with a layout whose first tick is at `epoch`.
fn handles(segments: &SegmentGenerator, directory: &tempfile::TempDir, layout: &str, epoch: i64) -> Handles {
    for (tag, options) in [("order", NewTagOptions::new()), ("user", NewTagOptions::new().gene_bits(4))] {
        segments.create_tag_with(tag, options).unwrap().wait().unwrap();
    }
    let url = format!("local:{}?layout={layout}&epoch={epoch}", directory.path().display());
    Handles {
        tag: segments.biz_tag("order").unwrap(),
        genes: segments.biz_tag_with("user", TagOptions::new().gene_bits(4)).unwrap(),
        series: segments.series("invoice", SeriesOptions::new(Period::Month, "UTC")).unwrap(),
        flakes: leafmint::open::snowflake(&url, []).unwrap(),
    }
}

#[test]
fn each_entrance_of_a_closed_generator_is_closed() {
    let (segments, directory) = (leafmint::open::segment("memory:", []).unwrap(), tempfile::tempdir().unwrap());
    let of = handles(&segments, &directory, "timestamp:41,worker:10,sequence:8,gene:4", 1_288_834_974_657);
    let all = || OF_TAGS.iter().chain(&OF_SERIES).chain(&OF_SNOWFLAKES).chain(&OF_THE_PAST);
    all().for_each(|(name, take)| assert!(take(&of).is_ok(), "{name}"));
    segments.close().unwrap();
    of.flakes.close().unwrap();
    for (name, take) in all() {
        match take(&of) {
            Ok(gave) => assert!(!gave && *name == "run_in_hand", "{name}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Closed, "{name}: {error}"),
        }
    }
}

#[test]
fn no_entrance_gives_out_a_snowflake_behind_the_last_tick() {
    let (segments, directory) = (leafmint::open::segment("memory:", []).unwrap(), tempfile::tempdir().unwrap());
    let of = handles(&segments, &directory, "timestamp:31,worker:10,sequence:8,gene:4", PAST - (1 << 31));
    for (name, take) in OF_SNOWFLAKES.into_iter().chain(OF_THE_PAST) {
        match take(&of) {
            Ok(gave) => assert!(!gave && name == "try_next_id", "{name}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{name}: {error}"),
        }
    }
}
