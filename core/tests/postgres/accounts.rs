//! Accounts of the database: what each may do, and what a refusal says.

use super::open;
use crate::stores::postgres::{Table, number, sql};
use crate::stores::{options, postgres_url, unique};
use leafmint::{Credentials, CredentialsSource, ErrorKind, Reason};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// An account with the password `pw`, dropped at the end of its test.
pub(crate) struct Account(pub(crate) String);

impl Account {
    pub(crate) fn new(grants: &[String]) -> Self {
        let name = unique("account");
        sql(&format!("CREATE ROLE \"{name}\" LOGIN PASSWORD 'pw'"));
        for grant in grants {
            sql(&format!("GRANT {grant} TO \"{name}\""));
        }
        Account(name)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        sql(&format!("DROP OWNED BY \"{0}\"; DROP ROLE \"{0}\"", self.0));
    }
}

#[test]
fn a_refused_login_is_reported_at_once_and_without_the_password() {
    let given = [("username", "nobody"), ("password", "s3ntinel:/@"), ("timeout", "60s")];
    let ids = leafmint::open::segment(&postgres_url(), options(given)).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("28P01") && !error.message().contains("s3ntinel"), "{error}");
    let server = error.server().map(|server| (server.number(), server.state()));
    assert_eq!(server, Some((None, Some("28P01"))));
    assert_eq!(error.reason(), Some(Reason::LogInRefused));
    assert!(began.elapsed() < Duration::from_secs(30), "the call waited");
    assert!(!format!("{:?} {ids:?}", ids.stats()).contains("s3ntinel"));
    let url = postgres_url();
    let missing = format!("{}/missing", url.rsplit_once('/').unwrap().0);
    let (scheme, location) = url.split_once("://").unwrap();
    let no_login = format!("{scheme}://leafmint@{}", location.rsplit_once('@').unwrap().1);
    let error = leafmint::open::segment(&no_login, options([("eager", "true")])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("password missing"), "{error}");
    let ids = leafmint::open::segment(&missing, []).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("create the database"), "{error}");
}

#[test]
fn the_error_for_a_read_only_account_says_what_to_grant() {
    let table = Table::with_order(1, 10);
    let account = Account::new(&[format!("SELECT ON \"{table}\"")]);
    let ids = open(&table, [("username", &account.0), ("password", "pw")]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("permission denied") && error.message().contains("GRANT"), "{error}");
    assert_eq!(table.max_id(), 1);
}

#[test]
fn an_account_that_may_read_and_update_the_table_alone_leases_and_creates_nothing() {
    let table = Table::with_order(1, 10);
    let account = Account::new(&[format!("SELECT, UPDATE ON \"{table}\"")]);
    let ids = open(&table, [("username", &account.0), ("password", "pw")]);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    assert!(!ids.check().unwrap().wait().unwrap().creates_tags);
    let error = ids.create_tag("new").unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert_eq!(number(&format!("SELECT count(*) FROM \"{table}\"")), 1);
}

#[test]
fn credentials_are_asked_for_each_connection_and_those_that_are_refused_are_asked_again() {
    let table = Table::with_order(1, 10);
    let account = Account::new(&[format!("SELECT, UPDATE ON \"{table}\"")]);
    let (name, asked) = (account.0.clone(), AtomicU32::new(0));
    let source = CredentialsSource::new(move || {
        let password = if asked.fetch_add(1, Ordering::SeqCst) == 0 { "expired" } else { "pw" };
        Ok::<_, String>(Credentials::new(name.clone(), password))
    });
    let url = postgres_url();
    let (scheme, location) = url.split_once("://").unwrap();
    let url = format!("{scheme}://{}", location.rsplit_once('@').unwrap().1);
    let given = options([("table", table.0.as_str()), ("timeout", "20s")]);
    let ids = leafmint::open::segment(&url, given.chain([("credentials".to_owned(), source.into())])).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
}
