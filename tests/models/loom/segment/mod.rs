//! The limit cell and the segment buffer: no id twice, none outside a lease, each thread ascending.

mod close;
mod draws;
mod stripes;

use crate::buffer::{FromBuffer, Landed, SegmentBuffer};
use loom::sync::Arc;
use loom::thread;
use loom::thread::JoinHandle;

/// Returns a buffer with these ranges, of which the first one is live and its first number is drawn.
fn live(ranges: &[std::ops::Range<i64>]) -> Arc<SegmentBuffer> {
    let buffer = buffer(ranges);
    assert_eq!(next(&buffer), Some(ranges[0].start));
    buffer
}

/// Returns a buffer with these ranges.
fn buffer(ranges: &[std::ops::Range<i64>]) -> Arc<SegmentBuffer> {
    let buffer = SegmentBuffer::new();
    for range in ranges {
        assert_eq!(buffer.land(range.clone()), Landed::Kept);
    }
    Arc::new(buffer)
}

/// Draws as the hot path does. `None` if no id is in hand or the buffer is closed.
fn next(buffer: &SegmentBuffer) -> Option<i64> {
    let draw = match buffer.next() {
        Ok(id) => return Some(id),
        Err(rejected) => buffer.next_cold(rejected),
    };
    match draw {
        FromBuffer::Got { ids: id, .. } => Some(id),
        FromBuffer::Dry | FromBuffer::Closed => None,
    }
}

fn mint(buffer: &Arc<SegmentBuffer>, draws: usize) -> JoinHandle<Vec<i64>> {
    let buffer = buffer.clone();
    thread::spawn(move || (0..draws).filter_map(|_| next(&buffer)).collect())
}
