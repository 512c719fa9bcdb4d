//! What an action does to a state.

use super::node::{ClaimSent, Node, Phase, Renewal, RowLease, StateFile};
use super::registry::{Row, RowVersion, Statement, Tick, Token, Version};
use super::symmetry::HOSTS;
use super::{Action, MOST_UNCONFIRMED, State, WorkerIds};
use crate::weakening::Weakening;

impl WorkerIds {
    pub(super) fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Survey { node, worker } => {
                state.nodes[node].phase = Phase::Surveyed { worker, row: state.rows[usize::from(worker)] };
            }
            Action::ClaimAgain { node } => {
                if let Some(unanswered) = state.nodes[node].unanswered.take() {
                    state.nodes[node].version = Version::Unread;
                    state.nodes[node].phase = Phase::Claiming(unanswered);
                }
            }
            Action::ForgetClaim { node } => state.nodes[node].unanswered = None,
            Action::ClaimRestart { node, horizon } => {
                let Phase::Surveyed { worker, row } = state.nodes[node].phase else { return };
                let kept = state.files[self.file(node, worker)].clone();
                let floor = kept.as_ref().map_or(0, |kept| kept.horizon);
                self.claim(state, node, (worker, row), kept, floor, horizon);
            }
            Action::ClaimFree { node, worker, horizon } => {
                let row = match state.nodes[node].phase {
                    Phase::Surveyed { row, .. } => row,
                    _ => state.rows[usize::from(worker)],
                };
                let stored = row.map_or(0, |row| row.horizon);
                let floor = if self.weakening == Weakening::FloorIsNow { 0 } else { stored };
                self.claim(state, node, (worker, row), None, floor, horizon);
            }
            Action::RestartOffline { node, worker } => {
                let (file, token) = (self.file(node, worker), self.fresh_token(state, node));
                let Some(kept) = &mut state.files[file] else { return };
                let Some(known) = kept.known else { return };
                let floor = kept.horizon;
                kept.horizon = known.horizon.min(floor + 1);
                let (unconfirmed, horizon) = (kept.unconfirmed.clone(), kept.horizon);
                let node = &mut state.nodes[node];
                node.unanswered = None;
                node.cursor = node.cursor.max(floor);
                node.phase =
                    Phase::Held(RowLease { worker, token, horizon, known, unconfirmed, renewal: None, down: false });
            }
            Action::Read { node } => self.read(state, node),
            Action::Answer { node } => self.answer(state, node),
            Action::GiveUpLate { node } => {
                state.late.extend(state.nodes[node].late());
                self.give_up(&mut state.nodes[node]);
            }
            Action::GiveUpLost { node } => self.give_up(&mut state.nodes[node]),
            Action::Mint { node, tick } => {
                state.nodes[node].cursor = tick + 1;
                let worker = state.nodes[node].locks();
                let again = u8::from(worker == Some(state.watched.0) && tick == state.watched.1);
                state.stamped = (state.stamped + again).min(2);
            }
            Action::Reserve { node } => {
                let Phase::Held(held) = &mut state.nodes[node].phase else { return };
                held.horizon += 1;
                let (kept, worker) = (held.state_file(held.horizon, false), held.worker);
                self.write(state, node, worker, kept);
            }
            Action::Renew { node, horizon } => {
                let Phase::Held(held) = &mut state.nodes[node].phase else { return };
                add_unconfirmed(&mut held.unconfirmed, RowVersion { token: held.token, horizon });
                held.renewal = Some(Renewal { known: held.known, reading: false });
                let (kept, worker) = (held.state_file(held.horizon, false), held.worker);
                self.write(state, node, worker, kept);
            }
            Action::Close { node, late } => {
                if late {
                    state.late.extend(state.nodes[node].late());
                }
                self.close(state, node);
            }
            Action::Crash { node, late } => {
                if late {
                    state.late.extend(state.nodes[node].late());
                }
                state.nodes[node] = Node::default();
            }
            Action::Arrive { late } => {
                let late = state.late.remove(late);
                if late.statement.run_with(late.version, &mut state.rows, self.weakening) {
                    state.pass_version(late.statement.worker());
                }
            }
            Action::Evict { worker } => {
                let Some(row) = &mut state.rows[usize::from(worker)] else { return };
                row.token = None;
                if self.weakening == Weakening::EvictionLowersHorizon {
                    row.horizon = 0;
                }
                state.pass_version(worker);
            }
            Action::LoseFile { file } => state.files[file] = None,
        }
    }

    fn write(&self, state: &mut State, node: usize, worker: u8, kept: StateFile) {
        if self.has_disk(node) {
            let file = self.file(node, worker);
            state.files[file] = Some(kept);
        }
    }

    /// `Token::fresh`: 128 random bits; here, any name that is not in use.
    fn fresh_token(&self, state: &State, node: usize) -> Token {
        if self.weakening == Weakening::TokenReused {
            return Token(HOSTS + self.nodes[node]);
        }
        let mut used = 0_u64;
        state.clone().tokens_mut(&mut |token| used |= 1 << token.0);
        Token(used.trailing_ones() as u8)
    }

    fn claim(
        &self,
        state: &mut State,
        node: usize,
        (worker, row): (u8, Option<Row>),
        kept: Option<StateFile>,
        floor: Tick,
        horizon: Tick,
    ) {
        let to = RowVersion { token: self.fresh_token(state, node), horizon };
        let mut reserved = horizon;
        if self.has_disk(node) {
            // As little as there may be: more is reserved later.
            reserved = horizon.min(floor + 1);
            let releasing =
                self.weakening != Weakening::ClaimForgetsRelease && kept.as_ref().is_some_and(|kept| kept.releasing);
            let (known, mut unconfirmed) = kept.map(|kept| (kept.known, kept.unconfirmed)).unwrap_or_default();
            add_unconfirmed(&mut unconfirmed, to);
            let file = self.file(node, worker);
            state.files[file] = Some(StateFile { horizon: reserved, known, unconfirmed, releasing });
        }
        state.nodes[node].version = Version::Unread;
        state.nodes[node].phase =
            Phase::Claiming(ClaimSent { worker, from: row, to, floor, horizon: reserved, reading: false });
    }

    /// `HolderState::hold`, and the admission of a lease in the generator.
    fn hold(&self, node: &mut Node, sent: &ClaimSent) {
        node.cursor = node.cursor.max(sent.floor);
        node.phase = Phase::Held(RowLease {
            worker: sent.worker,
            token: sent.to.token,
            horizon: sent.horizon,
            known: sent.to,
            unconfirmed: Vec::new(),
            renewal: None,
            down: false,
        });
    }

    /// `WorkerNode::overwrite`: reads the node, and compares it.
    fn read(&self, state: &mut State, index: usize) {
        let Some(sent) = state.nodes[index].sent() else { return };
        let matches = sent.run(&mut state.rows.clone(), self.weakening);
        state.nodes[index].version = if matches { Version::Current } else { Version::Refused };
        if !matches {
            self.answer(state, index);
        }
    }

    fn answer(&self, state: &mut State, index: usize) {
        let (worker, before) = (state.nodes[index].sent().map(|sent| sent.worker()), state.rows.clone());
        self.take_in(state, index);
        // Every change is to something else: a horizon rises, or a token comes or goes.
        if let Some(worker) = worker.filter(|_| state.rows != before) {
            state.pass_version(worker);
        }
    }

    fn take_in(&self, state: &mut State, index: usize) {
        let State { rows, nodes, files, .. } = state;
        let node = &mut nodes[index];
        let version = std::mem::take(&mut node.version);
        match std::mem::take(&mut node.phase) {
            Phase::Claiming(mut claiming) => {
                if claiming.reading {
                    // Another node's: the acquire begins again.
                    if rows[usize::from(claiming.worker)].and_then(|row| row.token) == Some(claiming.to.token) {
                        self.hold(node, &claiming);
                    }
                } else if claiming.statement().run_with(version, rows, self.weakening) {
                    self.hold(node, &claiming);
                } else {
                    claiming.reading = true;
                    node.phase = Phase::Claiming(claiming);
                }
            }
            Phase::Held(mut held) => {
                if self.answer_renewal(rows, &mut held, version) {
                    if !self.has_disk(index) {
                        held.horizon = held.known.horizon;
                    }
                    node.phase = Phase::Held(held);
                }
                // Else the lease is lost: the cell is shut, and another lease is taken.
            }
            Phase::Releasing { release, .. } => {
                release.run_with(version, rows, self.weakening);
                if let (true, Statement::Release { worker, .. }) = (self.has_disk(index), release) {
                    files[self.file(index, worker)] = None;
                }
                *node = Node::default();
            }
            other => node.phase = other,
        }
    }

    /// `renew` in `compare_and_set.rs` and `RowLease::take_in`. Returns false if the lease is lost.
    fn answer_renewal(&self, rows: &mut [Option<Row>], held: &mut RowLease, version: Version) -> bool {
        let (Some(statement), Some(mut renewal), Some(&to)) =
            (held.renew(), held.renewal.take(), held.unconfirmed.last())
        else {
            return true;
        };
        let done = if !renewal.reading {
            statement.run_with(version, rows, self.weakening).then_some(to)
        } else {
            let row = rows[usize::from(held.worker)];
            let ours = row.and_then(|row| {
                held.versions().find(|version| row.token == Some(version.token)).map(|version| (version.token, row))
            });
            let Some((token, row)) = ours else { return false };
            let shown = RowVersion { token, horizon: row.horizon };
            let done =
                (shown.token == to.token || shown.horizon >= to.horizon || shown == renewal.known).then_some(shown);
            renewal.known = shown;
            done
        };
        match done {
            Some(known) => (held.known, held.unconfirmed, held.down) = (known, Vec::new(), false),
            None => held.renewal = Some(Renewal { reading: !renewal.reading, ..renewal }),
        }
        true
    }

    fn give_up(&self, node: &mut Node) {
        node.version = Version::Unread;
        match std::mem::take(&mut node.phase) {
            Phase::Claiming(claiming) if self.weakening == Weakening::UnansweredClaimCounts => {
                self.hold(node, &claiming)
            }
            Phase::Claiming(claiming) => node.unanswered = Some(ClaimSent { reading: false, ..claiming }),
            Phase::Held(mut held) => {
                held.renewal = None;
                held.down = true;
                if let (Weakening::UnansweredExtendCounts, Some(&sent)) = (self.weakening, held.unconfirmed.last()) {
                    (held.known, held.horizon) = (sent, held.horizon.max(sent.horizon));
                }
                node.phase = Phase::Held(held);
            }
            Phase::Releasing { release, horizon } if self.weakening == Weakening::ReleaseBeforeShut => {
                node.phase = Phase::Releasing { release, horizon };
            }
            _ => *node = Node::default(),
        }
    }

    fn close(&self, state: &mut State, index: usize) {
        let cursor = state.nodes[index].cursor;
        state.nodes[index].version = Version::Unread;
        let Phase::Held(held) = std::mem::take(&mut state.nodes[index].phase) else { return };
        let used = cursor.min(held.horizon);
        let unheard = held.down && self.has_disk(index);
        if self.has_disk(index) {
            let file = self.file(index, held.worker);
            state.files[file] = Some(held.state_file(used, !unheard));
        }
        if unheard {
            state.nodes[index] = Node::default();
            return;
        }
        let mut versions: Vec<RowVersion> = held.versions().copied().collect();
        versions.sort_unstable();
        versions.dedup();
        let release = Statement::Release { worker: held.worker, versions, used };
        state.nodes[index].phase = Phase::Releasing { release, horizon: held.horizon };
    }
}

impl State {
    /// Notes that the row of a worker id has changed since it was read.
    fn pass_version(&mut self, worker: u8) {
        let pass = |version: &mut Version| {
            if *version == Version::Current {
                *version = Version::Passed;
            }
        };
        self.late.iter_mut().filter(|late| late.statement.worker() == worker).for_each(|late| pass(&mut late.version));
        let under_way = |node: &&mut Node| node.sent().is_some_and(|sent| sent.worker() == worker);
        self.nodes.iter_mut().filter(under_way).for_each(|node| pass(&mut node.version));
    }
}

/// `add_unconfirmed` in `row_state.rs`.
fn add_unconfirmed(unconfirmed: &mut Vec<RowVersion>, version: RowVersion) {
    if unconfirmed.last() == Some(&version) {
        return;
    }
    if unconfirmed.len() == MOST_UNCONFIRMED {
        unconfirmed.remove(0);
    }
    unconfirmed.push(version);
}
