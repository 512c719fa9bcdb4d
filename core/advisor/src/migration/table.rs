//! Judges the table of a Leaf.

use super::steps::Finding;
use leafmint_backends::mysql::is_transactional;
use leafmint_engine::store::{ColumnFacts, TableFacts};

/// The types of whole numbers.
const INTEGERS: [&str; 5] = ["bigint", "int", "mediumint", "smallint", "tinyint"];

/// Returns the findings on a table, by what the database says about it.
pub(super) fn judge(table: &str, facts: Option<&TableFacts>) -> Vec<Finding> {
    let Some(facts) = facts else {
        let text = "only a table of MySQL or MariaDB can be looked at, which is where Leaf keeps it";
        return vec![Finding::warning(table, text)];
    };
    let missing = facts.missing();
    if !missing.is_empty() {
        let text = format!("the table has no column {}: is it the one that Leaf uses?", missing.join(", "));
        return vec![Finding::clash(table, text)];
    }
    let found = [read_only(facts), engine(facts), view(facts), uniqueness(facts), triggers(facts), commits(facts)];
    let columns = [collation(facts), whole_numbers(facts)];
    found.into_iter().chain(columns).flatten().map(|(is_clash, text)| finding(table, is_clash, text)).collect()
}

/// A text, and whether it is a clash.
type Judgement = Option<(bool, String)>;

fn finding(table: &str, is_clash: bool, text: String) -> Finding {
    if is_clash { Finding::clash(table, text) } else { Finding::warning(table, text) }
}

fn read_only(facts: &TableFacts) -> Judgement {
    let text = "the server is read-only: name the primary, which Leaf writes to";
    facts.is_read_only.then(|| (true, text.to_owned()))
}

fn engine(facts: &TableFacts) -> Judgement {
    let engine = facts.engine.as_deref()?;
    let text = format!(
        "its engine {engine} has no transactions: a crash may undo leases, and Leaf's own two statements may lease one \
         range twice. Run ALTER TABLE … ENGINE=InnoDB"
    );
    (!facts.is_view && facts.engine.as_deref().is_some_and(|engine| !is_transactional(engine))).then_some((true, text))
}

fn view(facts: &TableFacts) -> Judgement {
    let text = "it is a view: give leafmint the table below it, whose engine it can check";
    facts.is_view.then(|| (true, text.to_owned()))
}

fn uniqueness(facts: &TableFacts) -> Judgement {
    let text = "biz_tag is not unique: a second row of a tag would stop leafmint, and make Leaf repeat ids. Run ALTER \
                TABLE … ADD UNIQUE (biz_tag)";
    (!facts.is_view && !facts.is_unique).then(|| (true, text.to_owned()))
}

fn triggers(facts: &TableFacts) -> Judgement {
    let names = facts.triggers.join(", ");
    let text = format!("it has triggers ({names}): one that changes max_id would break Leaf and leafmint alike");
    (!facts.triggers.is_empty()).then_some((false, text))
}

fn commits(facts: &TableFacts) -> Judgement {
    let text = "innodb_flush_log_at_trx_commit is not 1: if the server crashes, leases of its last second are undone, and \
                their ids may be minted again, by Leaf too";
    facts.loses_commits.then(|| (false, text.to_owned()))
}

fn collation(facts: &TableFacts) -> Judgement {
    let collation = facts.column("biz_tag")?.collation.as_deref()?;
    let text = format!(
        "the collation {collation} of biz_tag takes Order and order for one tag: leafmint serves both from one row, without a \
         repeat, where Leaf refused the spelling that is not stored"
    );
    collation.to_lowercase().ends_with("_ci").then_some((false, text))
}

fn whole_numbers(facts: &TableFacts) -> Judgement {
    let column = facts.column("max_id")?;
    if is_integer(column) {
        return None;
    }
    let text =
        format!("max_id is a {}, which may round: run ALTER TABLE … MODIFY max_id BIGINT NOT NULL", column.data_type);
    Some((true, text))
}

fn is_integer(column: &ColumnFacts) -> bool {
    column.data_type.split(['(', ' ']).next().is_some_and(|name| INTEGERS.contains(&name))
}

/// Returns the last value that `max_id` can hold, if the column is narrower than a BIGINT.
pub(super) fn last_value(facts: &TableFacts) -> Option<i64> {
    let data_type = &facts.column("max_id")?.data_type;
    let bits = match data_type.split(['(', ' ']).next()? {
        "int" => 32,
        "mediumint" => 24,
        "smallint" => 16,
        "tinyint" => 8,
        _ => return None,
    };
    Some((1_i64 << (if data_type.contains("unsigned") { bits } else { bits - 1 })) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::Level;

    fn leafs() -> TableFacts {
        let column = |name: &str, data_type: &str, collation: Option<&str>| ColumnFacts {
            name: name.to_owned(),
            data_type: data_type.to_owned(),
            collation: collation.map(str::to_owned),
        };
        TableFacts {
            engine: Some("InnoDB".to_owned()),
            columns: vec![
                column("biz_tag", "varchar(128)", Some("utf8mb4_bin")),
                column("max_id", "bigint(20)", None),
                column("step", "int(11)", None),
            ],
            is_unique: true,
            ..TableFacts::default()
        }
    }

    /// The levels and texts of what is found on Leaf's table after a change.
    fn after(change: impl FnOnce(&mut TableFacts)) -> Vec<(Level, String)> {
        let mut facts = leafs();
        change(&mut facts);
        judge("leaf_alloc", Some(&facts)).into_iter().map(|found| (found.level, found.text)).collect()
    }

    #[track_caller]
    fn one(level: Level, part: &str, change: impl FnOnce(&mut TableFacts)) {
        let found = after(change);
        assert!(found.len() == 1 && found[0].0 == level && found[0].1.contains(part), "{found:?}");
    }

    #[test]
    fn the_table_of_leafs_own_script_is_fine() {
        assert_eq!(after(|_| ()), []);
    }

    #[test]
    fn what_could_repeat_ids_is_a_clash() {
        one(Level::Clash, "MyISAM", |facts| facts.engine = Some("MyISAM".to_owned()));
        one(Level::Clash, "ADD UNIQUE", |facts| facts.is_unique = false);
        one(Level::Clash, "primary", |facts| facts.is_read_only = true);
        one(Level::Clash, "no column step", |facts| drop(facts.columns.pop()));
        for data_type in ["decimal(20,0)", "point"] {
            one(Level::Clash, data_type, |facts| facts.columns[1].data_type = data_type.to_owned());
        }
    }

    #[test]
    fn what_is_worth_knowing_is_a_warning() {
        one(Level::Warning, "AFTER UPDATE audit", |facts| facts.triggers.push("AFTER UPDATE audit".to_owned()));
        one(Level::Warning, "flush_log", |facts| facts.loses_commits = true);
        one(Level::Warning, "utf8_general_ci", |facts| facts.columns[0].collation = Some("utf8_general_ci".to_owned()));
        one(Level::Clash, "view", |facts| {
            (facts.is_view, facts.engine, facts.is_unique) = (true, None, false);
        });
        assert_eq!(judge("leaf_alloc", None).len(), 1);
    }

    #[test]
    fn a_narrow_column_has_a_last_value() {
        let last = |data_type: &str| {
            let mut facts = leafs();
            facts.columns[1].data_type = data_type.to_owned();
            last_value(&facts)
        };
        assert_eq!([last("bigint(20) unsigned"), last("int(11)")], [None, Some(2_147_483_647)]);
        assert_eq!([last("int unsigned"), last("mediumint")], [Some(4_294_967_295), Some(8_388_607)]);
    }
}
