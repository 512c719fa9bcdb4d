//! Whether a process can mint.

use super::{Action, Directories, Phase, Process, State};

/// The number of steps that the liveness property looks ahead.
const LOOK_AHEAD: usize = 20;

impl Directories {
    /// Returns whether a process mints if no other one does anything, and its clock advances.
    pub(super) fn can_mint(&self, mut state: State, process: usize) -> bool {
        for _ in 0..LOOK_AHEAD {
            let Process { cursor, phase, .. } = &state.processes[process];
            let next = match phase {
                Phase::Idle | Phase::Looked { .. } => Action::Take { process },
                Phase::Locked { floor, .. } => Action::Reserve { process, to: floor.max(cursor) + 1 },
                Phase::Writing { written: false, .. } => Action::Write { process },
                Phase::Writing { written: true, .. } => Action::CheckAfter { process },
                Phase::Held { horizon, .. } if cursor < horizon => return true,
                Phase::Held { horizon, .. } => Action::Reserve { process, to: horizon + 1 },
            };
            self.step(&mut state, next);
        }
        false
    }
}
