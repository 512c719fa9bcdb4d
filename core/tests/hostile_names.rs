//! Every error for names with line breaks, escape sequences and secrets: each text is one short line without any of
//! them.

use crate::holders::{acquire_soon, wait};
use crate::stores::postgres::{Table, sql};
use crate::stores::zookeeper::Operator;
use crate::stores::{options, postgres_url, unique, zookeeper_url};
use leafmint::binding::events;
use leafmint::clock::SystemClock;
use leafmint::holder::{Pace, WorkerIdHolder};
use leafmint::store::NewTagOptions;
use leafmint::{Error, ErrorKind};
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings};
use log::{LevelFilter, Log, Metadata, Record};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECRET: &str = "s3ntinel";

/// A name for a tag, an endpoint, a directory or an option.
const HOSTILE: &str = "a\r\n2026 ERROR forged\u{1b}[2J\u{9b}b\u{7f}\u{202e}\u{2028}c";

/// The same as a string of PostgreSQL.
const SQL_HOSTILE: &str = r"a\r\n2026 ERROR forged\x1b[2J\u009bb\x7f\u202e\u2028c";

struct Kept(Mutex<Vec<String>>);

static KEPT: Kept = Kept(Mutex::new(Vec::new()));

impl Log for Kept {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target().starts_with("leafmint") {
            self.0.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn assert_harmless(text: &str) {
    assert!(!text.contains(SECRET), "a secret is in {text:?}");
    let unprintable = |letter: char| letter.is_control() || "\u{202e}\u{2028}".contains(letter);
    assert!(!text.contains(unprintable), "{text:?} is not one plain line");
    assert!(text.len() < 20_000, "{} bytes", text.len());
}

/// The errors and texts collected so far.
#[derive(Default)]
struct Collected {
    errors: BTreeMap<&'static str, Error>,
    texts: Vec<String>,
}

impl Collected {
    fn refused<T>(&mut self, answer: leafmint::Result<T>) {
        let error = answer.err().expect("refused");
        self.errors.insert(error.kind().code(), error);
    }
}

fn segments(folder: &Path, collected: &mut Collected) {
    let file = folder.join("ids.db");
    let url = format!("sqlite:///{}", file.display().to_string().replace('\u{9b}', "%C2%9B"));
    collected.refused(leafmint::open::segment(&url, [(HOSTILE.to_owned(), SECRET.into())]));
    let ids = leafmint::open::segment(&url, options([("default_step", "10"), ("max_step", "10")])).unwrap();
    collected.refused(ids.biz_tag(&HOSTILE.repeat(20)));
    let tag = ids.biz_tag(HOSTILE).unwrap();
    tag.next_id().unwrap();
    Connection::open(&file).unwrap().execute_batch("UPDATE leaf_alloc SET max_id = 1").unwrap();
    let regressed = (0..1000).find_map(|_| tag.next_id().err());
    collected.refused(regressed.map_or(Ok(()), Err));
    collected.texts.extend([format!("{ids:?}"), format!("{tag:?}"), ids.scope(), format!("{:?}", ids.stats())]);
    collected.texts.extend(ids.stats().tags.iter().filter_map(|(_, tag)| tag.last_error.clone()));
    ids.close().unwrap();
    collected.refused(ids.biz_tag("order"));
    let known = leafmint::open::segment(&url, options([("auto_create", "false")])).unwrap();
    collected.refused(known.biz_tag(&format!("{HOSTILE}2")).unwrap().next_id());
    for answer in [
        known.set_tag(&format!("{HOSTILE}2"), Some(5), None).unwrap().wait(),
        known.raise_tag(&format!("{HOSTILE}2"), 5).unwrap().wait().map(drop),
    ] {
        collected.texts.push(answer.unwrap_err().to_string());
    }
    Connection::open(&file).unwrap().execute_batch("UPDATE leaf_alloc SET step = 0").unwrap();
    let tags = known.list_tags().unwrap().wait().unwrap();
    assert_eq!(tags[0].biz_tag, HOSTILE);
    collected.texts.extend(tags.into_iter().filter_map(|tag| tag.problem));
}

fn outage(scheme: &str, collected: &mut Collected) {
    let given =
        options([("password", SECRET), ("username", HOSTILE), ("connect_timeout", "200ms"), ("timeout", "300ms")]);
    let away = leafmint::open::segment(&format!("{scheme}://127.0.0.1:1/db"), given).unwrap();
    let tag = away.biz_tag(HOSTILE).unwrap();
    collected.refused(tag.next_id());
    collected.refused(
        away.create_tag_with(HOSTILE, NewTagOptions::new().step(1))
            .unwrap()
            .wait_for(Duration::from_secs(20))
            .expect("it ends in time"),
    );
    collected.texts.extend([format!("{away:?}"), format!("{:?}", away.stats())]);
}

/// The server's own errors quote the names that it was asked for.
fn refusals_of_postgresql(collected: &mut Collected) {
    let table = Table::with_order(1, 10);
    let given = |extra: &[(&str, &str)]| {
        let mut all = vec![("table", table.0.as_str()), ("timeout", "5s")];
        all.extend_from_slice(extra);
        all.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect::<Vec<_>>()
    };
    let ids = leafmint::open::segment(&postgres_url(), given(&[("auto_create", "false")])).unwrap();
    collected.refused(ids.biz_tag(HOSTILE).unwrap().next_id());
    assert!(ids.create_tag_with(HOSTILE, NewTagOptions::new().step(10)).unwrap().wait().unwrap());
    ids.biz_tag(HOSTILE).unwrap().next_id().unwrap();
    sql(&format!("UPDATE \"{table}\" SET step = 0"));
    let tags = ids.list_tags().unwrap().wait().unwrap();
    assert!(tags.iter().any(|tag| tag.biz_tag == HOSTILE), "{tags:?}");
    collected.texts.extend(tags.into_iter().filter_map(|tag| tag.problem));
    let stranger = given(&[("username", HOSTILE), ("password", SECRET)]);
    collected.refused(leafmint::open::segment(&postgres_url(), stranger).unwrap().biz_tag("order").unwrap().next_id());
    let raising = format!("RAISE EXCEPTION USING MESSAGE = E'{SQL_HOSTILE}', DETAIL = '{SECRET}';");
    sql(&format!(
        "CREATE FUNCTION \"{table}_does\"() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {raising} END$$; \
         UPDATE \"{table}\" SET step = 10; \
         CREATE TRIGGER raises BEFORE UPDATE ON \"{table}\" FOR EACH ROW EXECUTE FUNCTION \"{table}_does\"()"
    ));
    let fresh = leafmint::open::segment(&postgres_url(), given(&[])).unwrap();
    let error = fresh.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.message().contains("forged"), "{error}");
    collected.refused::<()>(Err(error));
    sql(&format!("DROP FUNCTION \"{table}_does\"() CASCADE"));
}

fn snowflakes(folder: &Path, collected: &mut Collected) {
    let url = format!("local:{}", folder.display());
    let open = |given: &[(&str, &str)]| {
        let mut all = vec![("endpoint", HOSTILE), ("workers", "0"), ("timeout", "1s")];
        all.extend_from_slice(given);
        let given = all.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        leafmint::open::snowflake(&url, given).unwrap()
    };
    let first = open(&[]);
    first.next_id_within(Duration::from_secs(10)).unwrap();
    collected.refused(first.decode(-1));
    let second = open(&[]);
    collected.refused(second.next_id());
    collected.texts.extend([format!("{first:?}"), format!("{second:?}"), format!("{:?}", second.stats())]);
    collected.texts.extend(second.stats().last_error);
    let early =
        open(&[("namespace", "early"), ("epoch", "4102444800000"), ("layout", "timestamp:40,worker:10,sequence:12")]);
    collected.refused(early.next_id());
    let late = open(&[("namespace", "late"), ("layout", "timestamp:20,worker:10,sequence:12")]);
    collected.refused(late.next_id_within(Duration::from_secs(10)));
    let hours = open(&[("namespace", "hours"), ("layout", "timestamp:20,worker:10,sequence:4,unit:1h")]);
    hours.next_id_within(Duration::from_secs(10)).unwrap();
    let full = (0..100).find_map(|_| hours.next_id().err());
    collected.refused(full.map_or(Ok(()), Err));
}

/// Nodes that other programs wrote, and the ensemble's own answers.
fn nodes_of_zookeeper(collected: &mut Collected) {
    let (server, name) = (zookeeper_url(), unique("hostile"));
    let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    let open = |url: &str, given: &[(&str, &str)]| {
        let mut all = vec![("workers", "1-1023"), ("timeout", "2s"), ("state_files", "false")];
        all.retain(|(name, _)| given.iter().all(|(other, _)| name != other));
        all.extend_from_slice(given);
        let given = all.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        leafmint::open::snowflake(url, given)
    };
    let mut refused = |url: &str, given: &[(&str, &str)]| {
        let error = open(url, given).and_then(|ids| ids.next_id()).unwrap_err();
        collected.texts.extend([error.to_string(), error.context().unwrap_or_default().to_owned()]);
        collected.refused::<()>(Err(error));
    };
    let of_the_pool: &[(&str, &str)] = &[("workers", "7"), ("endpoint", HOSTILE)];
    let owner = open(&url, of_the_pool).unwrap();
    owner.next_id_within(Duration::from_secs(20)).unwrap();
    refused(&url, of_the_pool);
    refused("zookeeper://127.0.0.1:1/shop", &[("username", HOSTILE), ("password", SECRET), ("timeout", "300ms")]);
    refused(&url, &[("worker_mode", "leaf"), ("endpoint", HOSTILE)]);
    let (mut operator, root) = (Operator::new(), format!("/snowflake/{name}"));
    operator.create_all(&format!("{root}/forever/a\u{202e}\u{2028}forged"));
    operator.create(&format!("{root}/forever/10.0.0.1:8080-0000000007"), HOSTILE);
    refused(&url, &[("worker_mode", "leaf"), ("endpoint", "10.0.0.1:8080")]);
    operator.set(&format!("{root}/leafmint/default/worker/7"), HOSTILE);
    refused(&url, of_the_pool);
    operator.set(&format!("{root}/leafmint/default/layout"), HOSTILE);
    refused(&url, of_the_pool);
}

fn lost_lease(folder: &Path, collected: &mut Collected) {
    let settings = DirectorySettings {
        directory: folder.join("lost"),
        workers: 5.into(),
        layout: "leaf".into(),
        endpoint: HOSTILE.into(),
        pace: Pace { lease_duration: Duration::from_millis(500), heartbeat: Duration::from_millis(100) },
        name: "local",
        on_host: None,
    };
    let owner = DirectoryHolder::new(settings, Arc::new(SystemClock));
    let lease = acquire_soon(&owner);
    std::fs::remove_file(folder.join("lost/5.lock")).unwrap();
    collected.refused(wait(owner.extend(&lease, lease.horizon + 10_000)));
}

#[test]
fn no_text_of_any_error_event_or_generator_shows_a_secret_or_a_control_character() {
    log::set_logger(&KEPT).unwrap();
    log::set_max_level(LevelFilter::Trace);
    events::listen(|| {});
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join(HOSTILE);
    std::fs::create_dir(&folder).unwrap();
    let mut collected = Collected::default();
    segments(&folder, &mut collected);
    outage("mysql", &mut collected);
    outage("postgresql", &mut collected);
    refusals_of_postgresql(&mut collected);
    snowflakes(&folder, &mut collected);
    nodes_of_zookeeper(&mut collected);
    lost_lease(&folder, &mut collected);

    let mut missing: Vec<&str> = ErrorKind::ALL.map(ErrorKind::code).to_vec();
    missing.retain(|code| !collected.errors.contains_key(code));
    assert_eq!(missing, [""; 0], "errors that were not provoked");
    for error in collected.errors.values() {
        assert_harmless(error.message());
        assert_harmless(&error.to_string());
        assert_harmless(&format!("{error:?}"));
        assert_harmless(error.context().unwrap_or_default());
        assert_harmless(&std::error::Error::source(error).map(ToString::to_string).unwrap_or_default());
    }
    collected.texts.iter().for_each(|text| assert_harmless(text));
    let logged = KEPT.0.lock().unwrap().clone();
    assert!(logged.iter().any(|text| text.contains("forged")), "{logged:?}");
    logged.iter().for_each(|text| assert_harmless(text));
    events::take().iter().for_each(|event| assert_harmless(&event.text));
}
