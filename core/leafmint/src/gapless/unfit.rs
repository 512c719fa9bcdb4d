//! What is wrong with a table that cannot count without gaps.

use leafmint_backends::tables::gapless::unfit;
use leafmint_ids::error::Error;
use leafmint_ids::text::one_line;

pub(super) fn not_whole(row: &str) -> Error {
    unfit(&format!(
        "cannot count sequence {row:?}: its column number rounds, or holds other values than whole numbers: roll this \
         transaction back, and make the column a BIGINT (in SQLite an INTEGER)"
    ))
}

pub(super) fn other_name(row: &str, stored: &str) -> Error {
    unfit(&format!(
        "takes sequence {row:?} for {:?}, because the collation of its column name does: both would have gaps. Roll this \
         transaction back, and use one spelling, or a collation that tells them apart (utf8mb4_bin, \"C\", BINARY)",
        one_line(stored)
    ))
}

pub(super) fn not_counted(row: &str, number: i64) -> Error {
    unfit(&format!(
        "did not count sequence {row:?} on: it is still {number}, because its column number is full, a trigger changes it, or name \
         is not unique: roll this transaction back, and compare the table with schema_sql(\"mysql\")"
    ))
}
