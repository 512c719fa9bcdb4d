//! What the administrative calls return, to Java: the components of each record as texts, one after the other.

use crate::pending::Texts;
use leafmint::segment::{SegmentCheck, SeriesInfo, TagInfo};
use leafmint::snowflake::{SnowflakeCheck, WorkerInfo};

/// As `TagInfo.java` reads them.
pub(crate) fn tags(tags: Vec<TagInfo>) -> Texts {
    let texts = |tag: TagInfo| {
        let TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem } = tag;
        [Some(biz_tag), number(max_id), number(step), description, number(update_time), number(gene_bits), problem]
    };
    tags.into_iter().flat_map(texts).collect()
}

/// As `SeriesInfo.java` reads them.
pub(crate) fn series(series: Vec<SeriesInfo>) -> Texts {
    let texts = |series: SeriesInfo| {
        let SeriesInfo { name, period, zone } = series;
        [Some(name), Some(period), (!zone.is_empty()).then_some(zone)]
    };
    series.into_iter().flat_map(texts).collect()
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
    let SegmentCheck { scope, is_new, tags, creates_tags, round_trip } = check;
    let nanos = round_trip.as_nanos().to_string();
    [scope, is_new.to_string(), tags.to_string(), creates_tags.to_string(), nanos].map(Some).into()
}

/// As `SnowflakeCheck.java` reads them.
pub(crate) fn snowflake_check(check: SnowflakeCheck) -> Texts {
    let SnowflakeCheck { scope, holder, is_new, layout, runs_out, workers, free_workers, clock_skew } = check;
    let mut texts = vec![Some(scope), Some(holder.to_owned()), Some(is_new.to_string()), Some(layout)];
    let numbers = [Some(runs_out), Some(workers), Some(free_workers), clock_skew];
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
