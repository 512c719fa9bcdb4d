//! Does what `take_numbers.py` does, in UTC alone: the core knows no other time zone.

use humantime::format_rfc3339_seconds;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::{Calendar, SeriesOptions};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, UNIX_EPOCH};

const DAY: i64 = 86_400_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let ids = leafmint::open::segment(&arguments[1], [])?;
    let mut out = BufWriter::new(File::create(&arguments[2])?);
    let series = ids.series("UTC", SeriesOptions::new(Period::Day, "UTC"))?;
    let ends = Arc::new(AtomicBool::new(false));
    let input = ends.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read(&mut [0]);
        input.store(true, Ordering::SeqCst);
    });
    println!("ready");
    while !ends.load(Ordering::SeqCst) {
        let before = date(series.wall())?;
        let wall = series.wall();
        let group = match series.in_force(wall) {
            Some(group) => group,
            None => {
                let time = series.time();
                let begins = time - time.rem_euclid(DAY);
                series.enter(wall, time, Some(Calendar { date: date(time)?, begins, ends: begins + DAY }))?
            }
        };
        let number = match group.next_in_hand()? {
            Some(number) => number,
            None => match group.begin(leafmint::Want::One, None)?.finish() {
                Ok(numbers) => numbers[0].start,
                Err(refused) if refused.kind() == leafmint::ErrorKind::InvalidConfig => continue,
                Err(error) => return Err(error.into()),
            },
        };
        writeln!(out, "UTC {} {number} {before} {}", group.text(), date(series.wall())?)?;
        std::thread::sleep(Duration::from_millis(2));
    }
    out.flush()?;
    ids.close()?;
    Ok(())
}

/// Returns the date in UTC.
fn date(unix_millis: i64) -> leafmint::Result<CalendarDate> {
    let text = format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(unix_millis.unsigned_abs())).to_string();
    let mut parts = text[..10].split('-').map(|part| part.parse().expect("it is a number"));
    let mut part = || parts.next().expect("a date has three parts");
    CalendarDate::new(part(), part(), part())
}
