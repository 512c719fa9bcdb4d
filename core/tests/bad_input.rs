//! Bad input raises a named error that says what to write instead, and nothing is written.

use crate::stores::options;
use leafmint::binding::timeout_from_seconds;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, MAX_BATCH, MAX_RUN, Reason, schema_sql};

fn refused<const N: usize>(url: &str, given: [(&str, &str); N]) -> String {
    let error = leafmint::open::segment(url, options(given)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{url}: {error}");
    error.message().to_owned()
}

#[test]
fn a_url_that_names_no_store_is_refused() {
    for url in [
        "",
        "ids.db",
        "http://host/db",
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite://host/ids.db",
        "mysql:",
        "mysql://",
        "mysql://host",
        "mysql:///db",
        "mysql://host/a/b",
        "mysql://host:port/db",
        "mysql://host:0/db",
        "mysql://a,,b/db",
        "mysql://host:70000/db",
        "mysql://host/d%b",
        "mysql://host/d%4",
        "mysql://host/%ff",
        "memory:x",
        "sqlite:///a%00b",
        "sqlite:///:memory:",
        "memory:?timeout=%zz",
    ] {
        refused(url, []);
    }
}

#[test]
fn an_unknown_option_is_refused_with_a_list_of_the_known_ones() {
    let message = refused("memory:", [("timout", "5s")]);
    assert!(
        message.contains("\"timout\"") && leafmint::SEGMENT_OPTIONS.iter().all(|option| message.contains(option.name)),
        "{message}"
    );
    refused("memory:?stp=5", []);
}

#[test]
fn a_value_out_of_range_is_refused() {
    for (name, value) in [
        ("timeout", "-1"),
        ("timeout", "nan"),
        ("timeout", "inf"),
        ("timeout", "5 parsecs"),
        ("timeout", "400d"),
        ("timeout", ""),
        ("connect_timeout", "0"),
        ("max_step", "0"),
        ("max_step", "-1"),
        ("max_step", "2147483648"),
        ("max_step", "1.5"),
        ("max_unused", "0"),
        ("default_step", "0"),
        ("default_step", "-7"),
        ("default_step", "2147483648"),
        ("default_start", "-1"),
        ("default_start", "9223372036854775807"),
        ("auto_create", "yes"),
        ("eager", "1"),
        ("ssl_mode", "on"),
        ("ssl_ca", "no/such/file.pem"),
        ("table", ""),
        ("table", "a b"),
        ("table", "a`b"),
        ("table", "a.b.c"),
        ("eager_tags", "\0"),
    ] {
        let message = refused("mysql://127.0.0.1:1/db", [(name, value)]);
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn one_message_lists_all_errors() {
    let message = refused("mysql://host:x/", [("timeout", "soon"), ("max_step", "0"), ("colour", "red")]);
    for part in ["5 problems", "port", "write mysql://", "timeout=soon", "max_step=0", "\"colour\""] {
        assert!(message.contains(part), "{part} is not in: {message}");
    }
}

#[test]
fn parameters_that_platforms_print_are_obeyed_and_those_of_drivers_refused() {
    let url = "postgis://u:p@127.0.0.1:1/db?sslmode=require&channel_binding=require&schema=shop&pgbouncer=true";
    leafmint::open::segment(url, []).unwrap();
    leafmint::open::segment("mysql2://127.0.0.1:1/db?ssl-mode=REQUIRED&reconnect=true&connection_limit=1", []).unwrap();
    let message = refused("mysql://127.0.0.1:1/db?ssl-mode=MAYBE", []);
    assert!(message.contains("ssl-mode=MAYBE"), "{message}");
    let message = refused("mysql://127.0.0.1:1/db?ssl-mode=DISABLED&sslaccept=strict", []);
    assert!(message.contains("ssl-mode=DISABLED") && message.contains("keep one"), "{message}");
    for parameter in ["useSSL=true", "unix_socket=/tmp/s", "init_command=SET%20a%3D1", "options=-csearch_path%3Dshop"] {
        let message = refused(&format!("mysql://127.0.0.1:1/db?{parameter}"), []);
        assert!(message.contains("pass the engine or data source"), "{message}");
    }
}

#[test]
fn a_tag_that_no_table_can_hold_is_refused() {
    let ids = leafmint::open::segment(&format!("memory://{}", crate::stores::unique("bad")), []).unwrap();
    for tag in ["", "a\0b", "\0", &"x".repeat(129), &"🙂".repeat(129), " ", "order ", " order", "  a  "] {
        assert_eq!(ids.biz_tag(tag).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(
            ids.create_tag_with(tag, NewTagOptions::new().step(1)).err().unwrap().kind(),
            ErrorKind::InvalidArgument
        );
    }
    for tag in ["a b", "🙂", "'; --", &"🙂".repeat(128)] {
        assert_eq!(ids.biz_tag(tag).unwrap().next_id().unwrap(), 1, "{tag}");
    }
}

#[test]
fn a_tag_is_not_created_with_a_step_or_start_out_of_range() {
    let ids = leafmint::open::segment(
        &format!("memory://{}", crate::stores::unique("bad")),
        options([("auto_create", "false")]),
    )
    .unwrap();
    for (step, start) in [
        (0, 1),
        (-1, 1),
        (1 << 31, 1),
        (i64::MAX, 1),
        (i64::MIN, 1),
        (1, -1),
        (1, i64::MAX),
        (1, i64::MIN),
        (1, 1 << 61),
    ] {
        let error = ids.create_tag_with("order", NewTagOptions::new().step(step).start(start)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{step} {start}");
    }
    assert_eq!(
        ids.create_tag_with("order", NewTagOptions::new().step(1).description("x".repeat(257))).err().unwrap().kind(),
        ErrorKind::InvalidArgument
    );
    assert_eq!(
        ids.biz_tag("order").unwrap().next_id().unwrap_err().kind(),
        ErrorKind::UnknownTag,
        "nothing was written"
    );
}

#[test]
fn a_batch_out_of_range_is_refused_with_the_words_of_the_vectors() {
    let ids = leafmint::open::segment(&format!("memory://{}", crate::stores::unique("bad")), []).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../tests/vectors/batches.json")).unwrap();
    for case in vectors["out_of_range"].as_array().unwrap() {
        let count = case["count"].as_i64().unwrap();
        let error = match case["call"].as_str().unwrap() {
            "next_ids" => order.next_ids(count).unwrap_err(),
            _ => order.next_range(count).unwrap_err(),
        };
        assert_eq!(error.kind().code(), case["code"]);
        assert!(error.message().contains(case["mentions"][0].as_str().unwrap()), "{error}");
    }
    assert_eq!(
        vectors["limits"],
        serde_json::json!([
            {"call": "next_ids", "most": MAX_BATCH},
            {"call": "next_range", "most": MAX_RUN},
        ])
    );
    for _ in 0..2 {
        assert_eq!(
            (order.next_ids(0).unwrap(), order.next_range(0).unwrap().count()),
            (vec![], 0),
            "an empty batch is empty"
        );
    }
    assert_eq!(order.next_id().unwrap(), 1, "nothing was drawn");
}

#[test]
fn a_timeout_is_a_number_of_seconds() {
    for seconds in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        assert_eq!(timeout_from_seconds(seconds).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert!(timeout_from_seconds(0.0).unwrap().is_zero());
}

#[test]
fn an_unknown_dialect_is_refused() {
    assert_eq!(schema_sql("oracle").unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert!(schema_sql("sqlite").unwrap().contains("leaf_alloc"));
}

#[test]
fn no_message_repeats_a_password() {
    for url in [
        "mysql://u:s3ntinel@host/a/b",
        "mysql://u:s3ntinel@host:x/db",
        "mysql://u:s3nt%inel@host/db",
        "oracle://u:s3ntinel@host/db",
        "mysql://u:s3ntinel/db",
        "mysql://u:s3ntinel@/db",
        "mysql://host/?password=s3ntinel",
        "u:s3ntinel@host",
    ] {
        let message = refused(url, []);
        assert!(!message.contains("s3nt"), "{message}");
    }
}

#[test]
fn a_url_that_may_contain_a_raw_password_is_refused_without_repeating_any_of_it() {
    let mut messages = std::collections::BTreeSet::new();
    for raw in ['/', '?', '#', '&', '@'] {
        for url in [
            format!("mysql://u:s3{raw}nt/x@host/db"),
            format!("mysql://u:s3{raw}nt?x@host/db"),
            format!("jdbc:mysql://u:s3{raw}nt#x@host/db"),
            format!("postgresql+psycopg_async://u:s3{raw}nt/x@host/db"),
            format!("mysql://host/db?user=u&password=s3{raw}nt@x"),
            format!("jdbc:mysql://host/db?password=s3{raw}nt@x&useUnicode=true"),
            format!("mysql:u:s3{raw}nt@host"),
        ] {
            messages.insert(refused(&url, []));
            let error = leafmint::open::snowflake(&url, []).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig);
            messages.insert(error.message().to_owned());
        }
    }
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages.iter().all(|message| message.contains("%40") && !message.contains("s3")), "{messages:?}");
}

#[test]
fn the_possible_rest_of_a_password_is_not_repeated_either() {
    for url in [
        "mysql://host/db?pasword=s3ntinel",
        "mysql://host/db?pasword=x&s3ntinel",
        "mysql://host/db?password=x&s3ntinel",
        "mysql://host/db?password=x&s3nt=inel",
        "mysql://host/db?passWd=s3ntinel&s3ntinel=1",
        "jdbc:mysql://host/db?password=x&s3ntinel",
        "mysql://u:s3nt/inel",
        "mysql:///u:s3ntinel",
    ] {
        let message = refused(url, []);
        assert!(!message.contains("s3nt") && !message.contains("inel"), "{message}");
    }
    assert!(refused("mysql://host/db?pasword=x", []).contains("\"pasword\""), "the mistake itself is named");
    refused("mysql://host/db", [("pasword", "s3ntinel")]);
}

#[test]
fn a_nul_in_a_field_of_the_login_is_refused_before_connecting() {
    for url in [
        "mysql://app%00x@127.0.0.1:1/db",
        "mysql://u:p%00@127.0.0.1:1/db",
        "mysql://127.0.0.1:1/d%00b",
        "mysql://h%00/db",
    ] {
        assert!(refused(url, []).contains("NUL"), "{url}");
    }
    for (name, value) in [("username", "app\0x"), ("password", "p\0"), ("endpoint", "a\0b")] {
        let url = "mysql://127.0.0.1:1/db";
        let error = leafmint::open::snowflake(url, options([(name, value)])).unwrap_err();
        assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains(name), "{error}");
    }
}

#[test]
fn a_file_without_certificates_of_authorities_is_refused_at_once_with_its_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("empty"), "").unwrap();
    std::fs::write(path("garbage"), "no certificate\n".repeat(100)).unwrap();
    std::fs::write(path("cut"), "-----BEGIN CERTIFICATE-----\nMIIB").unwrap();
    std::fs::write(path("broken"), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n").unwrap();
    std::fs::File::create(path("huge")).unwrap().set_len(100 << 20).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    let names = ["empty", "garbage", "cut", "broken", "huge", "pipe", "absent", "."];
    for path in names.map(path).into_iter().chain(["/dev/zero".to_owned()]) {
        let began = std::time::Instant::now();
        let message = refused("mysql://127.0.0.1:1/db", [("ssl_ca", &path)]);
        assert!(message.contains(&format!("ssl_ca={path}")), "{message}");
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{path}: {:?}", began.elapsed());
    }
}

#[test]
fn codes_are_those_of_the_vectors() {
    let errors: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../tests/vectors/errors.json")).unwrap();
    assert_eq!(errors.len(), ErrorKind::ALL.len());
    for (vector, kind) in errors.iter().zip(ErrorKind::ALL) {
        assert_eq!(
            (vector["code"].as_str(), vector["retryable"].as_bool()),
            (Some(kind.code()), Some(kind.retryable()))
        );
    }
    let reasons: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../tests/vectors/reasons.json")).unwrap();
    let codes: Vec<_> = reasons.iter().map(|vector| vector["code"].as_str().unwrap()).collect();
    assert_eq!(codes, Reason::ALL.map(Reason::code));
}

#[test]
fn an_error_of_a_configuration_names_the_options_and_an_unserved_url() {
    let given = [("max_step", "0"), ("timeout", "1s"), ("eager", "soon")];
    let error = leafmint::open::segment("memory:?default_step=-1", options(given)).unwrap_err();
    assert_eq!(error.options(), ["eager", "max_step", "default_step"]);
    assert_eq!(error.reason(), None);
    for url in ["oracle://h/db", "jdbc:h2:mem:shop", "mysql+pymysql://h/db", "mysql://address=(host=h)/db"] {
        let error = leafmint::open::segment(url, []).unwrap_err();
        assert_eq!(error.reason(), Some(Reason::UnservedUrl), "{error}");
    }
}

#[test]
fn a_scheme_of_the_other_kind_of_ids_and_a_worker_id_out_of_range_say_what_to_write() {
    for url in ["local:w", "fixed:7", "zookeeper://h/shop"] {
        let error = leafmint::open::segment(url, []).unwrap_err();
        assert!(error.message().contains("open a SnowflakeGenerator"), "{error}");
    }
    for url in ["sqlite:///ids.db", "memory:", "tickets://h1,h2/db"] {
        let error = leafmint::open::snowflake(url, []).unwrap_err();
        assert!(error.message().contains("write local:"), "{error}");
    }
    for url in ["fixed:2000", "fixed:-1", "fixed:x"] {
        let error = leafmint::open::snowflake(url, []).unwrap_err();
        let shown =
            format!("{:?} behind fixed: is no worker id of this layout, which has those from 0 to 1023", &url[6..]);
        assert!(error.message().contains(&shown), "{error}");
    }
}
