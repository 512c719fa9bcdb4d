//! What a fail-over list promises: all calls leave a host that is frozen, dead or refuses at once, and for good while
//! another works.

use crate::stores::refusing::{Answer, Refusing};
use crate::stores::{Table, mysql_url, options, sql, through_proxy};
use leafmint::{BizTag, ErrorKind, SegmentGenerator};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Puts a host in front of the server's own, which is then the second one.
fn with_host_in_front(port: u16) -> String {
    let url = mysql_url();
    let at = url.find('@').map_or("mysql://".len(), |at| at + 1);
    format!("{}127.0.0.1:{port},{}", &url[..at], &url[at..])
}

/// A URL whose hosts are all on this machine.
fn url_of(ports: &[u16]) -> String {
    let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    format!("mysql://root@{}/leafmint", hosts.join(","))
}

/// A table with the tags `0`, `1`, `2` …
fn table_with_tags(count: usize) -> Table {
    let table = Table::of_leaf();
    let rows: Vec<String> = (0..count).map(|tag| format!("('{tag}', 1, 10)")).collect();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES {}", rows.join(", ")));
    table
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longer than any call to a server that answers, also on a busy machine; shorter than a wait for one that does not.
const SLOW: Duration = Duration::from_secs(4);
/// When a test has failed: nothing that works takes this long.
const TOO_LONG: Duration = Duration::from_secs(40);

fn open(url: &str, table: &Table) -> SegmentGenerator {
    let given = [("table", table.0.as_str()), ("connect_timeout", "5s"), ("timeout", "12s"), ("max_step", "10")];
    leafmint::open::segment(url, options(given)).unwrap()
}

/// Takes `count` ids, and returns how long the slow calls took. An error counts as a slow call.
fn slow_calls(tag: &BizTag, count: usize) -> Vec<Duration> {
    let (began, mut slow, mut taken) = (Instant::now(), Vec::new(), 0);
    while taken < count && began.elapsed() < TOO_LONG {
        let asked = Instant::now();
        taken += usize::from(tag.next_id().is_ok());
        slow.extend(Some(asked.elapsed()).filter(|waited| *waited > SLOW));
    }
    assert_eq!(taken, count, "ids within {TOO_LONG:?}; slow calls: {slow:?}");
    slow
}

fn on_each<T: Send>(tags: &[BizTag], work: impl Fn(&BizTag) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let running: Vec<_> = tags.iter().map(|tag| scope.spawn(|| work(tag))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn tags_of(ids: &SegmentGenerator, count: usize) -> Vec<BizTag> {
    (0..count).map(|tag| ids.biz_tag(&tag.to_string()).unwrap()).collect()
}

/// One slow call per tag, of about one `connect_timeout`.
fn assert_one_wait(slow: &[Vec<Duration>]) {
    for calls in slow {
        assert!(calls.len() <= 1 && calls.iter().all(|waited| *waited < 2 * CONNECT_TIMEOUT), "{slow:?}");
    }
}

#[test]
fn eight_tags_leave_a_host_that_freezes_under_them_together_after_one_connect_timeout() {
    let table = table_with_tags(8);
    let (first, _) = through_proxy();
    let ids = open(&with_host_in_front(first.port), &table);
    let tags = tags_of(&ids, 8);
    on_each(&tags, |tag| tag.next_ids(15).unwrap());
    let freeze = std::thread::scope(|scope| {
        let minting = scope.spawn(|| on_each(&tags, |tag| slow_calls(tag, 400)));
        first.hold();
        let frozen = Instant::now();
        (minting.join().unwrap(), frozen.elapsed())
    });
    assert_one_wait(&freeze.0);
    assert!(freeze.1 < TOO_LONG, "400 ids of each of 8 tags took {:?}: {:?}", freeze.1, freeze.0);
}

#[test]
fn eight_tags_that_begin_on_a_frozen_host_pay_one_connect_timeout() {
    let table = table_with_tags(8);
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap(); // accepts, says nothing
    let ids = open(&with_host_in_front(frozen.local_addr().unwrap().port()), &table);
    let slow = on_each(&tags_of(&ids, 8), |tag| slow_calls(tag, 200));
    assert_one_wait(&slow);
}

#[test]
fn all_generators_of_a_process_leave_a_frozen_host_once_one_of_them_has() {
    let table = table_with_tags(1);
    let (first, _) = through_proxy();
    let url = with_host_in_front(first.port);
    let (one, other) = (open(&url, &table), open(&url, &table));
    let flakes = {
        let namespace = crate::stores::unique("failover");
        let place = [("namespace", namespace.as_str()), ("auto_create", "true")];
        let given = [place[0], place[1], ("connect_timeout", "5s"), ("state_files", "false")];
        leafmint::open::snowflake(&url, options(given)).unwrap()
    };
    let tags = [one.biz_tag("0").unwrap(), other.biz_tag("0").unwrap()];
    tags.iter().for_each(|tag| drop(tag.next_ids(15).unwrap()));
    first.hold();
    assert!(slow_calls(&tags[0], 100).len() <= 1);
    assert_eq!(slow_calls(&tags[1], 100), []);
    let began = Instant::now();
    flakes.next_id().unwrap();
    assert!(began.elapsed() < SLOW, "{:?}", began.elapsed());
}

#[test]
fn sessions_that_idle_on_a_host_that_freezes_cost_one_connect_timeout_in_all() {
    let table = table_with_tags(4);
    let (first, _) = through_proxy();
    let ids = open(&with_host_in_front(first.port), &table);
    let tags = tags_of(&ids, 4);
    // Each lease is slow enough for all four sessions to be open at once.
    first.slow_down(50);
    on_each(&tags, |tag| tag.next_ids(30).unwrap());
    first.hold();
    let slow: Vec<Vec<Duration>> = tags.iter().map(|tag| slow_calls(tag, 100)).collect();
    assert!(slow.iter().map(Vec::len).sum::<usize>() <= 1, "{slow:?}");
    assert_one_wait(&slow);
}

#[test]
fn a_host_that_dies_under_eight_tags_costs_no_slow_call() {
    let table = table_with_tags(8);
    let (first, _) = through_proxy();
    let ids = open(&with_host_in_front(first.port), &table);
    let tags = tags_of(&ids, 8);
    on_each(&tags, |tag| tag.next_ids(15).unwrap());
    first.cut();
    assert_eq!(on_each(&tags, |tag| slow_calls(tag, 200)), vec![Vec::<Duration>::new(); 8]);
}

#[test]
fn a_host_that_refuses_by_any_error_is_left_by_eight_tags_at_once_and_not_asked_again() {
    let to_log_in = [1040, 1044, 1045, 1049, 1203, 1226, 1317, 1698, 1927, 3032, 3118, 3159, 4031];
    let instead = [1040, 1053, 1129, 1130, 3032];
    let answers = to_log_in.map(Answer::ToLogIn).into_iter().chain(instead.map(Answer::InsteadOfGreeting));
    let answers = answers.chain([Answer::LogInBy("sha256_password"), Answer::LogInBy("client_ed25519")]);
    let table = table_with_tags(8);
    for (number, answer) in answers.enumerate() {
        let refusing = Refusing::with(answer);
        let ids = open(&with_host_in_front(refusing.port), &table);
        let tags = tags_of(&ids, 8);
        let slow = on_each(&tags, |tag| slow_calls(tag, 20));
        assert_eq!(slow, vec![Vec::<Duration>::new(); 8], "answer {number}");
        let asked = refusing.connections();
        on_each(&tags, |tag| slow_calls(tag, 20));
        assert_eq!(refusing.connections(), asked, "answer {number}");
    }
}

#[test]
fn where_no_host_works_the_error_names_what_each_of_them_answered() {
    let (offline, full) = (Refusing::with(Answer::ToLogIn(3032)), Refusing::with(Answer::InsteadOfGreeting(1040)));
    let ids = leafmint::open::segment(&url_of(&[offline.port, full.port]), options([("timeout", "3s")])).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    for (port, code) in [(offline.port, "3032"), (full.port, "1040")] {
        assert!(error.message().contains(&format!("127.0.0.1:{port}")) && error.message().contains(code), "{error}");
    }
}

#[test]
fn what_no_host_will_ever_accept_is_said_at_once() {
    let (denied, unknown) = (Refusing::with(Answer::ToLogIn(1045)), Refusing::with(Answer::ToLogIn(1049)));
    let ids = leafmint::open::segment(&url_of(&[denied.port, unknown.port]), options([("timeout", "60s")])).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("1045") && error.message().contains("1049"), "{error}");
    assert!(began.elapsed() < TOO_LONG);
}

#[test]
fn a_message_about_many_hosts_stays_short() {
    let refusing: Vec<Refusing> = (0..40).map(|_| Refusing::with(Answer::ToLogIn(3032))).collect();
    let ports: Vec<u16> = refusing.iter().map(|host| host.port).collect();
    let ids = leafmint::open::segment(&url_of(&ports), options([("timeout", "5s")])).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.message().contains("and 32 more hosts"), "{error}");
}

#[test]
fn a_table_that_is_locked_for_long_moves_no_call_to_another_host() {
    use mysql_async::prelude::Queryable;
    let table = table_with_tags(2);
    let (first, _) = through_proxy();
    let second = Refusing::with(Answer::ToLogIn(3032));
    let url = mysql_url();
    let server = mysql_async::Opts::from_url(&url).unwrap();
    let (host, port) = (server.ip_or_hostname(), server.tcp_port());
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", first.port, second.port);
    let ids = open(&url.replace(&format!("{host}:{port}"), &hosts), &table);
    ids.init_schema().unwrap().wait().unwrap();
    let tags = tags_of(&ids, 2);
    tags[1].next_ids(10).unwrap();
    let runtime = crate::stores::runtime();
    let mut holder = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    // The first lease of a tag reads this table; those that follow do not.
    runtime.block_on(holder.query_drop(format!("LOCK TABLES `leafmint_gene_{table}` WRITE"))).unwrap();
    std::thread::scope(|scope| {
        let locked = scope.spawn(|| tags[0].next_id_within(2 * CONNECT_TIMEOUT).unwrap_err());
        while !locked.is_finished() {
            assert_eq!(slow_calls(&tags[1], 10), [], "the other tag is not held up");
            std::thread::sleep(Duration::from_millis(10));
        }
        let error = locked.join().unwrap();
        assert!(error.message().contains("no answer to a statement within connect_timeout=5s"), "{error}");
    });
    runtime.block_on(holder.query_drop("UNLOCK TABLES")).unwrap();
    tags[0].next_id_within(TOO_LONG).unwrap();
    assert_eq!(second.connections(), 0);
}

#[test]
fn conflicts_between_nodes_are_tried_again_where_they_were() {
    let table = table_with_tags(1);
    let (server, url) = through_proxy();
    let ids = open(&url, &table);
    let tag = ids.biz_tag("0").unwrap();
    tag.next_id().unwrap();
    for (code, text) in [
        (1213, "Deadlock found when trying to get lock; try restarting transaction"),
        (3101, "Plugin instructed the server to rollback the current transaction."),
        (1180, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"),
    ] {
        for _ in 0..3 {
            server.refuse("LAST_INSERT_ID", code, text);
        }
        tag.next_ids(100).unwrap();
        assert_eq!((server.refusals_left(), ids.stats().tags[0].1.refill_failures), (0, 0), "{code}");
    }
}

#[test]
fn a_node_that_fails_at_commit_is_left() {
    let table = table_with_tags(1);
    let (first, _) = through_proxy();
    let ids = open(&with_host_in_front(first.port), &table);
    let tag = ids.biz_tag("0").unwrap();
    tag.next_id().unwrap();
    first.refuse("LAST_INSERT_ID", 1180, "Got error 5 - 'Input/output error' during COMMIT");
    tag.next_ids(100).unwrap();
    assert_eq!((first.refusals_left(), ids.stats().tags[0].1.refill_failures), (0, 0));
    first.cut();
    assert_eq!(slow_calls(&tag, 100), [], "the second host is in use");
}

#[test]
fn an_account_whose_login_plugin_is_not_supported_gets_an_error_at_once_with_those_that_are() {
    for (plugin, name) in [
        ("sha256_password", "sha256_password"),
        ("client_ed25519", "ed25519"),
        ("mysql_clear_password", "mysql_clear_password"),
        ("auth_gssapi_client", "auth_gssapi_client"),
    ] {
        let server = Refusing::with(Answer::LogInBy(plugin));
        let given = [("timeout", "60s"), ("username", "app"), ("password", "s3ntinel")];
        let ids = leafmint::open::segment(&url_of(&[server.port]), options(given)).unwrap();
        let began = Instant::now();
        let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(began.elapsed() < TOO_LONG);
        let text = error.message();
        assert!(text.contains(name) && text.contains("caching_sha2_password or mysql_native_password"), "{error}");
        assert_eq!(text.contains("may not be your server"), name == "mysql_clear_password", "{error}");
        assert!(!text.contains("s3ntinel") && !text.contains("panicked"), "{error}");
    }
}
