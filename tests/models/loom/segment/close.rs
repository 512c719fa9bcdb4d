//! A segment buffer that is closed while threads draw and a lease lands.

use crate::buffer::Landed;
use crate::segment::{buffer, mint, next};
use crate::{check, collect};
use loom::thread;

#[test]
fn a_close_gives_back_exactly_the_ids_that_were_not_drawn() {
    check(|| {
        let buffer = buffer(&[1..4, 4..6]);
        let threads = vec![mint(&buffer, 1), mint(&buffer, 2)];
        buffer.close();
        let tail = buffer.unused().pop().unwrap_or(6..6);
        let all = collect(threads);
        assert!(all.iter().all(|id| (1..tail.start).contains(id)), "{all:?} were handed out, {tail:?} given back");
        // A draw that the close interrupts between its add and the mutex loses its number: one per thread at most.
        assert!(tail.start - 1 - all.len() as i64 <= 2, "{all:?} were handed out, {tail:?} given back");
        assert_eq!(next(&buffer), None);
    });
}

#[test]
fn a_lease_that_lands_during_a_close_is_given_back_or_dropped_never_handed_out() {
    check(|| {
        let buffer = buffer(&[1..3]);
        let minting = mint(&buffer, 2);
        let landing = {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.land(3..5))
        };
        buffer.close();
        let tail = buffer.unused().pop();
        let landed = landing.join().unwrap();
        let all = collect(vec![minting]);
        if let Some(tail) = tail {
            assert!(all.iter().all(|id| *id < tail.start), "{all:?} were handed out, {tail:?} given back");
            assert_eq!(tail.end, if landed == Landed::Kept { 5 } else { 3 });
        }
    });
}
