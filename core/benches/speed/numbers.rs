//! Numbers of a series, and formats: against an id, and against an id and a clock read, which no number can be cheaper
//! than.

use crate::hot::{TAG, compare, floor, leafmint};
use crate::in_turn::subject;
use leafmint::format::{CalendarDate, Format, NumberParts, Period};
use leafmint::segment::{BizTag, Calendar, Series, SeriesOptions};
use leafmint::{Result, SegmentGenerator, Want};
use std::error::Error;
use std::hint::black_box;
use std::time::SystemTime;

const INVOICE: &str = "INV-{yy}{month}{day}-{number:6}-{check:damm}";
/// It has no more than the six digits that the invoice has room for.
const NUMBER: i64 = 424_242;
/// In milliseconds.
const THIRTY_YEARS: i64 = 946_080_000_000;

pub(crate) fn run(quick: bool) -> std::result::Result<(), Box<dyn Error>> {
    let ids = leafmint::open::segment("memory:?default_step=1000", [])?;
    let tag = ids.biz_tag("hot")?;
    series(&ids, &tag, quick)?;
    formats(&tag, quick)?;
    Ok(ids.close()?)
}

fn series(ids: &SegmentGenerator, tag: &BizTag, quick: bool) -> Result<()> {
    let orders = ids.series("order", SeriesOptions::new(Period::Day, "UTC"))?;
    let how = format!("wall(), in_force() and next_in_hand(), as a binding calls them, {TAG}");
    compare(
        "number of a series",
        quick,
        &[
            floor("an id", "next_id()", subject(|| tag.next_id().expect("an id"))),
            floor("a clock read", "SystemTime::now", subject(SystemTime::now)),
            floor(
                "an id and a clock read",
                "SystemTime::now, and next_id()",
                subject(|| (black_box(SystemTime::now()), tag.next_id().expect("an id"))),
            ),
            leafmint("leafmint", &how, subject(|| next(&orders).expect("a number"))),
        ],
    );
    Ok(())
}

/// Does what a binding does. Its calendar has one day of 30 years, so that no round crosses midnight.
#[inline]
fn next(series: &Series) -> Result<i64> {
    let wall = series.wall();
    let group = match series.in_force(wall) {
        Some(group) => group,
        None => {
            let date = CalendarDate::new(2026, 11, 25)?;
            series.enter(wall, series.time(), Some(Calendar { date, begins: 0, ends: wall + THIRTY_YEARS }))?
        }
    };
    match group.next_in_hand()? {
        Some(number) => Ok(number),
        None => Ok(group.begin(Want::One, None)?.finish()?[0].start),
    }
}

fn formats(tag: &BizTag, quick: bool) -> Result<()> {
    let (plain, invoice) = (Format::new("{number}")?, Format::new(INVOICE)?);
    let date = Some(CalendarDate::new(2026, 11, 25)?);
    let [number, dated] = [None, date].map(|date| NumberParts { number: NUMBER, date, ..NumberParts::default() });
    compare(
        "formatted number",
        quick,
        &[
            floor("an id", "next_id()", subject(|| tag.next_id().expect("an id"))),
            leafmint("leafmint", INVOICE, subject(|| invoice.format(black_box(&dated)).expect("a text"))),
            leafmint("leafmint, {number}", "{number}", subject(|| plain.format(black_box(&number)).expect("a text"))),
        ],
    );
    Ok(())
}
