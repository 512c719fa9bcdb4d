//! Fuzz target: what a lease finds in the row of a tag.

use crate::error::ErrorKind;
use crate::fuzz::{assert_refusal, fuzz, rows};
use crate::limit_cell::FIRST_REFUSED;
use crate::mysql::typed;
use crate::pasted::SqlDialect;
use crate::store::stored_row::StoredRow;
use crate::store::table::Table;
use mysql_async::Value;

#[test]
fn fuzz_rows_of_tags() {
    let table = Table::new("leaf_alloc", "db", SqlDialect::MySql);
    fuzz("tags", Vec::new(), |input| {
        let mut outcome = String::new();
        for row in rows(input) {
            let written = match row.as_ref(0) {
                Some(Value::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
                _ => String::new(),
            };
            let found = match typed::<StoredRow>(row).map_err(|failure| failure.into_error("db")) {
                Ok(found) => found,
                Err(error) => {
                    assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                    continue;
                }
            };
            for amount in [None, Some(1), Some(i64::from(i32::MAX))] {
                match StoredRow::problem(Some(&found), &table.scope, "order", amount) {
                    Some(error) => {
                        let kinds = [ErrorKind::InvalidConfig, ErrorKind::IdSpaceExhausted, ErrorKind::UnknownTag];
                        assert_refusal(&error, &kinds);
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
