//! The same load under the rules of other libraries, by their formulas. `docs/dev/fleet.md` links the sources.
//!
//! * Leaf, `SegmentIDGenImpl`:
//!   two segments; the next one is loaded once a tenth of the live one is used. Its step doubles, up to a million, if
//!   the last load was less than 15 minutes ago, and is halved, down to the `step` column, if it was 30 or more.
//! * CosId, `SegmentChainId`:
//!   once a second, as many segments as are missing for a distance of 2 from the live one to the last are appended by
//!   one call. A caller that finds none loads 2, and for the next 5 seconds the distance doubles each second and that
//!   many are appended.

use crate::report::row;
use crate::segments::{RATES, STEP};

/// What a tag did.
#[derive(Clone, Copy, Default)]
struct Tag {
    calls: f64,
    leased: f64,
    used: f64,
    waits: f64,
    /// Supply in seconds: the least and the sum over the second hour.
    least: f64,
    sum: f64,
}

/// Prints what a fleet of this size would do in its second hour.
pub(crate) fn print(processes: usize) {
    for (name, run) in [("Leaf", leaf as fn(f64) -> Tag), ("CosId", cosid)] {
        let tags = RATES.map(run);
        let sum = |field: fn(&Tag) -> f64| tags.iter().map(field).sum::<f64>();
        let calls = sum(|tag| tag.calls) / 3600.0 * processes as f64;
        let ratio = sum(|tag| tag.leased) / sum(|tag| tag.used);
        let waits = sum(|tag| tag.waits) * processes as f64;
        let mean = sum(|tag| tag.sum) / (3600.0 * RATES.len() as f64);
        let dry = tags.iter().filter(|tag| tag.least < 600.0).count();
        let figures = format!(
            "{calls:.0} calls a second, {ratio:.2} leased per used, {waits:.0} calls waited since the start; supply for {mean:.0} s \
             on average; {dry} of {} tags do not always outlast 10 minutes",
            RATES.len()
        );
        println!("{}", row(&format!("{name}, by its formulas"), &figures));
    }
}

/// One segment after another: a simulation of `rule` for two hours, of which the second is looked at.
fn run(rate: f64, mut rule: impl FnMut(&mut f64, f64) -> (f64, f64)) -> Tag {
    const STEPS: u32 = 20;
    let (mut tag, mut supply) = (Tag { least: f64::MAX, ..Tag::default() }, STEP as f64);
    tag.leased = supply;
    for tick in 0..7200 * STEPS {
        let now = f64::from(tick) / f64::from(STEPS);
        supply -= rate / f64::from(STEPS);
        tag.used += rate / f64::from(STEPS);
        if supply < 0.0 {
            tag.waits += 1.0;
        }
        let (calls, leased) = rule(&mut supply, now);
        tag.leased += leased;
        if now >= 3600.0 {
            tag.calls += calls;
            tag.least = tag.least.min(supply / rate);
            tag.sum += supply / rate / f64::from(STEPS);
        }
    }
    tag
}

fn leaf(rate: f64) -> Tag {
    let (mut step, mut next, mut loaded) = (STEP as f64, 0.0, f64::NEG_INFINITY);
    let (mut live_step, mut next_step) = (STEP as f64, 0.0);
    run(rate, move |supply, now| {
        let mut live = *supply - next;
        if live <= 0.0 && next > 0.0 {
            (live, live_step, next) = (live + next, next_step, 0.0);
        }
        if next > 0.0 || live >= 0.9 * live_step {
            return (0.0, 0.0);
        }
        if now - loaded < 900.0 && step * 2.0 <= 1e6 {
            step *= 2.0;
        } else if now - loaded >= 1800.0 && loaded.is_finite() && step / 2.0 >= STEP as f64 {
            step /= 2.0;
        }
        (loaded, next, next_step) = (now, step, step);
        *supply += step;
        (1.0, step)
    })
}

fn cosid(rate: f64) -> Tag {
    let step = STEP as f64;
    let (mut distance, mut hungry, mut second) = (2.0_f64, f64::NEG_INFINITY, -1.0);
    run(rate, move |supply, now| {
        let (mut calls, mut leased) = (0.0, 0.0);
        if *supply <= 0.0 {
            hungry = now;
            (calls, leased) = (1.0, 2.0 * step);
            *supply += 2.0 * step;
        }
        if now.floor() > second {
            second = now.floor();
            let is_hungry = now - hungry < 5.0;
            distance = if is_hungry { distance * 2.0 } else { (distance / 2.0).floor().max(2.0) };
            // The gap counts the segments behind the live one.
            let missing = 2.0 - ((*supply / step).ceil() - 1.0).max(0.0);
            let segments = if is_hungry { distance } else { missing };
            if segments > 0.0 {
                calls += 1.0;
                leased += segments * step;
                *supply += segments * step;
            }
        }
        (calls, leased)
    })
}
