//! Which tables keep what was committed, for every session.

use super::session::Session;
use crate::database::Outcome;
use crate::error::{Error, ErrorKind, Result};
use crate::pasted::{Sql, SqlDialect};
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
pub(crate) struct ShownTables {
    /// What is wrong with the first one that does not last.
    pub(crate) problem: Option<Error>,
    /// The account may not look at a table, so that the rest of the packet was not run.
    pub(crate) is_cut: bool,
}

/// Returns whether tables of this engine keep each commit through a crash.
pub(crate) fn is_transactional(engine: &str) -> bool {
    TRANSACTIONAL.contains(&engine.to_ascii_lowercase().as_str())
}

/// Returns the statements that [`shown`] reads the answers of. Names are quoted.
///
/// The catalog names the engine to every account. `SHOW CREATE TABLE` is the one question whose answer is about a
/// temporary table if such a table hides the one that others use; an account with rights on columns alone may not ask
/// it, so it comes last.
pub(crate) fn show(tables: &[&str]) -> String {
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
pub(crate) async fn shown(session: &mut Session, tables: &[&str]) -> Outcome<ShownTables> {
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
pub(crate) async fn check(session: &mut Session, tables: &[&str]) -> Outcome<()> {
    shown(session, tables).await?.judge()?;
    session.has_lasting_tables = true;
    Ok(())
}

impl ShownTables {
    /// Raises what is wrong.
    pub(crate) fn judge(self) -> Result<()> {
        self.problem.map_or(Ok(()), Err)
    }
}

/// Asks about tables in a round trip of its own. It begins with a SET, so that no proxy takes it for a question to a
/// replica.
pub(crate) async fn look(session: &mut Session, tables: &[&str]) -> Outcome<ShownTables> {
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

/// Describes a table that does not last, by the statement that would create it.
pub(crate) fn refused(definition: &str, table: &str) -> Option<Error> {
    of_definition(definition).map(|problem| problem.of(table))
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
