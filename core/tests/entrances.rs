//! Every call that gives out as many ids as a caller asks for passes the same judges.

use crate::allocations;
use leafmint::{Error, ErrorKind, Reason, Result, SegmentGenerator, SnowflakeGenerator};

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
    let url = format!("local:///{}", directory.path().display());
    Open {
        segment: SegmentGenerator::open("memory:", []).unwrap(),
        snowflake: SnowflakeGenerator::open(&url, []).unwrap(),
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
