//! Whether a table is fit: what the server says about it, and what is wrong with it. Segments, worker ids, tickets and
//! numbers without gaps ask here, and a move from Leaf reads the facts.

use super::borrowed::NOTHING;
use super::session::Session;
use crate::sessions::Outcome;
use crate::tables::names;
use crate::tables::table::Table;
use leafmint_engine::store::{AllocatedWorker, ColumnFacts, TableFacts};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::one_line;
use leafmint_ids::text::pasted::{Sql, SqlDialect};
use mysql_async::{Row, Value};

/// Engines that keep what was committed, and undo what was not.
const TRANSACTIONAL: [&str; 5] = ["innodb", "ndbcluster", "ndb", "rocksdb", "tokudb"];

/// Why a table does not last.
#[derive(Debug, PartialEq, Eq)]
enum Problem {
    Temporary,
    View,
    Engine(String),
}

/// What the server shows of tables.
pub struct ShownTables {
    /// What is wrong with the first one that does not last.
    pub problem: Option<Error>,
    /// The account may not look at a table, so that the rest of the packet was not run.
    pub is_cut: bool,
}

/// Returns whether tables of this engine keep each commit through a crash.
pub fn is_transactional(engine: &str) -> bool {
    TRANSACTIONAL.contains(&engine.to_ascii_lowercase().as_str())
}

/// Returns the statements that [`shown`] reads the answers of. Names are quoted.
///
/// The catalog names the engine to every account. `SHOW CREATE TABLE` is the one question whose answer is about a
/// temporary table if such a table hides the one that others use; an account with rights on columns alone may not ask
/// it, so it comes last.
pub fn show(tables: &[&str]) -> String {
    if tables.is_empty() {
        return NOTHING.to_owned();
    }
    let catalog: Vec<String> = tables.iter().enumerate().map(|(at, table)| in_catalog(at, table)).collect();
    let definitions = tables.iter().map(|table| format!("SHOW CREATE TABLE {table}"));
    [catalog.join(" UNION ALL ")].into_iter().chain(definitions).collect::<Vec<_>>().join("; ")
}

/// Returns the query of one table in the catalog. That of MariaDB 11.2 and later lists temporary tables too.
fn in_catalog(at: usize, table: &str) -> String {
    let name = table.trim_matches('`');
    let (schema, name) = match name.split_once("`.`") {
        Some((schema, name)) => (format!("'{schema}'"), name),
        None => ("DATABASE()".to_owned(), name),
    };
    format!(
        "SELECT {at}, TABLE_TYPE, ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = {schema} AND TABLE_NAME = '{name}'"
    )
}

/// Reads the answers to [`show`].
pub async fn shown(session: &mut Session, tables: &[&str]) -> Outcome<ShownTables> {
    if tables.is_empty() {
        session.skip().await?;
        return Ok(ShownTables { problem: None, is_cut: false });
    }
    let listed: Vec<(usize, Option<String>, Option<String>)> = session.rows().await?;
    let mut problems: Vec<(usize, Problem)> = listed
        .into_iter()
        .filter_map(|(at, kind, engine)| Some((at, of_kind(&kind.unwrap_or_default(), engine.as_deref())?)))
        .collect();
    let mut is_cut = false;
    for at in 0..tables.len() {
        match session.rows::<Row>().await {
            Ok(mut rows) => {
                let problem = rows.pop().and_then(definition).and_then(|text| of_definition(&text));
                problems.extend(problem.map(|problem| (at, problem)));
            }
            Err(failure) if failure.is_denied() => {
                is_cut = true;
                break;
            }
            Err(failure) => return Err(failure),
        }
    }
    // Of a temporary table the catalog may know nothing.
    let worst = problems.iter().find(|(_, problem)| *problem == Problem::Temporary).or(problems.first());
    let refused = |(at, problem): &(usize, Problem)| Some(problem.of(tables.get(*at)?));
    Ok(ShownTables { problem: worst.and_then(refused), is_cut })
}

/// Refuses tables that do not last. Each session is asked once, by statements behind the first one that relies on it.
pub async fn check(session: &mut Session, tables: &[&str]) -> Outcome<()> {
    shown(session, tables).await?.judge()?;
    session.has_lasting_tables = true;
    Ok(())
}

impl ShownTables {
    /// Raises what is wrong.
    pub fn judge(self) -> Result<()> {
        self.problem.map_or(Ok(()), Err)
    }
}

/// Asks about tables in a round trip of its own. It begins with a SET, so that no proxy takes it for a question to a
/// replica.
pub async fn look(session: &mut Session, tables: &[&str]) -> Outcome<ShownTables> {
    session.send(&format!("SET @leafmint_genes = NULL; {}", show(tables)), &[]).await?;
    session.skip().await?;
    shown(session, tables).await
}

/// Takes the statement that would create a table out of the answer to [`show`], whatever a server sends there.
fn definition(mut row: Row) -> Option<String> {
    match row.take(1)? {
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

/// Judges the statement that would create a table. A server that has no engines names none.
fn of_definition(definition: &str) -> Option<Problem> {
    if definition.starts_with("CREATE TEMPORARY TABLE") {
        return of_kind("TEMPORARY", None);
    }
    if !definition.starts_with("CREATE TABLE") {
        return of_kind("VIEW", None);
    }
    let (_, options) = definition.rsplit_once("\n) ENGINE=")?;
    of_kind("BASE TABLE", options.split_whitespace().next())
}

/// Judges a table by its kind and its engine.
fn of_kind(kind: &str, engine: Option<&str>) -> Option<Problem> {
    if kind.contains("TEMPORARY") {
        return Some(Problem::Temporary);
    }
    if kind.contains("VIEW") {
        return Some(Problem::View);
    }
    engine.filter(|engine| !is_transactional(engine)).map(|engine| Problem::Engine(engine.to_owned()))
}

impl Problem {
    fn of(&self, table: &str) -> Error {
        let text = match self {
            Problem::Temporary => {
                "is a temporary table of this session, which hides the one that others use: make no temporary table of that name, in \
                 init_connect or behind a pool"
                    .to_owned()
            }
            Problem::View => "is a view: use the table below it, whose engine must be InnoDB".to_owned(),
            Problem::Engine(engine) => format!(
                "has the engine {engine}, which may lose what was committed if the server or its host fails, and ids would begin \
                 again: run {}",
                Sql::new(SqlDialect::MySql, "ALTER TABLE").quoted(table).words("ENGINE=InnoDB")
            ),
        };
        Error::new(ErrorKind::InvalidConfig, format!("the table {table} {text}"))
    }
}

/// Refuses a table of numbers without gaps, by the statement that would create it.
pub fn check_gapless(definition: &str, table: &str) -> Result<()> {
    if let Some(problem) = of_definition(definition) {
        return Err(problem.of(table));
    }
    let unfit = |problem: String| Err(Error::new(ErrorKind::InvalidConfig, format!("the table {table} {problem}")));
    let alter = || Sql::new(SqlDialect::MySql, "ALTER TABLE").quoted(table);
    let (mut is_unique, mut number) = (false, None);
    for line in definition.lines().map(|line| line.trim().replace(['`', '"'], "").to_lowercase()) {
        number = number.or(line.strip_prefix("number ").map(str::to_owned));
        is_unique |= is_key_of_name(&line);
    }
    if !is_unique {
        let remedy = alter().words("ADD UNIQUE (name)");
        return unfit(format!("has no unique key of the column name alone: run {remedy}"));
    }
    match number.filter(|data_type| !data_type.starts_with("bigint")) {
        Some(line) => {
            let data_type = one_line(line.split([' ', ',']).next().unwrap_or_default());
            let remedy = alter().words("MODIFY number BIGINT NOT NULL");
            unfit(format!("has numbers of the type {data_type}, which may round them or end early: run {remedy}"))
        }
        None => Ok(()),
    }
}

/// Does the same on a session. An account that may not look at the table is not asked.
pub(super) async fn look_at_gapless(session: &mut Session, table: &str) -> Outcome<()> {
    match session.query::<Row>(&format!("SHOW CREATE TABLE {table}"), &[]).await {
        Ok(mut rows) => {
            let text = rows.pop().and_then(definition);
            text.map_or(Ok(()), |text| Ok(check_gapless(&text, names::GAPLESS)?))
        }
        Err(failure) if failure.is_denied() => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Returns whether a line of a table's definition makes the names unique.
fn is_key_of_name(line: &str) -> bool {
    let is_unique = line.starts_with("primary key") || line.starts_with("unique key");
    let columns = line.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    is_unique && columns.is_some_and(|(columns, _)| matches!(columns, "name" | "name desc"))
}

type Text = Option<String>;

/// Reads what the server says about the table. Returns `None` if there is no such table, or the account sees none.
pub(super) async fn facts(session: &mut Session, table: &Table) -> Outcome<Option<TableFacts>> {
    let (schema, name) = match table.name.split_once('.') {
        Some((schema, name)) => (Value::from(schema), name),
        None => (Value::NULL, table.name.as_str()),
    };
    let params = [schema, Value::from(name)];
    let tables = "SELECT TABLE_TYPE, ENGINE FROM information_schema.TABLES \
                  WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?";
    let Some((kind, engine)): Option<(Text, Text)> = session.first(tables, &params).await? else {
        return Ok(None);
    };
    let columns: Vec<(Text, Text, Text)> = session
        .query(
            "SELECT LOWER(COLUMN_NAME), LOWER(COLUMN_TYPE), COLLATION_NAME FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? \
             AND LOWER(COLUMN_NAME) IN ('biz_tag', 'max_id', 'step')",
            &params,
        )
        .await?;
    let unique: Option<i64> = session
        .first(
            "SELECT COUNT(*) FROM (SELECT INDEX_NAME FROM information_schema.STATISTICS \
             WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND NON_UNIQUE = 0 \
             GROUP BY INDEX_NAME HAVING COUNT(*) = 1 AND LOWER(MAX(COLUMN_NAME)) = 'biz_tag') AS found",
            &params,
        )
        .await?;
    let triggers: Vec<Text> = session
        .query(
            "SELECT CONCAT(ACTION_TIMING, ' ', EVENT_MANIPULATION, ' ', TRIGGER_NAME) \
             FROM information_schema.TRIGGERS \
             WHERE EVENT_OBJECT_SCHEMA = COALESCE(?, DATABASE()) AND EVENT_OBJECT_TABLE = ? ORDER BY 1",
            &params,
        )
        .await?;
    // Not every server that speaks the protocol has both variables.
    let names = "'read_only', 'innodb_flush_log_at_trx_commit'";
    let show = format!("SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})");
    let variables: Vec<(Text, Text)> = session.query(&show, &[]).await?;
    let variable = |name: &str| variables.iter().find(|found| found.0.as_deref() == Some(name))?.1.as_deref();
    let is_innodb = engine.as_deref().is_some_and(|engine| engine.eq_ignore_ascii_case("innodb"));
    Ok(Some(TableFacts {
        location: None,
        is_view: kind.is_some_and(|kind| kind.contains("VIEW")),
        engine,
        columns: columns.into_iter().map(column).collect(),
        is_unique: unique.is_some_and(|indexes| indexes > 0),
        triggers: triggers.into_iter().flatten().collect(),
        is_read_only: variable("read_only").is_some_and(|value| value != "OFF" && value != "0"),
        worker_ids: worker_ids(session).await?,
        loses_commits: is_innodb && variable("innodb_flush_log_at_trx_commit").is_some_and(|value| value != "1"),
    }))
}

fn column((name, data_type, collation): (Text, Text, Text)) -> ColumnFacts {
    ColumnFacts { name: name.unwrap_or_default(), data_type: data_type.unwrap_or_default(), collation }
}

/// Reads the worker ids of NotFound9's fork of Leaf, if it keeps them in this database.
async fn worker_ids(session: &mut Session) -> Outcome<Vec<AllocatedWorker>> {
    let columns = "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
                   AND TABLE_NAME = 'leaf_workerid_alloc' AND LOWER(COLUMN_NAME) IN ('id', 'ip_port', 'max_timestamp')";
    if session.first::<i64>(columns, &[]).await? != Some(3) {
        return Ok(Vec::new());
    }
    let rows = "SELECT id, ip_port, max_timestamp FROM leaf_workerid_alloc ORDER BY id LIMIT 2000";
    let rows: Vec<(Text, Text, Text)> = match session.query(rows, &[]).await {
        Err(failure) if failure.is_denied() => Vec::new(),
        rows => rows?,
    };
    let number = |text: Text| text.and_then(|text| text.parse().ok());
    let row = |(id, endpoint, reported): (Text, Text, Text)| {
        let (worker_id, endpoint) = (number(id)?, endpoint.unwrap_or_default());
        Some(AllocatedWorker { worker_id, endpoint, reported: number(reported) })
    };
    Ok(rows.into_iter().filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_judged_by_its_last_engine_and_its_first_words() {
        let engine = |name: &str| Some(Problem::Engine(name.to_owned()));
        for (definition, problem) in [
            ("CREATE TABLE `t` (\n  `a` int COMMENT ') ENGINE=MEMORY'\n) ENGINE=InnoDB DEFAULT CHARSET=latin1", None),
            ("CREATE TABLE `t` (\n  `a` int\n)", None),
            ("CREATE TABLE `t` (\n  `a` int\n) ENGINE=MEMORY", engine("MEMORY")),
            ("CREATE TABLE `t` (\n  `a` int\n) ENGINE=MyISAM\n PARTITION BY HASH (`a`)", engine("MyISAM")),
            ("CREATE TEMPORARY TABLE `t` (\n  `a` int\n) ENGINE=InnoDB", Some(Problem::Temporary)),
            ("CREATE ALGORITHM=UNDEFINED VIEW `t` AS SELECT 1", Some(Problem::View)),
        ] {
            assert_eq!(of_definition(definition), problem, "{definition}");
        }
    }
}
