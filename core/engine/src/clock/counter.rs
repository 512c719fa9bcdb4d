//! The processor's counter, which costs a third of a system clock to read.
//!
//! Whether it can be trusted is the kernel's judgement: it compares the counters of all processors, and stops keeping
//! time with them if they disagree. See
//! [`clocksource`](https://docs.kernel.org/timers/timekeeping.html) and the flags `constant_tsc` and `nonstop_tsc` of
//! `/proc/cpuinfo`.

use super::{Clock, SystemClock};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicU8, Ordering};

/// What the kernel keeps time with.
const CLOCKSOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// The clocks of the operating system, and the processor's counter if the kernel keeps time with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterClock;

impl Clock for CounterClock {
    fn wall(&self) -> i64 {
        SystemClock.wall()
    }

    fn monotonic(&self) -> u64 {
        SystemClock.monotonic()
    }

    fn monotonic_millis(&self) -> i64 {
        SystemClock.monotonic_millis()
    }

    fn elapsed_millis(&self) -> i64 {
        SystemClock.elapsed_millis()
    }

    fn has_counter(&self) -> bool {
        const UNKNOWN: u8 = 0;
        const YES: u8 = 1;
        const NO: u8 = 2;
        // Not a lock, which a fork could leave held: two threads may both look.
        static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
        if KNOWN.load(Ordering::Relaxed) == UNKNOWN {
            KNOWN.store(if kernel_uses_it() { YES } else { NO }, Ordering::Relaxed);
        }
        KNOWN.load(Ordering::Relaxed) == YES
    }

    #[inline]
    fn counter(&self) -> u64 {
        read()
    }
}

#[cfg(target_arch = "x86_64")]
fn read() -> u64 {
    tick_counter::x86_64_tick_counter()
}

#[cfg(target_arch = "aarch64")]
fn read() -> u64 {
    tick_counter::aarch64_tick_counter()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> u64 {
    0
}

/// Returns whether the kernel keeps time with the counter that [`read`] reads.
fn kernel_uses_it() -> bool {
    let source = fs::read_to_string(CLOCKSOURCE).unwrap_or_default();
    match source.trim() {
        "tsc" => cfg!(target_arch = "x86_64") && is_steady(),
        "arch_sys_counter" => cfg!(target_arch = "aarch64"),
        _ => false,
    }
}

/// Returns whether the counter of an x86 processor grows at one rate and never stops.
fn is_steady() -> bool {
    let Ok(file) = File::open("/proc/cpuinfo") else { return false };
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    let flags = lines.filter(|line| line.starts_with("flags")).take(1).collect::<String>();
    ["constant_tsc", "nonstop_tsc"].iter().all(|flag| flags.split_whitespace().any(|word| word == *flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_counter_that_the_kernel_keeps_time_with_grows_with_the_monotonic_clock() {
        if !CounterClock.has_counter() {
            return;
        }
        let (count, began) = (CounterClock.counter(), Instant::now());
        while began.elapsed() < Duration::from_millis(5) {}
        assert!(CounterClock.counter() > count);
    }
}
