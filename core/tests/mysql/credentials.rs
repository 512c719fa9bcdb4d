//! Credentials that rotate: a source is asked for each new connection.

use super::accounts::Account;
use crate::stores::{Table, kill_sessions_of, mysql_url, options, sql, unique};
use leafmint::{Credentials, CredentialsSource, ErrorKind, OptionValue};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Returns the URL of the server without credentials.
fn url() -> String {
    let url = mysql_url();
    format!("mysql://{}", &url[url.find('@').map_or("mysql://".len(), |at| at + 1)..])
}

fn given<const N: usize>(source: &CredentialsSource, texts: [(&str, &str); N]) -> Vec<(String, OptionValue)> {
    options(texts).chain([("credentials".to_owned(), source.clone().into())]).collect()
}

/// A secret store: the current password of an account, and how often it was asked for.
#[derive(Clone)]
struct Vault {
    user: String,
    password: Arc<Mutex<String>>,
    asked: Arc<AtomicU32>,
}

impl Vault {
    fn of(account: &Account) -> Self {
        Self { user: account.0.clone(), password: Arc::new(Mutex::new("pw".into())), asked: Arc::default() }
    }

    fn source(&self) -> CredentialsSource {
        let vault = self.clone();
        CredentialsSource::new(move || {
            vault.asked.fetch_add(1, Ordering::Relaxed);
            Ok::<_, String>(Credentials::new(&vault.user, vault.password.lock().unwrap().as_str()))
        })
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Sets a new password, and tells the secret store.
    fn rotate(&self, password: &str) {
        self.rotate_on_the_server(password);
        *self.password.lock().unwrap() = password.to_owned();
    }

    /// Sets a new password on the server, and cuts the sessions that logged in with the old one.
    fn rotate_on_the_server(&self, password: &str) {
        sql(&format!("ALTER USER `{}`@'%' IDENTIFIED BY '{password}'", self.user));
        kill_sessions_of(&self.user);
    }
}

fn table_with_a_tag() -> Table {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    table
}

#[test]
fn segments_are_leased_through_rotations_of_the_password() {
    let (table, account) = (table_with_a_tag(), Account::new("SELECT, UPDATE"));
    let vault = Vault::of(&account);
    let texts = [("table", table.0.as_str()), ("max_step", "10"), ("timeout", "30s")];
    let ids = leafmint::open::segment(&url(), given(&vault.source(), texts)).unwrap();
    assert_eq!(vault.asked(), 0, "opening asks for nothing");
    let order = ids.biz_tag("order").unwrap();
    for rotation in 0..4 {
        order.next_ids(100).unwrap();
        vault.rotate(&format!("s3ntinel-{rotation}"));
    }
    assert_eq!(order.next_ids(100).unwrap().len(), 100);
    assert!(vault.asked() >= 5, "{} questions", vault.asked());
    assert!(!format!("{ids:?} {:?}", ids.stats()).contains("s3ntinel"));
}

#[test]
fn worker_ids_are_kept_through_rotations_of_the_password() {
    let account = Account::new("SELECT, INSERT, UPDATE, CREATE");
    let (vault, namespace) = (Vault::of(&account), unique("n"));
    let texts = [
        ("namespace", namespace.as_str()),
        ("heartbeat", "50ms"),
        ("lease_duration", "500ms"),
        ("state_files", "false"),
        ("timeout", "30s"),
        ("auto_create", "true"),
    ];
    let flakes = leafmint::open::snowflake(&url(), given(&vault.source(), texts)).unwrap();
    for rotation in 0..3 {
        flakes.next_id().unwrap();
        vault.rotate(&format!("s3ntinel-{rotation}"));
        thread::sleep(Duration::from_millis(600));
    }
    assert!(flakes.next_id().unwrap() > 0);
    assert!(vault.asked() >= 4, "{} questions", vault.asked());
    assert!(!format!("{flakes:?} {:?}", flakes.stats()).contains("s3ntinel"));
}

#[test]
fn a_password_that_the_server_refuses_is_asked_for_again() {
    let (table, account) = (table_with_a_tag(), Account::new("SELECT, UPDATE"));
    let vault = Vault::of(&account);
    vault.rotate_on_the_server("s3ntinel");
    let texts = [("table", table.0.as_str()), ("timeout", "500ms")];
    let ids = leafmint::open::segment(&url(), given(&vault.source(), texts)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let calls = std::iter::repeat_with(|| order.next_id().unwrap_err());
    let error = calls.take(60).find(|_| vault.asked() >= 2).expect("each attempt asks");
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    assert!(error.message().contains("1045") && error.message().contains("credentials supplier"), "{error}");
    assert!(!error.message().contains("s3ntinel"), "{error}");
    *vault.password.lock().unwrap() = "s3ntinel".to_owned();
    order.next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_supplier_that_fails_is_a_named_error_and_is_asked_again() {
    let (table, account) = (table_with_a_tag(), Account::new("SELECT, UPDATE"));
    let sealed = Arc::new(Mutex::new(true));
    let (user, is_sealed) = (account.0.clone(), sealed.clone());
    let source = CredentialsSource::new(move || match *is_sealed.lock().unwrap() {
        true => Err("the vault is\nsealed"),
        false => Ok(Credentials::new(&user, "pw")),
    });
    // A second host must not be tried, since no host is at fault.
    let hosts = url().replacen("mysql://", "mysql://127.0.0.1:1,", 1);
    let texts = [("table", table.0.as_str()), ("timeout", "2s")];
    let ids = leafmint::open::segment(&hosts, given(&source, texts)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    assert!(error.message().contains("the credentials supplier failed: the vault is"), "{error}");
    assert!(error.message().contains("sealed") && !error.message().contains('\n'), "{error}");
    assert!(!error.message().contains("cannot connect"), "{error}");
    *sealed.lock().unwrap() = false;
    order.next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_supplier_that_hangs_costs_an_attempt_connect_timeout_and_is_not_called_twice_at_a_time() {
    let (table, account) = (table_with_a_tag(), Account::new("SELECT, UPDATE"));
    let (calls, hangs) = (Arc::new(AtomicU32::new(0)), Arc::new(Mutex::new(())));
    let (user, called, blocked) = (account.0.clone(), calls.clone(), hangs.clone());
    let source = CredentialsSource::new(move || {
        called.fetch_add(1, Ordering::Relaxed);
        drop(blocked.lock().unwrap());
        Ok::<_, String>(Credentials::new(&user, "pw"))
    });
    let texts = [("table", table.0.as_str()), ("timeout", "4s"), ("connect_timeout", "1s")];
    let ids = leafmint::open::segment(&url(), given(&source, texts)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let hang = hangs.lock().unwrap();
    let began = Instant::now();
    let error = order.next_id().unwrap_err();
    assert!(error.message().contains("no answer within connect_timeout=1s"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(calls.load(Ordering::Relaxed), 1, "a call at a time");
    drop(hang);
    order.next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_close_ends_although_the_supplier_fails() {
    let (table, account) = (table_with_a_tag(), Account::new("SELECT, UPDATE"));
    let sealed = Arc::new(Mutex::new(false));
    let (user, is_sealed) = (account.0.clone(), sealed.clone());
    let source = CredentialsSource::new(move || match *is_sealed.lock().unwrap() {
        true => Err("the vault is sealed"),
        false => Ok(Credentials::new(&user, "pw")),
    });
    let texts = [("table", table.0.as_str()), ("timeout", "60s")];
    let ids = leafmint::open::segment(&url(), given(&source, texts)).unwrap();
    ids.biz_tag("order").unwrap().next_id().unwrap();
    *sealed.lock().unwrap() = true;
    kill_sessions_of(&account.0);
    let began = Instant::now();
    let _ = ids.close();
    assert!(began.elapsed() < Duration::from_secs(30), "the close tried for ever");
}

#[test]
fn a_generator_with_credentials_and_a_password_is_refused_and_the_message_names_both() {
    let source = CredentialsSource::new(|| Ok::<_, String>(Credentials::new("shop", "pw")));
    for (url, texts) in
        [("mysql://h/db", [("password", "s3ntinel")]), ("mysql://shop:s3ntinel@h/db", [("timeout", "1s")])]
    {
        for error in [
            leafmint::open::segment(url, given(&source, texts)).unwrap_err(),
            leafmint::open::snowflake(url, given(&source, texts)).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidConfig);
            assert!(error.message().contains("credentials and password are both set"), "{error}");
            assert!(!error.message().contains("s3ntinel"), "{error}");
        }
    }
}

#[test]
fn credentials_are_never_text_and_a_supplier_is_never_another_option() {
    let source = CredentialsSource::new(|| Ok::<_, String>(Credentials::new("shop", "pw")));
    let error = leafmint::open::segment("mysql://h/db?credentials=vault", []).unwrap_err();
    assert!(error.message().contains("credentials cannot be text"), "{error}");
    let error = leafmint::open::segment("mysql://h/db", [("username".to_owned(), source.into())]).unwrap_err();
    assert!(error.message().contains("\"username\" cannot be a supplier"), "{error}");
}
