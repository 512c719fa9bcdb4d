//! Makes rows of a database from text: one row a line, its values separated by bars.

use mysql_async::{Row, Value};
use mysql_common::constants::ColumnType;
use mysql_common::packets::Column;
use mysql_common::row::new_row;

/// Most rows and columns; more would only cost memory for the descriptions of columns.
const MOST: usize = 16;

/// Reads rows of any number of columns: NULL or bytes, as in the text protocol.
pub(crate) fn rows(input: &[u8]) -> Vec<Row> {
    input.split(|byte| *byte == b'\n').take(MOST).map(row).collect()
}

fn row(line: &[u8]) -> Row {
    let value = |text: &[u8]| if text == b"NULL" { Value::NULL } else { Value::Bytes(text.to_vec()) };
    let values: Vec<Value> = line.split(|byte| *byte == b'|').take(MOST).map(value).collect();
    let columns: Vec<Column> = values.iter().map(|_| Column::new(ColumnType::MYSQL_TYPE_VAR_STRING)).collect();
    new_row(values, columns.into())
}
