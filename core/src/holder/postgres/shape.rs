//! What leafmint's own tables must be like, so that a row holds what was written, for every process and after a crash.

use crate::database::Outcome;
use crate::error::{Error, ErrorKind};
use crate::postgres::column;
use tokio_postgres::Row;

/// Refuses tables with a problem, of which the first one is named.
pub(super) fn check(problems: &[Row]) -> Outcome<()> {
    match problems.first() {
        Some(row) => {
            let (problem, remedy): (String, String) = (column(row, 0)?, column(row, 1)?);
            Err(Error::new(ErrorKind::InvalidConfig, format!("{problem}: {remedy}")).into())
        }
        None => Ok(()),
    }
}

/// Returns the query of the problems.
pub(super) fn problems() -> String {
    PROBLEMS.replace('⟨', "OPERATOR(pg_catalog.").replace('⟩', ")")
}

/// Reads the problems of the tables that the search path finds, the worst one first, each with the SQL that mends it.
///
/// A table in a schema that the search path leaves out would be made a second time, and worker ids would be given out
/// twice. Views, rules, triggers and policies may leave rows out or change them, and what is not logged is gone after a
/// crash. A column may be wider than leafmint's, and have any default, which is not used.
///
/// What the search path finds is asked by the tables' numbers. Asked by name, a session may answer from its cache that
/// a table is missing which another session made just now, and which `pg_class` already shows.
///
/// The counters of the past belong to the worker ids of one table, so both are in one schema.
///
/// In `⟨ ⟩` are operators of `pg_catalog`.
const PROBLEMS: &str = r#"
WITH own AS MATERIALIZED (
  SELECT c.oid, c.relname, c.oid::pg_catalog.regclass::pg_catalog.text AS called, c.relkind, c.relpersistence, c.relispartition,
    c.relrowsecurity
  FROM pg_catalog.pg_class AS c
  WHERE c.relname ⟨=⟩ ANY ('{leafmint_worker,leafmint_backfill,leafmint_namespace,leafmint_schema}') AND pg_catalog.pg_table_is_visible(c.oid)
), wanted(relname, col, types, length, made) AS (VALUES
  ('leafmint_worker', 'namespace', '{varchar,text}'::pg_catalog.text[], 128, 'varchar(128) COLLATE "C"'),
  ('leafmint_worker', 'worker_id', '{int4,int8}', 0, 'int'),
  ('leafmint_worker', 'token', '{varchar,text}', 32, 'varchar(32) COLLATE "C"'),
  ('leafmint_worker', 'horizon', '{int8}', 0, 'bigint'),
  ('leafmint_worker', 'reported', '{int8}', 0, 'bigint'),
  ('leafmint_worker', 'updated', '{int8}', 0, 'bigint'),
  ('leafmint_worker', 'endpoint', '{varchar,text}', 255, 'varchar(255)'),
  ('leafmint_backfill', 'namespace', '{varchar,text}', 128, 'varchar(128) COLLATE "C"'),
  ('leafmint_backfill', 'worker_id', '{int4,int8}', 0, 'int'),
  ('leafmint_backfill', 'block', '{int8}', 0, 'bigint'),
  ('leafmint_backfill', 'next_sequence', '{int8}', 0, 'bigint'),
  ('leafmint_namespace', 'namespace', '{varchar,text}', 128, 'varchar(128) COLLATE "C"'),
  ('leafmint_namespace', 'layout', '{varchar,text}', 255, 'varchar(255)'),
  ('leafmint_schema', 'id', '{int4,int8}', 0, 'int'),
  ('leafmint_schema', 'version', '{int4,int8}', 0, 'int')
), columns AS (
  SELECT own.oid, called, relkind, wanted.col, types, length, made, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attidentity,
    a.attgenerated
  FROM own JOIN wanted ON own.relname ⟨=⟩ wanted.relname
  LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid ⟨=⟩ own.oid AND a.attname ⟨=⟩ wanted.col AND NOT a.attisdropped
), keys(relname, columns) AS (VALUES
  ('leafmint_worker', '{namespace,worker_id}'::pg_catalog.text[]), ('leafmint_backfill', '{namespace,worker_id,block}'),
  ('leafmint_namespace', '{namespace}'), ('leafmint_schema', '{id}')
)
SELECT problem, remedy FROM (
  SELECT 1, pg_catalog.format('leafmint_worker is in the schema %I, which the search path of %I does not find', n.nspname, current_user),
    pg_catalog.format('run ALTER ROLE %I IN DATABASE %I SET search_path = %I; GRANT USAGE ON SCHEMA %3$I TO %1$I; or for worker ids of '
      'its own create the tables of schema_sql("postgresql") in a schema on its search path', current_user, pg_catalog.current_database(),
      n.nspname)
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid ⟨=⟩ c.relnamespace
  WHERE c.relname ⟨=⟩ 'leafmint_worker' AND c.relkind ⟨=⟩ ANY ('{r,p,v,m,f}')
    AND NOT EXISTS (SELECT FROM own WHERE relname ⟨=⟩ c.relname)
    AND n.nspname ⟨!~⟩ '^pg_' AND (pg_catalog.has_schema_privilege(n.oid, 'USAGE') OR pg_catalog.quote_ident(n.nspname)
      ⟨=⟩ ANY (pg_catalog.regexp_split_to_array(pg_catalog.current_setting('search_path'), ',\s*')))
UNION ALL
  SELECT 2, called ⟨||⟩ ' is no ordinary table', 'rename it, and create the table of schema_sql("postgresql")'
  FROM own WHERE relkind ⟨<>⟩ 'r' OR relispartition
UNION ALL
  SELECT 3, called ⟨||⟩ ' does not survive a crash', CASE WHEN relpersistence ⟨=⟩ 'u'
    THEN pg_catalog.format('run ALTER TABLE %s SET LOGGED', called) ELSE pg_catalog.format('run DROP TABLE %s', called) END
  FROM own WHERE relpersistence ⟨<>⟩ 'p'
UNION ALL
  SELECT 4, pg_catalog.format('%s inherits from %s', inhrelid::pg_catalog.regclass, inhparent::pg_catalog.regclass),
    pg_catalog.format('run ALTER TABLE %s NO INHERIT %s', inhrelid::pg_catalog.regclass, inhparent::pg_catalog.regclass)
  FROM own JOIN pg_catalog.pg_inherits ON own.oid ⟨=⟩ inhrelid OR own.oid ⟨=⟩ inhparent WHERE relkind ⟨=⟩ 'r' AND NOT relispartition
UNION ALL
  SELECT 5, pg_catalog.format('%s has the rule %I', called, rulename), pg_catalog.format('run DROP RULE %I ON %s', rulename, called)
  FROM own JOIN pg_catalog.pg_rewrite ON ev_class ⟨=⟩ own.oid WHERE relkind ⟨=⟩ 'r' AND ev_enabled ⟨=⟩ ANY ('{O,A}')
UNION ALL
  SELECT 6, pg_catalog.format('%s has the trigger %I', called, tgname), pg_catalog.format('run DROP TRIGGER %I ON %s', tgname, called)
  FROM own JOIN pg_catalog.pg_trigger ON tgrelid ⟨=⟩ own.oid WHERE NOT tgisinternal AND tgenabled ⟨=⟩ ANY ('{O,A}')
UNION ALL
  SELECT 7, called ⟨||⟩ ' has row level security', pg_catalog.format('run ALTER TABLE %s DISABLE ROW LEVEL SECURITY', called)
  FROM own WHERE relrowsecurity AND pg_catalog.row_security_active(own.oid)
UNION ALL
  SELECT 8, pg_catalog.format('%s has no column %s', called, col), pg_catalog.format('run ALTER TABLE %s ADD COLUMN %s %s', called, col, made)
  FROM columns WHERE relkind ⟨=⟩ 'r' AND attname IS NULL
UNION ALL
  SELECT 9, pg_catalog.format('the column %s of %s is %s%s', col, called, pg_catalog.format_type(atttypid, atttypmod),
      CASE WHEN NOT l.collisdeterministic THEN ' with a collation that takes different names for one' END),
    pg_catalog.format('run ALTER TABLE %s ALTER COLUMN %s TYPE %s', called, col, made)
  FROM columns JOIN pg_catalog.pg_type AS t ON t.oid ⟨=⟩ atttypid LEFT JOIN pg_catalog.pg_collation AS l ON l.oid ⟨=⟩ attcollation
  WHERE relkind ⟨=⟩ 'r' AND (t.typname ⟨<>⟩ ALL (types) OR t.typnamespace ⟨<>⟩ 'pg_catalog'::pg_catalog.regnamespace
    OR atttypmod ⟨>=⟩ 4 AND atttypmod ⟨<⟩ (length ⟨+⟩ 4) OR NOT l.collisdeterministic)
UNION ALL
  SELECT 10, pg_catalog.format('the column %s of %s is generated', col, called),
    pg_catalog.format('run ALTER TABLE %s ALTER COLUMN %s DROP %s', called, col,
      CASE WHEN attidentity ⟨=⟩ '' THEN 'EXPRESSION' ELSE 'IDENTITY' END)
  FROM columns WHERE attgenerated ⟨<>⟩ '' OR attidentity ⟨=⟩ 'a'
UNION ALL
  SELECT 11, pg_catalog.format('%s has no unique key (%s)', called, pg_catalog.array_to_string(columns, ', ')),
    pg_catalog.format('run ALTER TABLE %s ADD UNIQUE (%s)', called, pg_catalog.array_to_string(columns, ', '))
  FROM own JOIN keys ON own.relname ⟨=⟩ keys.relname WHERE relkind ⟨=⟩ 'r' AND NOT EXISTS (SELECT FROM pg_catalog.pg_index AS i
    WHERE i.indrelid ⟨=⟩ own.oid AND indisunique AND indimmediate AND indisvalid AND indpred IS NULL AND indexprs IS NULL
      AND columns ⟨@>⟩ ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.pg_attribute AS a WHERE a.attrelid
        ⟨=⟩ own.oid AND a.attnum ⟨=⟩ ANY ((i.indkey::pg_catalog.int2[])[0 : i.indnkeyatts ⟨-⟩ 1]))
      AND i.indnkeyatts ⟨=⟩ pg_catalog.cardinality(columns))
UNION ALL
  SELECT 12, pg_catalog.format('%s is not in the schema of %s', b.called, w.called),
    pg_catalog.format('run ALTER TABLE %s SET SCHEMA %I', b.called, n.nspname)
  FROM own AS b JOIN pg_catalog.pg_class AS of_b ON of_b.oid ⟨=⟩ b.oid
  JOIN own AS w ON w.relname ⟨=⟩ 'leafmint_worker' JOIN pg_catalog.pg_class AS of_w ON of_w.oid ⟨=⟩ w.oid
  JOIN pg_catalog.pg_namespace AS n ON n.oid ⟨=⟩ of_w.relnamespace
  WHERE b.relname ⟨=⟩ 'leafmint_backfill' AND of_b.relnamespace ⟨<>⟩ of_w.relnamespace
) AS found(rank, problem, remedy) ORDER BY rank, problem LIMIT 1"#;
