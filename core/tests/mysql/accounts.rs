//! Accounts of the database: what each may do, and what a refusal says.

use super::open;
use crate::stores::{Table, mysql_url, number, options, sql, unique};
use leafmint::{ErrorKind, Reason};
use std::time::{Duration, Instant};

/// An account with the password `pw`, dropped at the end of its test.
pub(crate) struct Account(pub(crate) String);

impl Account {
    pub(crate) fn new(privileges: &str) -> Self {
        Self::on(privileges, "*.*")
    }

    pub(crate) fn on(privileges: &str, what: &str) -> Self {
        let name = unique("account");
        sql(&format!("CREATE USER `{name}`@'%' IDENTIFIED BY 'pw'"));
        sql(&format!("GRANT {privileges} ON {what} TO `{name}`@'%'"));
        Account(name)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        sql(&format!("DROP USER `{}`@'%'", self.0));
    }
}

#[test]
fn a_refused_login_is_reported_at_once_and_without_the_password() {
    // MySQL answers an account that does not exist as if it logged in with any plugin.
    let account = Account::new("SELECT, UPDATE");
    let given = [("username", account.0.as_str()), ("password", "s3ntinel:/@"), ("timeout", "60s")];
    let ids = leafmint::open::segment(&mysql_url(), options(given)).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("1045") && !error.message().contains("s3ntinel"), "{error}");
    let server = error.server().map(|server| (server.number(), server.state()));
    assert_eq!(server, Some((Some(1045), Some("28000"))));
    assert_eq!(error.reason(), Some(Reason::LogInRefused));
    assert!(began.elapsed() < Duration::from_secs(30), "the call waited");
    assert!(!format!("{:?} {ids:?}", ids.stats()).contains("s3ntinel"));
}

#[test]
fn the_error_for_a_read_only_account_says_what_to_grant() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::new("SELECT");
    let ids = open(&table, [("username", &account.0), ("password", "pw")]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("UPDATE command denied") && error.message().contains("grant"), "{error}");
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), 1);
}

#[test]
fn the_error_for_an_account_whose_role_is_not_active_says_so() {
    let (account, role) = (Account::on("USAGE", "*.*"), unique("role"));
    sql(&format!("CREATE ROLE `{role}`; GRANT ALL ON leafmint.* TO `{role}`; GRANT `{role}` TO `{}`@'%'", account.0));
    let ids =
        leafmint::open::segment(&mysql_url(), options([("username", account.0.as_str()), ("password", "pw")])).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    sql(&format!("DROP ROLE `{role}`"));
    assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::Denied)), "{error}");
    assert!(error.message().contains("1044") && error.message().contains("default role"), "{error}");
}
