//! What to run, and the order of the move.

use super::read::{CountedTable, Counters};
use super::room::{ROOM, plan};
use crate::audit::Chosen;
use crate::migration::{Finding, Level};
use leafmint_ids::text::pasted::{ShellCommand, Sql, SqlDialect};

/// Something to run for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The table; empty if it is of all.
    pub table: String,
    /// Where it runs: `shell` or `sql`.
    pub place: &'static str,
    /// The command or the statement.
    pub text: String,
}

/// Returns what to run so that both may insert; nothing for tables where both may. `asked` is the room in ids.
pub fn commands(counters: &Counters, asked: u64) -> Vec<Command> {
    let found: Vec<Command> = counters.tables.iter().flat_map(|table| commands_of(table, asked)).collect();
    let makes_tags = found.iter().any(|command| command.place == SHELL);
    let init = Command { table: String::new(), place: SHELL, text: ShellCommand::init().to_string() };
    (makes_tags && counters.is_new).then_some(init).into_iter().chain(found).collect()
}

/// Where commands and statements run.
const SHELL: &str = "shell";
const SQL: &str = "sql";

fn commands_of(table: &CountedTable, asked: u64) -> Vec<Command> {
    let Some(planned) = plan(table, asked).filter(|_| !table.is_apart()) else { return Vec::new() };
    let command = |place, text| Command { table: table.table.clone(), place, text };
    let make = planned.start.map(|start| match table.stored {
        None => ShellCommand::leafmint("tags create").operand(&table.tag).number("--start", start),
        Some(_) => ShellCommand::leafmint("tags raise").operand(&table.tag).number("--above-id", start - 1),
    });
    // The statement waits for running transactions of the table, and the inserts behind it wait as long.
    let raise = Sql::new(SqlDialect::MySql, "ALTER TABLE").name(&[&table.table]).words("AUTO_INCREMENT =");
    let raise = raise.number(planned.counter).words(", ALGORITHM=INPLACE, LOCK=NONE");
    let make = make.map(|make| command(SHELL, make.to_string()));
    make.into_iter().chain([command(SQL, format!("SET SESSION lock_wait_timeout = 3; {raise};"))]).collect()
}

/// Returns the move in order: what clashes, the room, both side by side, the tag alone, and the ways back.
pub fn steps(counters: &Counters, asked: u64, findings: &[Finding]) -> Vec<String> {
    let clashes = findings.iter().filter(|found| found.level == Level::Clash);
    let mut steps: Vec<String> = clashes.map(|found| format!("Fix {}: {}", found.subject, found.text)).collect();
    let (shell, sql): (Vec<_>, Vec<_>) =
        commands(counters, asked).into_iter().partition(|command| command.place == SHELL);
    steps.extend(shell.into_iter().map(|command| match command.table.as_str() {
        "" => format!("Create the table of tags: {}", command.text),
        _ => format!("Give the tag its numbers: {}", command.text),
    }));
    let raise = "Raise the counter; after a lock wait timeout nothing has changed, so repeat it";
    steps.extend(sql.into_iter().map(|command| format!("{raise}: {}", command.text)));
    steps.extend(after(&counters.chosen, asked));
    steps
}

/// Returns what is done once the commands have run.
fn after(tables: &Chosen, room: u64) -> [String; 5] {
    let (check, plan) = (|| tables.command("check"), tables.command("plan"));
    let watch = check().flag("--after").number("--watch", 60);
    let plan = if room == ROOM { plan } else { plan.number("--room", room) };
    [
        format!("Check, and again while both insert; both may if this ends with 0: {}", check()),
        "Deploy the writers that pass ids of the tag, service by service. Way back: deploy the old ones again, in any order"
            .to_owned(),
        format!("Look for old writers; one is left if a counter moves: {watch}"),
        "When no old writer is left, and not before, raise the tag as that check says. Until the room ends you may wait"
            .to_owned(),
        format!(
            "Way back from there: raise the counter as a new plan says, check, and deploy the old writers, service by \
             service. The plan: {plan}"
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::read::StoredTag;
    use super::*;

    fn texts(table: &CountedTable) -> Vec<String> {
        commands_of(table, ROOM).into_iter().map(|command| command.text).collect()
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
        assert_eq!(steps[0], "Fix orders: its engine is MyISAM");
        assert!(steps[1].starts_with("Give the tag") && steps[2].starts_with("Raise the counter"), "{steps:?}");
        assert!(steps.len() == 8 && steps[7].starts_with("Way back"), "{steps:?}");
    }

    #[test]
    fn every_command_names_the_tables_that_were_asked_for() {
        let chosen = Chosen { tables: vec!["ord*".to_owned()], tags: vec![("orders".to_owned(), "order".to_owned())] };
        let counters = Counters { tables: vec![CountedTable::untouched()], chosen, ..Counters::default() };
        let options = "--table 'ord*' --tag 'orders=order'";
        let steps = steps(&counters, 2_000_000, &[]);
        let ends = |step: &String, end: &str| assert!(step.ends_with(end), "{step}");
        ends(&steps[2], &format!(": leafmint migrate auto-increment check {options}"));
        ends(&steps[4], &format!(": leafmint migrate auto-increment check {options} --after --watch 60"));
        ends(&steps[6], &format!(": leafmint migrate auto-increment plan {options} --room 2000000"));
    }

    #[test]
    fn the_table_of_tags_is_created_before_the_first_tag() {
        let new = Counters { tables: vec![CountedTable::untouched()], is_new: true, ..Counters::default() };
        let texts: Vec<String> = commands(&new, ROOM).into_iter().map(|command| command.text).collect();
        assert!(texts.len() == 3 && texts[0] == "leafmint init", "{texts:?}");
        assert_eq!(steps(&new, ROOM, &[])[0], "Create the table of tags: leafmint init");
        assert_eq!(commands(&Counters { is_new: false, ..new.clone() }, ROOM).len(), 2);
        assert_eq!(commands(&Counters { tables: vec![CountedTable::with_room()], ..new }, ROOM), []);
    }
}
