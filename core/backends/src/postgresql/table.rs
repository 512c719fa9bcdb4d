//! Whether a table is fit: what the catalog says about it, and what is wrong with it. Segments, worker ids and numbers
//! without gaps ask here.
//!
//! A condition that a statement itself must carry is SQL. Everything else is read, and judged here.

use super::operators::{ADD, EQ, MUL};
use super::session::Session;
use super::values::{Row, column};
use crate::sessions::{Failure, Outcome};
use crate::tables::stored_row::column_that_rounds;
use crate::tables::table::Table;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::pasted::{Sql, SqlDialect};

/// The condition that a table, whose row in `pg_class` is `c`, is an ordinary one that the write-ahead log covers.
///
/// After a crash an unlogged table is empty, and begins again; other kinds of tables commit elsewhere. A temporary
/// table that another client of a pool left in the session hides leafmint's from this session alone.
pub const LASTING: &str = "c.relpersistence OPERATOR(pg_catalog.=) 'p' AND c.relkind OPERATOR(pg_catalog.=) 'r'";

/// Returns the condition that the row of this alias is in a lasting table.
pub(crate) fn is_lasting(alias: &str) -> String {
    format!("(SELECT {LASTING} FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} {alias}.tableoid)")
}

/// Returns the condition that the column of a value does not round: no floating-point number is the sum.
pub fn does_not_round(value: &str) -> String {
    format!("({value} {MUL} 0 {ADD} 9007199254740993)::bigint {EQ} 9007199254740993")
}

/// Returns what is wrong with the table; `None` if nothing is, or it could not be asked.
pub(crate) async fn problem_of_segments(session: &mut Session, table: &Table) -> Option<Error> {
    match check_segments(session, table).await {
        Err(Failure::Named(error)) => Some(error),
        _ => None,
    }
}

/// Replaces what the server says of a lease, if the table is the cause: a view has none of the columns of the system.
pub(crate) async fn named_by_table(session: &mut Session, table: &Table, failure: Failure) -> Failure {
    if !matches!(failure, Failure::Refused(..)) || failure.reason().is_some() || failure.ends_the_session() {
        return failure;
    }
    problem_of_segments(session, table).await.map_or(failure, Failure::Named)
}

/// Refuses a table that a crash empties, that is none, whose `max_id` rounds, or whose rows cannot be counted.
pub(crate) async fn check_segments(session: &mut Session, table: &Table) -> Outcome<()> {
    let rows = session.query(&question(table), &[]).await?;
    let Some(found) = rows.first() else { return Ok(()) };
    let (kind, is_lasting, keeps): (String, bool, bool) = (column(found, 0)?, column(found, 1)?, column(found, 2)?);
    if !column::<bool>(found, 3)? {
        return Err(hides_rows(table).into());
    }
    if !is_lasting {
        return Err(not_lasting(&table.scope, &table.quoted, &kind).into());
    }
    match keeps {
        true => Ok(()),
        false => Err(column_that_rounds(&table.scope).into()),
    }
}

/// Asks for the kind of the table, whether it and its children last, and whether its numbers do not round: by a column
/// of the type of `max_id` in a row that there is not. The conditions are those of a lease, so they stay SQL.
fn question(table: &Table) -> String {
    format!(
        "SELECT c.relkind::pg_catalog.text, ({LASTING} OR c.relkind {EQ} 'p') AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits AS i \
         JOIN pg_catalog.pg_class AS c ON c.oid {EQ} i.inhrelid WHERE i.inhparent {EQ} '{table}'::pg_catalog.regclass \
         AND NOT ({LASTING} OR c.relkind {EQ} 'p')), (SELECT {} FROM (SELECT) AS one LEFT JOIN {table} AS t ON FALSE), {} \
         FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} '{table}'::pg_catalog.regclass",
        does_not_round("COALESCE(t.max_id, 0)"),
        counts_all_rows("c.oid"),
        table = table.quoted
    )
}

/// Returns the condition that a tag which shows one row to this account has one: no policy hides rows of the table with
/// this number, or `biz_tag` is unique.
pub(crate) fn counts_all_rows(oid: &str) -> String {
    format!(
        "(NOT pg_catalog.row_security_active({oid}) OR EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_attribute AS a \
         ON a.attrelid {EQ} i.indrelid AND a.attnum {EQ} i.indkey[0] AND a.attname {EQ} 'biz_tag' WHERE i.indrelid {EQ} {oid} \
         AND i.indisunique AND i.indisvalid AND i.indnkeyatts {EQ} 1 AND i.indpred IS NULL))"
    )
}

fn hides_rows(table: &Table) -> Error {
    let text = format!(
        "row level security hides rows of {} from this account, and biz_tag is not unique: another account may lease the same ids \
         from another row: run {}",
        table.scope,
        alter(&table.quoted).words("ADD UNIQUE (biz_tag)")
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Begins a change of a table, whose name is quoted, for a person.
pub(crate) fn alter(quoted: &str) -> Sql {
    Sql::new(SqlDialect::Postgres, "ALTER TABLE").quoted(quoted)
}

/// Describes a table that is no ordinary one, by its kind in `pg_class`.
pub fn not_lasting(scope: &str, quoted: &str, kind: &str) -> Error {
    let (why, remedy) = match kind {
        "v" | "m" => ("it is a view", "name the table below it".to_owned()),
        "f" => ("it is a table of another server", "name a table of this database".to_owned()),
        _ => (
            "after one, an unlogged table is empty and its ids would begin again",
            format!("make it a logged table of this database ({})", alter(quoted).words("SET LOGGED")),
        ),
    };
    let text = format!("{scope} is no ordinary table that survives a crash: {why}: {remedy}");
    Error::new(ErrorKind::InvalidConfig, text)
}

/// What a table of leafmint's own must be like. A column may be wider than leafmint's, and have any default, which is
/// not used.
pub(super) struct Shape {
    pub(super) table: &'static str,
    pub(super) columns: &'static [ColumnShape],
    pub(super) key: &'static [&'static str],
    /// The table that it must be in one schema with: a row of it belongs to a row there.
    pub(super) next_to: Option<&'static str>,
}

/// What a column must be like.
pub(super) struct ColumnShape {
    name: &'static str,
    types: &'static [&'static str],
    /// Fewest characters of a text.
    length: i32,
    /// How leafmint makes it.
    made: &'static str,
}

impl ColumnShape {
    pub(super) const fn text(name: &'static str, length: i32, made: &'static str) -> Self {
        Self { name, types: &["varchar", "text"], length, made }
    }

    pub(super) const fn int(name: &'static str) -> Self {
        Self { name, types: &["int4", "int8"], length: 0, made: "int" }
    }

    pub(super) const fn bigint(name: &'static str) -> Self {
        Self { name, types: &["int8"], length: 0, made: "bigint" }
    }
}

/// Returns the query of the [`CatalogTable`]s of these names that the search path finds, and of where the first one is
/// that it does not find.
///
/// What the search path finds is asked by the tables' numbers. Asked by name, a session may answer from its cache that
/// a table is missing which another session made just now, and which `pg_class` already shows.
pub(super) fn catalog(tables: &[Shape]) -> String {
    let names: Vec<&str> = tables.iter().map(|shape| shape.table).collect();
    let query = CATALOG.replace("{first}", names.first().unwrap_or(&"")).replace("{names}", &names.join(","));
    // Drivers of applications make different texts of arrays.
    let query =
        format!("SELECT name, fact, CAST(texts AS pg_catalog.text) FROM ({query}) AS facts (name, fact, texts)");
    query.replace('⟨', "OPERATOR(pg_catalog.").replace('⟩', ")")
}

/// A row is a table's name, the kind of a fact, and its texts. Names are quoted as SQL needs them. In `⟨ ⟩` are
/// operators of `pg_catalog`.
const CATALOG: &str = r#"
WITH own AS MATERIALIZED (
  SELECT c.oid, c.relname, c.oid::pg_catalog.regclass::pg_catalog.text AS called, c.relkind, c.relpersistence, c.relispartition,
    c.relnamespace
  FROM pg_catalog.pg_class AS c
  WHERE c.relname ⟨=⟩ ANY ('{{names}}') AND pg_catalog.pg_table_is_visible(c.oid)
)
SELECT relname::pg_catalog.text, 'table', ARRAY[called, relkind::pg_catalog.text, relispartition::pg_catalog.text,
  relpersistence::pg_catalog.text, pg_catalog.row_security_active(oid)::pg_catalog.text,
  (SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_namespace AS n WHERE n.oid ⟨=⟩ relnamespace)] FROM own
UNION ALL
SELECT relname::pg_catalog.text, 'inherits', ARRAY[inhrelid::pg_catalog.regclass::pg_catalog.text,
  inhparent::pg_catalog.regclass::pg_catalog.text]
FROM own JOIN pg_catalog.pg_inherits ON own.oid ⟨=⟩ inhrelid OR own.oid ⟨=⟩ inhparent
UNION ALL
SELECT relname::pg_catalog.text, 'rule', ARRAY[pg_catalog.quote_ident(rulename)]
FROM own JOIN pg_catalog.pg_rewrite ON ev_class ⟨=⟩ own.oid WHERE ev_enabled ⟨=⟩ ANY ('{O,A}')
UNION ALL
SELECT relname::pg_catalog.text, 'trigger', ARRAY[pg_catalog.quote_ident(tgname)]
FROM own JOIN pg_catalog.pg_trigger ON tgrelid ⟨=⟩ own.oid WHERE NOT tgisinternal AND tgenabled ⟨=⟩ ANY ('{O,A}')
UNION ALL
SELECT relname::pg_catalog.text, 'column', ARRAY[attname::pg_catalog.text, pg_catalog.format_type(atttypid, atttypmod),
  CASE WHEN t.typnamespace ⟨=⟩ 'pg_catalog'::pg_catalog.regnamespace THEN t.typname::pg_catalog.text ELSE '' END,
  atttypmod::pg_catalog.text, COALESCE(l.collisdeterministic, true)::pg_catalog.text,
  CASE WHEN attidentity ⟨=⟩ 'a' THEN 'IDENTITY' WHEN attgenerated ⟨<>⟩ '' THEN 'EXPRESSION' ELSE '' END]
FROM own JOIN pg_catalog.pg_attribute ON attrelid ⟨=⟩ own.oid AND attnum ⟨>⟩ 0 AND NOT attisdropped
  JOIN pg_catalog.pg_type AS t ON t.oid ⟨=⟩ atttypid LEFT JOIN pg_catalog.pg_collation AS l ON l.oid ⟨=⟩ attcollation
UNION ALL
SELECT relname::pg_catalog.text, 'key', ARRAY(SELECT a.attname::pg_catalog.text FROM pg_catalog.pg_attribute AS a
  WHERE a.attrelid ⟨=⟩ own.oid AND a.attnum ⟨=⟩ ANY ((i.indkey::pg_catalog.int2[])[0 : i.indnkeyatts ⟨-⟩ 1]))
FROM own JOIN pg_catalog.pg_index AS i ON i.indrelid ⟨=⟩ own.oid
WHERE indisunique AND indimmediate AND indisvalid AND indpred IS NULL AND indexprs IS NULL
UNION ALL
SELECT c.relname::pg_catalog.text, 'elsewhere', ARRAY[pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(current_user),
  pg_catalog.quote_ident(pg_catalog.current_database())]
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid ⟨=⟩ c.relnamespace
WHERE c.relname ⟨=⟩ '{first}' AND c.relkind ⟨=⟩ ANY ('{r,p,v,m,f}') AND NOT EXISTS (SELECT FROM own WHERE relname ⟨=⟩ c.relname)
  AND n.nspname ⟨!~⟩ '^pg_' AND (pg_catalog.has_schema_privilege(n.oid, 'USAGE') OR pg_catalog.quote_ident(n.nspname)
    ⟨=⟩ ANY (pg_catalog.regexp_split_to_array(pg_catalog.current_setting('search_path'), ',\s*')))"#;

/// What the catalog says about a table.
#[derive(Clone, Debug, Default)]
struct CatalogTable {
    name: String,
    /// As statements of this session name it.
    called: String,
    kind: String,
    is_partition: bool,
    persistence: String,
    is_policed: bool,
    schema: String,
    /// Children and their parents.
    inherits: Vec<[String; 2]>,
    rules: Vec<String>,
    triggers: Vec<String>,
    columns: Vec<CatalogColumn>,
    /// The columns of each unique key.
    keys: Vec<Vec<String>>,
    /// Schemas that have such a table and that the search path leaves out, each with the account and the database. A
    /// table there would be made a second time, and worker ids would be given out twice.
    elsewhere: Vec<[String; 3]>,
}

#[derive(Clone, Debug)]
struct CatalogColumn {
    name: String,
    /// The type as SQL writes it.
    shown: String,
    /// The name of the type; empty if it is none of PostgreSQL's own.
    data_type: String,
    modifier: i32,
    tells_names_apart: bool,
    /// `IDENTITY` or `EXPRESSION` if the server makes the values.
    generated: String,
}

/// Reads an array of texts [as the server writes it](https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
fn elements(array: &str) -> Vec<String> {
    let (mut elements, mut element, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = array.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default().chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => is_quoted = !is_quoted,
            '\\' => element.extend(characters.next()),
            ',' if !is_quoted => elements.push(std::mem::take(&mut element)),
            _ => element.push(character),
        }
    }
    elements.push(element);
    elements
}

impl CatalogTable {
    /// Reads the answer to [`catalog`].
    fn read(rows: &[Row]) -> Outcome<Vec<Self>> {
        let mut tables: Vec<Self> = Vec::new();
        for row in rows {
            let (name, fact, texts): (String, String, &str) = (column(row, 0)?, column(row, 1)?, column(row, 2)?);
            let at = tables.iter().position(|table| table.name == name).unwrap_or(tables.len());
            if at == tables.len() {
                tables.push(Self { name, ..Self::default() });
            }
            tables[at].learn(&fact, elements(texts));
        }
        Ok(tables)
    }

    fn learn(&mut self, fact: &str, texts: Vec<String>) {
        if fact == "key" {
            return self.keys.push(texts);
        }
        let mut texts = texts.into_iter();
        let mut next = || texts.next().unwrap_or_default();
        match fact {
            "table" => {
                (self.called, self.kind, self.is_partition) = (next(), next(), next() == "true");
                (self.persistence, self.is_policed, self.schema) = (next(), next() == "true", next());
            }
            "inherits" => self.inherits.push([next(), next()]),
            "rule" => self.rules.push(next()),
            "trigger" => self.triggers.push(next()),
            "column" => self.columns.push(CatalogColumn {
                name: next(),
                shown: next(),
                data_type: next(),
                modifier: next().parse().unwrap_or(-1),
                tells_names_apart: next() == "true",
                generated: next(),
            }),
            _ => self.elsewhere.push([next(), next(), next()]),
        }
    }

    fn alter(&self) -> Sql {
        alter(&self.called)
    }

    /// Lists what is wrong with the table itself.
    ///
    /// Views, rules, triggers and policies may leave rows out or change them, and what is not logged is gone after a
    /// crash.
    fn problems(&self, shape: &Shape) -> Vec<Problem> {
        let Self { called, .. } = self;
        let mut problems = Vec::new();
        if self.kind != "r" || self.is_partition {
            let remedy = "rename it, and create the table of schema_sql(\"postgresql\")".to_owned();
            return vec![Problem(Rank::Kind, format!("{called} is no ordinary table"), remedy)];
        }
        let mut found = |rank, what: String, remedy: Sql| problems.push(Problem(rank, what, format!("run {remedy}")));
        if self.persistence != "p" {
            let drop = Sql::new(SqlDialect::Postgres, "DROP TABLE").quoted(called);
            let remedy = if self.persistence == "u" { self.alter().words("SET LOGGED") } else { drop };
            found(Rank::Crash, format!("{called} does not survive a crash"), remedy);
        }
        for [child, parent] in &self.inherits {
            let remedy = alter(child).words("NO INHERIT").quoted(parent);
            found(Rank::Inheritance, format!("{child} inherits from {parent}"), remedy);
        }
        for rule in &self.rules {
            let remedy = Sql::new(SqlDialect::Postgres, "DROP RULE").quoted(rule).words("ON").quoted(called);
            found(Rank::Rule, format!("{called} has the rule {rule}"), remedy);
        }
        for trigger in &self.triggers {
            let remedy = Sql::new(SqlDialect::Postgres, "DROP TRIGGER").quoted(trigger).words("ON").quoted(called);
            found(Rank::Trigger, format!("{called} has the trigger {trigger}"), remedy);
        }
        if self.is_policed {
            let remedy = self.alter().words("DISABLE ROW LEVEL SECURITY");
            found(Rank::Policy, format!("{called} has row level security"), remedy);
        }
        for wanted in shape.columns {
            match self.columns.iter().find(|column| column.name == wanted.name) {
                Some(column) => column.check(wanted, self, &mut found),
                None => {
                    let remedy = self.alter().words("ADD COLUMN").words(wanted.name).words(wanted.made);
                    found(Rank::NoColumn, format!("{called} has no column {}", wanted.name), remedy);
                }
            }
        }
        let is_wanted = |key: &Vec<String>| {
            key.len() == shape.key.len() && key.iter().all(|column| shape.key.contains(&column.as_str()))
        };
        if !self.keys.iter().any(is_wanted) {
            let key = format!("({})", shape.key.join(", "));
            let remedy = self.alter().words("ADD UNIQUE").quoted(&key);
            found(Rank::Key, format!("{called} has no unique key {key}"), remedy);
        }
        problems
    }
}

impl CatalogTable {
    /// Returns the problem that this table is in another schema than one that its rows belong to.
    fn apart_from(&self, other: &Self) -> Option<Problem> {
        let what = format!("{} is not in the schema of {}", self.called, other.called);
        let remedy = format!("run {}", self.alter().words("SET SCHEMA").quoted(&other.schema));
        (self.schema != other.schema).then_some(Problem(Rank::Schema, what, remedy))
    }
}

impl CatalogColumn {
    fn check(&self, wanted: &ColumnShape, table: &CatalogTable, found: &mut impl FnMut(Rank, String, Sql)) {
        let called = &table.called;
        let alter = || table.alter().words("ALTER COLUMN").words(wanted.name);
        let is_narrow = (4..wanted.length + 4).contains(&self.modifier);
        if !wanted.types.contains(&self.data_type.as_str()) || is_narrow || !self.tells_names_apart {
            let collation = match self.tells_names_apart {
                true => "",
                false => " with a collation that takes different names for one",
            };
            let what = format!("the column {} of {called} is {}{collation}", self.name, self.shown);
            found(Rank::Column, what, alter().words("TYPE").words(wanted.made));
        }
        if !self.generated.is_empty() {
            let what = format!("the column {} of {called} is generated", self.name);
            found(Rank::Generated, what, alter().words("DROP").quoted(&self.generated));
        }
    }
}

/// What is wrong with a table, and the remedy.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Problem(Rank, String, String);

/// The worst one first: the one that hides others, or whose remedy comes before theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Elsewhere,
    Kind,
    Crash,
    Inheritance,
    Rule,
    Trigger,
    Policy,
    NoColumn,
    Column,
    Generated,
    Key,
    Schema,
}

/// Refuses leafmint's own tables with a problem, of which the worst one is named, by the answer to [`catalog`].
pub(super) fn check_own(shapes: &[Shape], rows: &[Row]) -> Outcome<()> {
    match worst(shapes, &CatalogTable::read(rows)?) {
        Some(Problem(_, what, remedy)) => Err(Error::new(ErrorKind::InvalidConfig, format!("{what}: {remedy}")).into()),
        None => Ok(()),
    }
}

fn worst(shapes: &[Shape], tables: &[CatalogTable]) -> Option<Problem> {
    let found = |name: &str| tables.iter().find(|table| table.name == name && !table.called.is_empty());
    let hidden = tables.iter().flat_map(|table| table.elsewhere.iter().map(|place| elsewhere(&table.name, place)));
    let mut problems: Vec<Problem> = hidden.collect();
    for shape in shapes {
        let Some(table) = found(shape.table) else { continue };
        problems.extend(table.problems(shape));
        problems.extend(shape.next_to.and_then(found).and_then(|other| table.apart_from(other)));
    }
    problems.into_iter().min()
}

fn elsewhere(name: &str, [schema, account, database]: &[String; 3]) -> Problem {
    let alter = Sql::new(SqlDialect::Postgres, "ALTER ROLE").quoted(account).words("IN DATABASE").quoted(database);
    let (alter, grant) = (
        alter.words("SET search_path =").quoted(schema),
        Sql::new(SqlDialect::Postgres, "GRANT USAGE ON SCHEMA").quoted(schema).words("TO").quoted(account),
    );
    let what = format!("{name} is in the schema {schema}, which the search path of {account} does not find");
    let remedy = format!(
        "run {alter}; {grant}; or for worker ids of its own create the tables of schema_sql(\"postgresql\") in a schema on its \
         search path"
    );
    Problem(Rank::Elsewhere, what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_texts_is_read_as_the_server_writes_it() {
        assert_eq!(elements(r#"{a,"","b, {c}","d\"",NULL}"#), ["a", "", "b, {c}", "d\"", "NULL"]);
        assert_eq!(elements("{a}"), ["a"]);
    }

    const SHAPE: Shape = Shape {
        table: "own",
        columns: &[ColumnShape::text("name", 8, "varchar(8)"), ColumnShape::bigint("number")],
        key: &["name"],
        next_to: None,
    };

    fn table(changes: &[(&str, &[&str])]) -> CatalogTable {
        let mut table = CatalogTable { name: "own".to_owned(), ..CatalogTable::default() };
        let sound: [(&str, &[&str]); 4] = [
            ("table", &["own", "r", "false", "p", "false", "public"]),
            ("column", &["number", "bigint", "int8", "-1", "true", ""]),
            ("column", &["name", "character varying(8)", "varchar", "12", "true", ""]),
            ("key", &["name"]),
        ];
        for (fact, texts) in sound.iter().take(if changes.is_empty() { 4 } else { 2 }).chain(changes) {
            table.learn(fact, texts.iter().map(|text| (*text).to_owned()).collect());
        }
        table
    }

    #[test]
    fn a_table_as_leafmint_makes_it_has_no_problem_and_the_worst_of_several_is_named() {
        assert_eq!(worst(&[SHAPE], &[table(&[])]), None);
        assert_eq!(worst(&[SHAPE], &[]), None);
        let name: (&str, &[&str]) = ("column", &["name", "text", "text", "-1", "true", ""]);
        let narrow: (&str, &[&str]) = ("column", &["name", "character varying(7)", "varchar", "11", "true", ""]);
        for (changes, rank, part) in [
            (vec![name], Rank::Key, "ALTER TABLE own ADD UNIQUE (name)"),
            (vec![narrow], Rank::Column, "ALTER TABLE own ALTER COLUMN name TYPE varchar(8)"),
            (vec![("trigger", &["\"T\""])], Rank::Trigger, "DROP TRIGGER \"T\" ON own"),
            (
                vec![("inherits", &["kid", "own"]), ("trigger", &["t"])],
                Rank::Inheritance,
                "ALTER TABLE kid NO INHERIT own",
            ),
            (vec![("table", &["own", "v", "false", "p", "false", "public"])], Rank::Kind, "rename it"),
            (
                vec![("elsewhere", &["app", "me", "db"])],
                Rank::Elsewhere,
                "SET search_path = app; GRANT USAGE ON SCHEMA app TO me",
            ),
        ] {
            let problem = worst(&[SHAPE], &[table(&changes)]).unwrap();
            assert!(problem.0 == rank && problem.2.contains(part), "{problem:?}");
        }
    }
}
