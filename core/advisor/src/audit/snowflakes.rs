//! Judges keys that are taken for snowflakes, by the lowest and the highest one of a column.

use super::catalogue::{EXACT, Key};
use super::finding::{Finding, FindingKind, Severity};
use leafmint_ids::layout::Layout;

/// Clocks of hosts differ by less, in milliseconds.
const TOLERATED: i64 = 5_000;

/// Ids from further ahead are of another layout.
const LONGEST_AHEAD: i64 = 30 * 86_400_000;

/// Ids from the first day of the epoch are plain numbers.
const FIRST_DAY: i64 = 86_400_000;

/// Returns what is wrong with the snowflakes of a column.
pub(super) fn judge(key: &Key, layout: &Layout, now: i64) -> Option<Finding> {
    let highest = key.highest.filter(|highest| *highest > EXACT)?;
    let time = time_of(highest, layout);
    let lowest = key.lowest.unwrap_or(highest);
    let is_plain = time_of(lowest, layout).is_some_and(|time| time < layout.epoch() + FIRST_DAY);
    let ahead = time.map_or(i64::MAX, |time| time.saturating_sub(now));
    match () {
        () if ahead > LONGEST_AHEAD => Some(mixed(key, highest, highest)),
        () if is_plain => Some(mixed(key, lowest, highest)),
        () if ahead > TOLERATED => Some(is_ahead(key, time?, now)),
        () => None,
    }
}

fn time_of(id: u64, layout: &Layout) -> Option<i64> {
    Some(layout.decode(i64::try_from(id).ok()?).ok()?.timestamp)
}

fn mixed(key: &Key, odd: u64, highest: u64) -> Finding {
    let text = format!("the id {odd} is none of this layout, so the column has ids of two kinds, or of another layout");
    Finding::of(FindingKind::MixedLayouts, Severity::Note, &key.column, (odd, highest), text)
}

fn is_ahead(key: &Key, time: i64, now: i64) -> Finding {
    let seconds = (time - now) / 1000;
    let text = format!("its highest id was made {seconds} s ahead of this host's clock: compare the hosts' clocks");
    let values = (time.unsigned_abs(), now.unsigned_abs());
    Finding::of(FindingKind::ClockAhead, Severity::Problem, &key.column, values, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_793_491_200_000;
    const HOUR: i64 = 3_600_000;

    fn judged(lowest: u64, highest: u64) -> Option<FindingKind> {
        let key = Key { lowest: Some(lowest), highest: Some(highest), ..Key::default() };
        judge(&key, &Layout::default(), NOW).map(|finding| finding.kind)
    }

    fn at(time: i64) -> u64 {
        Layout::default().min_id(time).unwrap().unsigned_abs()
    }

    #[test]
    fn snowflakes_up_to_now_are_sound() {
        assert_eq!(judged(at(NOW - HOUR), at(NOW)), None);
        assert_eq!(judged(at(NOW - HOUR), at(NOW + 1000)), None, "clocks differ a little");
        assert_eq!(judged(1, EXACT), None, "no snowflakes");
    }

    #[test]
    fn a_clock_that_is_ahead_is_found() {
        assert_eq!(judged(at(NOW - HOUR), at(NOW + HOUR)), Some(FindingKind::ClockAhead));
    }

    #[test]
    fn ids_of_another_kind_are_found_at_both_ends() {
        assert_eq!(judged(7, at(NOW)), Some(FindingKind::MixedLayouts));
        assert_eq!(judged(at(NOW), at(NOW + 400 * 24 * HOUR)), Some(FindingKind::MixedLayouts));
        assert_eq!(judged(at(NOW), u64::MAX), Some(FindingKind::MixedLayouts));
    }
}
