//! Connections of an application that do not do what they should: refused by name, or waited for no longer than the
//! caller said.

use crate::lending::{mysql, pool_of_one, postgres, sqlite, store};
use crate::stores::postgres::Table as PostgresTable;
use crate::stores::{Table, mysql_url, number, options, postgres_url, runtime, sql, unique, wait_until};
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, Reason, SegmentGenerator};
use leafmint_backends::borrowed::{Answer, Connected, DriverError, Lender, Question, Ran, Wanted};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A lender that changes what another one is asked, or answers.
struct Changing {
    lender: Arc<dyn Lender>,
    ask: Box<Ask>,
}

type Ask = dyn Fn(&dyn Lender, Question) + Send + Sync;

impl Lender for Changing {
    fn name(&self) -> &str {
        self.lender.name()
    }

    fn ask(&self, question: Question) {
        (self.ask)(&*self.lender, question);
    }
}

fn changing(lender: Arc<dyn Lender>, ask: impl Fn(&dyn Lender, Question) + Send + Sync + 'static) -> Arc<dyn Lender> {
    Arc::new(Changing { lender, ask: Box::new(ask) })
}

fn open(lender: Arc<dyn Lender>, table: &str) -> SegmentGenerator {
    let given = [("table", table), ("timeout", "2s"), ("connect_timeout", "1s"), ("auto_create", "true")];
    leafmint::open::segment_through_unready(lender, options(given)).unwrap()
}

/// Leaves each connection as a statement does.
fn after(lender: Arc<dyn Lender>, first: &'static str) -> Arc<dyn Lender> {
    let changed = changing(lender, move |lender, question| match question.wanted {
        Wanted::Connect => {
            let connected = ask(lender, question.connection, Wanted::Connect);
            ask(lender, question.connection, Wanted::Run(vec![first.to_owned()])).unwrap();
            question.reply.send(connected);
        }
        _ => lender.ask(question),
    });
    on_a_thread(changed)
}

#[test]
fn a_connection_that_commits_nothing_by_itself_is_refused_by_name() {
    for (lender, first) in [
        (mysql::lender(&mysql_url()), "SET autocommit = 0"),
        (mysql::lender(&mysql_url()), "START TRANSACTION"),
        (postgres::lender(&postgres_url()), "BEGIN"),
    ] {
        let ids = open(after(lender, first), &unique("lent"));
        let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{first}: {error}");
    }
}

#[test]
fn a_connection_that_does_not_say_what_it_is_leases_nothing() {
    let silent = changing(postgres::lender(&postgres_url()), |lender, question| match &question.wanted {
        Wanted::Run(statements) if statements.iter().any(|sql| sql.contains("pg_is_in_recovery")) => {
            let nothing = statements.iter().map(|_| Ok(Ran::Changed(0))).collect();
            question.reply.send(Ok(Answer::Ran(nothing)));
        }
        _ => lender.ask(question),
    });
    let error = open(silent, &unique("lent")).biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.message().contains("does not say whether"), "{error}");
}

/// Where a data source with two connections sends a statement.
type Route = dyn Fn(&str) -> usize + Send + Sync;

/// A data source whose every connection is two of another one.
fn routing(route: Box<Route>) -> Arc<dyn Lender> {
    let second = mysql::lender(&mysql_url());
    let routed = changing(mysql::lender(&mysql_url()), move |first, question| {
        let lenders = [first, &*second];
        let Wanted::Run(statements) = &question.wanted else {
            let mut answers = lenders.map(|lender| ask(lender, question.connection, question.wanted.clone()));
            return question.reply.send(std::mem::replace(&mut answers[0], Ok(Answer::Ended)));
        };
        let mut ran = Vec::new();
        for statement in statements {
            let wanted = Wanted::Run(vec![statement.clone()]);
            match ask(lenders[route(statement)], question.connection, wanted) {
                Ok(Answer::Ran(results)) => ran.extend(results),
                other => panic!("{other:?}"),
            }
        }
        question.reply.send(Ok(Answer::Ran(ran)));
    });
    on_a_thread(routed)
}

#[test]
fn a_data_source_that_sends_reads_to_another_server_is_refused_by_name() {
    let splitting = routing(Box::new(|statement| statement.starts_with("SELECT").into()));
    let ids = open(splitting, &unique("lent"));
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("several servers"), "{error}");
}

#[test]
fn a_data_source_that_begins_to_split_statements_never_gets_the_range_of_an_earlier_lease() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let turn = Arc::new(AtomicUsize::new(0));
    let route = turn.clone();
    let splitting = routing(Box::new(move |statement| match route.load(Ordering::SeqCst) {
        2 => statement.starts_with("SELECT").into(),
        whole => whole,
    }));
    let store = store(splitting, &table.0);
    let lease = || {
        let leased = runtime().block_on(store.lease("order", 10));
        turn.fetch_add(1, Ordering::SeqCst);
        leased
    };
    assert_eq!((&lease().unwrap()[0], &lease().unwrap()[0]), (&(1..11), &(11..21)));
    let error = lease().unwrap_err();
    assert!(error.message().contains("does not report the max_id"), "{error}");
}

/// Returns the statements of each question that the second lease asks.
fn second_lease(lender: Arc<dyn Lender>, table: &str) -> Vec<usize> {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = asked.clone();
    let noting = changing(lender, move |lender, question| {
        if let Wanted::Run(statements) = &question.wanted {
            noted.lock().unwrap().push(statements.len());
        }
        lender.ask(question);
    });
    let store = store(noting, table);
    runtime().block_on(store.create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    assert_eq!(runtime().block_on(store.lease("order", 10)).unwrap()[0], 1..11);
    asked.lock().unwrap().clear();
    assert_eq!(runtime().block_on(store.lease("order", 10)).unwrap()[0], 11..21);
    asked.lock().unwrap().clone()
}

#[test]
fn a_lease_asks_for_few_statements_in_few_questions() {
    let [of_mysql, of_postgres] = [mysql::lender(&mysql_url()), postgres::lender(&postgres_url())];
    assert_eq!(second_lease(of_mysql.clone(), &Table::of_leaf().0), [2]);
    assert_eq!(second_lease(pool_of_one::lender(of_mysql), &Table::of_leaf().0), [5, 4, 1]);
    let table = PostgresTable::missing();
    assert_eq!(second_lease(pool_of_one::lender(of_postgres), &table.0), [2, 1]);
}

#[test]
fn a_lease_that_a_trigger_undoes_is_named() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let stores = [mysql::lender(&mysql_url()), mysql::lender_of_changed_rows(&mysql_url())];
    let stores = stores.map(|lender| store(lender, &table.0));
    for store in &stores {
        runtime().block_on(store.lease("order", 10)).unwrap();
    }
    sql(&format!("CREATE TRIGGER `{table}_undo` BEFORE UPDATE ON `{table}` FOR EACH ROW SET NEW.max_id = OLD.max_id"));
    for store in &stores {
        for amount in [None, Some(10)] {
            let error = runtime().block_on(store.lease_checked("order", 0, amount)).unwrap_err();
            assert!(error.message().contains("a trigger"), "{error}");
        }
        let error = runtime().block_on(store.lease("order", 10)).unwrap_err();
        assert!(error.message().contains("a trigger"), "{error}");
    }
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), 21);
}

/// Asks from a thread of its own, since what is asked blocks.
fn on_a_thread(lender: Arc<dyn Lender>) -> Arc<dyn Lender> {
    let asked = lender.clone();
    changing(lender, move |_, question| {
        let asked = asked.clone();
        drop(std::thread::spawn(move || asked.ask(question)));
    })
}

#[test]
fn a_shared_connection_is_given_back_after_each_lease_as_it_was() {
    let table = Table::of_leaf();
    let (lent, returned) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    // Each server reads its own name of the setting.
    let settings = "SELECT CONCAT(@@innodb_lock_wait_timeout, ' ', @@sql_mode, ' ', \
                    /*!80000 @@transaction_isolation */ /*M! @@tx_isolation */)";
    let (lent_too, returned_too) = (lent.clone(), returned.clone());
    let shared = changing(mysql::lender(&mysql_url()), move |lender, question| match question.wanted {
        Wanted::Connect => {
            lent_too.fetch_add(1, Ordering::Relaxed);
            let connected = ask(lender, question.connection, Wanted::Connect).map(|answer| match answer {
                Answer::Connected(connected) => Answer::Connected(Connected { is_shared: true, ..connected }),
                other => other,
            });
            let first = "SET innodb_lock_wait_timeout = 33, sql_mode = 'ANSI_QUOTES', \
                         /*!80000 transaction_isolation */ /*M! tx_isolation */ = 'READ-COMMITTED'";
            ask(lender, question.connection, Wanted::Run(vec![first.to_owned()])).unwrap();
            question.reply.send(connected);
        }
        Wanted::End => {
            let shown = ask(lender, question.connection, Wanted::Run(vec![settings.to_owned()]));
            returned_too.lock().unwrap().push(shown);
            lender.ask(question);
        }
        _ => lender.ask(question),
    });
    let ids = open(on_a_thread(shared), &table.0);
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 2)"));
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(3).unwrap(), [1, 2, 3]);
    wait_until("a connection is kept", || returned.lock().unwrap().len() == lent.load(Ordering::Relaxed));
    for shown in returned.lock().unwrap().iter() {
        let as_it_was = Ran::Rows(vec![vec![Some("33 ANSI_QUOTES READ-COMMITTED".to_owned())]]);
        assert_eq!(shown, &Ok(Answer::Ran(vec![Ok(as_it_was)])));
    }
    ids.close().unwrap();
}

fn ask(lender: &dyn Lender, connection: u64, wanted: Wanted) -> Result<Answer, DriverError> {
    let (reply, answer) = leafmint_engine::runtime::background::reply();
    lender.ask(Question { connection, wanted, reply });
    runtime().block_on(answer).unwrap()
}

#[test]
fn a_driver_that_never_answers_costs_a_caller_no_more_than_its_deadline() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let all = kept.clone();
    let hanging = changing(mysql::lender(&mysql_url()), move |_, question| all.lock().unwrap().push(question));
    let ids = open(hanging, &unique("lent"));
    let order = ids.biz_tag("order").unwrap();
    let began = Instant::now();
    let error = order.next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    assert!(error.message().contains("no connection within connect_timeout=1s"), "{error}");
    assert!(error.message().contains("hold all connections of the pool"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let abandoned = || kept.lock().unwrap().iter().filter(|question| question.wanted == Wanted::Abandon).count();
    wait_until("what hangs is not given up", || abandoned() > 0);
}

#[test]
fn a_pool_that_gives_no_connection_any_more_is_named() {
    let (table, is_held, kept) = (Table::of_leaf(), Arc::new(AtomicBool::new(false)), Mutex::new(Vec::new()));
    let all_held = is_held.clone();
    let pool = changing(pool_of_one::lender(mysql::lender(&mysql_url())), move |lender, question| {
        match question.wanted == Wanted::Connect && all_held.load(Ordering::SeqCst) {
            true => kept.lock().unwrap().push(question),
            false => lender.ask(question),
        }
    });
    let name = pool.name().to_owned();
    let ids = open(pool, &table.0);
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 1)"));
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    is_held.store(true, Ordering::SeqCst);
    let error = (0..10).find_map(|_| order.next_id().err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    let text = format!("{name}: cannot connect: got no connection within connect_timeout=1s");
    assert!(error.message().contains(&text) && error.message().contains("all connections of the pool"), "{error}");
}

#[test]
fn connections_that_could_not_be_had_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let lender = sqlite::lender(missing.join("shop.db").to_str().unwrap());
    for key in (1 << 40)..(1 << 40) + 100 {
        let error = ask(&*lender, key, Wanted::Connect).unwrap_err();
        assert!(error.text.contains("unable to open"), "after {key:x}: {error:?}");
    }
    std::fs::create_dir(missing).unwrap();
    ask(&*lender, 1 << 41, Wanted::Connect).unwrap();
}

#[test]
fn a_refusal_has_the_server_s_number_and_the_name_of_what_connects() {
    let lender = mysql::lender(&mysql_url());
    let name = lender.name().to_owned();
    let given = [("table", "leafmint_no_such_table"), ("timeout", "5s")];
    let ids = leafmint::open::segment_through_unready(lender, options(given)).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::MissingTable)));
    assert_eq!(error.server().and_then(leafmint::ServerError::number), Some(1146), "{error}");
    assert!(error.message().contains(&name), "{error}");
}

#[test]
fn what_the_driver_is_told_is_refused_as_an_option() {
    let given = [("username", "app"), ("ssl_mode", "required"), ("timeout", "1s")];
    let error = leafmint::open::segment_through_unready(mysql::lender(&mysql_url()), options(given)).err().unwrap();
    assert_eq!((error.kind(), error.options()), (ErrorKind::InvalidConfig, &["username", "ssl_mode"][..]));
}

#[test]
fn a_url_and_lent_connections_lease_from_one_table() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let lent = open(mysql::lender_of_changed_rows(&mysql_url()), &table.0);
    let native = leafmint::open::segment(&mysql_url(), options([("table", table.0.as_str())])).unwrap();
    let mut ids: Vec<i64> = [&lent, &native, &lent, &native]
        .into_iter()
        .flat_map(|generator| generator.biz_tag("order").unwrap().next_ids(25).unwrap())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 100);
    assert!(number(&format!("SELECT max_id FROM `{table}`")) > *ids.last().unwrap());
}
