//! The names of leafmint's tables next to a table of segments.

use leafmint_ids::text::pasted::SqlDialect;

/// The default of the option `table`.
pub const TABLE: &str = "leaf_alloc";

/// The table of the gene bits of [`TABLE`]. For a table of another name, it is this name, `_` and that name.
const GENES: &str = "leafmint_gene";

/// The table of the series of [`TABLE`], named by the same rule.
const SERIES: &str = "leafmint_series";

/// The table of the sequences without gaps, whatever the table of segments is called.
pub const GAPLESS: &str = "leafmint_gapless";

/// Returns the name of the table of the sequences without gaps, in the schema of a table of segments.
pub fn gapless(table: &str) -> String {
    table.rsplit_once('.').map_or_else(|| GAPLESS.to_owned(), |(schema, _)| format!("{schema}.{GAPLESS}"))
}

/// Returns the name of the table of the gene bits of a table of segments. A tag in another table is another tag.
pub fn genes(table: &str) -> String {
    of_table(GENES, table)
}

/// Returns the name of the table of the series of a table of segments.
pub fn series(table: &str) -> String {
    of_table(SERIES, table)
}

fn of_table(own: &str, table: &str) -> String {
    let (schema, name) = match table.rsplit_once('.') {
        Some((schema, name)) => (format!("{schema}."), name),
        None => (String::new(), table),
    };
    if name.eq_ignore_ascii_case(TABLE) { format!("{schema}{own}") } else { format!("{schema}{own}_{name}") }
}

/// Returns the SQL that creates another table, for the schema that the table of segments is in.
pub(crate) fn in_schema_of(table: &str, sql: &str, dialect: SqlDialect) -> String {
    match table.rsplit_once('.') {
        Some((schema, _)) => sql.replacen("EXISTS ", &format!("EXISTS {}.", dialect.quoted(schema)), 1),
        None => sql.to_owned(),
    }
}
