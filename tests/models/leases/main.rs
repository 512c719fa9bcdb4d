//! The lease protocols, searched exhaustively on small instances: H1 in `rows` for a database and in `directory` for a
//! directory, leases and give-backs of S1 in `segments`.
//!
//! The sound protocols are searched to the end. Each weakening must show its counter-example, which `--nocapture`
//! prints.
#![allow(missing_docs, unreachable_pub)]

pub mod directory;
pub mod past;
pub mod rows;
pub mod search;
pub mod segments;
pub mod weakening;

use directory::Directories;
use past::directory::PastDirectory;
use past::rows::Pasts;
use rows::{NO_ID_TWICE, WorkerIds};
use search::{assert_counter_example, assert_sound};
use segments::{NO_NUMBER_TWICE, Segments};
use weakening::Weakening;

/// Nodes on hosts of their own, without state files, that want one worker id.
fn diskless(nodes: usize, ticks: u8, late: usize) -> WorkerIds {
    WorkerIds {
        weakening: Weakening::None,
        nodes: vec![0; nodes],
        workers: 1,
        ticks,
        late,
        disks: 0,
        versions: false,
        liveness: true,
    }
}

/// Nodes that want one worker id, of which those on host 0 share a state directory.
fn with_disk(nodes: &[u8], ticks: u8, late: usize) -> WorkerIds {
    WorkerIds { nodes: nodes.to_vec(), disks: 1, ..diskless(nodes.len(), ticks, late) }
}

/// The same nodes over a ZooKeeper.
fn by_version(model: WorkerIds) -> WorkerIds {
    WorkerIds { versions: true, ..model }
}

fn segments(generators: usize, numbers: u8, late: usize) -> Segments {
    Segments { weakening: Weakening::None, generators, numbers, most: 2, late }
}

/// Processes that want the one worker id of a directory; those of path 1 use its copy, or the directory itself where it
/// is moved to.
fn directories(processes: &[usize], ticks: u8, faults: u8) -> Directories {
    Directories { weakening: Weakening::None, processes: processes.to_vec(), ticks, faults }
}

fn breaks_directory(model: Directories, weakening: Weakening) {
    let model = Directories { weakening, ..model };
    assert_counter_example(&format!("directory, {weakening:?}"), model, directory::NO_ID_TWICE);
}

fn breaks(model: WorkerIds, weakening: Weakening) {
    let model = WorkerIds { weakening, liveness: false, ..model };
    assert_counter_example(&format!("worker ids, {weakening:?}"), model, NO_ID_TWICE);
}

/// Living nodes and fillers that want the same worker ids.
fn pasts(living: usize, fillers: usize, late: usize) -> Pasts {
    Pasts {
        weakening: Weakening::None,
        living,
        fillers,
        workers: 1,
        for_the_past: 1,
        deletions: 0,
        ticks: 2,
        sequences: 3,
        late,
    }
}

fn breaks_pasts(weakening: Weakening) {
    let model = Pasts { weakening, ..pasts(1, 2, 1) };
    assert_counter_example(&format!("past, {weakening:?}"), model, past::rows::NO_ID_TWICE);
}

/// Counters that an operator deletes.
fn breaks_deleted(weakening: Weakening) {
    let model = Pasts { weakening, deletions: 1, ticks: 1, sequences: 2, ..pasts(0, 2, 1) };
    assert_counter_example(&format!("past, {weakening:?}"), model, past::rows::NO_ID_TWICE);
}

fn past_directory(living: usize, fillers: usize, faults: u8) -> PastDirectory {
    PastDirectory { weakening: Weakening::None, living, fillers, sequences: 3, faults }
}

fn breaks_past_directory(weakening: Weakening) {
    let model = PastDirectory { weakening, ..past_directory(1, 2, 2) };
    assert_counter_example(&format!("past in a directory, {weakening:?}"), model, past::directory::NO_ID_TWICE);
}

fn breaks_segments(weakening: Weakening) {
    let model = Segments { weakening, ..segments(2, 2, 1) };
    assert_counter_example(&format!("segments, {weakening:?}"), model, NO_NUMBER_TWICE);
}

#[test]
fn three_nodes_share_a_worker_id_without_a_duplicate() {
    assert_sound("three nodes, one late statement", diskless(3, 2, 1));
    assert_sound("three nodes, three ticks", diskless(3, 3, 0));
}

#[test]
fn a_worker_id_is_stolen_and_stolen_back_without_a_duplicate() {
    assert_sound("two nodes, three ticks, one late statement", diskless(2, 3, 1));
    assert_sound("two nodes, two late statements", diskless(2, 2, 2));
}

#[test]
fn a_lost_lease_is_replaced_by_another_worker_id_without_a_duplicate() {
    assert_sound("three nodes, two worker ids", WorkerIds { workers: 2, ..diskless(3, 2, 0) });
}

#[test]
fn hosts_with_state_files_restart_without_a_duplicate() {
    assert_sound("two processes of a host", with_disk(&[0, 0], 2, 1));
    assert_sound("a host with a state file and one without", with_disk(&[0, 1], 2, 1));
    assert_sound("two processes of a host and another host", with_disk(&[0, 0, 1], 2, 0));
}

#[test]
fn nodes_that_are_changed_by_version_are_shared_without_a_duplicate() {
    assert_sound("ZooKeeper, two nodes, one late write", by_version(diskless(2, 3, 1)));
    assert_sound("ZooKeeper, two nodes, two late writes", by_version(diskless(2, 2, 2)));
    assert_sound("ZooKeeper, three nodes", by_version(diskless(3, 2, 0)));
    assert_sound("ZooKeeper, two processes of a host", by_version(with_disk(&[0, 0], 2, 1)));
    assert_sound("ZooKeeper, a host with a state file and one without", by_version(with_disk(&[0, 1], 2, 1)));
}

#[test]
fn a_write_that_does_not_name_the_version_that_was_read_breaks_it() {
    breaks(by_version(diskless(2, 2, 1)), Weakening::VersionNotCompared);
}

#[test]
fn reporting_the_horizon_behind_the_ids_breaks_it() {
    breaks(diskless(2, 2, 0), Weakening::ReportBehind);
}

#[test]
fn counting_what_was_not_answered_breaks_it() {
    breaks(diskless(2, 3, 0), Weakening::UnansweredExtendCounts);
    breaks(diskless(2, 2, 0), Weakening::UnansweredClaimCounts);
}

#[test]
fn an_extend_that_does_not_compare_the_token_breaks_it() {
    breaks(diskless(2, 3, 0), Weakening::ExtendWithoutToken);
}

#[test]
fn a_late_extend_that_may_lower_the_horizon_breaks_it() {
    breaks(diskless(2, 3, 1), Weakening::ExtendWithoutHorizon);
}

/// Two locks on one door: with the known horizon compared, this model finds no use for the token, nor for the known
/// horizon if the token is compared and the horizon may only rise. A release needs the horizon only against clones of a
/// machine, which have its token; they are not in this model.
#[test]
fn what_an_extend_or_a_release_compares_holds_with_either_half_left_out() {
    for weakening in
        [Weakening::ExtendComparesHorizonOnly, Weakening::ExtendOnlyRaises, Weakening::ReleaseWithoutHorizon]
    {
        for model in [diskless(2, 3, 0), diskless(2, 2, 1)] {
            let model = WorkerIds { weakening, liveness: false, ..model };
            assert_sound(&format!("worker ids, {weakening:?}"), model);
        }
    }
}

#[test]
fn an_eviction_that_lowers_the_horizon_breaks_it() {
    breaks(diskless(2, 2, 0), Weakening::EvictionLowersHorizon);
}

#[test]
fn beginning_at_the_present_time_breaks_it() {
    breaks(diskless(2, 2, 0), Weakening::FloorIsNow);
}

#[test]
fn using_a_token_again_breaks_it() {
    breaks(diskless(2, 2, 1), Weakening::TokenReused);
}

#[test]
fn a_release_that_does_not_compare_the_token_breaks_it() {
    breaks(diskless(2, 3, 1), Weakening::ReleaseWithoutToken);
}

#[test]
fn a_release_before_the_cell_is_shut_breaks_it() {
    breaks(diskless(2, 2, 0), Weakening::ReleaseBeforeShut);
}

#[test]
fn restarting_from_any_state_file_breaks_it() {
    breaks(with_disk(&[0, 1], 2, 0), Weakening::FileNotCompared);
}

#[test]
fn restarting_without_the_lock_breaks_it() {
    breaks(with_disk(&[0, 0], 2, 0), Weakening::WithoutLock);
}

#[test]
fn a_claim_that_forgets_a_release_on_its_way_breaks_it() {
    breaks(with_disk(&[0, 1], 2, 1), Weakening::ClaimForgetsRelease);
}

#[test]
fn a_directory_that_is_moved_and_copied_and_whose_files_are_removed_and_replaced_leases_without_a_duplicate() {
    assert_sound("directory, two processes, three ticks, three faults", directories(&[0, 0], 3, 3));
    assert_sound("directory, three processes, three faults", directories(&[0, 0, 0], 2, 3));
    assert_sound("directory, two processes and one elsewhere", directories(&[0, 0, 1], 3, 2));
}

#[test]
fn a_state_file_that_is_not_locked_breaks_it() {
    breaks_directory(directories(&[0, 0], 3, 2), Weakening::StateNotLocked);
}

#[test]
fn writing_to_whatever_the_path_names_breaks_it() {
    breaks_directory(directories(&[0, 0], 3, 2), Weakening::WriteByPath);
}

#[test]
fn a_write_without_a_look_at_the_paths_after_it_breaks_it() {
    breaks_directory(directories(&[0, 0], 3, 2), Weakening::NotCheckedAfter);
}

/// The check before a write only spares a vain one: an owner that was displaced writes to a file that no process reads.
#[test]
fn a_write_without_a_look_at_the_paths_before_it_holds() {
    let model = Directories { weakening: Weakening::NotCheckedBefore, ..directories(&[0, 0], 3, 2) };
    assert_sound("directory, NotCheckedBefore", model);
}

#[test]
fn a_state_that_is_read_before_it_is_locked_breaks_it() {
    breaks_directory(directories(&[0, 0], 2, 0), Weakening::ReadBeforeLock);
}

#[test]
fn a_lost_state_file_that_counts_as_none_breaks_it() {
    breaks_directory(directories(&[0, 0], 2, 1), Weakening::MissingIsFresh);
}

#[test]
fn using_a_copied_directory_breaks_it() {
    breaks_directory(directories(&[0, 1], 2, 1), Weakening::CopyBelieved);
}

#[test]
fn making_a_directory_again_that_was_moved_breaks_it() {
    breaks_directory(directories(&[0, 1], 2, 1), Weakening::MovedIsMadeAgain);
}

#[test]
fn using_a_horizon_before_it_is_written_breaks_it() {
    breaks_directory(directories(&[0, 0], 2, 0), Weakening::GrantedBeforeWritten);
}

#[test]
fn segments_are_leased_and_given_back_without_a_duplicate() {
    assert_sound("three generators", segments(3, 3, 1));
    assert_sound("two generators, more numbers", segments(2, 4, 1));
    assert_sound("two generators, two late statements", segments(2, 3, 2));
}

#[test]
fn giving_back_twice_breaks_it() {
    breaks_segments(Weakening::GiveBackRetried);
}

#[test]
fn giving_back_without_comparing_breaks_it() {
    breaks_segments(Weakening::GiveBackUncompared);
}

#[test]
fn giving_back_what_can_still_be_drawn_breaks_it() {
    breaks_segments(Weakening::GiveBackBeforeShut);
}

#[test]
fn counting_a_lease_that_was_not_answered_breaks_it() {
    breaks_segments(Weakening::UnansweredLeaseCounts);
}

#[test]
fn the_past_is_filled_in_next_to_the_living_without_a_duplicate() {
    assert_sound("a living node and two fillers, one late statement", pasts(1, 2, 1));
    assert_sound("two living nodes and a filler, two late statements", pasts(2, 1, 2));
    assert_sound("two worker ids", Pasts { workers: 2, for_the_past: 2, sequences: 2, ..pasts(1, 1, 1) });
    assert_sound("two worker ids, one for the living", Pasts { workers: 2, ..pasts(1, 1, 1) });
    let deleted =
        |living, fillers, late| Pasts { deletions: 1, ticks: 1, sequences: 2, ..pasts(living, fillers, late) };
    assert_sound("counters that are deleted, two fillers, one late statement", deleted(0, 2, 1));
    assert_sound("counters that are deleted, next to a living node", deleted(1, 1, 1));
}

#[test]
fn taking_a_worker_id_for_the_past_that_was_held_breaks_it() {
    breaks_pasts(Weakening::PastClaimsWhatWasHeld);
}

#[test]
fn a_horizon_for_the_past_that_passes_breaks_it() {
    breaks_pasts(Weakening::PastHorizonPasses);
}

#[test]
fn leasing_a_block_without_comparing_its_counter_breaks_it() {
    breaks_pasts(Weakening::BlockNotCompared);
}

#[test]
fn counting_a_lease_of_a_block_that_was_not_answered_breaks_it() {
    breaks_pasts(Weakening::UnansweredBlockCounts);
}

#[test]
fn a_counter_that_ticks_share_breaks_it() {
    breaks_pasts(Weakening::CounterOfTheLastTick);
}

#[test]
fn a_lease_that_does_not_demand_the_mark_breaks_it() {
    breaks_deleted(Weakening::MarkNotCompared);
}

#[test]
fn a_mark_that_is_the_same_in_every_generation_breaks_it() {
    breaks_deleted(Weakening::MarkAlwaysTheSame);
}

#[test]
fn taking_any_worker_id_for_the_past_leaves_the_living_none() {
    let model = Pasts { workers: 2, weakening: Weakening::PastTakesAll, ..pasts(1, 1, 0) };
    assert_counter_example("past, PastTakesAll", model, past::rows::SHARE_OF_THE_LIVING);
}

#[test]
fn the_past_of_a_directory_is_filled_in_without_a_duplicate() {
    assert_sound("a directory, two starts and a filler, two faults", past_directory(2, 1, 2));
    assert_sound("a directory, a start and two fillers, two faults", past_directory(1, 2, 2));
    assert_sound("a directory, two starts and two fillers, three faults", past_directory(2, 2, 3));
}

#[test]
fn a_start_that_does_not_look_for_the_file_of_the_past_breaks_it() {
    breaks_past_directory(Weakening::PastFileNotSeen);
}

#[test]
fn taking_a_worker_id_for_the_past_whose_lock_file_is_not_fresh_breaks_it() {
    breaks_past_directory(Weakening::PastLockNotFresh);
}

#[test]
fn leasing_of_a_file_without_the_mark_breaks_it() {
    breaks_past_directory(Weakening::PastMarkNotCompared);
}

#[test]
fn leasing_without_the_lock_of_the_file_of_the_past_breaks_it() {
    breaks_past_directory(Weakening::PastNotLocked);
}

#[test]
fn leasing_without_a_look_at_the_path_after_the_write_breaks_it() {
    breaks_past_directory(Weakening::PastNotCheckedAfter);
}
