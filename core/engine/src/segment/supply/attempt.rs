//! One attempt to refill a tag: asks the store for what the plan says, and lands the ranges that it leased.

use super::refill::{MOST_SHORT_LEASES, Refill, RefillPlan};
use crate::answer::Answer;
use crate::limit_cell::FIRST_REFUSED;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use crate::segment::buffer::Landed;
use crate::segment::lifecycle;
use crate::segment::tag::Tag;
use crate::store::{NewTagOptions, check_step, check_stored_gene_bits, unknown_tag_with_genes};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::pasted::ShellCommand;
use std::future::ready;
use std::ops::Range;
use std::time::Duration;

/// How long to wait before a row that exists is looked for again, each time that it is not seen.
const PAUSES_UNTIL_VISIBLE: [Duration; 3] =
    [Duration::from_millis(1), Duration::from_millis(10), Duration::from_millis(100)];

/// Ends the refill if the tag has enough. Checks and ends it under one lock. Returns whether it has ended.
pub(super) fn end_if_content(tag: &Tag) -> bool {
    matches!(plan(tag, &mut tag.refill.lock()), RefillPlan::Enough)
}

fn plan(tag: &Tag, refill: &mut Refill) -> RefillPlan {
    let (counts, now) = (tag.counts(), tag.shared.timeline.now());
    refill.note_use(counts.issued, now);
    let plan = refill.plan(&tag.shared.settings.policy, &counts, now);
    refill.progress.running = !matches!(plan, RefillPlan::Enough);
    plan
}

/// Leases once. In a turn it does not wait for a locked row. Returns false if the tag had enough, which ended the
/// refill under the lock that showed it.
pub(super) async fn attempt(tag: &Tag, is_turn: bool) -> Result<bool> {
    let timeline = &*tag.shared.timeline;
    let plan = {
        let mut refill = tag.refill.lock();
        refill.progress.begin_attempt();
        match plan(tag, &mut refill) {
            RefillPlan::Lease(amount) if is_turn => RefillPlan::Checked(Some(amount)),
            plan => plan,
        }
    };
    // In the child of a fork, whose parent opened the generator.
    lifecycle::opened(&tag.shared);
    let store = &tag.shared.store;
    if let Some(series) = &tag.series {
        series.admit(&**store).await?;
    }
    let regressed_below = tag.refill.lock().regressed_below;
    if let Some(end) = regressed_below {
        go_on_above(tag, end).await?;
    }
    // Read before the lease is sent: another generator of this process may lease at the same time.
    let known = tag.shared.leased_up_to(&tag.name);
    let sent = timeline.now();
    let (ranges, round_trip) = match plan {
        RefillPlan::Enough => return Ok(false),
        RefillPlan::Lease(amount) => {
            let ranges = with_row(tag, || store.lease(&tag.name, amount)).await?;
            (ranges, timeline.now() - sent)
        }
        RefillPlan::ReadStep => {
            let step = with_row(tag, || store.step(&tag.name)).await?;
            check_step(&tag.name, step, &store.scope())?;
            tag.refill.lock().step = step;
            return Ok(true);
        }
        RefillPlan::Checked(amount) => {
            let (name, gene_bits) = (&tag.name, tag.gene_bits);
            let checked = with_row(tag, || match is_turn {
                true => store.lease_unless_locked(name, gene_bits, amount),
                false => store.lease_checked(name, gene_bits, amount),
            })
            .await?;
            if let (Some(name), true) = (&checked.other_name, tag.series.is_some()) {
                // None of them was handed out.
                for range in checked.ranges {
                    let _ = store.give_back(&tag.name, range).await;
                }
                return Err(shared_row(tag, name));
            }
            tag.refill.lock().note_checked(checked.step, timeline.now());
            (checked.ranges, checked.round_trip)
        }
    };
    let landed = land(tag, &ranges, known, round_trip);
    let regressed_below = tag.refill.lock().regressed_below;
    if let (Some(_), [range]) = (regressed_below, &ranges[..]) {
        // It was not handed out. If it stays leased, the store comes nearer to the ids that other processes have used.
        let _ = store.give_back(&tag.name, range.clone()).await;
    }
    landed.map(|()| true)
}

/// Goes on with a tag whose store went back, once the store is above the ids that this process has leased. Until then
/// nothing is leased.
async fn go_on_above(tag: &Tag, end: i64) -> Result<()> {
    let ask = || match tag.shared.store.next_number(&tag.name) {
        Some(answer) => answer,
        None => Box::pin(ready(Ok(0))),
    };
    let next = with_row(tag, ask).await?;
    if next < end {
        return Err(regressed(tag, next));
    }
    tag.refill.lock().regressed_below = None;
    Ok(())
}

/// Asks the store, and again if the tag was missing and has been created, here or by another generator.
async fn with_row<'a, T>(tag: &'a Tag, ask: impl Fn() -> Answer<'a, T>) -> Result<T> {
    let mut known = tag.shared.leased_up_to(&tag.name);
    let unknown = loop {
        let error = match ask().await {
            Err(error) if error.kind() == ErrorKind::UnknownTag => error,
            answer => return answer,
        };
        // Another generator of this process may have created the tag after the store looked.
        let leased = tag.shared.leased_up_to(&tag.name);
        if leased == std::mem::replace(&mut known, leased) {
            break error;
        }
    };
    if known.is_some() {
        tag.series.iter().for_each(|series| series.note_loss());
        return Err(gone(tag));
    }
    if tag.shared.creates_tags() || tag.series.is_some() {
        create(tag).await?;
        return once_visible(tag, ask).await;
    }
    if tag.gene_bits != 0 {
        return Err(unknown_tag_with_genes(&tag.name, &tag.shared.store.scope(), tag.gene_bits));
    }
    Err(unknown)
}

/// Asks for a tag whose row exists. InnoDB reports a row that another process has just stored as a duplicate slightly
/// before it shows it to a new statement.
async fn once_visible<'a, T>(tag: &'a Tag, ask: impl Fn() -> Answer<'a, T>) -> Result<T> {
    for pause in PAUSES_UNTIL_VISIBLE {
        match ask().await {
            Err(error) if error.kind() == ErrorKind::UnknownTag => tag.shared.timeline.sleep(pause).await,
            answer => return answer,
        }
    }
    ask().await
}

/// Creates the tag as its series says, or the options `default_step` and `default_start`.
async fn create(tag: &Tag) -> Result<()> {
    let (store, settings) = (&tag.shared.store, &tag.shared.settings);
    if tag.gene_bits == 0 {
        check_stored_gene_bits(&tag.name, store.gene_bits(&tag.name).await?, 0)?;
    }
    let new = match &tag.series {
        Some(series) => NewTagOptions::new().step(series.step),
        None => NewTagOptions::new().step(settings.default_step).start(settings.default_start),
    };
    let new = new.gene_bits(tag.gene_bits);
    store.create_tag(&tag.name, &new).await.map(drop)
}

/// Puts the ranges of a lease into the tag's buffer, and announces them to the waiting calls.
///
/// This process had leased ids up to `known` when it asked. None of the ranges begins below, unless the store leases
/// ids again that were given back.
fn land(tag: &Tag, ranges: &[Range<i64>], known: Option<i64>, round_trip: Duration) -> Result<()> {
    if let Some(range) = ranges.iter().find(|range| !is_in_bounds(range)) {
        return Err(out_of_bounds(tag, range));
    }
    let leased_before = known.filter(|_| tag.shared.store.never_goes_back()).unwrap_or(0);
    // A caller that has drawn an id of the lease sees the lease in the statistics.
    let mut refill = tag.refill.lock();
    // A lease that holds one range out of order lands none of them.
    if let Err(OutOfOrder { start, end }) = ascend(ranges, leased_before).and_then(|end| into_buffer(tag, ranges, end))
    {
        let error = regressed(tag, start);
        match tag.shared.store.next_number(&tag.name) {
            Some(_) => refill.regressed_below = Some(end),
            None => refill.stuck = Some(error.clone()),
        }
        return Err(error);
    }
    let now = tag.shared.timeline.now();
    let is_too_short = refill.note_run(ranges);
    let count = ranges.iter().map(|range| range.end - range.start).sum();
    // Others lie between two leases only where leases adjoin.
    let adjoin = tag.shared.store.longest_run(&tag.name, refill.step) == i64::MAX;
    let gap = ranges.first().zip(known).map(|(first, known)| if adjoin { first.start - known } else { 0 });
    let others = gap.and_then(|gap| refill.others(gap, count, now));
    let failures = refill.note_landing(count, round_trip, now);
    tag.refill.announce(&mut refill);
    drop(refill);
    if let (Some(series), Some(last)) = (&tag.series, ranges.last()) {
        series.note_lease(last.end - 1, &tag.shared.store.scope());
    }
    if let Some(others) = others {
        tag.shared.queue.note_others(others);
    }
    if failures > 0 {
        log_recovery(tag, failures);
    }
    is_too_short.map_or(Ok(()), |wanted| Err(no_run(tag, wanted)))
}

/// Describes a series that would count on in the row of another one: neither would begin at 1 and have each number.
fn shared_row(tag: &Tag, name: &str) -> Error {
    let text = format!(
        "{}: {:?} of a series and {name:?} are one row, since the collation of the column biz_tag does not tell them apart: spell \
         the series and its key alike, or give the column COLLATE utf8mb4_bin",
        tag.shared.store.scope(),
        tag.name
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// A range that begins below the end of an earlier one.
#[derive(Debug, PartialEq, Eq)]
struct OutOfOrder {
    start: i64,
    /// The end of the earlier one.
    end: i64,
}

/// Returns the end of ranges that ascend from `end` on.
fn ascend(ranges: &[Range<i64>], end: i64) -> std::result::Result<i64, OutOfOrder> {
    ranges.iter().try_fold(end, |end, range| {
        if range.start < end { Err(OutOfOrder { start: range.start, end }) } else { Ok(range.end) }
    })
}

fn into_buffer(tag: &Tag, ranges: &[Range<i64>], end: i64) -> std::result::Result<(), OutOfOrder> {
    tag.shared.note_lease(&tag.name, end);
    ranges.iter().try_for_each(|range| match tag.buffer.land(range.clone()) {
        Landed::Refused { end } => Err(OutOfOrder { start: range.start, end }),
        Landed::Kept | Landed::Dropped => Ok(()),
    })
}

/// Describes a contiguous range that no lease brings, since others draw ids in between.
fn no_run(tag: &Tag, wanted: i64) -> Error {
    let text = format!(
        "{wanted} contiguous ids of tag {:?} were not in {MOST_SHORT_LEASES} leases, since others draw from {} in between: ask \
         for fewer, or for ids that need not be contiguous",
        tag.name,
        tag.shared.store.scope()
    );
    Error::new(ErrorKind::InvalidArgument, text)
}

/// Returns whether a range has ids, and only valid ones. Stores lease no other, but they pass on what a server says.
fn is_in_bounds(range: &Range<i64>) -> bool {
    0 <= range.start && range.start < range.end && range.end <= FIRST_REFUSED
}

fn out_of_bounds(tag: &Tag, range: &Range<i64>) -> Error {
    let (scope, Range { start, end }) = (tag.shared.store.scope(), range);
    let text = format!(
        "{scope} answered a lease of tag {:?} with ids from {start} to before {end}, outside of 0 to 2^61: that is \
         no answer of a table of leafmint: check what the URL leads to",
        tag.name
    );
    Error::new(ErrorKind::StoreUnavailable, text).of_one_tag()
}

/// Logs that the refill works again.
fn log_recovery(tag: &Tag, failures: u64) {
    let (scope, name) = (tag.shared.store.scope(), &tag.name);
    for kind in [EventKind::RefillFailed, EventKind::StoreRegressed] {
        events::clear_in(kind, &scope, name);
    }
    let text = format_args!("the refill of tag {name:?} works again after {failures} failed attempts: {scope}");
    events::emit_in(EventKind::RefillRecovered, &scope, name, text);
}

/// Describes a range that starts below ids that this process already holds.
fn regressed(tag: &Tag, start: i64) -> Error {
    let (store, scope, name) = (&tag.shared.store, tag.shared.store.scope(), &tag.name);
    let what = match store.sequence(name) {
        None => "the table was restored from a backup",
        Some(_) => "the sequence was set back, made anew or restored",
    };
    let advice = match (store.next_number(name), store.sequence(name)) {
        (Some(_), _) => format!(
            "Nothing is leased until the tag is above the ids in use. Run {}; {}, and the tag then goes on. Restart \
             processes that have leased since",
            recover(tag),
            raises_above(tag)
        ),
        (None, None) => format!("{}: call raise_tag_above with it, or run {}; then reopen", find_highest(), raise(tag)),
        (None, Some(_)) => format!("{}: {}; then reopen", find_highest(), raised_by_statement(tag)),
    };
    let text = format!(
        "{scope}: tag {name:?} leased ids from {start} on, which this process has leased before: {what}, or a stale replica \
         answered; nothing was handed out. {advice}"
    );
    Error::new(ErrorKind::StoreRegressed, text)
}

/// Describes a tag whose row is gone, although this process has leased ids from it.
fn gone(tag: &Tag) -> Error {
    let (scope, name) = (tag.shared.store.scope(), &tag.name);
    if let Some(create) = tag.shared.store.sequence(name) {
        let text = format!(
            "{scope}: the sequence of tag {name:?} is gone, but this process has leased ids from it: if it was renamed or moved, \
             undo that. If it was dropped, create it, but first stop every writer. {}: {create}, and {}",
            find_highest(),
            raised_by_statement(tag)
        );
        return Error::new(ErrorKind::UnknownTag, text);
    }
    let text = format!(
        "{scope}: the row of tag {name:?}, or its table, is gone, but this process has leased ids from it: it is not created anew, \
         since ids would repeat. If the table was renamed or moved, undo that; if the row was deleted, run {}; {}, and \
         the row is created above it",
        recover(tag),
        raises_above(tag)
    );
    // Without auto_create it is the caller's to create tags.
    let kind = if tag.shared.creates_tags() { ErrorKind::StoreRegressed } else { ErrorKind::UnknownTag };
    Error::new(kind, text)
}

/// Says above what the command of [`recover`] raises a tag. No source that it reads has the numbers of a series.
fn raises_above(tag: &Tag) -> &'static str {
    match tag.series {
        None => "it looks for the highest id of hosts and rows; give it what processes have leased (highest_leased)",
        Some(_) => "give it the highest number that any process has leased (highest_leased) or any document has",
    }
}

/// Says how the highest id of all processes is found. What this process has leased says nothing about the others.
fn find_highest() -> String {
    format!(
        "Find the highest id in use: the highest figure highest_leased of all processes, or the highest id in your own \
         tables ({}) if that is higher",
        ShellCommand::leafmint("audit")
    )
}

/// The command that raises a tag above the highest id in use.
fn recover(tag: &Tag) -> ShellCommand {
    let command = ShellCommand::leafmint("tags recover").operand(&tag.name);
    match tag.gene_bits {
        _ if tag.series.is_some() => command.blank("--reported", "HIGHEST_NUMBER"),
        0 => command,
        bits => command.number("--gene-bits", bits.unsigned_abs()),
    }
}

/// The command that raises a tag, once the reader knows above which id.
fn raise(tag: &Tag) -> ShellCommand {
    ShellCommand::leafmint("tags raise").operand(&tag.name).blank("--above-id", "HIGHEST_ID")
}

fn raised_by_statement(tag: &Tag) -> String {
    format!("run {}, which names the statement to run", raise(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_ascend_from_what_was_leased_before() {
        assert_eq!(ascend(&[5..7, 7..9, 20..21], 5), Ok(21));
        for (ranges, end, refused) in [
            ([5..7, 9..10], 6, OutOfOrder { start: 5, end: 6 }),
            ([5..9, 7..12], 0, OutOfOrder { start: 7, end: 9 }),
            ([5..9, 2..3], 0, OutOfOrder { start: 2, end: 9 }),
        ] {
            assert_eq!(ascend(&ranges, end), Err(refused));
        }
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "a server may answer one")]
    fn a_range_beyond_the_valid_ids_is_no_range() {
        for range in [0..1, 1..FIRST_REFUSED, FIRST_REFUSED - 1..FIRST_REFUSED] {
            assert!(is_in_bounds(&range), "{range:?}");
        }
        let far = i64::MAX - 10..i64::MAX;
        for range in [-1..5, i64::MIN..i64::MIN + 10, far, 5..5, 5..4, FIRST_REFUSED - 1..FIRST_REFUSED + 1] {
            assert!(!is_in_bounds(&range), "{range:?}");
        }
    }
}
