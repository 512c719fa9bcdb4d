//! A search path that other roles may create objects in: what leafmint names is what PostgreSQL brings along.

use crate::holders::{Database, Server, open, process, wait};
use crate::stores::crashing::Crashing;
use crate::stores::postgres::{sql_on, try_sql};
use crate::stores::{options, postgres_url, settings};
use leafmint::ErrorKind;
use leafmint::store::NewTagOptions;
use std::collections::BTreeSet;

/// Makes a decoy of everything in `pg_catalog` whose name is among `{words}` or `{operators}`: functions and operators
/// of the same arguments, and of arguments that fit leafmint's columns more closely. Each raises an error.
const DECOYS: &str = r#"
CREATE SCHEMA decoy;
CREATE FUNCTION decoy.ran(what text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE ''a decoy ran: %'', what; END';
DO $do$
DECLARE
  words text[] := '{{words}}';
  operators text[] := ARRAY[{operators}];
  strings text[] := '{text,varchar,name,"\"char\""}';
  numbers text[] := '{int2,int4,int8,numeric,float8}';
  found record;
BEGIN
  FOR found IN
    SELECT proname AS name, pg_get_function_identity_arguments(oid) AS arguments, pg_get_function_result(oid) AS result
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY (words) AND prokind <> 'p'
    UNION SELECT proname, a, 'text' FROM pg_proc, unnest(strings || numbers || '{timestamptz,bool,oid}') AS a WHERE proname = ANY (words)
    UNION SELECT proname, a || ', ' || b, 'text' FROM pg_proc, unnest(strings) AS a, unnest(strings) AS b WHERE proname = ANY (words)
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION decoy.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', found.name, found.arguments, found.result,
        format('BEGIN PERFORM decoy.ran(%L); RETURN NULL; END', found.name));
    EXCEPTION WHEN OTHERS THEN NULL; -- an argument of a pseudo-type, or there already
    END;
  END LOOP;
  FOR found IN
    SELECT oprname AS name, oprleft::regtype::text AS l, oprright::regtype::text AS r, oprresult::regtype::text AS result
    FROM pg_operator WHERE oprname = ANY (operators) AND oprleft <> 0 AND oprnamespace = 'pg_catalog'::regnamespace
    UNION SELECT name, l, r, 'bool' FROM unnest(operators) AS name, unnest(strings) AS l, unnest(strings) AS r
    UNION SELECT name, l, r, 'bool' FROM unnest(operators) AS name, unnest(numbers) AS l, unnest(numbers) AS r
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION decoy.%I(%s, %s) RETURNS %s LANGUAGE plpgsql AS %L', 'operator ' || found.name, found.l, found.r,
        found.result, format('BEGIN PERFORM decoy.ran(%L); RETURN NULL; END', 'operator ' || found.name));
      EXECUTE format('CREATE OPERATOR decoy.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = decoy.%I)', found.name, found.l, found.r,
        'operator ' || found.name);
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
  END LOOP;
  FOR found IN
    SELECT typname AS name FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typrelid = 0 AND typname = ANY (words)
      AND typtype = 'b'
  LOOP
    EXECUTE format('CREATE DOMAIN decoy.%I AS pg_catalog.%1$I CHECK (decoy.ran(%L))', found.name, 'type ' || found.name);
  END LOOP;
  FOR found IN
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname = ANY (words)
  LOOP
    EXECUTE format('CREATE TABLE decoy.%I (decoy int)', found.name);
  END LOOP;
  FOR found IN
    SELECT collname AS name FROM pg_collation WHERE collnamespace = 'pg_catalog'::regnamespace AND collname = ANY (words)
  LOOP
    EXECUTE format('CREATE COLLATION decoy.%I FROM pg_catalog.%1$I', found.name);
  END LOOP;
END $do$"#;

/// Operators that keywords stand for: `BETWEEN`, `IN`, `IS DISTINCT FROM`, `CASE`, `USING`.
const BY_KEYWORD: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

/// Runs every statement of the store, as one process after another would.
fn use_the_store(url: &str) {
    let given = [("default_step", "10"), ("max_step", "10"), ("timeout", "20s")];
    let ids = leafmint::open::segment(url, options(given)).unwrap();
    ids.init_schema().unwrap().wait().unwrap();
    assert!(ids.create_tag("order").unwrap().wait().unwrap());
    assert!(!ids.create_tag("order").unwrap().wait().unwrap());
    let described = NewTagOptions::new().step(10).description("shop");
    assert!(ids.create_tag_with("item", described.clone().gene_bits(4)).unwrap().wait().unwrap());
    assert!(ids.create_tag_with("plain", described).unwrap().wait().unwrap());
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(50).unwrap(), (1..51).collect::<Vec<_>>());
    ids.set_tag("order", Some(20), Some("orders")).unwrap().wait().unwrap();
    assert_eq!(ids.raise_tag("plain", 500).unwrap().wait(), Ok(500));
    assert_eq!(ids.raise_tag("plain", 400).unwrap().wait(), Ok(500));
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 3);
    let listed = ids.list_tags().unwrap().wait().unwrap();
    assert!(listed.len() == 3 && listed.iter().all(|tag| tag.problem.is_none()), "{listed:?}");
    assert_eq!(ids.biz_tag("none").unwrap().next_id().unwrap_err().kind(), ErrorKind::UnknownTag);
    ids.close().unwrap();
    let again = leafmint::open::segment(url, options(given)).unwrap();
    assert_eq!(again.biz_tag("order").unwrap().next_id().unwrap(), 51, "what was left is given back");
    assert_eq!(again.biz_tag("item").unwrap().next_id().unwrap_err().kind(), ErrorKind::InvalidConfig);
}

/// Runs every statement of the holder.
fn use_the_holder(url: &str, is_assigned: bool, namespace: &str) {
    let on = |number| {
        let mut process = process(Server::Postgres, namespace, number).with(|rows| rows.is_assigned = is_assigned);
        process.database = settings(url);
        open(process)
    };
    let (first, second) = (on(1), on(2));
    let lease = wait(first.acquire()).unwrap();
    let horizon = wait(first.extend(&lease, lease.horizon + 60_000)).unwrap();
    assert!(horizon > lease.horizon);
    let other = wait(second.acquire()).unwrap();
    assert_ne!(other.worker_id, lease.worker_id);
    assert_eq!(wait(second.list_workers()).unwrap().len(), 2);
    assert!(wait(second.shared_clock()).unwrap().is_some());
    wait(second.check()).unwrap();
    wait(second.release_worker(lease.worker_id, true)).unwrap();
    wait(second.release(&other, other.horizon - 1)).unwrap();
    assert!(wait(first.extend(&lease, horizon + 60_000)).is_err());
}

/// Runs every statement on sequences.
fn use_a_sequence(url: &str) {
    sql_on(url, "CREATE SEQUENCE order_seq INCREMENT 50");
    let given = [("sequence", "{tag}_seq"), ("sequence_optimizer", "pooled"), ("timeout", "20s")];
    let ids = leafmint::open::segment(url, options(given)).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(5000).unwrap(), (1..5001).collect::<Vec<_>>());
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 1);
    let listed = ids.list_tags().unwrap().wait().unwrap();
    assert!(listed.len() == 1 && listed[0].problem.is_none(), "{listed:?}");
    let whole = [("sequence", "public.order_seq"), ("sequence_optimizer", "pooled")];
    let whole = leafmint::open::segment(url, options(whole)).unwrap();
    assert_eq!(whole.list_tags().unwrap().wait().unwrap().len(), 1);
}

fn use_everything(url: &str) {
    use_the_store(url);
    use_a_sequence(url);
    use_the_holder(url, false, "shop");
    use_the_holder(url, true, "leaf_workerid_alloc");
}

/// Returns the entries of the server's log that sessions of leafmint caused.
fn log(url: &str) -> Vec<String> {
    let text = sql_on(url, "SELECT pg_read_file(pg_current_logfile())").remove(0);
    text.split("@@").filter_map(|entry| entry.strip_prefix("leafmint:")).map(str::to_owned).collect()
}

/// Returns the words of statements, literals and quoted names included, and their runs of operator characters.
fn names(statements: &[&str]) -> (BTreeSet<String>, BTreeSet<String>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_operator = |c: char| "+-*/<>=~!@#%^&|?".contains(c);
    let runs = |is_one: &dyn Fn(char) -> bool| -> BTreeSet<String> {
        statements
            .iter()
            .flat_map(|sql| sql.split(|c| !is_one(c)))
            .filter(|run| !run.is_empty())
            .map(str::to_owned)
            .collect()
    };
    (runs(&is_part), runs(&is_operator))
}

#[test]
fn a_function_that_another_role_planted_in_public_lowers_no_tag() {
    let database = Database::empty(Server::Postgres);
    let url = format!("{}/{}", postgres_url().rsplit_once('/').unwrap().0, database.name);
    let open = || leafmint::open::segment(&url, options([("max_step", "10")])).unwrap();
    open().init_schema().unwrap().wait().unwrap();
    open().create_tag_with("order", NewTagOptions::new().step(10)).unwrap().wait().unwrap();
    database.sql(
        "CREATE FUNCTION floor(bigint) RETURNS double precision LANGUAGE plpgsql AS 'BEGIN \
         IF current_query() LIKE ''SELECT%'' THEN UPDATE leaf_alloc SET max_id = 1; END IF; RETURN $1; END'",
    );
    let minted: Vec<i64> = (0..5).flat_map(|_| open().biz_tag("order").unwrap().next_ids(10).unwrap()).collect();
    assert_eq!(minted.iter().collect::<BTreeSet<_>>().len(), 50, "an id was handed out twice: {minted:?}");
}

#[test]
fn decoys_of_every_name_in_the_statements_are_never_run() {
    let server = Crashing::with(&["logging_collector=on", "log_statement=all", "log_line_prefix=@@%a:"]);
    use_everything(&server.url);
    let log_of_all = log(&server.url);
    let of = |entry: &'_ str| entry.split_once("execute <unnamed>: ").map(|(_, sql)| sql.to_owned());
    let statements: Vec<String> = log_of_all.iter().filter_map(|entry| of(entry)).collect();
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    for part in [
        "pg_sequence_last_value",
        "substr",
        "UPDATE \"leaf_alloc\"",
        "CREATE TABLE IF NOT EXISTS leafmint_worker",
        "row_security_active",
        "max_timestamp",
    ] {
        assert!(statements.iter().any(|sql| sql.contains(part)), "no statement has {part}");
    }
    let (words, mut operators) = names(&statements);
    operators.extend(BY_KEYWORD.map(str::to_owned));
    let quoted = operators.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(",");
    let words = words.into_iter().collect::<Vec<_>>().join(",");
    sql_on(&server.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    sql_on(&server.url, &DECOYS.replace("{words}", &words).replace("{operators}", &quoted));
    let planted = "SELECT (SELECT count(*) FROM pg_proc WHERE pronamespace = 'decoy'::regnamespace) || ' ' || \
                   (SELECT count(*) FROM pg_operator WHERE oprnamespace = 'decoy'::regnamespace)";
    println!("{} statements; decoys: {}", statements.len(), sql_on(&server.url, planted)[0]);
    for path in ["public, decoy", "public, decoy, pg_catalog"] {
        sql_on(&server.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        sql_on(&server.url, &format!("ALTER DATABASE leafmint SET search_path = {path}"));
        for bait in ["SELECT floor(1::bigint)", "SELECT 'a'::varchar = 'a'::text"] {
            assert!(try_sql(&server.url, bait).unwrap_err().to_string().contains("db error"), "{bait} runs a decoy");
        }
        use_everything(&server.url);
        let ran: Vec<String> = log(&server.url).into_iter().filter(|entry| entry.contains("decoy")).collect();
        assert_eq!(ran, [""; 0], "{path}");
        let used = "SELECT count(*) FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_class AS c \
                    ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid OPERATOR(pg_catalog.=) d.objid \
                    WHERE c.relnamespace OPERATOR(pg_catalog.=) 'public'::pg_catalog.regnamespace \
                    AND pg_catalog.pg_describe_object(d.refclassid, d.refobjid, 0) OPERATOR(pg_catalog.~) 'decoy'";
        assert_eq!(
            sql_on(&server.url, &used.replace("count(*)", "pg_catalog.count(*)")),
            ["0"],
            "{path}: a table uses a decoy"
        );
    }
}
