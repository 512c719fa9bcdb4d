//! How many numbers the format of a series has room for, and when the last one is leased at the present pace.

use crate::runtime::events;
use crate::runtime::events::EventKind;
use crate::store::SeriesRule;
use crate::sync::Mutex;
use leafmint_ids::format::{CalendarDate, Format};
use std::ops::Range;
use std::time::Duration;

/// A format with less than this share of its numbers left is said to end.
const FEW_LEFT: i64 = 10;

/// The share of a period, and of the format's numbers, after one of which the pace says something.
const EVIDENCE: [i64; 2] = [50, 10];

/// The format of a series in one process, and how full the period is that began last. Of several keys it is the fullest
/// one.
#[derive(Default)]
pub(super) struct Width(Mutex<Filling>);

#[derive(Default)]
struct Filling {
    /// The one with the most room of those that this process has declared, and its largest number.
    format: Option<(String, i64)>,
    /// The first day of the period.
    date: Option<CalendarDate>,
    /// When the period begins and ends, in Unix milliseconds, if this machine's clock has reached it.
    times: Option<Range<i64>>,
    highest: i64,
    /// When this process first leased a number of the period, and which one.
    first: Option<(i64, i64)>,
    is_said: bool,
}

/// How full the format of a series is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outlook {
    /// Numbers that fit the format and are not leased.
    pub(crate) left: i64,
    /// How long they last at the pace of the period so far, in seconds; `None` if there is no pace.
    pub(crate) lasts: Option<f64>,
}

impl Width {
    /// Notes a format. Returns whether it is the one that counts from now on.
    pub(super) fn note_format(&self, format: &Format) -> bool {
        let (mut filling, largest) = (self.0.lock(), format.largest());
        if filling.format.as_ref().is_some_and(|(_, known)| *known >= largest) {
            return false;
        }
        filling.format = Some((format.text().to_owned(), largest));
        filling.is_said = false;
        true
    }

    /// Returns the format that counts.
    pub(super) fn format(&self) -> Option<String> {
        self.0.lock().format.as_ref().map(|(text, _)| text.clone())
    }

    /// Notes that the clock has reached a period.
    pub(super) fn enter(&self, date: CalendarDate, begins: i64, ends: i64) {
        let mut filling = self.0.lock();
        if filling.begin(Some(date)) {
            filling.times = Some(begins..ends);
        }
    }

    /// Notes the highest number that was leased of a period, and reports once that the format ends too early.
    pub(super) fn note_lease(
        &self,
        date: Option<CalendarDate>,
        highest: i64,
        now: i64,
        scope: &str,
        rule: &SeriesRule,
    ) {
        let mut filling = self.0.lock();
        if !filling.begin(date) {
            return;
        }
        filling.highest = filling.highest.max(highest);
        let highest = filling.highest;
        filling.first.get_or_insert((now, highest));
        if filling.is_said || !filling.ends_early(now) {
            return;
        }
        filling.is_said = true;
        let text = filling.warning(now, rule);
        drop(filling);
        events::emit_in(EventKind::SeriesFilling, scope, &rule.name, format_args!("{scope}: {text}"));
    }

    /// Returns how full the format is; `None` without one that ends.
    pub(super) fn outlook(&self, now: i64) -> Option<Outlook> {
        self.0.lock().outlook(now)
    }
}

impl Filling {
    /// Begins a period if it is later than the last one. Returns whether it is the last one.
    fn begin(&mut self, date: Option<CalendarDate>) -> bool {
        if date > self.date {
            *self = Self { format: self.format.take(), date, ..Self::default() };
        }
        date == self.date
    }

    fn outlook(&self, now: i64) -> Option<Outlook> {
        let (_, largest) = self.format.as_ref().filter(|(_, largest)| *largest < i64::MAX)?;
        let left = (largest - self.highest).max(0);
        let (since, before) = match &self.times {
            Some(times) => (times.start, 0),
            None => self.first.unwrap_or((now, self.highest)),
        };
        let (passed, used) = ((now - since) as f64 / 1000.0, (self.highest - before) as f64);
        let lasts = (passed > 0.0 && used > 0.0).then(|| left as f64 * passed / used);
        Some(Outlook { left, lasts })
    }

    /// Returns whether few numbers are left, or, once the pace says something, whether they end before the period.
    fn ends_early(&self, now: i64) -> bool {
        let (Some(Outlook { left, lasts }), Some((_, largest))) = (self.outlook(now), &self.format) else {
            return false;
        };
        if left <= largest / FEW_LEFT && self.times.is_none() {
            return true;
        }
        let (Some(lasts), Some(times)) = (lasts, &self.times) else { return false };
        let [of_time, of_numbers] = EVIDENCE;
        let says_something =
            now - times.start >= (times.end - times.start) / of_time || self.highest >= largest / of_numbers;
        says_something && now.saturating_add((lasts * 1000.0) as i64) < times.end
    }

    fn warning(&self, now: i64, rule: &SeriesRule) -> String {
        let (format, largest) = self.format.as_ref().map_or(("", 0), |(text, largest)| (text, *largest));
        let lasts = match self.outlook(now).and_then(|outlook| outlook.lasts) {
            Some(lasts) => format!(", which last for about {} at this pace", rough(lasts)),
            None => String::new(),
        };
        let until = match &self.times {
            Some(times) => format!("; the {} ends in {}", rule.period, rough((times.end - now) as f64 / 1000.0)),
            None => String::new(),
        };
        let left = (largest - self.highest).max(0);
        format!(
            "series {:?} has {left} of the {largest} numbers left that its format {format:?} has room for{lasts}{until}: give the \
             format one more digit, as from {{number:4}} to {{number:5}}; texts that were given out stay",
            rule.name
        )
    }
}

/// Returns a time in its largest unit.
fn rough(seconds: f64) -> String {
    let units = [(86_400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second")];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds >= *length).unwrap_or((1.0, "second"));
    let count = Duration::from_secs_f64((seconds / length).clamp(0.0, 1e9)).as_secs();
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use leafmint_ids::format::Period;

    const DAY: i64 = 86_400_000;

    fn yearly() -> (Width, SeriesRule, CalendarDate) {
        let rule = SeriesRule { name: "order".to_owned(), period: Period::Year, zone: "UTC".to_owned() };
        let width = Width::default();
        assert!(width.note_format(&Format::new("{year}-{number:4}").unwrap()));
        let first = CalendarDate::new(2026, 1, 1).unwrap();
        width.enter(first, 0, 365 * DAY);
        (width, rule, first)
    }

    #[test]
    fn numbers_that_end_before_their_year_are_seen_once_the_pace_says_something() {
        let (width, rule, first) = yearly();
        let is_said = |day, highest| {
            width.note_lease(Some(first), highest, day * DAY, "memory:", &rule);
            width.0.lock().is_said
        };
        assert!(!is_said(3, 90), "a hundredth of the year, and of the numbers");
        assert!(!is_said(8, 200), "9,999 last for the year");
        assert!(is_said(30, 1000));
        assert_eq!(
            width.outlook(30 * DAY),
            Some(Outlook { left: 8999, lasts: Some(8999.0 * 30.0 * 86_400.0 / 1000.0) })
        );
        let text = width.0.lock().warning(30 * DAY, &rule);
        assert!(text.contains("8999 of the 9999") && text.contains("269 days") && text.contains("335 days"), "{text}");
        assert!(width.note_format(&Format::new("{year}-{number:5}").unwrap()), "a wider one counts");
        assert!(!is_said(31, 1010));
        assert!(!width.note_format(&Format::new("{year}-{number:4}").unwrap()), "a narrower one does not");
    }

    #[test]
    fn the_next_period_begins_empty_and_back_dated_numbers_say_nothing() {
        let (width, rule, first) = yearly();
        width.note_lease(Some(first), 9000, 300 * DAY, "memory:", &rule);
        let next = CalendarDate::new(2027, 1, 1).unwrap();
        width.note_lease(Some(next), 10, 364 * DAY, "memory:", &rule);
        width.note_lease(Some(first), 9500, 364 * DAY, "memory:", &rule);
        assert_eq!(width.outlook(364 * DAY), Some(Outlook { left: 9989, lasts: None }));
        width.enter(next, 365 * DAY, 730 * DAY);
        assert_eq!(width.outlook(366 * DAY).unwrap().lasts, Some(998.9 * 86_400.0));
    }

    #[test]
    fn numbers_for_ever_are_said_to_end_when_a_tenth_is_left() {
        let rule = SeriesRule { name: "customer".to_owned(), period: Period::Forever, zone: String::new() };
        let width = Width::default();
        assert_eq!(width.outlook(0), None, "there is no format");
        width.note_format(&Format::new("C{number:3}").unwrap());
        for (highest, is_said) in [(1, false), (899, false), (900, true)] {
            width.note_lease(None, highest, highest, "memory:", &rule);
            assert_eq!(width.0.lock().is_said, is_said, "{highest}");
        }
        assert_eq!(width.outlook(900).unwrap().left, 99);
        let endless = Width::default();
        endless.note_format(&Format::new("C{number}").unwrap());
        assert_eq!(endless.outlook(0), None);
    }
}
