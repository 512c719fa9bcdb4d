//! What the administrative calls return, to Java: the components of each record as texts, one after the other.

use crate::pending::Texts;
use leafmint::segment::SegmentCheck;
use leafmint::segment::TagInfo;
use leafmint::snowflake::SnowflakeCheck;
use leafmint::snowflake::WorkerInfo;

/// As `TagInfo.java` reads them.
pub(crate) fn tags(tags: Vec<TagInfo>) -> Texts {
    let texts = |tag: TagInfo| {
        let TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem } = tag;
        [Some(biz_tag), number(max_id), number(step), description, number(update_time), number(gene_bits), problem]
    };
    tags.into_iter().flat_map(texts).collect()
}

/// As `WorkerInfo.java` reads them.
pub(crate) fn workers(workers: Vec<WorkerInfo>) -> Texts {
    let texts = |worker: WorkerInfo| {
        let WorkerInfo { worker_id, endpoint, held, horizon, updated } = worker;
        [number(Some(worker_id)), Some(endpoint), Some(held.to_string()), number(horizon), number(updated)]
    };
    workers.into_iter().flat_map(texts).collect()
}

/// As `SegmentCheck.java` reads them.
pub(crate) fn segment_check(check: SegmentCheck) -> Texts {
    let SegmentCheck { scope, round_trip, found } = check;
    let nanos = round_trip.as_nanos().to_string();
    let flags = (found.is_new.to_string(), found.creates_tags.to_string());
    [scope, flags.0, found.tags.to_string(), flags.1, nanos].map(Some).into()
}

/// As `SnowflakeCheck.java` reads them.
pub(crate) fn snowflake_check(check: SnowflakeCheck) -> Texts {
    let SnowflakeCheck { scope, holder, layout, runs_out, found } = check;
    let mut texts = vec![Some(scope), Some(holder.to_owned()), Some(found.is_new.to_string()), Some(layout)];
    let numbers = [Some(runs_out), Some(found.workers), Some(found.free_workers), found.clock_skew];
    texts.extend(numbers.map(number));
    texts
}

/// A number alone.
pub(crate) fn one(answer: i64) -> Texts {
    vec![number(Some(answer))]
}

fn number(number: Option<i64>) -> Option<String> {
    number.map(|number| number.to_string())
}
