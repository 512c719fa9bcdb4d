//! Rights and settings of an account that are mended while processes run: a session has those of its log-in, so what
//! was refused is asked again on another one.

use crate::holders::{Database, Server, open, wait};
use crate::mysql::accounts::Account as MySqlAccount;
use crate::postgres::accounts::Account as PostgresAccount;
use crate::stores::zookeeper::{Operator, path};
use crate::stores::{self, mysql_url, options, postgres, postgres_url, unique};
use leafmint::{ErrorKind, Result, SegmentGenerator, schema_sql};
use leafmint_backends::sessions::LogIn;
use std::time::{Duration, Instant};

/// Rights on nodes of ZooKeeper.
const READ: i32 = 1;
const ADMINISTER: i32 = 16;
const ALL: i32 = 31;

/// Asserts that a call is refused, also on a session of some age, and that it works soon after the mend.
pub(crate) fn works_soon_after<T>(mend: impl FnOnce(), mut call: impl FnMut() -> Result<T>) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(1500) {
        let error = call().map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        std::thread::sleep(Duration::from_millis(100));
    }
    mend();
    let mended = Instant::now();
    while let Err(error) = call() {
        assert!(mended.elapsed() < Duration::from_secs(5), "still refused: {error}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn log_in(user: &str) -> LogIn {
    LogIn::Configured { user: Some(user.to_owned()), password: Some("pw".to_owned()) }
}

fn open_as(url: &str, account: &str, database: &str) -> SegmentGenerator {
    let url = format!("{}/{database}", url.rsplit_once('/').unwrap().0);
    leafmint::open::segment(&url, options([("username", account), ("password", "pw"), ("timeout", "1s")])).unwrap()
}

#[test]
fn a_process_leases_soon_after_the_right_to_was_granted_on_mysql() {
    let database = Database::empty(Server::MySql);
    database.sql(&schema_sql("mysql").unwrap());
    database.sql("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)");
    let account = MySqlAccount::on("SELECT", &format!("`{}`.*", database.name));
    let order = open_as(&mysql_url(), &account.0, &database.name).biz_tag("order").unwrap();
    let grant = format!("GRANT UPDATE ON `{}`.* TO `{}`@'%'", database.name, account.0);
    works_soon_after(|| drop(stores::sql(&grant)), || order.next_id());
}

#[test]
fn a_process_takes_a_worker_id_soon_after_the_right_to_was_granted_on_mysql() {
    let database = Database::empty(Server::MySql);
    database.sql(&schema_sql("mysql").unwrap());
    let account = MySqlAccount::on("SELECT", &format!("`{}`.*", database.name));
    let mut process = database.process(1);
    process.database.log_in = log_in(&account.0);
    let holder = open(process);
    let grant = format!("GRANT INSERT, UPDATE ON `{}`.* TO `{}`@'%'", database.name, account.0);
    works_soon_after(|| drop(stores::sql(&grant)), || wait(holder.acquire()));
}

/// Makes the tables in a schema of their own, which an account does not find. Returns how that is mended.
fn off_the_path() -> (PostgresAccount, Database, impl FnOnce()) {
    // The account outlives the database, in which it has rights.
    let (account, database) = (PostgresAccount::new(&[]), Database::empty(Server::Postgres));
    database.sql(&format!(
        "CREATE SCHEMA shop; SET search_path = shop; {} INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)",
        schema_sql("postgresql").unwrap()
    ));
    let account_name = &account.0;
    database.sql(&format!(
        "GRANT USAGE ON SCHEMA shop TO \"{account_name}\"; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA shop TO \"{account_name}\""
    ));
    let mend = format!("ALTER ROLE \"{account_name}\" IN DATABASE {} SET search_path = shop", database.name);
    (account, database, move || drop(postgres::sql(&mend)))
}

#[test]
fn a_process_leases_soon_after_its_search_path_was_set_on_postgresql() {
    let (account, database, mend) = off_the_path();
    let order = open_as(&postgres_url(), &account.0, &database.name).biz_tag("order").unwrap();
    works_soon_after(mend, || order.next_id());
}

#[test]
fn a_process_takes_a_worker_id_soon_after_its_search_path_was_set_on_postgresql() {
    let (account, database, mend) = off_the_path();
    let mut process = database.process(1);
    process.database.log_in = log_in(&account.0);
    let holder = open(process);
    works_soon_after(mend, || wait(holder.acquire()));
}

#[test]
fn a_process_takes_a_worker_id_soon_after_its_nodes_were_opened_to_it_on_zookeeper() {
    let namespace = unique("mended");
    let mut operator = Operator::new();
    operator.create_all(&path(&namespace, ""));
    operator.set_access(&path(&namespace, ""), &[(READ | ADMINISTER, "world", "anyone")]);
    let holder = open(crate::holders::process(Server::ZooKeeper, &namespace, 1));
    let mut operator = Operator::new();
    works_soon_after(
        || operator.set_access(&path(&namespace, ""), &[(ALL, "world", "anyone")]),
        || wait(holder.acquire()),
    );
}
