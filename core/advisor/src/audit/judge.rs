//! Judges a catalogue. No function here needs a database.

use super::catalogue::{Catalogue, EXACT, Key, Reference, Tag};
use super::finding::{Finding, FindingKind, Severity};
use super::request::{AuditRequest, Chosen};
use super::{snowflakes, tags};
use leafmint_ids::text::pasted::ShellCommand;

/// Shares of a range, in percent, and days from which on a key that runs out is reported.
const NOTE_PERCENT: f64 = 50.0;
const PROBLEM_PERCENT: f64 = 80.0;
const NOTE_DAYS: f64 = 365.0;
const PROBLEM_DAYS: f64 = 90.0;

/// Returns what is wrong, worst first.
pub(super) fn judge(catalogue: &Catalogue, tags: &[Tag], request: &AuditRequest, now: i64) -> Vec<Finding> {
    let keys = &catalogue.keys;
    let mut findings: Vec<Finding> = keys.iter().filter_map(runs_out).collect();
    findings.extend(catalogue.references.iter().filter_map(|reference| is_narrow(reference, keys)));
    findings.extend(keys.iter().filter_map(is_behind));
    findings.extend(keys.iter().filter_map(|key| has_tag_behind(key, tags, request)));
    findings.extend(keys.iter().filter_map(is_rounded));
    if let Some(layout) = &request.layout {
        findings.extend(keys.iter().filter_map(|key| snowflakes::judge(key, layout, now)));
    }
    findings.sort_by(|a, b| (a.severity, a.kind).cmp(&(b.severity, b.kind)).then(share(b).total_cmp(&share(a))));
    findings
}

/// Returns the share of a range that is used, in percent.
pub(super) fn percent(used: u64, largest: u64) -> f64 {
    used as f64 / largest as f64 * 100.0
}

fn share(finding: &Finding) -> f64 {
    percent(finding.value, finding.limit)
}

fn runs_out(key: &Key) -> Option<Finding> {
    let (used, largest, days) = (key.used(), key.largest(), key.days_left());
    let (share, left) = (percent(used, largest), days.unwrap_or(f64::INFINITY));
    let severity = match () {
        () if share >= PROBLEM_PERCENT || left <= PROBLEM_DAYS => Severity::Problem,
        () if share >= NOTE_PERCENT || left <= NOTE_DAYS => Severity::Note,
        () => return None,
    };
    let lasts = days.map_or_else(String::new, |days| format!(", and lasts {days:.0} days at the present rate"));
    let data_type = &key.column.data_type;
    let text = format!("{share:.1} % of {data_type} is used{lasts}: {}", widen(key));
    Some(Finding::of(FindingKind::RunsOut, severity, &key.column, (used, largest), text))
}

/// Says what to do about a key that runs out.
fn widen(key: &Key) -> &'static str {
    match (key.column.name.is_empty(), key.largest() < key.column.largest) {
        (true, _) => "raise its MAXVALUE, and check the type of the columns that it fills",
        (false, true) => "raise its sequence's MAXVALUE",
        _ if key.column.largest >= i64::MAX as u64 => "no wider type is left: find out what uses up the numbers",
        _ => "change it to bigint, with every column that points to it",
    }
}

fn is_narrow(reference: &Reference, keys: &[Key]) -> Option<Finding> {
    if !reference.is_narrow() {
        return None;
    }
    let Reference { from, to, highest, .. } = reference;
    let used = reference.target(keys).map_or(highest.unwrap_or(0), Key::used);
    let is_near = percent(used, from.largest) >= PROBLEM_PERCENT;
    let severity = if is_near { Severity::Problem } else { Severity::Note };
    let text = format!(
        "{} is too narrow for {}.{}, which is {}: change it to that type",
        from.data_type, to.table, to.name, to.data_type
    );
    Some(Finding::of(FindingKind::NarrowReference, severity, from, (used, from.largest), text))
}

fn is_behind(key: &Key) -> Option<Finding> {
    let (counter, highest) = (key.counter.as_ref()?, key.highest?);
    let raise = counter.raise.as_ref()?;
    // A counter at its end is one that ran out, which is reported as such.
    if counter.next > highest || highest >= counter.largest {
        return None;
    }
    // Processes that lease from a sequence hold numbers above its rows.
    let first = if counter.is_auto_increment { "" } else { "Stop processes that lease from it first. " };
    let text = format!(
        "its counter gives {} next, but there is a row {highest}: inserts will fail as duplicates. {first}{}",
        counter.next,
        raise.clone().number(highest + 1)
    );
    Some(Finding::of(FindingKind::CounterBehind, Severity::Problem, &key.column, (counter.next, highest), text))
}

fn has_tag_behind(key: &Key, stored: &[Tag], request: &AuditRequest) -> Option<Finding> {
    let highest = key.highest?;
    let tag = tags::behind(stored, key, request)?;
    let name = &tag.name;
    if let Some(room) = key.room_of(tag) {
        let watch = Chosen::one(&key.column.table, name).command("check").flag("--after").number("--watch", 60);
        let text = format!(
            "the tag {name} leases {} next, has room for {room} ids, and there is a row {highest} above them: if old code \
             still inserts by AUTO_INCREMENT, that is right. To see whether it does and, once it does not, how far to \
             raise the tag, run {watch}",
            tag.next
        );
        return Some(Finding::of(FindingKind::TagBehind, Severity::Note, &key.column, (tag.next, highest), text));
    }
    let raise = ShellCommand::leafmint("tags raise").operand(name).number("--above-id", highest);
    let text = format!(
        "the tag {name} leases {} next, but there is a row {highest}. If the store was restored or made anew, recover the \
         tag as the runbooks say: processes may hold ids above the rows. If not, run: {raise}",
        tag.next
    );
    Some(Finding::of(FindingKind::TagBehind, Severity::Problem, &key.column, (tag.next, highest), text))
}

fn is_rounded(key: &Key) -> Option<Finding> {
    let highest = key.highest.filter(|highest| *highest > EXACT)?;
    let text = "holds numbers above 2^53, which JavaScript rounds: send them as strings in JSON".to_owned();
    Some(Finding::of(FindingKind::RoundedInJson, Severity::Note, &key.column, (highest, EXACT), text))
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::{Column, Counter, Growth};
    use super::*;
    use leafmint_ids::text::pasted::{Sql, SqlDialect};

    const INT: u64 = i32::MAX as u64;
    const BIGINT: u64 = i64::MAX as u64;

    fn column(table: &str, largest: u64) -> Column {
        let data_type = if largest == BIGINT { "bigint" } else { "integer" };
        let (table, name) = (table.to_owned(), "id".to_owned());
        Column { table, name, largest, data_type: data_type.to_owned(), ..Column::default() }
    }

    fn key(table: &str, largest: u64, highest: u64) -> Key {
        Key { column: column(table, largest), highest: Some(highest), ..Key::default() }
    }

    fn counted(next: u64, highest: u64) -> Key {
        let counter = Some(Counter { next, raise: Some(Sql::new(SqlDialect::MySql, "RAISE")), ..Counter::up_to(INT) });
        Key { counter, ..key("orders", INT, highest) }
    }

    fn judged(keys: Vec<Key>) -> Vec<(FindingKind, Severity)> {
        judged_with(Catalogue { keys, ..Catalogue::default() }, &[])
    }

    fn judged_with(catalogue: Catalogue, tags: &[Tag]) -> Vec<(FindingKind, Severity)> {
        let found = judge(&catalogue, tags, &AuditRequest::default(), 0);
        found.into_iter().map(|finding| (finding.kind, finding.severity)).collect()
    }

    #[test]
    fn a_key_is_noted_at_half_and_a_problem_at_four_fifths() {
        use FindingKind::RunsOut;
        assert_eq!(judged(vec![key("orders", INT, INT / 2 - 1)]), []);
        assert_eq!(judged(vec![key("orders", INT, INT / 2 + 1)]), [(RunsOut, Severity::Note)]);
        assert_eq!(judged(vec![key("orders", INT, INT / 5 * 4 - 1)]), [(RunsOut, Severity::Note)]);
        assert_eq!(judged(vec![key("orders", INT, INT / 5 * 4 + 2)]), [(RunsOut, Severity::Problem)]);
        assert_eq!(judged(vec![counted(INT, 1)]), [(RunsOut, Severity::Problem)]);
    }

    #[test]
    fn a_key_that_grows_fast_is_reported_early() {
        let growing = |ids| {
            let growth = Some(Growth { ids, millis: 86_400_000 });
            judged(vec![Key { growth, ..key("orders", INT, 1000) }])
        };
        assert_eq!(growing(INT / 400), []);
        assert_eq!(growing(INT / 300), [(FindingKind::RunsOut, Severity::Note)]);
        assert_eq!(growing(INT / 80), [(FindingKind::RunsOut, Severity::Problem)]);
    }

    #[test]
    fn a_foreign_key_is_narrow_if_its_target_holds_more() {
        let to = |largest, highest| {
            let target = reference(largest, None);
            judged_with(Catalogue { keys: vec![key("orders", largest, highest)], references: vec![target] }, &[])
        };
        assert_eq!(to(INT, 7), []);
        assert_eq!(to(BIGINT, 7), [(FindingKind::NarrowReference, Severity::Note)]);
        assert_eq!(to(BIGINT, INT), [(FindingKind::NarrowReference, Severity::Problem)]);
    }

    #[test]
    fn a_foreign_key_to_a_column_that_is_no_key_is_judged_by_the_numbers_in_it() {
        let to = |highest| {
            let references = vec![reference(BIGINT, highest)];
            judged_with(Catalogue { references, ..Catalogue::default() }, &[])
        };
        assert_eq!(to(None), [(FindingKind::NarrowReference, Severity::Note)]);
        assert_eq!(to(Some(INT)), [(FindingKind::NarrowReference, Severity::Problem)]);
    }

    fn reference(largest: u64, highest: Option<u64>) -> Reference {
        Reference { from: column("lines", INT), to: column("orders", largest), is_ordered: true, highest }
    }

    #[test]
    fn a_counter_is_behind_if_it_gives_a_number_that_is_there() {
        assert_eq!(judged(vec![counted(8, 7)]), []);
        assert_eq!(judged(vec![counted(7, 7)]), [(FindingKind::CounterBehind, Severity::Problem)]);
        let finding =
            &judge(&Catalogue { keys: vec![counted(1, 7)], ..Catalogue::default() }, &[], &AuditRequest::default(), 0)
                [0];
        assert_eq!((finding.value, finding.limit), (1, 7));
        assert!(finding.text.ends_with("RAISE 8"), "{}", finding.text);
    }

    #[test]
    fn a_counter_at_its_end_has_run_out_and_is_not_behind() {
        assert_eq!(judged(vec![counted(INT, INT)]), [(FindingKind::RunsOut, Severity::Problem)]);
    }

    #[test]
    fn a_tag_is_behind_if_it_leases_a_number_that_is_there() {
        let with = |name: &str, next| {
            let catalogue = Catalogue { keys: vec![key("orders", INT, 7)], ..Catalogue::default() };
            judged_with(catalogue, &[Tag { name: name.to_owned(), next, lease: 1, genes: 1 }])
        };
        assert_eq!(with("orders", 8), []);
        assert_eq!(with("order", 7), []);
        assert_eq!(with("orders", 7), [(FindingKind::TagBehind, Severity::Problem)]);
    }

    #[test]
    fn a_tag_with_room_below_the_rows_of_auto_increment_may_be_moving() {
        let with = |is_auto_increment, above| {
            let counter = Counter { next: 2_000_000_007, is_auto_increment, ..Counter::up_to(BIGINT) };
            let key = Key { counter: Some(counter), above, ..key("orders", BIGINT, 2_000_000_006) };
            let tag = Tag { name: "orders".to_owned(), next: 1_000_000_000, lease: 1000, genes: 1 };
            let catalogue = Catalogue { keys: vec![key], ..Catalogue::default() };
            let [found] = &judge(&catalogue, &[tag], &AuditRequest::default(), 0)[..] else { panic!("one finding") };
            assert_eq!((found.kind, found.limit), (FindingKind::TagBehind, 2_000_000_006));
            (found.severity, found.text.clone())
        };
        let (severity, text) = with(true, Some(2_000_000_000));
        assert_eq!(severity, Severity::Note);
        assert!(
            text.contains("room for 1000000000 ids") && text.ends_with("check --table orders --after --watch 60"),
            "{text}"
        );
        assert!(!text.contains("tags raise"), "old code goes on until the tag is raised: {text}");
        assert_eq!(with(true, Some(1_001_000_000)).0, Severity::Note);
        for (is_auto_increment, above) in
            [(true, Some(1_000_999_999)), (true, Some(1_000_000_000)), (true, None), (false, Some(2_000_000_000))]
        {
            let (severity, text) = with(is_auto_increment, above);
            assert_eq!(severity, Severity::Problem);
            assert!(text.ends_with("leafmint tags raise orders --above-id 2000000006"), "{text}");
        }
    }

    #[test]
    fn numbers_above_two_to_the_53_are_noted() {
        assert_eq!(judged(vec![key("orders", BIGINT, EXACT)]), []);
        assert_eq!(judged(vec![key("orders", BIGINT, EXACT + 1)]), [(FindingKind::RoundedInJson, Severity::Note)]);
    }

    #[test]
    fn the_worst_comes_first() {
        let keys = vec![
            key("half", INT, INT / 5 * 3),
            key("big", BIGINT, EXACT + 1),
            key("full", INT, INT - 9),
            key("fuller", INT, INT - 1),
        ];
        let found = judge(&Catalogue { keys, ..Catalogue::default() }, &[], &AuditRequest::default(), 0);
        let tables: Vec<&str> = found.iter().map(|finding| finding.table.as_str()).collect();
        assert_eq!(tables, ["fuller", "full", "half", "big"]);
    }
}
