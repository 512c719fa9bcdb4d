//! Accounts that may not do what leafmint needs, and nodes that belong to an account.

use super::operator::Operator;
use crate::holders::{Claimant, Server, open, process, wait};
use crate::stores::unique;
use leafmint::{ErrorKind, Reason};
use leafmint_backends::sessions::LogIn;

/// Describes a process that logs in, below a Leaf of its own.
fn on(name: &str, user: Option<&str>) -> Claimant {
    let mut process = process(Server::ZooKeeper, "default", 1);
    process.database.database = name.to_owned();
    process.database.log_in =
        LogIn::Configured { user: user.map(str::to_owned), password: user.map(|_| "secret".to_owned()) };
    process
}

#[test]
fn a_pool_of_an_account_is_for_no_other() {
    let name = unique("owned");
    wait(open(on(&name, Some("shop"))).acquire()).unwrap();
    for other in [None, Some("other")] {
        let error = wait(open(on(&name, other)).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("NoAuth") && error.message().contains("setAcl"), "{error}");
        assert!(!error.message().contains("secret"), "{error}");
        let error = wait(open(on(&name, other)).check()).unwrap_err();
        assert!(error.message().contains("NoAuth"), "{error}");
    }
    let worker = format!("/snowflake/{name}/leafmint/default/worker");
    assert_eq!(Operator::new().children(&worker), ["0"], "everyone may read");
    assert_eq!(wait(open(on(&name, Some("shop"))).acquire()).unwrap().worker_id, 1);
    // Leaf, which logs in to nothing, still has its own place.
    Operator::new().create_all(&format!("/snowflake/{name}/forever"));
}

#[test]
fn a_leaf_whose_nodes_belong_to_another_account_is_refused() {
    let name = unique("foreign");
    let mut leaf = Operator::new().log_in("leaf", "word");
    leaf.create_all("/snowflake");
    leaf.create_for(&format!("/snowflake/{name}"), "", &[(31, "auth", ""), (1, "world", "anyone")]);
    let error = wait(open(on(&name, Some("shop"))).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains(&format!("/snowflake/{name}/leafmint: error -102 (NoAuth)")), "{error}");
    assert_eq!(error.server().and_then(|server| server.number()), Some(-102));
    assert_eq!(error.reason(), Some(Reason::Denied));
    assert_eq!(leaf.children(&format!("/snowflake/{name}")), Vec::<String>::new());
}
