//! What may happen to a state.

use super::{COPY, Directories, ELSEWHERE, HOME, ORIGINAL, Phase, Process, State, Tick};
use crate::weakening::Weakening;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads the state before it locks the files.
    Look {
        process: usize,
    },
    /// `LockedWorker::take`, `LockedWorker::floor`: locks both files, then reads.
    Take {
        process: usize,
    },
    /// `LockedWorker::reserve`: looks at the paths.
    Reserve {
        process: usize,
        to: Tick,
    },
    /// The write itself.
    Write {
        process: usize,
    },
    /// Looks at the paths again.
    CheckAfter {
        process: usize,
    },
    Mint {
        process: usize,
        tick: Tick,
    },
    /// `release`: the cell is shut, and the state is written a last time.
    Close {
        process: usize,
    },
    /// kill -9, and a new process in its place.
    Crash {
        process: usize,
    },
    RemoveLock,
    RemoveState,
    /// `cp 5.state x; mv x 5.state`, or a restore of what is there.
    ReplaceState,
    CopyDirectory,
    /// `mv`, or a volume that is unmounted and mounted elsewhere. Or back.
    MoveDirectory,
}

impl Action {
    /// Returns whether it is done to the files, by no process of the model.
    pub(super) fn is_fault(&self) -> bool {
        use Action::{CopyDirectory, MoveDirectory, RemoveLock, RemoveState, ReplaceState};
        matches!(self, RemoveLock | RemoveState | ReplaceState | CopyDirectory | MoveDirectory)
    }
}

impl Directories {
    pub(super) fn steps(&self, state: &State, process: usize, end: Tick, steps: &mut Vec<Action>) {
        let Process { cursor, phase, .. } = &state.processes[process];
        let usable = self.usable(state, process);
        let free = usable.map(|usable| &state.directories[usable]).is_some_and(|directory| {
            self.lock_is_free(state, directory.lock) && self.state_is_free(state, directory.state)
        });
        let limit = state.processes[process].limit();
        steps.extend((*cursor..limit.min(end)).map(|tick| Action::Mint { process, tick }));
        if *phase != Phase::Idle {
            steps.push(Action::Crash { process });
        }
        match phase {
            Phase::Idle if self.is(Weakening::ReadBeforeLock) && usable.is_some() => {
                if self.floor(state, process).is_some() {
                    steps.push(Action::Look { process });
                }
            }
            Phase::Idle if free && self.floor(state, process).is_some() => steps.push(Action::Take { process }),
            Phase::Idle => {}
            Phase::Looked { .. } if free => steps.push(Action::Take { process }),
            Phase::Looked { .. } => {}
            Phase::Locked { floor, .. } => steps.extend((floor + 1..=end).map(|to| Action::Reserve { process, to })),
            Phase::Writing { written: false, .. } => steps.push(Action::Write { process }),
            Phase::Writing { written: true, .. } => steps.push(Action::CheckAfter { process }),
            Phase::Held { horizon, .. } => {
                steps.extend((horizon + 1..=end).map(|to| Action::Reserve { process, to }));
                steps.push(Action::Close { process });
            }
        }
    }

    /// Returns whether no process of the directory has locked other files than the paths name.
    fn is_noticed(&self, state: &State) -> bool {
        let directory = &state.directories[ORIGINAL];
        let processes = state.processes.iter().filter(|process| process.home == Some(ORIGINAL));
        processes.filter_map(Process::files).all(|files| {
            Some(files.lock) == directory.lock && (files.state.is_none() || files.state == directory.state)
        })
    }

    pub(super) fn faults(&self, state: &State, steps: &mut Vec<Action>) {
        if state.faults == self.faults {
            return;
        }
        let original = &state.directories[ORIGINAL];
        if original.lock.is_some() && (original.state.is_some() || original.granted == 0) {
            steps.push(Action::RemoveLock);
        }
        if original.state.is_some() {
            steps.push(Action::ReplaceState);
            if original.lock.is_some() && self.is_noticed(state) {
                steps.push(Action::RemoveState);
            }
            if self.processes.contains(&ELSEWHERE) && state.paths == [Some(ORIGINAL), None] {
                steps.push(Action::CopyDirectory);
            }
        }
        if self.processes.contains(&ELSEWHERE)
            && state.paths[ELSEWHERE] != Some(COPY)
            && state.paths[HOME] != state.paths[ELSEWHERE]
        {
            steps.push(Action::MoveDirectory);
        }
    }
}
