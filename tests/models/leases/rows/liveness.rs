//! Whether a node can mint.

use super::node::{Node, Phase};
use super::{Action, LOOK_AHEAD, State, WorkerIds};

impl WorkerIds {
    /// Returns whether a node mints if from now on the registry answers it, and its clock advances.
    pub(super) fn can_mint(&self, mut state: State, node: usize) -> bool {
        for _ in 0..LOOK_AHEAD {
            let Node { cursor, phase, unanswered, .. } = &state.nodes[node];
            let next = match phase {
                Phase::Idle if unanswered.is_some() => Action::ClaimAgain { node },
                Phase::Idle => {
                    let Some(worker) = (0..self.workers).find(|&worker| self.lock_is_free(&state, node, worker)) else {
                        return false;
                    };
                    Action::Survey { node, worker }
                }
                Phase::Surveyed { worker, .. } if !self.lock_is_free(&state, node, *worker) => return false,
                Phase::Surveyed { worker, row } => {
                    let fresh = state.rows[usize::from(*worker)];
                    if fresh != *row {
                        Action::Survey { node, worker: *worker }
                    } else {
                        Action::ClaimFree {
                            node,
                            worker: *worker,
                            horizon: row.map_or(0, |row| row.horizon).max(*cursor) + 1,
                        }
                    }
                }
                Phase::Held(held) if *cursor < held.horizon => return true,
                Phase::Held(held) if held.renewal.is_none() && held.horizon < held.known.horizon => {
                    Action::Reserve { node }
                }
                Phase::Held(held) if held.renewal.is_none() => {
                    let least =
                        held.unconfirmed.iter().map(|sent| sent.horizon).max().unwrap_or(0).max(held.known.horizon);
                    Action::Renew { node, horizon: least.max(*cursor) + 1 }
                }
                _ if self.must_read(&state.nodes[node]) => Action::Read { node },
                _ => Action::Answer { node },
            };
            self.step(&mut state, next);
        }
        false
    }
}
