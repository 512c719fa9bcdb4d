//! Names in SQL, and statements that a person pastes into a client.

use super::is_shown_as_it_is;
use std::fmt;

/// How a kind of database reads names and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    /// MySQL and MariaDB, in every `sql_mode`.
    MySql,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
    /// What H2, HSQLDB, Derby and SQLite read alike. A usual name has no quotes: each folds it its own way, so it finds
    /// what the application's own SQL made.
    Portable,
}

impl SqlDialect {
    /// Quotes a name for a statement that leafmint runs.
    pub fn quoted(self, name: &str) -> String {
        let quote = match self {
            Self::Portable if is_usual(name) => return name.to_owned(),
            Self::MySql => '`',
            Self::Postgres | Self::Sqlite | Self::Portable => '"',
        };
        format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
    }

    /// Quotes the name of a table with or without its schema. Neither contains a point.
    pub fn quoted_path(self, path: &str) -> String {
        path.split('.').map(|name| self.quoted(name)).collect::<Vec<_>>().join(".")
    }
}

/// Returns whether a name needs no quotes.
fn is_usual(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// A statement that a person pastes into a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sql {
    dialect: SqlDialect,
    words: Vec<String>,
}

impl Sql {
    /// Begins a statement with fixed words, such as `ALTER TABLE`.
    pub fn new(dialect: SqlDialect, words: &'static str) -> Self {
        Self { dialect, words: vec![words.to_owned()] }
    }

    /// Adds fixed words.
    pub fn words(mut self, words: &'static str) -> Self {
        match self.words.last_mut() {
            Some(last) if words.starts_with(',') => last.push_str(words),
            _ => self.words.push(words.to_owned()),
        }
        self
    }

    /// Adds a name, with those of what it is in before it.
    pub fn name(mut self, path: &[&str]) -> Self {
        let names: Vec<String> = path.iter().map(|name| self.shown(name)).collect();
        self.words.push(names.join("."));
        self
    }

    /// Adds a name that is quoted already: by the server, or by [`SqlDialect::quoted_path`].
    pub fn quoted(mut self, name: &str) -> Self {
        self.words.push(name.to_owned());
        self
    }

    /// Adds a number.
    pub fn number(mut self, number: impl Into<i128>) -> Self {
        self.words.push(number.into().to_string());
        self
    }

    /// Quotes a name, on PostgreSQL with escapes if a message would change it. MySQL and SQLite have none for names.
    fn shown(&self, name: &str) -> String {
        if self.dialect != SqlDialect::Postgres || name.chars().all(is_shown_as_it_is) {
            return self.dialect.quoted(name);
        }
        let escape = |character: char| match character {
            '\\' => r"\\".to_owned(),
            '"' => "\"\"".to_owned(),
            _ if is_shown_as_it_is(character) => character.to_string(),
            _ => format!("\\+{:06X}", u32::from(character)),
        };
        format!("U&\"{}\"", name.chars().map(escape).collect::<String>())
    }
}

impl fmt::Display for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statement = self.words.join(" ");
        if self.dialect != SqlDialect::MySql || statement.chars().all(is_shown_as_it_is) {
            return f.write_str(&statement);
        }
        // MySQL reads escapes in a text only, so the statement is prepared from one.
        write!(
            f,
            "SET @leafmint_sql = {}; PREPARE leafmint_sql FROM @leafmint_sql; EXECUTE leafmint_sql",
            mysql_text(&statement)
        )
    }
}

/// Writes a text, without a backslash, which is an escape or not as `sql_mode` says.
fn mysql_text(text: &str) -> String {
    let is_plain = |character: char| is_shown_as_it_is(character) && character != '\\';
    let mut parts: Vec<(bool, String)> = Vec::new();
    for character in text.chars() {
        match parts.last_mut() {
            Some((plain, part)) if *plain == is_plain(character) => part.push(character),
            _ => parts.push((is_plain(character), character.to_string())),
        }
    }
    let write = |(plain, part): (bool, String)| match plain {
        true => format!("'{}'", part.replace('\'', "''")),
        false => format!("_utf8mb4 X'{}'", part.bytes().map(|byte| format!("{byte:02X}")).collect::<String>()),
    };
    format!("CONCAT({})", parts.into_iter().map(write).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::shell::tests::HOSTILE;
    use super::*;

    #[test]
    fn a_usual_statement_reads_as_one_writes_it() {
        let raise =
            |dialect| Sql::new(dialect, "ALTER SEQUENCE").name(&["shop", "order_seq"]).words("RESTART WITH").number(7);
        assert_eq!(raise(SqlDialect::Postgres).to_string(), r#"ALTER SEQUENCE "shop"."order_seq" RESTART WITH 7"#);
        assert_eq!(raise(SqlDialect::MySql).to_string(), "ALTER SEQUENCE `shop`.`order_seq` RESTART WITH 7");
    }

    #[test]
    fn a_quote_in_a_name_is_doubled() {
        assert_eq!(SqlDialect::MySql.quoted("a`b\""), "`a``b\"`");
        assert_eq!(SqlDialect::Postgres.quoted("a`b\""), "\"a`b\"\"\"");
        assert_eq!(SqlDialect::Sqlite.quoted_path("a.b"), "\"a\".\"b\"");
    }

    #[test]
    fn a_usual_name_is_left_as_it_is_if_each_product_folds_names_its_own_way() {
        assert_eq!(SqlDialect::Portable.quoted_path("shop.leaf_alloc2"), "shop.leaf_alloc2");
        for name in ["", "2a", "_a", "a b", "a\"b", "ä", "a;b", "a--b"] {
            assert_eq!(SqlDialect::Portable.quoted(name), SqlDialect::Sqlite.quoted(name));
        }
    }

    #[test]
    fn a_message_shows_a_statement_as_it_is() {
        for name in HOSTILE {
            for dialect in [SqlDialect::MySql, SqlDialect::Postgres] {
                let text =
                    Sql::new(dialect, "ALTER TABLE").name(&[name]).words("AUTO_INCREMENT =").number(7).to_string();
                assert!(text.chars().all(is_shown_as_it_is), "{text}");
            }
        }
    }
}
