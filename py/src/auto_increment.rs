//! What a move from the counters of MySQL or MariaDB would clash with.

use crate::borrowed::Given;
use crate::{options, waiting};
use leafmint_advisor::audit::AuditRequest;
use leafmint_advisor::migration::auto_increment::{
    Beyond, CountedTable, KnownTag, Writers, beyond, commands, judge, plan, read, steps,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

type Table<'py> = Bound<'py, PyDict>;
type Judged = (Vec<(&'static str, String, String)>, Vec<(String, &'static str, String)>, Vec<String>);

/// Looks at the counters of MySQL or MariaDB, and writes nothing. `chosen` has patterns of tables, and tables with
/// their tags; `writers` is `old`, `both` or `new`: which code inserts; `earlier` has the counters of an earlier look.
/// Returns the database, the tables, and what is wrong (level, subject, text), to be run (table, place, text) and to be
/// done in order.
#[pyfunction]
#[pyo3(name = "_check_counters")]
pub(crate) fn check_counters<'py>(
    py: Python<'py>,
    url: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
    chosen: (Vec<String>, Vec<(String, String)>),
    writers: &str,
    room: u64,
    earlier: Vec<(String, u64)>,
) -> PyResult<(String, Vec<Table<'py>>, Judged)> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    let request = AuditRequest { tables: chosen.0, tags: chosen.1, ..AuditRequest::default() };
    let found = waiting::wait_for(py, || read(given.database(), options, request))?;
    let writers = match writers {
        "old" => Writers::Old,
        "new" => Writers::New,
        _ => Writers::Both,
    };
    let findings = judge(&found, writers, room, &earlier);
    let to_do = steps(&found, room, &findings);
    let findings = findings.into_iter().map(|found| (found.level.name(), found.subject, found.text)).collect();
    let to_run =
        commands(&found, room).into_iter().map(|command| (command.table, command.place, command.text)).collect();
    let tables = found.tables.iter().map(|table| counted(py, table, room)).collect::<PyResult<_>>()?;
    Ok((found.scope, tables, (findings, to_run, to_do)))
}

fn counted<'py>(py: Python<'py>, table: &CountedTable, room: u64) -> PyResult<Table<'py>> {
    let planned = plan(table, room).filter(|_| !table.is_apart());
    let shown = PyDict::new(py);
    shown.set_item("table", &table.table)?;
    shown.set_item("column", &table.column)?;
    shown.set_item("data_type", &table.data_type)?;
    shown.set_item("highest", table.highest)?;
    shown.set_item("counter", table.counter)?;
    shown.set_item("tag", &table.tag)?;
    shown.set_item("next", table.stored.map(|tag| tag.next))?;
    shown.set_item("room", table.room())?;
    shown.set_item("planned_start", planned.and_then(|planned| planned.start))?;
    shown.set_item("planned_counter", planned.map(|planned| planned.counter))?;
    shown.set_item("planned_room", planned.map(|planned| planned.room))?;
    Ok(shown)
}

/// The first and the last number of old writers, the highest row below them, and the ids that a tag needs below them.
type OldNumbers = (u64, u64, Option<u64>, u64);

/// Looks for numbers of old writers above a room without rows, in a column (table, name) that the server counts. The
/// tag has leased up to `highest`; `end` is the first of those numbers, if that is known.
#[pyfunction]
#[pyo3(name = "_beyond_room")]
pub(crate) fn beyond_room(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
    column: (String, String),
    highest: u64,
    lease: u64,
    end: Option<u64>,
) -> PyResult<Option<OldNumbers>> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    let (table, column) = column;
    let known = KnownTag { table, column, highest, lease, end };
    let found = waiting::wait_for(py, || beyond(given.database(), options, known))?;
    Ok(found.map(|Beyond { first, last, below, least_room }| (first, last, below, least_room)))
}
