//! What the server says about the table, apart from its rows.

use crate::database::Outcome;
use crate::mysql::Session;
use crate::store::table::Table;
use crate::store::table_facts::{AllocatedWorker, ColumnFacts, TableFacts};
use mysql_async::Value;

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
