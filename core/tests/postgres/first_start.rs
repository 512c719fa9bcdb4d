//! The first start of many processes: each creates the tables that are missing, at the same time as the others.

use crate::holders::{self, Database, Server, open, wait};
use crate::stores::postgres::{Table, number, sql_on};
use crate::stores::{options, postgres_url};
use leafmint::ErrorKind;
use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;

/// The number of processes that start at once.
const PROCESSES: u32 = 8;

/// Does the same in each of many processes, once all are ready.
fn at_once<T: Send>(start: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let ready = Barrier::new(PROCESSES as usize);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..PROCESSES)
            .map(|process| {
                let (start, ready) = (&start, &ready);
                scope.spawn(move || {
                    ready.wait();
                    start(process)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn url_of(database: &Database) -> String {
    format!("{}/{}", postgres_url().rsplit_once('/').unwrap().0, database.name)
}

/// Makes the first three statements that create a table fail, as they do if another session creates it.
fn refuse_three_creations(database: &Database) {
    database.sql(
        "CREATE SEQUENCE tries; CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS \
         'BEGIN IF nextval(''tries'') <= 3 THEN RAISE unique_violation; END IF; END'; \
         CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refuse()",
    );
}

#[test]
fn many_processes_create_the_table_of_tags_at_once_and_each_leases_from_it() {
    for _ in 0..20 {
        let table = Table::missing();
        let minted = at_once(|_| {
            let given =
                [("table", table.0.as_str()), ("auto_create", "true"), ("default_step", "10"), ("timeout", "60s")];
            let ids = leafmint::open::segment(&postgres_url(), options(given)).unwrap();
            assert!(ids.list_tags().unwrap().wait().unwrap().len() <= 1);
            ids.biz_tag("order").unwrap().next_id().unwrap()
        });
        assert_eq!(minted.iter().collect::<HashSet<_>>().len(), PROCESSES as usize, "{minted:?}");
        assert_eq!(number(&format!("SELECT count(*) FROM \"{table}\"")), 1);
    }
}

#[test]
fn many_processes_create_the_tables_of_worker_ids_at_once_and_each_gets_one() {
    let database = Database::empty(Server::Postgres);
    for _ in 0..20 {
        let leases = at_once(|number| {
            let holder = open(database.process(number).with(|rows| {
                rows.auto_create = Some(true);
                rows.workers = (0..100).collect();
            }));
            let lease = holders::eventually(|| match wait(holder.acquire()) {
                Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable => Err(error),
                answer => Ok(answer.unwrap()),
            });
            (lease.worker_id, holder)
        });
        assert_eq!(leases.iter().map(|(id, _)| id).collect::<HashSet<_>>().len(), PROCESSES as usize);
        drop(leases);
        database.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    }
}

#[test]
fn a_creation_that_another_session_is_in_the_way_of_is_repeated() {
    let database = Database::empty(Server::Postgres);
    refuse_three_creations(&database);
    let given = [("auto_create", "true"), ("default_step", "10"), ("timeout", "60s")];
    let ids = leafmint::open::segment(&url_of(&database), options(given)).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    database.sql("SELECT setval('tries', 1, false)");
    let holder = open(database.process(1).with(|rows| rows.auto_create = Some(true)));
    wait(holder.acquire()).unwrap();
    let tries = sql_on(&url_of(&database), "SELECT last_value FROM tries");
    assert_eq!(tries, ["7"], "three that failed, and four tables");
}

#[test]
fn a_type_of_the_name_of_the_table_is_reported() {
    let database = Database::empty(Server::Postgres);
    database.sql("CREATE TYPE leaf_alloc AS ENUM ()");
    let given = [("auto_create", "true"), ("default_step", "10"), ("timeout", "60s")];
    let ids = leafmint::open::segment(&url_of(&database), options(given)).unwrap();
    let error = ids.init_schema().unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("type \"leaf_alloc\" already exists"), "{error}");
}
