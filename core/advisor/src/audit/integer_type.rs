//! Ranges of whole numbers in columns.

/// Returns the highest number that a column of this type holds; `None` if it is no type of whole numbers.
///
/// The names are those of MySQL's `COLUMN_TYPE` and PostgreSQL's `format_type`. SQLite has one range for all.
pub(super) fn largest(data_type: &str) -> Option<u64> {
    let name = data_type.split(['(', ' ']).next().unwrap_or_default();
    let bits = match name {
        "tinyint" => 8,
        "smallint" => 16,
        "mediumint" => 24,
        "int" | "integer" => 32,
        "bigint" => 64,
        _ => return None,
    };
    let is_unsigned = data_type.contains("unsigned");
    Some(u64::MAX >> (64 - bits) >> u32::from(!is_unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_range() {
        for (data_type, expected) in [
            ("tinyint(4)", 127),
            ("tinyint unsigned", 255),
            ("smallint", 32_767),
            ("mediumint(8) unsigned", 16_777_215),
            ("int(11)", 2_147_483_647),
            ("integer", 2_147_483_647),
            ("int(10) unsigned zerofill", 4_294_967_295),
            ("bigint", i64::MAX as u64),
            ("bigint(20) unsigned", u64::MAX),
        ] {
            assert_eq!(largest(data_type), Some(expected), "{data_type}");
        }
        assert_eq!(largest("varchar(20)"), None);
        assert_eq!(largest("interval"), None);
    }
}
