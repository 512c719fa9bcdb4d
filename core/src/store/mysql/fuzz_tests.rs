//! Fuzz target: what a lease finds in the row of a tag.

use super::row::Found;
use super::statements::Table;
use crate::error::ErrorKind;
use crate::fuzz::{assert_refusal, fuzz, rows};
use crate::limit_cell::FIRST_REFUSED;
use crate::mysql::typed;
use mysql_async::Value;
use std::sync::atomic::AtomicBool;

#[test]
fn fuzz_rows_of_tags() {
    let text = |text: &str| text.to_owned();
    let (name, quoted, genes, scope) =
        (text("leaf_alloc"), text("`leaf_alloc`"), text("`leafmint_gene`"), text("db.leaf_alloc"));
    let table = Table { name, quoted, genes, scope, reads_genes: AtomicBool::new(true) };
    fuzz("tags", Vec::new(), |input| {
        let mut outcome = String::new();
        for row in rows(input) {
            let written = match row.as_ref(0) {
                Some(Value::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
                _ => String::new(),
            };
            let found = match typed::<Found>(row).map_err(|failure| failure.into_error("db")) {
                Ok(found) => found,
                Err(error) => {
                    assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                    continue;
                }
            };
            for amount in [None, Some(1), Some(i64::from(i32::MAX))] {
                match Found::problem(Some(&found), &table, "order", amount) {
                    Some(error) => {
                        assert_refusal(&error, &[ErrorKind::InvalidConfig, ErrorKind::IdSpaceExhausted]);
                        outcome += error.message();
                    }
                    None => {
                        let whole = written.split('.').next().unwrap_or_default().to_owned();
                        let max_id: i128 = whole.parse().expect("only a number is leased from");
                        let end = max_id + i128::from(amount.unwrap_or(found.whole_step));
                        assert!(0 <= max_id && end <= i128::from(FIRST_REFUSED), "{max_id} {end}");
                        outcome += "leased";
                    }
                }
            }
        }
        outcome
    });
}
