//! Worker ids from the ordinal of a StatefulSet's pod, as all languages read them.

use serde_json::Value;
use std::process::Command;

/// Set in the process that has the variables of the vectors.
const VARIABLE: &str = "LEAFMINT_TEST_ORDINALS";

fn vectors(list: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(include_str!("../../../tests/vectors/ordinals.json")).unwrap();
    vectors[list].as_array().unwrap().clone()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap()
}

#[test]
fn an_ordinal_is_the_worker_id_or_a_named_error() {
    if std::env::var_os(VARIABLE).is_some() {
        accepted();
        return refused();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "snowflake::ordinals::an_ordinal_is_the_worker_id_or_a_named_error", "--nocapture"])
        .env(VARIABLE, "1");
    for case in vectors("accepted").iter().chain(&vectors("refused")) {
        match case["value"].as_str() {
            Some(value) => command.env(text(case, "env"), value),
            None => command.env_remove(text(case, "env")),
        };
    }
    let ended = command.output().unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && printed.contains("1 passed"), "{printed}");
}

fn accepted() {
    let folder = tempfile::tempdir().unwrap();
    let process = std::process::id();
    for case in vectors("accepted") {
        let url = format!("{}&namespace=rust-{process}&state_dir={}", text(&case, "url"), folder.path().display());
        // A directory has one layout.
        let flakes = leafmint::open::snowflake(&format!("{url}/{}", text(&case, "env")), []).unwrap();
        let id = flakes.next_id().unwrap();
        assert_eq!(flakes.decode(id).unwrap().worker_id, case["worker_id"].as_i64().unwrap(), "{case}");
    }
}

fn refused() {
    for case in vectors("refused") {
        let error = leafmint::open::snowflake(text(&case, "url"), []).unwrap_err();
        assert_eq!(error.kind().code(), text(&case, "code"), "{case}");
        for mention in case["mentions"].as_array().unwrap() {
            assert!(error.message().contains(mention.as_str().unwrap()), "{mention} is not in: {error}");
        }
    }
}
