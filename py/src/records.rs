//! Makes the records of `leafmint.records`.

use crate::{datetime, list, once};
use leafmint::NumberParts;
use leafmint::audit::{AuditReport, Finding, KeyUse};
use leafmint::segment::{SegmentCheck, SeriesInfo, TagInfo};
use leafmint::snowflake::{SnowflakeCheck, WorkerInfo};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

/// Returns the class of a record.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let missing = || PyImportError::new_err(format!("leafmint.records.{name} is missing: import leafmint"));
    once::class(py, name)?.ok_or_else(missing)
}

/// Makes a list of `TagInfo`.
pub(crate) fn tags<'py>(py: Python<'py>, tags: Vec<TagInfo>) -> PyResult<Bound<'py, PyList>> {
    let class = class(py, "TagInfo")?;
    let record = |tag: TagInfo| {
        let TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem } = tag;
        class.call1((biz_tag, max_id, step, description, time(py, update_time)?, gene_bits, problem))
    };
    list::of(py, tags.len(), tags.into_iter(), record)
}

/// Makes a list of `SeriesInfo`.
pub(crate) fn series<'py>(py: Python<'py>, series: Vec<SeriesInfo>) -> PyResult<Bound<'py, PyList>> {
    let class = class(py, "SeriesInfo")?;
    let record = |SeriesInfo { name, period, zone }| {
        let zone = Some(zone).filter(|zone| !zone.is_empty());
        class.call1((name, period, zone))
    };
    list::of(py, series.len(), series.into_iter(), record)
}

/// Makes an `AuditReport`.
pub(crate) fn audit_report(py: Python<'_>, report: AuditReport) -> PyResult<Bound<'_, PyAny>> {
    let AuditReport { scope, read_at, keys, findings, unread } = report;
    let (of_key, of_finding) = (class(py, "KeyUse")?, class(py, "AuditFinding")?);
    let key = |key: KeyUse| {
        let KeyUse { table, column, data_type, used, largest, days_left } = key;
        of_key.call1((table, column, data_type, used, largest, days_left))
    };
    let finding = |found: Finding| {
        let Finding { kind, severity, table, column, value, limit, text } = found;
        of_finding.call1((kind.name(), severity.name(), table, column, value, limit, text))
    };
    let keys = PyTuple::new(py, keys.into_iter().map(key).collect::<PyResult<Vec<_>>>()?)?;
    let findings = PyTuple::new(py, findings.into_iter().map(finding).collect::<PyResult<Vec<_>>>()?)?;
    let (read_at, unread) = (datetime::from_unix_millis(py, read_at)?, PyTuple::new(py, unread)?);
    class(py, "AuditReport")?.call1((scope, read_at, keys, findings, unread))
}

/// Makes a list of `WorkerInfo`.
pub(crate) fn workers<'py>(py: Python<'py>, workers: Vec<WorkerInfo>) -> PyResult<Bound<'py, PyList>> {
    let class = class(py, "WorkerInfo")?;
    let record = |worker: WorkerInfo| {
        let WorkerInfo { worker_id, endpoint, held, horizon, updated } = worker;
        class.call1((worker_id, endpoint, held, time(py, horizon)?, time(py, updated)?))
    };
    list::of(py, workers.len(), workers.into_iter(), record)
}

/// Makes a `SegmentCheck`.
pub(crate) fn segment_check(py: Python<'_>, check: SegmentCheck) -> PyResult<Bound<'_, PyAny>> {
    let SegmentCheck { scope, is_new, tags, creates_tags, round_trip } = check;
    let millis = round_trip.as_secs_f64() * 1000.0;
    class(py, "SegmentCheck")?.call1((scope, is_new, tags, creates_tags, millis))
}

/// Makes a `SnowflakeCheck`.
pub(crate) fn snowflake_check(py: Python<'_>, check: SnowflakeCheck) -> PyResult<Bound<'_, PyAny>> {
    let SnowflakeCheck { scope, holder, is_new, layout, runs_out, workers, free_workers, clock_skew } = check;
    let runs_out = datetime::from_unix_millis(py, runs_out)?;
    class(py, "SnowflakeCheck")?.call1((scope, holder, is_new, layout, runs_out, workers, free_workers, clock_skew))
}

/// Makes a `NumberParts`.
pub(crate) fn number_parts<'py>(py: Python<'py>, parts: NumberParts<'_>) -> PyResult<Bound<'py, PyAny>> {
    let NumberParts { number, date, key, shard } = parts;
    let date = date.map(|date| datetime::from_date(py, date)).transpose()?;
    class(py, "NumberParts")?.call1((number, date, key, shard))
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
