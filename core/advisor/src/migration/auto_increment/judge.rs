//! Judges what a server says about its counters, and about the tags that are to go on.

use super::read::{CountedTable, Counters, ServerFacts};
use super::room::plan;
use crate::migration::Finding;
use leafmint_ids::text::pasted::ShellCommand;

/// Which code inserts, or is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writers {
    /// Only the counter gives ids: the move has not begun.
    Old,
    /// Inserts with ids of the tag, next to others without an id.
    Both,
    /// Every insert has an id of the tag.
    New,
}

/// The engine whose counter keeps its number through a crash.
const INNODB: &str = "InnoDB";

/// Leases from which on the end of the room is far away.
const AMPLE_LEASES: u64 = 10_000;

/// A room of more than this part of the ids that are left is worth a word.
const LARGE_PART: u64 = 4;

/// Returns what is wrong for these writers. `room` is the number of ids that a plan is asked for; `earlier` holds the
/// counters of an earlier look.
pub fn judge(counters: &Counters, writers: Writers, room: u64, earlier: &[(String, u64)]) -> Vec<Finding> {
    let mut findings = server(&counters.server, &counters.scope);
    for table in &counters.tables {
        findings.extend(state(table, writers, room));
        findings.extend(moved(table, earlier, writers));
        findings.extend(facts(table));
    }
    let text = "this account may not read it, or it was locked: nothing is known of it";
    findings.extend(counters.unread.iter().map(|table| Finding::clash(table, text)));
    let text = "no table of this name has an AUTO_INCREMENT of whole numbers, as far as this account may see";
    findings.extend(counters.absent.iter().map(|table| Finding::clash(table, text)));
    findings
}

fn server(server: &ServerFacts, scope: &str) -> Vec<Finding> {
    let warn = |is_so: bool, text: &str| is_so.then(|| Finding::warning(scope, text));
    let alone = "wsrep_OSU_method is RSU: a counter would be raised on this node only. Set it to TOI";
    [
        server.keeps_changes.then(|| Finding::clash(scope, alone)),
        warn(server.is_read_only, "it is read-only: a replica shows the counters, but raise them on the primary"),
        warn(
            server.is_galera,
            "a node of Galera: ALTER TABLE ends conflicting transactions of all nodes with a deadlock error, which they \
             must repeat. Each node counts by itself: check every node",
        ),
        warn(
            server.has_many_primaries,
            "its group has several primaries: ALTER TABLE does not wait for the others' transactions. Each member counts \
             by itself: check every member",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Judges where the tag is, by the counter and the rows.
fn state(table: &CountedTable, writers: Writers, room: u64) -> Option<Finding> {
    match writers {
        Writers::Old => planned(table, room),
        Writers::Both => side_by_side(table),
        Writers::New => alone(table),
    }
}

fn planned(table: &CountedTable, asked: u64) -> Option<Finding> {
    let (name, limit) = (&table.table, table.largest_of());
    match plan(table, asked) {
        None => {
            let left = table.left();
            let least = table.least_room().saturating_mul(2);
            let text = format!("{left} ids are left in {limit}, and the move needs {least}: {}", table.remedy());
            Some(Finding::clash(name, text))
        }
        Some(planned) if planned.room < asked && !table.is_apart() => {
            let text = format!(
                "{limit} leaves room for {} ids of the tag: finish the move before they are used, or {}",
                planned.room,
                table.remedy()
            );
            Some(Finding::warning(name, text))
        }
        Some(planned) if !table.is_apart() && planned.room > table.left() / LARGE_PART => {
            let text = format!(
                "the room takes {} of the {} ids that are left in {limit}: choose less with --room, or {}",
                planned.room,
                table.left(),
                table.remedy()
            );
            Some(Finding::warning(name, text))
        }
        Some(_) => None,
    }
}

fn side_by_side(table: &CountedTable) -> Option<Finding> {
    let CountedTable { table: name, tag, counter, .. } = table;
    let Some(stored) = table.stored else {
        let text = format!("there is no tag {tag}. To see where it begins, run {}", table.command("plan"));
        return Some(Finding::clash(name, text));
    };
    let (room, next) = (table.room().unwrap_or(0), stored.next);
    if *counter <= next {
        let text = format!(
            "the counter gives {counter} next and the tag {tag} leases {next}: an id of the tag pushes the counter among \
             the tag's next ids. To see how far to raise it, run {}",
            table.command("plan")
        );
        return Some(Finding::clash(name, text));
    }
    let end = table.end().unwrap_or(0);
    let until =
        if table.above.is_some() { format!("there is a row {end}") } else { format!("the counter gives {end}") };
    let text = format!("the tag {tag} leases {next} next and {until}: room for {room} ids");
    match room {
        _ if !table.is_apart() => {
            Some(Finding::clash(name, format!("{text}. To make more, run {}", table.command("plan"))))
        }
        _ if room < stored.lease.saturating_mul(AMPLE_LEASES) => Some(Finding::warning(name, text)),
        _ => None,
    }
}

fn alone(table: &CountedTable) -> Option<Finding> {
    let CountedTable { table: name, tag, above, .. } = table;
    let Some(stored) = table.stored else {
        return Some(Finding::clash(name, format!("there is no tag {tag}")));
    };
    let above = (*above)?;
    let raise = ShellCommand::leafmint("tags raise").operand(tag).number("--above-id", table.used());
    let text = format!(
        "the tag {tag} leases {} next and there is a row {above}: once no insert is left without an id, {raise}",
        stored.next
    );
    Some(if table.is_apart() { Finding::warning(name, text) } else { Finding::clash(name, text) })
}

/// A counter that is above all ids of the tag moves only if an insert has no id.
fn moved(table: &CountedTable, earlier: &[(String, u64)], writers: Writers) -> Option<Finding> {
    let (_, before) = earlier.iter().find(|(name, _)| *name == table.table)?;
    let is_old = table.is_apart() && table.counter > *before;
    let text = format!("its counter went from {before} to {}: something inserts without an id", table.counter);
    match writers {
        Writers::New if is_old => Some(Finding::clash(&table.table, text)),
        _ if is_old => Some(Finding::warning(&table.table, text)),
        _ => None,
    }
}

fn facts(table: &CountedTable) -> Vec<Finding> {
    let CountedTable { table: name, engine, triggers, .. } = table;
    let engine = (!engine.eq_ignore_ascii_case(INNODB)).then(|| {
        let text = format!(
            "its engine is {engine}: only InnoDB was seen to keep a raised counter. ALTER TABLE … ENGINE=InnoDB"
        );
        Finding::clash(name, text)
    });
    let triggers = (!triggers.is_empty()).then(|| {
        let text = format!(
            "it has triggers on INSERT ({}): none may set {}, nor read LAST_INSERT_ID(), which an explicit id leaves as it was",
            triggers.join(", "),
            table.column
        );
        Finding::warning(name, text)
    });
    [engine, triggers].into_iter().flatten().collect()
}

impl CountedTable {
    /// Names what ends first: the column, unless ids end before it.
    fn largest_of(&self) -> String {
        match &self.narrow {
            _ if self.ends_with_exact_ids() => "the numbers below 2^53, which JavaScript does not round,".to_owned(),
            _ if self.last() < self.largest => "leafmint's ids, which end at 2^61,".to_owned(),
            Some(narrow) => format!("{narrow}, which points to {}.{},", self.table, self.column),
            None => format!("{}.{} {}", self.table, self.column, self.data_type),
        }
    }

    /// Says how there is more room.
    fn remedy(&self) -> &'static str {
        match () {
            () if self.ends_with_exact_ids() => {
                "first send ids as strings in JSON and set AUTO_INCREMENT of the table above 2^53, and then plan again"
            }
            () if self.last() < self.largest => "find out first what used up the numbers below 2^61",
            () => "change it to bigint first",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::StoredTag;
    use super::super::room::ROOM;
    use super::*;
    use crate::migration::Level;

    fn found(table: CountedTable, writers: Writers) -> Vec<(Level, String)> {
        let earlier = [("orders".to_owned(), 2_000_000_000)];
        let counters = Counters { tables: vec![table], ..Counters::default() };
        judge(&counters, writers, ROOM, &earlier).into_iter().map(|found| (found.level, found.text)).collect()
    }

    #[track_caller]
    fn one(level: Level, part: &str, table: CountedTable, writers: Writers) {
        let found = found(table, writers);
        assert!(found.len() == 1 && found[0].0 == level && found[0].1.contains(part), "{found:?}");
    }

    fn tag(next: u64) -> Option<StoredTag> {
        Some(StoredTag { next, lease: 1000, genes: 1 })
    }

    #[test]
    fn both_may_insert_if_the_counter_is_far_above_the_tag() {
        assert_eq!(found(CountedTable::with_room(), Writers::Both), []);
    }

    #[test]
    fn both_may_not_insert_before_the_counter_is_raised() {
        let untouched = CountedTable::untouched();
        one(Level::Clash, "no tag orders", untouched.clone(), Writers::Both);
        one(Level::Clash, "pushes", CountedTable { stored: tag(1_001_001), ..untouched }, Writers::Both);
    }

    #[test]
    fn a_room_that_ends_soon_is_named() {
        let until = |end| CountedTable { above: Some(end), ..CountedTable::with_room() };
        one(Level::Clash, "a row 1000999999", until(1_000_999_999), Writers::Both);
        one(Level::Warning, "a row 1009999999", until(1_009_999_999), Writers::Both);
        assert_eq!(found(until(1_010_000_000), Writers::Both), []);
    }

    #[test]
    fn a_tag_that_is_alone_may_have_rows_above_it_only_at_the_end_of_its_room() {
        let old_rows =
            |next| CountedTable { above: Some(2_000_000_000), stored: tag(next), ..CountedTable::with_room() };
        one(Level::Warning, "tags raise orders --above-id 1999999999", old_rows(1_000_000_000), Writers::New);
        one(Level::Clash, "tags raise orders --above-id 1999999999", old_rows(1_999_999_000), Writers::New);
        let alone = CountedTable { counter: 900, stored: tag(1001), ..CountedTable::with_room() };
        assert_eq!(found(alone, Writers::New), []);
    }

    #[test]
    fn a_counter_that_moves_shows_an_old_writer() {
        let moved = CountedTable { counter: 2_000_000_007, ..CountedTable::with_room() };
        one(Level::Warning, "to 2000000007", moved.clone(), Writers::Both);
        one(Level::Clash, "to 2000000007", moved, Writers::New);
    }

    #[test]
    fn a_column_that_is_nearly_full_stops_the_move() {
        let narrow = CountedTable { largest: i32::MAX as u64, ..CountedTable::untouched() };
        one(
            Level::Clash,
            "change it to bigint",
            CountedTable { counter: 2_146_000_000, ..narrow.clone() },
            Writers::Old,
        );
        one(
            Level::Warning,
            "room for 73741824",
            CountedTable { counter: 2_000_000_000, ..narrow.clone() },
            Writers::Old,
        );
        let pointed_to = CountedTable { narrow: Some("lines.order_id".to_owned()), counter: 2_146_000_000, ..narrow };
        one(Level::Clash, "lines.order_id", pointed_to, Writers::Old);
        assert_eq!(found(CountedTable::untouched(), Writers::Old), []);
    }

    #[test]
    fn a_room_that_takes_a_large_part_of_the_column_is_named() {
        let narrow = |counter| CountedTable { largest: i32::MAX as u64, counter, ..CountedTable::untouched() };
        one(Level::Warning, "takes 1000000000 of the 2147482647 ids that are left", narrow(1001), Writers::Old);
        let judged = |room| {
            let counters = Counters { tables: vec![narrow(1001)], ..Counters::default() };
            judge(&counters, Writers::Old, room, &[]).len()
        };
        assert_eq!([judged(500_000_000), judged(600_000_000)], [0, 1]);
    }

    #[test]
    fn a_command_of_a_finding_looks_at_its_table() {
        let named = CountedTable { tag: "order".to_owned(), ..CountedTable::untouched() };
        let plan = "run leafmint migrate auto-increment plan --table orders --tag 'orders=order'";
        one(Level::Clash, plan, named.clone(), Writers::Both);
        one(Level::Clash, plan, CountedTable { stored: tag(1_001_001), ..named.clone() }, Writers::Both);
        let full = CountedTable { above: Some(1_000_999_999), tag: "order".to_owned(), ..CountedTable::with_room() };
        one(Level::Clash, plan, full, Writers::Both);
    }

    #[test]
    fn a_bigint_that_is_near_the_last_exact_id_is_not_to_be_widened() {
        let near = |counter| CountedTable { counter, ..CountedTable::untouched() };
        for (level, left) in [(Level::Clash, 1000), (Level::Warning, 3_000_000)] {
            one(level, "strings in JSON", near((1 << 53) - left), Writers::Old);
        }
        one(Level::Clash, "end at 2^61", near((1 << 61) - 1000), Writers::Old);
    }

    #[test]
    fn engines_and_triggers_are_named() {
        let table = CountedTable::with_room();
        one(Level::Clash, "MyISAM", CountedTable { engine: "MyISAM".to_owned(), ..table.clone() }, Writers::Both);
        let triggers = vec!["BEFORE stamp".to_owned()];
        one(Level::Warning, "BEFORE stamp", CountedTable { triggers, ..table }, Writers::Both);
    }

    #[test]
    fn a_server_that_shares_its_tables_is_named() {
        let judged = |server| {
            let counters = Counters { server, ..Counters::default() };
            judge(&counters, Writers::Both, ROOM, &[]).into_iter().map(|found| found.level).collect::<Vec<_>>()
        };
        assert_eq!(judged(ServerFacts { is_galera: true, keeps_changes: true, ..ServerFacts::default() }).len(), 2);
        assert_eq!(judged(ServerFacts { keeps_changes: true, ..ServerFacts::default() }), [Level::Clash]);
        assert_eq!(judged(ServerFacts { is_read_only: true, ..ServerFacts::default() }), [Level::Warning]);
        assert_eq!(judged(ServerFacts { has_many_primaries: true, ..ServerFacts::default() }), [Level::Warning]);
        assert_eq!(judged(ServerFacts::default()), []);
    }

    #[test]
    fn a_table_that_cannot_be_read_or_is_not_there_is_a_clash() {
        let names = || vec!["secret".to_owned()];
        for counters in
            [Counters { unread: names(), ..Counters::default() }, Counters { absent: names(), ..Counters::default() }]
        {
            let found = judge(&counters, Writers::Both, ROOM, &[]);
            assert_eq!((found.len(), found[0].level, found[0].subject.as_str()), (1, Level::Clash, "secret"));
        }
    }
}
