//! Makes the records of `leafmint.records`.

use crate::{datetime, list, once};
use leafmint::NumberParts;
use leafmint::holder::{SnowflakeCheck, WorkerInfo};
use leafmint::segment::{SegmentStats, TagStats};
use leafmint::snowflake::SnowflakeStats;
use leafmint::store::{GaplessInfo, SegmentCheck, SeriesInfo, TagInfo};
use leafmint_advisor::audit::{AuditReport, Finding, KeyUse};
use pyo3::exceptions::PyImportError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyList, PyTuple, PyType};

/// Returns the class of a record.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let missing = || PyImportError::new_err(format!("leafmint.records.{name} is missing: import leafmint"));
    once::class(py, name)?.ok_or_else(missing)
}

/// Makes a record from variables that have the names of its fields.
macro_rules! record {
    ($class:expr, $($field:ident),+) => {{
        let (class, fields) = (&$class, PyDict::new($class.py()));
        $(fields.set_item(intern!(class.py(), stringify!($field)), $field)?;)+
        class.call((), Some(&fields))
    }};
}

/// Makes a list of `TagInfo`.
pub(crate) fn tags(py: Python<'_>, tags: Vec<TagInfo>) -> PyResult<Bound<'_, PyList>> {
    let class = class(py, "TagInfo")?;
    let record = |tag: TagInfo| {
        let TagInfo { biz_tag: name, max_id, step, description, update_time, gene_bits, problem } = tag;
        let update_time = time(py, update_time)?;
        record!(class, name, max_id, step, description, update_time, gene_bits, problem)
    };
    list::of(py, tags.len(), tags.into_iter(), record)
}

/// Makes a list of `SeriesInfo`.
pub(crate) fn series(py: Python<'_>, series: Vec<SeriesInfo>) -> PyResult<Bound<'_, PyList>> {
    let class = class(py, "SeriesInfo")?;
    let record = |SeriesInfo { name, period, zone, format }| {
        let zone = Some(zone).filter(|zone| !zone.is_empty());
        record!(class, name, period, zone, format)
    };
    list::of(py, series.len(), series.into_iter(), record)
}

/// Makes a list of `GaplessInfo`.
pub(crate) fn gapless(py: Python<'_>, rows: Vec<GaplessInfo>) -> PyResult<Bound<'_, PyList>> {
    let class = class(py, "GaplessInfo")?;
    let record = |GaplessInfo { name, key, period, group, number, problem }| {
        let period = period.to_string();
        record!(class, name, key, period, group, number, problem)
    };
    list::of(py, rows.len(), rows.into_iter(), record)
}

/// Makes an `AuditReport`.
pub(crate) fn audit_report(py: Python<'_>, report: AuditReport) -> PyResult<Bound<'_, PyAny>> {
    let AuditReport { scope, read_at, keys, findings, unread } = report;
    let (of_key, of_finding) = (class(py, "KeyUse")?, class(py, "AuditFinding")?);
    let key = |key: KeyUse| {
        let KeyUse { table, column, data_type, used, largest, days_left, .. } = key;
        let time_left = days_left.map(|days| seconds(py, days * 86_400.0)).transpose()?;
        record!(of_key, table, column, data_type, used, largest, time_left)
    };
    let finding = |found: Finding| {
        let Finding { kind, severity, table, column, value, limit, text } = found;
        let (kind, severity) = (kind.name(), severity.name());
        record!(of_finding, kind, severity, table, column, value, limit, text)
    };
    let keys = PyTuple::new(py, keys.into_iter().map(key).collect::<PyResult<Vec<_>>>()?)?;
    let findings = PyTuple::new(py, findings.into_iter().map(finding).collect::<PyResult<Vec<_>>>()?)?;
    let (read_at, unread) = (datetime::from_unix_millis(py, read_at)?, PyTuple::new(py, unread)?);
    record!(class(py, "AuditReport")?, scope, read_at, keys, findings, unread)
}

/// Makes a list of `WorkerInfo`.
pub(crate) fn workers(py: Python<'_>, workers: Vec<WorkerInfo>) -> PyResult<Bound<'_, PyList>> {
    let class = class(py, "WorkerInfo")?;
    let record = |worker: WorkerInfo| {
        let WorkerInfo { worker_id, endpoint, held, horizon, updated } = worker;
        let (horizon, updated) = (time(py, horizon)?, time(py, updated)?);
        record!(class, worker_id, endpoint, held, horizon, updated)
    };
    list::of(py, workers.len(), workers.into_iter(), record)
}

/// Makes a `SegmentCheck`.
pub(crate) fn segment_check(py: Python<'_>, check: SegmentCheck) -> PyResult<Bound<'_, PyAny>> {
    let SegmentCheck { scope, is_new, tags, creates_tags, round_trip } = check;
    record!(class(py, "SegmentCheck")?, scope, is_new, tags, creates_tags, round_trip)
}

/// Makes a `SnowflakeCheck`.
pub(crate) fn snowflake_check(py: Python<'_>, check: SnowflakeCheck) -> PyResult<Bound<'_, PyAny>> {
    let SnowflakeCheck { scope, holder, is_new, layout, runs_out, workers, free_workers, clock_skew } = check;
    let runs_out = datetime::from_unix_millis(py, runs_out)?;
    let clock_skew = clock_skew.map(|skew| millis(py, skew)).transpose()?;
    record!(class(py, "SnowflakeCheck")?, scope, holder, is_new, layout, runs_out, workers, free_workers, clock_skew)
}

/// Makes a `NumberParts`.
pub(crate) fn number_parts<'py>(py: Python<'py>, parts: NumberParts<'_>) -> PyResult<Bound<'py, PyAny>> {
    let NumberParts { number, date, key, shard } = parts;
    let date = date.map(|date| datetime::from_date(py, date)).transpose()?;
    record!(class(py, "NumberParts")?, number, date, key, shard)
}

/// Makes a `SegmentStats`.
pub(crate) fn segment_stats(py: Python<'_>, stats: SegmentStats) -> PyResult<Bound<'_, PyAny>> {
    let (of_tag, tags) = (class(py, "TagStats")?, PyDict::new(py));
    for (name, figures) in stats.tags {
        tags.set_item(name, tag_figures(&of_tag, figures)?)?;
    }
    let SegmentStats { scope, store_up, host, .. } = stats;
    let failures = PyDict::new(py);
    for (code, count) in stats.failures {
        failures.set_item(code, count)?;
    }
    record!(class(py, "SegmentStats")?, scope, store_up, host, failures, tags)
}

/// Makes a `TagStats`.
pub(crate) fn tag_stats(py: Python<'_>, stats: TagStats) -> PyResult<Bound<'_, PyAny>> {
    tag_figures(&class(py, "TagStats")?, stats)
}

fn tag_figures<'py>(class: &Bound<'py, PyType>, stats: TagStats) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let TagStats { issued, leased, unused, given_back, highest_leased, step, refills, .. } = stats;
    let TagStats { refill_failures, failures_in_a_row, waits, last_error, supply_seconds, refill_millis, .. } = stats;
    let TagStats { numbers_left, numbers_last_seconds, failed_calls, last_error_code, last_error_at, .. } = stats;
    let last_error_at = time(py, last_error_at)?;
    let numbers_last = numbers_last_seconds.map(|lasts| seconds(py, lasts)).transpose()?;
    let supply = supply_seconds.map(|lasts| seconds(py, lasts)).transpose()?;
    let refill_duration = refill_millis.map(|millis| seconds(py, millis / 1000.0)).transpose()?;
    record!(
        class,
        issued,
        leased,
        unused,
        given_back,
        highest_leased,
        supply,
        step,
        refills,
        refill_failures,
        failures_in_a_row,
        refill_duration,
        waits,
        failed_calls,
        numbers_left,
        numbers_last,
        last_error,
        last_error_code,
        last_error_at
    )
}

/// Makes a `SnowflakeStats`.
pub(crate) fn snowflake_stats(py: Python<'_>, stats: SnowflakeStats) -> PyResult<Bound<'_, PyAny>> {
    let SnowflakeStats { worker_id, holder, scope, namespace, horizon_seconds, clock_lead_millis, .. } = stats;
    let SnowflakeStats { host, holder_up, waits, failed_calls, lease_failures, leases_lost, .. } = stats;
    let SnowflakeStats { heartbeat_millis, last_error, last_error_code, last_error_at, .. } = stats;
    let last_error_at = time(py, last_error_at)?;
    let horizon = horizon_seconds.map(|horizon| seconds(py, horizon)).transpose()?;
    let clock_lead = millis(py, clock_lead_millis)?;
    let heartbeat_duration = heartbeat_millis.map(|millis| seconds(py, millis / 1000.0)).transpose()?;
    record!(
        class(py, "SnowflakeStats")?,
        worker_id,
        holder,
        scope,
        namespace,
        host,
        holder_up,
        horizon,
        clock_lead,
        heartbeat_duration,
        waits,
        failed_calls,
        lease_failures,
        leases_lost,
        last_error,
        last_error_code,
        last_error_at
    )
}

/// The end of the year 9999 in Unix milliseconds.
const LAST_TIME: i64 = 253_402_300_799_999;

/// Returns Unix milliseconds as an aware datetime; `None` for a time that Python has not.
fn time(py: Python<'_>, unix_millis: Option<i64>) -> PyResult<Option<Bound<'_, PyAny>>> {
    unix_millis
        .filter(|time| (0..=LAST_TIME).contains(time))
        .map(|time| datetime::from_unix_millis(py, time))
        .transpose()
}

/// The most days of a timedelta.
const MOST_DAYS: i64 = 999_999_999;

fn millis(py: Python<'_>, millis: i64) -> PyResult<Bound<'_, PyDelta>> {
    micros(py, millis.saturating_mul(1000))
}

/// Returns seconds as a timedelta, and what is longer as the longest one.
fn seconds(py: Python<'_>, seconds: f64) -> PyResult<Bound<'_, PyDelta>> {
    micros(py, (seconds * 1e6).round() as i64)
}

fn micros(py: Python<'_>, micros: i64) -> PyResult<Bound<'_, PyDelta>> {
    const DAY: i64 = 86_400_000_000;
    let (days, rest) = (micros.div_euclid(DAY).clamp(-MOST_DAYS, MOST_DAYS), micros.rem_euclid(DAY));
    PyDelta::new(py, days as i32, (rest / 1_000_000) as i32, (rest % 1_000_000) as i32, false)
}
