//! What to run, and the order of the move.

use super::read::{CountedTable, Counters};
use super::room::plan;
use crate::migration::{Finding, Level};
use leafmint_ids::text::pasted::{ShellCommand, Sql, SqlDialect};

/// Something to run for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The table.
    pub table: String,
    /// Where it runs: `shell` or `sql`.
    pub place: &'static str,
    /// The command or the statement.
    pub text: String,
}

/// Returns what to run so that both may insert; nothing for a table where both may. `asked` is the room in ids.
pub fn commands(table: &CountedTable, asked: u64) -> Vec<Command> {
    let Some(planned) = plan(table, asked).filter(|_| !table.is_apart()) else { return Vec::new() };
    let command = |place, text| Command { table: table.table.clone(), place, text };
    let make = planned.start.map(|start| match table.stored {
        None => ShellCommand::leafmint("tags create").operand(&table.tag).number("--start", start),
        Some(_) => ShellCommand::leafmint("tags raise").operand(&table.tag).number("--above-id", start - 1),
    });
    // The statement waits for running transactions of the table, and the inserts behind it wait as long.
    let raise = Sql::new(SqlDialect::MySql, "ALTER TABLE").name(&[&table.table]).words("AUTO_INCREMENT =");
    let raise = raise.number(planned.counter).words(", ALGORITHM=INPLACE, LOCK=NONE");
    let make = make.map(|make| command("shell", make.to_string()));
    make.into_iter().chain([command("sql", format!("SET SESSION lock_wait_timeout = 3; {raise};"))]).collect()
}

/// Returns the move in order: what clashes, the room, both side by side, the tag alone, and the ways back.
pub fn steps(counters: &Counters, asked: u64, findings: &[Finding]) -> Vec<String> {
    let clashes = findings.iter().filter(|found| found.level == Level::Clash);
    let mut steps: Vec<String> = clashes.map(|found| format!("Mend {}: {}", found.subject, found.text)).collect();
    let all: Vec<Command> = counters.tables.iter().flat_map(|table| commands(table, asked)).collect();
    let of = |place: &str, say: &str| {
        let texts =
            all.iter().filter(|command| command.place == place).map(|command| format!("{say}: {}", command.text));
        texts.collect::<Vec<_>>()
    };
    steps.extend(of("shell", "Give the tag its numbers"));
    steps.extend(of("sql", "Raise the counter; after a lock wait timeout nothing has changed, so repeat it"));
    steps.extend(AFTER.map(str::to_owned));
    steps
}

const AFTER: [&str; 5] = [
    "leafmint migrate auto-increment check: both may insert if it ends with 0. Repeat it while both do",
    "Deploy the writers that pass ids of the tag, service by service. Way back: deploy the old ones again, in any order",
    "leafmint migrate auto-increment check --after --watch 60: if a counter moves, an old writer is left",
    "When no old writer is left, and not before: leafmint tags raise, as that check says. Until the room ends you may wait",
    "Way back from there: run plan again, raise the counter as it says, check, and deploy the old writers, service by service",
];

#[cfg(test)]
mod tests {
    use super::super::read::StoredTag;
    use super::super::room::ROOM;
    use super::*;

    fn texts(table: &CountedTable) -> Vec<String> {
        commands(table, ROOM).into_iter().map(|command| command.text).collect()
    }

    #[test]
    fn a_tag_is_made_before_the_counter_is_raised_over_it() {
        let texts = texts(&CountedTable::untouched());
        assert_eq!(texts[0], "leafmint tags create orders --start 1001001");
        assert!(texts[1].contains("ALTER TABLE `orders` AUTO_INCREMENT = 1001001001,"), "{texts:?}");
    }

    #[test]
    fn the_way_back_raises_the_counter_only() {
        let stored = Some(StoredTag { next: 1001, lease: 1000, genes: 1 });
        let texts = texts(&CountedTable { stored, ..CountedTable::untouched() });
        assert!(texts.len() == 1 && texts[0].contains("AUTO_INCREMENT = 1000001001"), "{texts:?}");
    }

    #[test]
    fn nothing_is_run_where_both_may_insert() {
        assert_eq!(texts(&CountedTable::with_room()), Vec::<String>::new());
    }

    #[test]
    fn a_tag_with_genes_is_raised_above_an_id() {
        let stored = Some(StoredTag { next: 512, lease: 256_000, genes: 256 });
        let behind = CountedTable { stored, ..CountedTable::untouched() };
        let first = plan(&behind, ROOM).unwrap().start.unwrap();
        assert_eq!(first % 256, 0, "the next id of a number is its first");
        assert_eq!(texts(&behind)[0], format!("leafmint tags raise orders --above-id {}", first - 1));
    }

    #[test]
    fn what_clashes_comes_first_and_the_way_back_last() {
        let counters = Counters { tables: vec![CountedTable::untouched()], ..Counters::default() };
        let steps = steps(&counters, ROOM, &[Finding::clash("orders", "its engine is MyISAM")]);
        assert_eq!(steps[0], "Mend orders: its engine is MyISAM");
        assert!(steps[1].starts_with("Give the tag") && steps[2].starts_with("Raise the counter"), "{steps:?}");
        assert!(steps.len() == 8 && steps[7].starts_with("Way back"), "{steps:?}");
    }
}
