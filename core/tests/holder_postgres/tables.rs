//! Tables that are not as leafmint makes them: one named error with the statement that mends it, and nothing claimed.

use crate::holders::{Database, Server, crash, now, on_this_host, open, through_proxy, wait};
use crate::stores::postgres::sql_on;
use crate::stores::{postgres_url, unique};
use leafmint::holder::PastBlock;
use leafmint::{ErrorKind, schema_sql};
use leafmint_backends::sessions::LogIn;

/// What is done to the tables, and what the error names.
const ODD: [(&str, &str); 16] = [
    ("CREATE SCHEMA app; ALTER TABLE leafmint_worker SET SCHEMA app", "in the schema app"),
    ("ALTER TABLE leafmint_worker SET UNLOGGED", "does not survive a crash"),
    ("CREATE TABLE kid () INHERITS (leafmint_worker)", "kid inherits"),
    ("CREATE RULE r AS ON UPDATE TO leafmint_worker DO INSTEAD NOTHING", "the rule r"),
    (
        "CREATE FUNCTION less() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN new.horizon = 7; RETURN NEW; END'; \
         CREATE TRIGGER lower BEFORE UPDATE ON leafmint_worker FOR EACH ROW EXECUTE FUNCTION less()",
        "the trigger lower",
    ),
    ("ALTER TABLE leafmint_worker DROP COLUMN token", "no column token"),
    ("ALTER TABLE leafmint_worker ALTER COLUMN horizon TYPE double precision", "horizon of leafmint_worker is double"),
    ("ALTER TABLE leafmint_worker ALTER COLUMN reported TYPE int", "reported of leafmint_worker is integer"),
    ("ALTER TABLE leafmint_worker ALTER COLUMN endpoint TYPE varchar(20)", "endpoint of leafmint_worker is character"),
    ("ALTER TABLE leafmint_worker ALTER COLUMN worker_id ADD GENERATED ALWAYS AS IDENTITY", "worker_id of"),
    ("ALTER TABLE leafmint_worker DROP CONSTRAINT leafmint_worker_pkey", "no unique key (namespace, worker_id)"),
    ("ALTER TABLE leafmint_namespace DROP CONSTRAINT leafmint_namespace_pkey", "no unique key (namespace)"),
    (
        "ALTER TABLE leafmint_backfill DROP CONSTRAINT leafmint_backfill_pkey",
        "no unique key (namespace, worker_id, block)",
    ),
    (
        "CREATE SCHEMA app; ALTER TABLE leafmint_backfill SET SCHEMA app; DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER \
         IN DATABASE %I SET search_path = app, public', current_database()); END $$",
        "leafmint_backfill is not in the schema of leafmint_worker",
    ),
    (
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
         ALTER TABLE leafmint_worker ALTER COLUMN namespace TYPE varchar(128) COLLATE loose",
        "different names for one",
    ),
    (
        "DROP TABLE leafmint_worker; CREATE TABLE leafmint_worker (namespace text, worker_id int, token text, horizon bigint, \
         reported bigint, updated bigint, endpoint text) PARTITION BY LIST (namespace)",
        "no ordinary table",
    ),
];

#[test]
fn each_odd_table_is_refused_with_the_statement_that_mends_it() {
    let database = Database::empty(Server::Postgres);
    let made = schema_sql("postgresql").unwrap();
    for (change, problem) in ODD {
        database.sql(&format!("ALTER ROLE CURRENT_USER IN DATABASE {} RESET ALL", database.name));
        database.sql("DROP SCHEMA IF EXISTS app CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        database.sql(&made);
        database.sql(change);
        let error = wait(open(database.process(1)).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{change}: {error}");
        assert!(error.message().contains(problem), "{change}: {error}");
        if let Some((_, mends)) = error.message().split_once("run ") {
            database.sql(mends.split("; or ").next().unwrap());
            assert_eq!(wait(open(database.process(1)).acquire()).unwrap().worker_id, 0, "{change}");
        }
    }
}

#[test]
fn a_table_of_the_past_that_hides_the_one_in_use_leases_nothing() {
    let database = Database::empty(Server::Postgres);
    database.sql(&schema_sql("postgresql").unwrap());
    database.sql("CREATE SCHEMA app");
    database.sql(&format!("ALTER ROLE CURRENT_USER IN DATABASE {} SET search_path = app, public", database.name));
    let (holder, block) = (open(database.process(1)), PastBlock { block: 0, count: 4, limit: 4096 });
    assert_eq!(wait(holder.lease_past(block)).unwrap().unwrap().sequences, 0..4);
    database.sql("CREATE TABLE app.leafmint_backfill (LIKE public.leafmint_backfill INCLUDING ALL)");
    let error = wait(holder.lease_past(block)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("another schema"), "{error}");
    database.sql("DROP TABLE app.leafmint_backfill");
    assert_eq!(wait(holder.lease_past(block)).unwrap().unwrap().sequences, 4..8);
    database.sql(&format!("ALTER ROLE CURRENT_USER IN DATABASE {} RESET ALL", database.name));
}

#[test]
fn rows_that_a_policy_hides_from_the_account_are_refused_and_none_is_claimed() {
    let (database, user) = (Database::empty(Server::Postgres), unique("tenant"));
    database.sql(&schema_sql("postgresql").unwrap());
    database.sql(&format!(
        "CREATE ROLE {user} LOGIN PASSWORD 'secret'; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {user}; \
         ALTER TABLE leafmint_worker ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY own ON leafmint_worker USING (endpoint = 'another')"
    ));
    let mut process = database.process(1);
    process.database.log_in = LogIn::Configured { user: Some(user.clone()), password: Some("secret".to_owned()) };
    let error = wait(open(process.clone()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("run ALTER TABLE leafmint_worker DISABLE ROW LEVEL SECURITY"), "{error}");
    database.sql("ALTER TABLE leafmint_worker DISABLE ROW LEVEL SECURITY");
    assert_eq!(wait(open(process).acquire()).unwrap().worker_id, 0);
    database.sql(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

#[test]
fn an_account_that_only_reads_lists_the_worker_ids_and_claims_none() {
    let (database, user) = (Database::empty(Server::Postgres), unique("reader"));
    let owner = open(database.process(1));
    wait(owner.acquire()).unwrap();
    database.sql(&format!(
        "CREATE ROLE {user} LOGIN PASSWORD 'secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}"
    ));
    let mut process = database.process(2);
    process.database.log_in = LogIn::Configured { user: Some(user.clone()), password: Some("secret".to_owned()) };
    let reader = open(process);
    assert_eq!(wait(reader.list_workers()).unwrap().len(), 1);
    for error in [wait(reader.acquire()).map(drop).unwrap_err(), wait(reader.check()).map(drop).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("leafmint_worker") && error.message().contains("GRANT"), "{error}");
    }
    database.sql(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

#[test]
fn a_write_that_a_trigger_made_later_changes_is_not_taken_for_a_lease() {
    let database = Database::empty(Server::Postgres);
    let holder = open(database.process(1));
    let lease = wait(holder.acquire()).unwrap();
    database.sql(ODD[4].0);
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("does not hold what was written"), "{error}");
}

#[test]
fn a_server_that_only_reads_gives_no_worker_id_until_it_writes_again() {
    // A database that only reads answers as a replica does.
    let (reads, writes) = (Database::empty(Server::Postgres), postgres_url());
    reads.sql(&schema_sql("postgresql").unwrap());
    sql_on(&writes, &format!("ALTER DATABASE {} SET default_transaction_read_only = on", reads.name));
    let error = wait(open(reads.process(1)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.message().contains("25006"), "{error}");
    sql_on(&writes, &format!("ALTER DATABASE {} RESET default_transaction_read_only", reads.name));
    assert_eq!(wait(open(reads.process(1)).acquire()).unwrap().worker_id, 0);
}

#[test]
fn an_account_with_another_search_path_does_not_continue_a_lease_of_this_host_while_the_database_is_away() {
    let (database, host, user) = (Database::empty(Server::Postgres), tempfile::tempdir().unwrap(), unique("other"));
    database.sql(&format!(
        "CREATE ROLE {user} LOGIN PASSWORD 'secret'; CREATE SCHEMA {user} AUTHORIZATION {user}; \
         ALTER ROLE {user} SET search_path = {user}"
    ));
    let (proxy, ours) = through_proxy(on_this_host(database.process(1), host.path()));
    let mut theirs = ours.clone();
    theirs.database.log_in = LogIn::Configured { user: Some(user.clone()), password: Some("secret".to_owned()) };
    let holder = open(ours.clone());
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.extend(&lease, now() + 3_000)).unwrap();
    proxy.cut();
    crash(holder);
    let error = wait(open(theirs).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    assert_eq!(wait(open(ours).acquire()).unwrap().worker_id, 0, "the account that has the lease goes on");
    database.sql(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}
