//! What the administrative calls return, to Java: the components of each record as texts, one after the other.

use crate::pending::Texts;
use leafmint::holder::{SnowflakeCheck, WorkerInfo};
use leafmint::store::{GaplessInfo, SegmentCheck, SeriesInfo, TagInfo};
use leafmint_advisor::audit::{AuditReport, Finding, KeyUse};

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
        let SeriesInfo { name, period, zone, format } = series;
        [Some(name), Some(period), (!zone.is_empty()).then_some(zone), format]
    };
    series.into_iter().flat_map(texts).collect()
}

/// As `GaplessInfo.java` reads them.
pub(crate) fn gapless(rows: Vec<GaplessInfo>) -> Texts {
    let texts = |row: GaplessInfo| {
        let GaplessInfo { name, key, period, group, number: last, problem } = row;
        [Some(name), key, Some(period.to_string()), Some(group), number(last), problem]
    };
    rows.into_iter().flat_map(texts).collect()
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

/// As `AuditReport.java` reads them.
pub(crate) fn audit_report(report: AuditReport) -> Texts {
    let AuditReport { scope, read_at, keys, findings, unread } = report;
    let key = |key: KeyUse| {
        let KeyUse { table, column, data_type, used, largest, days_left, .. } = key;
        let days_left = days_left.map(|days| days.to_string());
        [Some(table), Some(column), Some(data_type), Some(used.to_string()), Some(largest.to_string()), days_left]
    };
    let finding = |found: Finding| {
        let Finding { kind, severity, table, column, value, limit, text } = found;
        let (kind, severity) = (kind.name().to_owned(), severity.name().to_owned());
        [kind, severity, table, column, value.to_string(), limit.to_string(), text].map(Some)
    };
    let mut texts = vec![Some(scope), number(Some(read_at)), count(&keys), count(&findings)];
    texts.extend(keys.into_iter().flat_map(key));
    texts.extend(findings.into_iter().flat_map(finding));
    texts.extend(unread.into_iter().map(Some));
    texts
}

/// A number alone.
pub(crate) fn one(answer: i64) -> Texts {
    vec![number(Some(answer))]
}

fn number(number: Option<i64>) -> Option<String> {
    number.map(|number| number.to_string())
}

fn count<T>(items: &[T]) -> Option<String> {
    Some(items.len().to_string())
}
