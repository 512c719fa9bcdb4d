//! The client on a real server.

use super::{Access, Changed, Created, Kind, Session, ZooKeeper};
use crate::sessions::{DatabaseSettings, LogIn, Outcome, Sessions, SslMode};
use leafmint_ids::error::{ErrorKind, Result};
use std::pin::Pin;
use std::time::Duration;

/// Returns sessions with the server to test against.
fn sessions(user: Option<&str>) -> Sessions<ZooKeeper> {
    let url = std::env::var("LEAFMINT_TEST_ZOOKEEPER")
        .expect("set LEAFMINT_TEST_ZOOKEEPER, or run `make test`, which starts a ZooKeeper");
    let authority = url.split("://").nth(1).unwrap().split('/').next().unwrap();
    let host = |text: &str| text.split_once(':').map(|(host, port)| (host.to_owned(), port.parse().unwrap())).unwrap();
    Sessions::new(DatabaseSettings {
        hosts: authority.split(',').map(host).collect(),
        database: "test".into(),
        log_in: LogIn::Configured { user: user.map(str::to_owned), password: user.map(|_| "secret".to_owned()) },
        sasl: false,
        takes_replica: false,
        lender: None,
        ssl_mode: SslMode::Disabled,
        ssl_ca: None,
        connect_timeout: Duration::from_secs(60),
    })
}

type OnNode<T> = for<'a> fn(&'a mut Session, &'a str) -> Pin<Box<dyn Future<Output = Outcome<T>> + Send + 'a>>;

fn run<T: Send>(sessions: &Sessions<ZooKeeper>, node: &str, work: OnNode<T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(sessions.run(|session, _| work(session, node)));
    // A session belongs to the runtime that it was made in.
    runtime.block_on(sessions.close());
    answer
}

fn node() -> String {
    format!("/leafmint-test-{}-{}", std::process::id(), fastrand::u64(..))
}

#[test]
fn a_node_is_created_once_and_changed_by_whoever_knows_its_version() {
    run(&sessions(None), &node(), |session, path| {
        Box::pin(async move {
            assert_eq!(session.get(path).await?, None);
            assert_eq!(session.set(path, b"", None).await?, Changed::Missing);
            assert_eq!(session.children(path).await?, None);
            let created = session.create(path, b"one", Kind::Plain, Access::Own).await?;
            assert_eq!(created, Created::New(path.to_owned()));
            assert_eq!(session.create(path, b"two", Kind::Plain, Access::Own).await?, Created::Exists);
            let found = session.get(path).await?.unwrap();
            assert_eq!((found.data.as_slice(), found.version), (&b"one"[..], 0));
            assert_eq!(session.set(path, b"two", Some(1)).await?, Changed::OtherVersion);
            let Changed::Done { version: 1, changed_at } = session.set(path, b"two", Some(0)).await? else {
                panic!("the version was known")
            };
            session.sync(path).await?;
            let found = session.get(path).await?.unwrap();
            assert_eq!((found.data.as_slice(), found.version, found.changed_at), (&b"two"[..], 1, changed_at));
            let below = session.create(&format!("{path}/a/b"), b"", Kind::Plain, Access::Own).await?;
            assert_eq!(below, Created::NoParent);
            session.ping().await
        })
    })
    .unwrap();
}

#[test]
fn sequential_nodes_get_numbers_that_ascend_and_many_are_read_at_once() {
    run(&sessions(None), &node(), |session, path| {
        Box::pin(async move {
            session.create(path, b"", Kind::Plain, Access::Open).await?;
            let mut paths = Vec::new();
            for number in 0..250 {
                let data = format!("{number}");
                let below = format!("{path}/h-");
                match session.create(&below, data.as_bytes(), Kind::Sequential, Access::Open).await? {
                    Created::New(path) => paths.push(path),
                    other => panic!("{other:?}"),
                }
            }
            assert!(paths[0].ends_with("/h-0000000000") && paths.is_sorted(), "{paths:?}");
            assert_eq!(session.children(path).await?.unwrap().len(), 250);
            paths.push(format!("{path}/missing"));
            let found = session.get_all(&paths).await?;
            let numbers: Vec<String> =
                found.iter().flatten().map(|node| String::from_utf8_lossy(&node.data).into_owned()).collect();
            assert_eq!(numbers, (0..250).map(|number| number.to_string()).collect::<Vec<_>>());
            assert_eq!(found.last(), Some(&None));
            Ok(())
        })
    })
    .unwrap();
}

#[test]
fn only_the_beginning_of_a_long_node_is_kept() {
    run(&sessions(None), &node(), |session, path| {
        Box::pin(async move {
            session.create(path, &[7; 100_000], Kind::Plain, Access::Open).await?;
            let found = session.get_all(&[path.to_owned(), path.to_owned()]).await?;
            let lengths: Vec<usize> = found.iter().flatten().map(|node| node.data.len()).collect();
            assert_eq!(lengths, [8 << 10; 2]);
            Ok(())
        })
    })
    .unwrap();
}

#[test]
fn a_node_of_an_account_is_changed_by_no_other() {
    let node = node();
    let create: OnNode<Created> =
        |session, path| Box::pin(async move { session.create(path, b"own", Kind::Plain, Access::Own).await });
    let set: OnNode<Changed> = |session, path| Box::pin(async move { session.set(path, b"other", None).await });
    run(&sessions(Some("a")), &node, create).unwrap();
    for other in [None, Some("b")] {
        let error = run(&sessions(other), &node, set).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(&node) && error.message().contains("NoAuth"), "{error}");
        assert!(run(&sessions(other), &node, |session, path| Box::pin(session.get(path))).unwrap().is_some());
    }
    assert!(matches!(run(&sessions(Some("a")), &node, set).unwrap(), Changed::Done { version: 1, .. }));
}

#[test]
fn a_server_that_lags_behind_what_was_seen_opens_no_session() {
    let sessions = sessions(None);
    run(&sessions, "/", |session, _| {
        Box::pin(async move {
            session.pretend_to_have_seen(i64::MAX);
            Ok(())
        })
    })
    .unwrap();
    let error = run(&sessions, "/", |session, path| Box::pin(session.get(path))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.message().contains("before it opened a session"), "{error}");
}

#[test]
fn an_answer_from_before_what_was_seen_is_not_believed() {
    run(&sessions(None), "/", |session, path| {
        Box::pin(async move {
            assert!(session.get(path).await?.is_some());
            session.pretend_to_have_seen(i64::MAX);
            let problem =
                session.get(path).await.err().map(|failure| failure.into_plain_error().to_string()).unwrap_or_default();
            assert!(problem.contains("lags behind"), "{problem}");
            Ok(())
        })
    })
    .unwrap();
}
