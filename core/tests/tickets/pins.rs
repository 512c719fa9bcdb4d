//! What is pinned in the databases, and servers that do not obey it.

use super::{open, open_at, refusal, with_order};
use crate::mended::works_soon_after;
use crate::stores::tickets::Servers;
use crate::stores::unique;
use leafmint::{ErrorKind, SegmentGenerator};

#[test]
fn a_server_with_another_increment_is_refused_by_name_and_the_other_serves() {
    let servers = with_order();
    servers.sql::<mysql_async::Row>(0, "UPDATE leafmint_ticket_server SET ticket_increment = 3 WHERE is_self = 1");
    let ids = open(&servers);
    let got = ids.biz_tag("order").unwrap().next_ids(300).unwrap();
    assert!(got.iter().all(|id| super::drawn_by(*id) == 2));
    servers.sql::<mysql_async::Row>(1, "UPDATE leafmint_ticket_server SET ticket_increment = 3 WHERE is_self = 1");
    let (kind, text) = refusal(&open(&servers), "order");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    for (host, port) in &servers.hosts {
        let told = format!("the ticket server {host}:{port} has auto_increment_increment=10");
        assert!(text.contains(&told) && text.contains("3 and"), "{text}");
    }
}

/// An account that does not administer the servers, so it is bound by their settings. One at a time,
/// as `.config/nextest.toml` says: the settings are those of all such accounts.
struct Account<'a> {
    servers: &'a Servers,
    name: String,
}

impl<'a> Account<'a> {
    fn on(servers: &'a Servers) -> Self {
        let account = Self { servers, name: unique("init") };
        servers.on_each(&format!("CREATE USER {} IDENTIFIED BY 'pw'", account.name));
        let rights = format!("SELECT, INSERT, UPDATE, DELETE ON {}.*", servers.database);
        servers.on_each(&format!("GRANT {rights} TO {}", account.name));
        account
    }

    fn open(&self) -> SegmentGenerator {
        open_at(&self.servers.url(), [("username", &self.name), ("password", "pw"), ("timeout", "5s")])
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.servers.on_each("SET GLOBAL init_connect = ''");
        self.servers.on_each("SET GLOBAL read_only = 0");
        self.servers.on_each(&format!("DROP USER {}", self.name));
    }
}

#[test]
fn a_process_draws_soon_after_the_servers_settings_were_set_back() {
    let servers = with_order();
    let account = Account::on(&servers);
    servers.on_each("SET GLOBAL init_connect = 'SET auto_increment_offset = 7'");
    let ids = account.open();
    let order = ids.biz_tag("order").unwrap();
    let mend = || servers.on_each("SET GLOBAL init_connect = ''");
    works_soon_after(mend, || order.next_id_within(std::time::Duration::from_secs(1)));
}

#[test]
fn a_session_variable_that_an_init_script_changes_is_refused_and_draws_no_ticket() {
    let servers = with_order();
    let (account, last) = (Account::on(&servers), super::last_ticket(&servers, 0));
    servers.on_each("SET GLOBAL init_connect = 'SET auto_increment_offset = 7'");
    let (kind, text) = refusal(&account.open(), "order");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    assert!(text.contains("auto_increment_offset=7") && text.contains("session variables"), "{text}");
    assert_eq!(super::last_ticket(&servers, 0), last);
}

#[test]
fn a_ticket_is_stored_before_its_ids_are_handed_out_also_on_a_server_without_autocommit() {
    let servers = with_order();
    let account = Account::on(&servers);
    servers.on_each("SET GLOBAL init_connect = 'SET autocommit = 0'");
    let ids = account.open();
    let got = ids.biz_tag("order").unwrap().next_ids(350).unwrap();
    let at = usize::try_from(super::drawn_by(got[349]) - 1).unwrap();
    assert!(super::last_ticket(&servers, at) >= got[349] / super::BLOCK, "another session reads it");
}

#[test]
fn a_server_that_becomes_read_only_is_left_for_another_one() {
    let servers = with_order();
    let account = Account::on(&servers);
    let ids = account.open();
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_ids(350).unwrap();
    let at = usize::try_from(super::drawn_by(first[0]) - 1).unwrap();
    servers.sql::<mysql_async::Row>(at, "SET GLOBAL read_only = 1");
    let second = order.next_ids(500).unwrap();
    assert_ne!(super::drawn_by(second[499]), super::drawn_by(first[0]));
    assert_eq!(ids.stats().tags[0].1.refill_failures, 0);
    let new = account.open().biz_tag("order").unwrap().next_ids(300).unwrap();
    assert!(new.iter().all(|id| super::drawn_by(*id) != super::drawn_by(first[0])), "{new:?}");
    servers.on_each("SET GLOBAL read_only = 1");
    let (kind, text) = refusal(&account.open(), "order");
    assert_eq!(kind, ErrorKind::SegmentUnavailable, "{text}");
    assert!(text.contains("read"), "{text}");
}

#[test]
fn two_servers_with_the_same_offset_are_refused() {
    let servers = with_order();
    // The same server twice, as a name that leads to the wrong one would have it.
    let (proxy, port) = (&servers.proxies()[0], servers.hosts[0].1);
    let (kind, text) = refusal(&open_at(&servers.url_of(&[proxy.port, port]), []), "order");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    assert!(text.contains("have the same auto_increment_offset (1 and 1)"), "{text}");
}

#[test]
fn servers_of_different_id_spaces_or_blocks_are_refused() {
    for (change, problem) in
        [("space = REPEAT('a', 32)", "different id spaces"), ("block = 50", "blocks of different sizes (")]
    {
        let servers = with_order();
        servers.sql::<mysql_async::Row>(1, &format!("UPDATE leafmint_ticket_server SET {change} WHERE is_self = 1"));
        let (kind, text) = refusal(&open(&servers), "order");
        assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
        assert!(text.contains(problem), "{text}");
    }
}

#[test]
fn a_server_that_was_not_set_up_is_refused_with_what_to_do() {
    let servers = Servers::empty();
    let (kind, text) = refusal(&open(&servers), "order");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    assert!(text.contains("call init_schema() with all servers in the URL"), "{text}");
}

#[test]
fn a_server_that_lost_its_data_does_not_get_its_offset_back() {
    let servers = with_order();
    open(&servers).biz_tag("order").unwrap().next_ids(300).unwrap();
    servers.sql::<mysql_async::Row>(1, &format!("DROP DATABASE {}", servers.database));
    servers.sql::<mysql_async::Row>(1, &format!("CREATE DATABASE {}", servers.database));
    let ids = open(&servers);
    let error = ids.init_schema().unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("has lost its data, but auto_increment_offset=2 belongs to"), "{error}");
    let got = ids.biz_tag("order").unwrap().next_ids(300).unwrap();
    assert!(got.iter().all(|id| super::drawn_by(*id) == 1), "the other serves");
}

#[test]
fn a_server_that_cuts_what_is_read_does_not_get_its_offset_back_either_and_every_tag_is_listed() {
    let servers = with_order();
    let ids = open(&servers);
    for tag in ["user", "bill"] {
        assert!(ids.create_tag(tag).unwrap().wait().unwrap());
    }
    ids.biz_tag("order").unwrap().next_ids(300).unwrap();
    let account = Account::on(&servers);
    servers.on_each(&format!("GRANT CREATE ON {}.* TO {}", servers.database, account.name));
    servers.on_each("SET GLOBAL init_connect = 'SET sql_select_limit = 1'");
    assert_eq!(account.open().list_tags().unwrap().wait().unwrap().len(), 3);
    servers.sql::<mysql_async::Row>(1, &format!("DROP DATABASE {}", servers.database));
    servers.sql::<mysql_async::Row>(1, &format!("CREATE DATABASE {}", servers.database));
    let error = account.open().init_schema().unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("has lost its data"), "{error}");
}

#[test]
fn set_ups_at_the_same_time_agree() {
    let servers = Servers::empty();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| open(&servers).init_schema().unwrap().wait().unwrap());
        }
    });
    let spaces: Vec<String> =
        (0..2).flat_map(|at| servers.sql(at, "SELECT DISTINCT space FROM leafmint_ticket_server")).collect();
    assert!(spaces.len() == 2 && spaces[0] == spaces[1], "{spaces:?}");
}
