//! What may happen to a state.

use super::{Directories, Phase, Process, State, Tick};
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
}

impl Directories {
    pub(super) fn steps(&self, state: &State, process: usize, end: Tick, steps: &mut Vec<Action>) {
        let Process { cursor, phase } = &state.processes[process];
        let directory = self.directory(state, process);
        // The copy is there once it was made.
        let exists = self.processes[process] == 0 || directory.lock.is_some();
        let free = exists && self.lock_is_free(state, directory.lock) && self.state_is_free(state, directory.state);
        let limit = state.processes[process].limit();
        steps.extend((*cursor..limit.min(end)).map(|tick| Action::Mint { process, tick }));
        if *phase != Phase::Idle {
            steps.push(Action::Crash { process });
        }
        match phase {
            Phase::Idle if self.is(Weakening::ReadBeforeLock) && exists => {
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
        let directory = &state.directories[0];
        let files = (0..self.processes.len()).filter(|&process| self.processes[process] == 0);
        files.filter_map(|process| state.processes[process].files()).all(|files| {
            Some(files.lock) == directory.lock && (files.state.is_none() || files.state == directory.state)
        })
    }

    pub(super) fn faults(&self, state: &State, steps: &mut Vec<Action>) {
        if state.faults == self.faults {
            return;
        }
        let original = &state.directories[0];
        if original.lock.is_some() && (original.state.is_some() || original.granted == 0) {
            steps.push(Action::RemoveLock);
        }
        if original.state.is_some() {
            steps.push(Action::ReplaceState);
            if original.lock.is_some() && self.is_noticed(state) {
                steps.push(Action::RemoveState);
            }
            if self.processes.contains(&1) && state.directories[1].lock.is_none() {
                steps.push(Action::CopyDirectory);
            }
        }
    }
}
