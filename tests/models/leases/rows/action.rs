//! What may happen to a state.

use super::node::{Node, Phase};
use super::registry::Tick;
use super::{State, WorkerIds};
use crate::weakening::Weakening;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `HolderState::survey`: reads the row.
    Survey {
        node: usize,
        worker: u8,
    },
    /// `HolderState::send_again`: sends the claim again whose answer was lost.
    ClaimAgain {
        node: usize,
    },
    /// `HolderState::send_again`: the claim is too old by the database's clock.
    ForgetClaim {
        node: usize,
    },
    /// `HolderState::plan_restart`, `HolderState::claim`: writes the state file, sends the claim.
    ClaimRestart {
        node: usize,
        horizon: Tick,
    },
    /// `HolderState::lease_free`, `HolderState::claim`: the row looks free, by whatever clock. If there is no state
    /// file, the row is read now: what comes between reading and claiming comes as well while the claim is on its way.
    ClaimFree {
        node: usize,
        worker: u8,
        horizon: Tick,
    },
    /// `HolderState::acquire_offline`: the registry cannot be reached.
    RestartOffline {
        node: usize,
        worker: u8,
    },
    /// In ZooKeeper: the node is read and compared; the write is on its way with its version.
    Read {
        node: usize,
    },
    /// The statement under way is carried out, and its answer arrives.
    Answer {
        node: usize,
    },
    /// The sender gives up. The statement is carried out later, or has been carried out just now.
    GiveUpLate {
        node: usize,
    },
    /// The sender gives up. The statement was lost.
    GiveUpLost {
        node: usize,
    },
    Mint {
        node: usize,
        tick: Tick,
    },
    /// `RowLease::reserve`: the state file first, then the limit of the tickets.
    Reserve {
        node: usize,
    },
    /// `HolderState::extend`: writes the new version into the state file, sends it.
    Renew {
        node: usize,
        horizon: Tick,
    },
    /// `keepalive::give_back`, `HolderState::release`: shuts the cell, writes the state file, sends the release. A
    /// renewal under way may be late.
    Close {
        node: usize,
        late: bool,
    },
    /// kill -9, and a new process in its place. What was under way may be late.
    Crash {
        node: usize,
        late: bool,
    },
    /// A late statement is carried out. Its answer reaches no node.
    Arrive {
        late: usize,
    },
    /// `HolderState::evict`: an operator takes the token out of a row, whether its owner lives or not.
    Evict {
        worker: u8,
    },
    /// A state file is deleted, or cannot be read.
    LoseFile {
        file: usize,
    },
}

impl WorkerIds {
    /// Returns what may happen to a node, with horizons up to `end`.
    pub(super) fn steps(&self, state: &State, node: usize, end: Tick, steps: &mut Vec<Action>) {
        let Node { cursor, phase, unanswered, .. } = &state.nodes[node];
        let must_read = self.must_read(&state.nodes[node]);
        let room = state.late.len() < self.late && !must_read;
        if matches!(phase, Phase::Idle | Phase::Surveyed { .. }) {
            for worker in 0..self.workers {
                let row = state.rows[usize::from(worker)];
                if unanswered.is_none() && !self.has_disk(node) {
                    let least = row.map_or(0, |row| row.horizon) + 1;
                    steps.extend((least..=end).map(|horizon| Action::ClaimFree { node, worker, horizon }));
                    continue;
                }
                if unanswered.is_none() && !matches!(phase, Phase::Surveyed { row: read, .. } if *read == row) {
                    steps.push(Action::Survey { node, worker });
                }
                let file = self.state_file(state, node, worker);
                let may = file.is_some_and(|file| {
                    !file.releasing && file.known.is_some_and(|known| known.horizon > file.horizon)
                });
                if may && self.lock_is_free(state, node, worker) {
                    steps.push(Action::RestartOffline { node, worker });
                }
            }
        }
        let in_use = state.nodes[node] != Node::default();
        if in_use {
            steps.push(Action::Crash { node, late: false });
            if room && state.nodes[node].sent().is_some() {
                steps.push(Action::Crash { node, late: true });
            }
        }
        match phase {
            Phase::Idle => {
                if unanswered.is_some() {
                    steps.extend([Action::ClaimAgain { node }, Action::ForgetClaim { node }]);
                }
            }
            Phase::Surveyed { worker, row } => {
                if !self.lock_is_free(state, node, *worker) {
                    return;
                }
                let stored = row.map_or(0, |row| row.horizon);
                if let Some(file) = self.fitting_file(state, node, *worker, *row) {
                    let least = stored.max(file.horizon + 1);
                    steps.extend((least..=end).map(|horizon| Action::ClaimRestart { node, horizon }));
                }
                steps.extend((stored + 1..=end).map(|horizon| Action::ClaimFree { node, worker: *worker, horizon }));
            }
            Phase::Claiming(claiming) => self.awaiting(node, must_read, room && !claiming.reading, steps),
            Phase::Held(held) => {
                let behind = u8::from(self.weakening == Weakening::ReportBehind);
                let limit = held.horizon + behind;
                steps.extend((*cursor..limit.min(end)).map(|tick| Action::Mint { node, tick }));
                if held.horizon < held.known.horizon {
                    steps.push(Action::Reserve { node });
                }
                steps.push(Action::Close { node, late: false });
                match &held.renewal {
                    None => {
                        let again = held
                            .unconfirmed
                            .last()
                            .filter(|sent| sent.token == held.token && sent.horizon > held.known.horizon);
                        let least = again.map_or(held.known.horizon + 1, |sent| sent.horizon);
                        steps.extend((least..=end).map(|horizon| Action::Renew { node, horizon }));
                    }
                    Some(renewal) => {
                        self.awaiting(node, must_read, room && !renewal.reading, steps);
                        if room && !renewal.reading {
                            steps.push(Action::Close { node, late: true });
                        }
                    }
                }
            }
            Phase::Releasing { horizon, .. } => {
                self.awaiting(node, must_read, room, steps);
                if self.weakening == Weakening::ReleaseBeforeShut {
                    steps.extend((*cursor..*horizon).map(|tick| Action::Mint { node, tick }));
                }
            }
        }
    }

    fn awaiting(&self, node: usize, must_read: bool, may_be_late: bool, steps: &mut Vec<Action>) {
        let next = if must_read { Action::Read { node } } else { Action::Answer { node } };
        steps.extend([next, Action::GiveUpLost { node }]);
        if may_be_late {
            steps.push(Action::GiveUpLate { node });
        }
    }
}
