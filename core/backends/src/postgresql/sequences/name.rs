//! Which sequence a tag draws from.

use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::pasted::{Sql, SqlDialect};
use std::fmt;

/// Stands for the name of the tag.
const TAG: &str = "{tag}";

/// The most bytes of a name in PostgreSQL, which cuts off the rest.
const MOST_BYTES: usize = 63;

/// The name of a sequence, with or without its schema; in it, `{tag}` stands for the name of the tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceName(String);

impl SequenceName {
    /// Reads a name: letters, digits, `_` and `$`, at most one point, and `{tag}`.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        match problem(&text.replace(TAG, "x")) {
            None => Ok(Self(text.to_owned())),
            Some(problem) => Err(format!("sequence={text} {problem}; {{tag}} stands for the name of the tag")),
        }
    }

    /// Returns the name in this schema, unless it names one.
    pub fn in_schema(self, schema: Option<&str>) -> Self {
        match schema {
            Some(schema) if !self.0.contains('.') => Self(format!("{schema}.{}", self.0)),
            _ => self,
        }
    }

    /// Returns whether each tag has a sequence of its own.
    pub(super) fn has_tag(&self) -> bool {
        self.0.contains(TAG)
    }

    /// Returns the name of the sequence of a tag, quoted for SQL. Raises `invalid_argument` if it can be none.
    pub(super) fn of_tag(&self, tag: &str) -> Result<String> {
        let name = self.0.replace(TAG, tag);
        match problem(&name) {
            None => Ok(SqlDialect::Postgres.quoted_path(&name)),
            Some(problem) => {
                let text = format!("tag {tag:?} makes sequence={} the name {name:?}, which {problem}", self.0);
                Err(Error::new(ErrorKind::InvalidArgument, text))
            }
        }
    }

    /// Begins a statement on a sequence, whose name is quoted, for a person.
    pub(super) fn sql(words: &'static str, quoted: &str) -> Sql {
        Sql::new(SqlDialect::Postgres, words).quoted(quoted)
    }

    /// Returns the schema, and what stands before and behind the tag in the name. `None` if the schema depends on the
    /// tag, or if the tag comes twice.
    pub(super) fn parts(&self) -> Option<(Option<&str>, &str, &str)> {
        let (schema, name) =
            self.0.split_once('.').map_or((None, self.0.as_str()), |(schema, name)| (Some(schema), name));
        let (before, behind) = name.split_once(TAG).unwrap_or((name, ""));
        let is_one = !behind.contains(TAG) && !schema.is_some_and(|schema| schema.contains(TAG));
        is_one.then_some((schema, before, behind))
    }
}

impl fmt::Display for SequenceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns why a name is none: it becomes part of statements.
fn problem(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    let is_plain = |part: &&str| part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    match parts.iter().find(|part| part.is_empty() || !is_plain(part)) {
        None if parts.len() <= 2 => parts
            .iter()
            .find(|part| part.len() > MOST_BYTES)
            .map(|part| format!("has {} bytes; PostgreSQL's names have at most {MOST_BYTES}", part.len())),
        _ => Some("is not a name of letters, digits, _ and $, with or without a schema".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_becomes_part_of_the_name() {
        let of = |text: &str, tag: &str| SequenceName::parse(text).unwrap().of_tag(tag);
        assert_eq!(of("{tag}_id_seq", "orders").unwrap(), "\"orders_id_seq\"");
        assert_eq!(of("shop.{tag}_seq", "Order").unwrap(), "\"shop\".\"Order_seq\"");
        assert_eq!(of("{tag}_id_seq", "shop.orders").unwrap(), "\"shop\".\"orders_id_seq\"");
        assert_eq!(of("hibernate_sequence", "any \" tag").unwrap(), "\"hibernate_sequence\"");
        for tag in ["o'hara", "a\"b", "a b", "很", "a.b.c", "", &"x".repeat(57)] {
            let error = of("{tag}_id_seq", tag);
            assert!(tag.is_empty() || error.is_err_and(|error| error.kind() == ErrorKind::InvalidArgument), "{tag}");
        }
    }

    #[test]
    fn only_plain_names_are_read() {
        for text in ["", ".", "a.", "a.b.c", "a b", "a\"b", "a;b", "{tag", "{TAG}_seq", &"x".repeat(64)] {
            assert!(SequenceName::parse(text).is_err(), "{text}");
        }
        let in_schema = |text: &str| SequenceName::parse(text).unwrap().in_schema(Some("shop")).0;
        assert_eq!([in_schema("{tag}_seq"), in_schema("public.a")], ["shop.{tag}_seq", "public.a"]);
    }

    #[test]
    fn a_name_has_parts_around_the_tag() {
        let parts = |text: &str| {
            let name = SequenceName::parse(text).unwrap();
            name.parts().map(|(schema, before, behind)| format!("{} {before} {behind}", schema.unwrap_or("-")))
        };
        assert_eq!(parts("shop.a_{tag}_seq").unwrap(), "shop a_ _seq");
        assert_eq!(parts("orders_id_seq").unwrap(), "- orders_id_seq ");
        assert_eq!((parts("{tag}.seq"), parts("{tag}_{tag}")), (None, None));
    }
}
