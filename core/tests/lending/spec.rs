//! What every lender promises.

use crate::stores::{runtime, unique};
use leafmint_backends::borrowed::{Answer, Connected, DriverError, Lender, Question, Ran, Wanted};
use leafmint_engine::runtime::background::reply;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! suite {
    ($driver:ident, $lent:expr; $($promise:ident),* $(,)?) => {
        mod $driver { $(#[test] fn $promise() { super::$promise(&$lent.lender()); })* }
    };
}

on_each_driver! {
    suite;
    statements_run_in_turn_up_to_the_first_that_fails,
    statements_that_run_together_are_kept_together_or_not_at_all,
    a_connection_that_was_given_up_answers_no_more,
}

/// A connection, as the core asks for one.
pub(super) struct Asked<'a> {
    lender: &'a Arc<dyn Lender>,
    key: u64,
}

impl<'a> Asked<'a> {
    pub(super) fn open(lender: &'a Arc<dyn Lender>) -> (Self, Connected) {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 32);
        let asked = Self { lender, key: NEXT.fetch_add(1, Ordering::Relaxed) };
        match asked.ask(Wanted::Connect) {
            Ok(Answer::Connected(connected)) => (asked, connected),
            other => panic!("{other:?}"),
        }
    }

    fn ask(&self, wanted: Wanted) -> Result<Answer, DriverError> {
        let (reply, answer) = reply();
        self.lender.ask(Question { connection: self.key, wanted, reply });
        runtime().block_on(answer).unwrap()
    }

    pub(super) fn run(&self, statements: &[&str]) -> Vec<Result<Ran, DriverError>> {
        self.ran(Wanted::Run(statements.iter().map(ToString::to_string).collect()))
    }

    pub(super) fn run_together(&self, statements: &[&str]) -> Vec<Result<Ran, DriverError>> {
        self.ran(Wanted::RunTogether(statements.iter().map(ToString::to_string).collect()))
    }

    fn ran(&self, wanted: Wanted) -> Vec<Result<Ran, DriverError>> {
        match self.ask(wanted) {
            Ok(Answer::Ran(results)) => results,
            other => panic!("{other:?}"),
        }
    }
}

fn rows(values: &[&str]) -> Ran {
    Ran::Rows(values.iter().map(|value| vec![Some(value.to_string())]).collect())
}

fn statements_run_in_turn_up_to_the_first_that_fails(lender: &Arc<dyn Lender>) {
    let (asked, connected) = Asked::open(lender);
    assert!(!connected.product.is_empty() && !connected.version.is_empty(), "{connected:?}");
    let table = unique("lent");
    let results = asked.run(&[
        &format!("CREATE TABLE {table} (a INT, b VARCHAR(9), c BIGINT)"),
        &format!("INSERT INTO {table} (a, b) VALUES (7, 'o''?%s:b')"),
        &format!("SELECT a, b, c FROM {table}"),
        &format!("SELECT a FROM {table}_missing"),
        &format!("SELECT b FROM {table}"),
    ]);
    let row = vec![Some("7".to_owned()), Some("o'?%s:b".to_owned()), None];
    assert_eq!(results[1..3], [Ok(Ran::Changed(1)), Ok(Ran::Rows(vec![row]))]);
    assert_eq!(results.len(), 4);
    let error = results[3].as_ref().unwrap_err();
    assert!(!error.is_lost && (error.number.is_some() || error.state.is_some()), "{error:?}");
    let found = asked.run(&[&format!("SELECT a FROM {table}"), &format!("DROP TABLE {table}")]);
    assert_eq!(found[0], Ok(rows(&["7"])));
    assert_eq!(asked.ask(Wanted::End), Ok(Answer::Ended));
}

fn statements_that_run_together_are_kept_together_or_not_at_all(lender: &Arc<dyn Lender>) {
    let (asked, _) = Asked::open(lender);
    let table = unique("lent");
    let insert = |number: u32| format!("INSERT INTO {table} (a) VALUES ({number})");
    let made = asked.run(&[&format!("CREATE TABLE {table} (a INT NOT NULL PRIMARY KEY)")]);
    assert!(made[0].is_ok(), "{made:?}");
    let kept = asked.run_together(&[&insert(1), &insert(2)]);
    assert_eq!(kept, [Ok(Ran::Changed(1)), Ok(Ran::Changed(1))]);
    let undone = asked.run_together(&[&insert(3), &insert(1), &insert(4)]);
    assert!(undone.len() == 2 && undone[1].is_err(), "{undone:?}");
    let (another, _) = Asked::open(lender);
    let found = another.run(&[&format!("SELECT a FROM {table} ORDER BY a"), &format!("DROP TABLE {table}")]);
    assert_eq!(found[0], Ok(rows(&["1", "2"])));
    assert!(found[1].is_ok(), "{found:?}");
}

fn a_connection_that_was_given_up_answers_no_more(lender: &Arc<dyn Lender>) {
    let (asked, _) = Asked::open(lender);
    assert_eq!(asked.ask(Wanted::Abandon), Ok(Answer::Ended));
    assert!(asked.ask(Wanted::Run(vec!["SELECT 1".to_owned()])).unwrap_err().is_lost);
}
