//! Which tables keep what was committed, for every session.

use super::session::Session;
use crate::database::Outcome;
use crate::error::{Error, ErrorKind};
use mysql_async::{Row, Value};

/// Engines that keep what was committed, and undo what was not.
const TRANSACTIONAL: [&str; 5] = ["innodb", "ndbcluster", "ndb", "rocksdb", "tokudb"];

/// What the server shows of tables.
pub(crate) struct Shown {
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
/// It is the one question whose answer is about a temporary table if such a table hides the one that others use.
pub(crate) fn show(tables: &[&str]) -> String {
    tables.iter().map(|table| format!("SHOW CREATE TABLE {table}")).collect::<Vec<_>>().join("; ")
}

/// Reads the answers to [`show`]. Where the account may not look, the catalog is asked, which shows less.
pub(crate) async fn shown(session: &mut Session, tables: &[&str]) -> Outcome<Shown> {
    let mut shown = Shown { problem: None, is_cut: false };
    for table in tables {
        let problem = match shown.is_cut {
            true => of_catalog(session, table).await?,
            false => match session.rows::<Row>().await {
                Ok(mut rows) => rows.pop().and_then(definition).and_then(|text| of_definition(&text)),
                Err(failure) if failure.is_denied() => {
                    shown.is_cut = true;
                    of_catalog(session, table).await?
                }
                Err(failure) => return Err(failure),
            },
        };
        shown.problem = shown.problem.or_else(|| problem.map(|problem| refusal(table, &problem)));
    }
    Ok(shown)
}

/// Asks about tables in a round trip of its own.
pub(crate) async fn ask(session: &mut Session, tables: &[&str]) -> Outcome<Shown> {
    // The first answer comes with the packet, and a refusal of it would be one of the packet.
    session.send(&format!("DO 0; {}", show(tables)), &[]).await?;
    session.skip().await?;
    shown(session, tables).await
}

/// Refuses tables that do not last. Each session is asked once, by statements behind the first one that relies on it.
pub(crate) async fn check(session: &mut Session, tables: &[&str]) -> Outcome<()> {
    let shown = shown(session, tables).await?;
    judge(session, shown)
}

/// Refuses tables that do not last, in a round trip of its own.
pub(crate) async fn look(session: &mut Session, tables: &[&str]) -> Outcome<()> {
    let shown = ask(session, tables).await?;
    judge(session, shown)
}

fn judge(session: &mut Session, shown: Shown) -> Outcome<()> {
    if let Some(problem) = shown.problem {
        return Err(problem.into());
    }
    session.has_lasting_tables = true;
    Ok(())
}

/// Takes the statement that would create a table out of the answer to [`show`], whatever a server sends there.
fn definition(mut row: Row) -> Option<String> {
    match row.take(1)? {
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

/// Judges the statement that would create a table. A server that has no engines names none.
fn of_definition(definition: &str) -> Option<String> {
    if definition.starts_with("CREATE TEMPORARY TABLE") {
        return Some(
            "is a temporary table of this session, which hides the one that others use: make no temporary table of that name, in \
             init_connect or behind a pool"
                .to_owned(),
        );
    }
    if !definition.starts_with("CREATE TABLE") {
        return of_kind(true, None);
    }
    let (_, options) = definition.rsplit_once("\n) ENGINE=")?;
    of_kind(false, options.split_whitespace().next())
}

/// Reads what the catalog says about a table. It knows no temporary tables.
async fn of_catalog(session: &mut Session, table: &str) -> Outcome<Option<String>> {
    let name = table.trim_matches('`');
    let (schema, name) = name.split_once("`.`").map_or((Value::NULL, name), |(schema, name)| (schema.into(), name));
    let sql = "SELECT TABLE_TYPE, ENGINE FROM information_schema.TABLES \
               WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?";
    let found: Option<(Option<String>, Option<String>)> = session.first(sql, &[schema, name.into()]).await?;
    Ok(found.and_then(|(kind, engine)| of_kind(kind.is_some_and(|kind| kind.contains("VIEW")), engine.as_deref())))
}

fn of_kind(is_view: bool, engine: Option<&str>) -> Option<String> {
    if is_view {
        return Some("is a view: use the table below it, whose engine must be InnoDB".to_owned());
    }
    let engine = engine.filter(|engine| !is_transactional(engine))?;
    Some(format!(
        "has the engine {engine}, which may lose what was committed if the server or its host fails, and ids would begin again: run \
         ALTER TABLE @ ENGINE=InnoDB"
    ))
}

fn refusal(table: &str, problem: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, format!("the table {table} {}", problem.replace('@', table)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_judged_by_its_last_engine_and_its_first_words() {
        for (definition, says) in [
            ("CREATE TABLE `t` (\n  `a` int COMMENT ') ENGINE=MEMORY'\n) ENGINE=InnoDB DEFAULT CHARSET=latin1", None),
            ("CREATE TABLE `t` (\n  `a` int\n)", None),
            ("CREATE TABLE `t` (\n  `a` int\n) ENGINE=MEMORY", Some("engine MEMORY")),
            ("CREATE TABLE `t` (\n  `a` int\n) ENGINE=MyISAM\n PARTITION BY HASH (`a`)", Some("engine MyISAM")),
            ("CREATE TEMPORARY TABLE `t` (\n  `a` int\n) ENGINE=InnoDB", Some("temporary table")),
            ("CREATE ALGORITHM=UNDEFINED VIEW `t` AS SELECT 1", Some("view")),
        ] {
            let found = of_definition(definition);
            assert_eq!(found.is_some(), says.is_some(), "{definition}");
            assert!(found.unwrap_or_default().contains(says.unwrap_or_default()), "{definition}");
        }
    }
}
