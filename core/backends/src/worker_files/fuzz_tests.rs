//! Fuzz targets: the files of worker ids in a directory.

use super::durable_file::{Content, parse, slots};
use super::worker_state::WorkerState;
use crate::directory::lead_note::LeadNote;
use leafmint_fuzz::fuzz;

const OLDER: &str = "leafmint worker id 2\ntoken 00112233445566778899aabbccddeeff\nhorizon 1793491200000\nowner host a 1\n\
                     directory inode 7 born 8\nseen boot b device 7:0\nlayout leaf\nend\n";

/// The text of the next write.
fn newer() -> String {
    OLDER.replace("1793491200000", "1793491203000")
}

/// Whole files: as each of two writes in a row leaves them.
fn files() -> Vec<Vec<u8>> {
    vec![slots([(2, OLDER), (3, &newer())]), slots([(4, &newer()), (3, OLDER)])]
}

/// Damage never gives way to the older of two states: it would be a floor below what was reserved.
#[test]
fn fuzz_damaged_state_files() {
    fuzz("slots", files(), |input| {
        let content = parse(input);
        let Content::Text(text) = &content else { return format!("{content:?}") };
        match WorkerState::parse(text) {
            // Other horizons need a checksum of their own.
            Some(state) => {
                assert!(state.horizon >= 1_793_491_203_000, "{} is believed", state.horizon);
                "a state".to_owned()
            }
            None => "another text".to_owned(),
        }
    });
}

/// What a state file or a lock file says, with checksums that hold.
#[test]
fn fuzz_texts_of_state_files() {
    fuzz("states", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        if let Some(state) = WorkerState::parse(&text) {
            let printed = state.to_text();
            let again = WorkerState::parse(&printed).unwrap();
            // Only the owner may hold what a file does not.
            assert_eq!(WorkerState { owner: again.owner.clone(), ..state.clone() }, again);
            assert_eq!(again.to_text(), printed);
            let row =
                state.row.map(|row| (row.known.is_some(), "x".repeat(row.unconfirmed.len().min(3)), row.releasing));
            return format!("a state {row:?}");
        }
        let note = LeadNote::parse(&Content::Text(text.into_owned()));
        if let LeadNote::Until(until) = note {
            let (covering, printed) = LeadNote::covering(until);
            assert!(covering.covers(until) && LeadNote::parse(&Content::Text(printed)) == covering, "{covering:?}");
        }
        format!("{note:?}")
    });
}

/// Any turns, with checksums that hold.
#[test]
fn fuzz_turns_of_slots() {
    fuzz("turns", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        let mut turns = text.split('\n').map(|turn| turn.parse::<i128>().unwrap_or_default() as u64);
        let (even, odd) = (turns.next().unwrap_or_default(), turns.next().unwrap_or_default());
        let content = parse(&slots([(even, "even"), (odd, "odd")]));
        let follows = even % 2 == 0 && odd % 2 == 1 && even.abs_diff(odd) == 1;
        let newest = if even > odd { "even" } else { "odd" };
        assert_eq!(content, if follows { Content::Text(newest.into()) } else { Content::Damaged });
        format!("{content:?}")
    });
}
