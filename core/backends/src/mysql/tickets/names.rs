//! The tables of ticket servers, as text: Flickr's, one for each tag, and leafmint's own.

use std::fmt::Write;

/// Begins the name of each ticket table, as Flickr's does.
const PREFIX: &str = "Tickets64_";

/// The longest tag that is part of a table's name as it is; names have 64 characters.
const LONGEST: usize = 64 - PREFIX.len();

/// leafmint's own tables, which every server has.
pub(crate) const OWN_TABLES: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS `leafmint_ticket_server` (
  `ticket_offset` int NOT NULL,
  `ticket_increment` int NOT NULL,
  `server` char(32) NOT NULL,
  `space` char(32) NOT NULL,
  `block` int NOT NULL,
  `is_self` int NOT NULL,
  PRIMARY KEY (`ticket_offset`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE IF NOT EXISTS `leafmint_ticket_tag` (
  `biz_tag` varchar(128) NOT NULL,
  `gene_bits` int NOT NULL,
  `description` varchar(256) DEFAULT NULL,
  `update_time` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`biz_tag`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE IF NOT EXISTS `leafmint_ticket_floor` (
  `biz_tag` varchar(128) NOT NULL,
  `ticket_offset` int NOT NULL,
  `ticket` bigint NOT NULL,
  PRIMARY KEY (`biz_tag`, `ticket_offset`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
];

/// Returns the name of the ticket table of a tag.
///
/// A tag that is no plain name is spelt in a hash. Two tags may share a table, by the hash or on a server that compares
/// names of tables without case: they share its tickets then, and each ticket is drawn by one of them.
pub(super) fn table_of(tag: &str) -> String {
    let is_plain = tag.len() <= LONGEST && tag.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_plain {
        return format!("{PREFIX}{tag}");
    }
    let digest = ring::digest::digest(&ring::digest::SHA256, tag.as_bytes());
    let mut name = format!("{PREFIX}$");
    digest.as_ref().iter().take(16).for_each(|byte| write!(name, "{byte:02x}").expect("a String takes everything"));
    name
}

/// Returns the SQL that creates the ticket table of a tag.
pub(super) fn table_schema(tag: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS `{}` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `stub` char(1) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `stub` (`stub`)
) ENGINE=InnoDB",
        table_of(tag)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_has_a_table_whose_name_fits_and_needs_no_escapes() {
        assert_eq!(table_of("order"), "Tickets64_order");
        for tag in ["a b", "o'hara", "back`tick", "🙂", &"x".repeat(55), &"很".repeat(128)] {
            let name = table_of(tag);
            assert!(name.len() <= 64 && name.starts_with("Tickets64_$"), "{name}");
            assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_$".contains(letter)), "{name}");
        }
        assert_ne!(table_of("a b"), table_of("a  b"));
        assert_eq!(table_of(&"x".repeat(54)).len(), 64);
    }
}
