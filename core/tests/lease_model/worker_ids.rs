//! The model of worker ids leased from a database (H1): nodes, hosts with state files, rows, and statements on their way.
//!
//! Clocks may show anything: whether a row looks free, how far a horizon is aimed, which tick an id is stamped with and when somebody
//! gives up waiting is left open everywhere. A pause is a node that does nothing while others go on.

use super::node::{Claiming, Held, Memo, Node, Phase, Renewal};
use super::registry::{Mark, Row, Statement, Tick, Token};
use super::weakening::Weakening;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice";
pub const SOME_NODE_CAN_MINT: &str = "some node can mint, whatever happened, once the registry answers it";
pub const EVERY_NODE_CAN_MINT: &str = "every node can mint, whatever happened, once the others crash and the registry answers it";

/// `claim.rs`, `MOST_AIMS`, made small so that it is reached.
const MOST_AIMS: usize = 2;
/// Tokens from here up are names of hosts, for the weakening that reuses them.
const HOSTS: u8 = 200;
/// The liveness properties look so many steps ahead, without a bound on time.
const LOOK_AHEAD: usize = 40;

#[derive(Clone, Debug)]
pub struct WorkerIds {
    pub weakening: Weakening,
    /// The host of every node.
    pub nodes: Vec<u8>,
    pub workers: u8,
    /// Horizons reach up to here.
    pub ticks: Tick,
    /// So many statements may be late at a time.
    pub late: usize,
    /// So many hosts have a state directory, the first ones.
    pub disks: u8,
    /// The liveness properties are looked at too.
    pub liveness: bool,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// One worker id and tick, chosen at the start: if nobody can stamp this one twice, whichever it is, nobody can stamp any.
    watched: (u8, Tick),
    stamped: u8,
    rows: Vec<Option<Row>>,
    /// Of every host and worker id.
    files: Vec<Option<Memo>>,
    nodes: Vec<Node>,
    /// Sent, given up by the sender, and still to be carried out, in any order.
    late: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `Rows::ready`: reads the row.
    Survey {
        node: usize,
        worker: u8,
    },
    /// `Rows::look_up_pending`: sends the claim again whose answer was lost.
    ClaimAgain {
        node: usize,
    },
    /// `Rows::look_up_pending`: it is too old by the database's clock.
    ForgetClaim {
        node: usize,
    },
    /// `Rows::plan_to_go_on`, `Rows::claim`: writes the state file, sends the claim.
    ClaimWithFile {
        node: usize,
        horizon: Tick,
    },
    /// `Rows::lease_free`, `Rows::claim`: the row looks free, by whatever clock. Where there is no state file, the row is read now: what
    /// comes between reading and claiming comes as well while the claim is on its way.
    ClaimFree {
        node: usize,
        worker: u8,
        horizon: Tick,
    },
    /// `Rows::any_alone`, `Rows::go_on_alone`: the registry cannot be reached.
    GoOnAlone {
        node: usize,
        worker: u8,
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
    /// `Held::reserve`: the state file first, then the limit of the tickets.
    Reserve {
        node: usize,
    },
    /// `Rows::move_on`, `Rows::renew`: notes the aim in the state file, sends it.
    Renew {
        node: usize,
        horizon: Tick,
    },
    /// `keeper::give_back`, `Rows::release`: shuts the cell, writes the state file, sends the release. A renewal under way may be late.
    Close {
        node: usize,
        late: bool,
    },
    /// kill -9, and a new process in its place. What was under way may be late.
    Crash {
        node: usize,
        late: bool,
    },
    /// A late statement is carried out. Nobody hears the answer.
    Arrive {
        late: usize,
    },
    /// Somebody deletes a state file, or it cannot be read.
    LoseFile {
        file: usize,
    },
}

impl WorkerIds {
    fn has_disk(&self, node: usize) -> bool {
        self.nodes[node] < self.disks
    }

    fn file(&self, node: usize, worker: u8) -> usize {
        usize::from(self.nodes[node] * self.workers + worker)
    }

    fn lock_is_free(&self, state: &State, node: usize, worker: u8) -> bool {
        let others = (0..self.nodes.len()).filter(|&other| other != node && self.nodes[other] == self.nodes[node]);
        !self.has_disk(node)
            || self.weakening == Weakening::WithoutLock
            || others.into_iter().all(|other| state.nodes[other].locks() != Some(worker))
    }

    fn memo<'a>(&self, state: &'a State, node: usize, worker: u8) -> Option<&'a Memo> {
        state.files.get(self.file(node, worker))?.as_ref()
    }

    /// Returns the state file that goes with the row that a node has read, if it may go on from it.
    fn fitting_file<'a>(&self, state: &'a State, node: usize, worker: u8, row: Option<Row>) -> Option<&'a Memo> {
        let (memo, row) = (self.memo(state, node, worker)?, row?);
        let fits = self.weakening == Weakening::FileWithoutMark || memo.marks().any(|mark| row.shows(mark));
        fits.then_some(memo)
    }

    /// Returns what may happen to a node, with horizons up to `end`.
    fn steps(&self, state: &State, node: usize, end: Tick, steps: &mut Vec<Action>) {
        let Node { cursor, phase, pending } = &state.nodes[node];
        let room = state.late.len() < self.late;
        if matches!(phase, Phase::Idle | Phase::Surveyed { .. }) {
            for worker in 0..self.workers {
                let row = state.rows[usize::from(worker)];
                if pending.is_none() && !self.has_disk(node) {
                    let least = row.map_or(0, |row| row.horizon) + 1;
                    steps.extend((least..=end).map(|horizon| Action::ClaimFree { node, worker, horizon }));
                    continue;
                }
                if pending.is_none() && !matches!(phase, Phase::Surveyed { row: read, .. } if *read == row) {
                    steps.push(Action::Survey { node, worker });
                }
                let file = self.memo(state, node, worker);
                let may = file.is_some_and(|file| !file.leaving && file.known.is_some_and(|known| known.horizon > file.horizon));
                if may && self.lock_is_free(state, node, worker) {
                    steps.push(Action::GoOnAlone { node, worker });
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
                if pending.is_some() {
                    steps.extend([Action::ClaimAgain { node }, Action::ForgetClaim { node }]);
                }
            }
            Phase::Surveyed { worker, row } => {
                if !self.lock_is_free(state, node, *worker) {
                    return;
                }
                let stored = row.map_or(0, |row| row.horizon);
                if let Some(memo) = self.fitting_file(state, node, *worker, *row) {
                    let least = stored.max(memo.horizon + 1);
                    steps.extend((least..=end).map(|horizon| Action::ClaimWithFile { node, horizon }));
                }
                steps.extend((stored + 1..=end).map(|horizon| Action::ClaimFree { node, worker: *worker, horizon }));
            }
            Phase::Claiming(claiming) => self.awaiting(node, room && !claiming.reading, steps),
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
                        let again = held.aims.last().filter(|aim| aim.token == held.token && aim.horizon > held.known.horizon);
                        let least = again.map_or(held.known.horizon + 1, |aim| aim.horizon);
                        steps.extend((least..=end).map(|horizon| Action::Renew { node, horizon }));
                    }
                    Some(renewal) => {
                        self.awaiting(node, room && !renewal.reading, steps);
                        if room && !renewal.reading {
                            steps.push(Action::Close { node, late: true });
                        }
                    }
                }
            }
            Phase::Releasing { horizon, .. } => {
                self.awaiting(node, room, steps);
                if self.weakening == Weakening::ReleaseBeforeShut {
                    steps.extend((*cursor..*horizon).map(|tick| Action::Mint { node, tick }));
                }
            }
        }
    }

    fn awaiting(&self, node: usize, may_be_late: bool, steps: &mut Vec<Action>) {
        steps.extend([Action::Answer { node }, Action::GiveUpLost { node }]);
        if may_be_late {
            steps.push(Action::GiveUpLate { node });
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
        memo: Option<Memo>,
        floor: Tick,
        horizon: Tick,
    ) {
        let to = Mark { token: self.fresh_token(state, node), horizon };
        let mut reserved = horizon;
        if self.has_disk(node) {
            // As little as there may be: more is reserved later.
            reserved = horizon.min(floor + 1);
            let leaving = self.weakening != Weakening::ClaimForgetsRelease && memo.as_ref().is_some_and(|memo| memo.leaving);
            let (known, mut aims) = memo.map(|memo| (memo.known, memo.aims)).unwrap_or_default();
            add_aim(&mut aims, to);
            let file = self.file(node, worker);
            state.files[file] = Some(Memo { horizon: reserved, known, aims, leaving });
        }
        state.nodes[node].phase = Phase::Claiming(Claiming { worker, from: row, to, floor, horizon: reserved, reading: false });
    }

    /// `Rows::hold`, and `Inner::admit` in the keeper.
    fn hold(&self, node: &mut Node, claiming: &Claiming) {
        node.cursor = node.cursor.max(claiming.floor);
        node.phase = Phase::Held(Held {
            worker: claiming.worker,
            token: claiming.to.token,
            horizon: claiming.horizon,
            known: claiming.to,
            aims: Vec::new(),
            renewal: None,
            down: false,
        });
    }

    fn answer(&self, state: &mut State, index: usize) {
        let State { rows, nodes, files, .. } = state;
        let node = &mut nodes[index];
        match std::mem::take(&mut node.phase) {
            Phase::Claiming(mut claiming) => {
                if claiming.reading {
                    // Somebody else's: the acquire begins again.
                    if rows[usize::from(claiming.worker)].and_then(|row| row.token) == Some(claiming.to.token) {
                        self.hold(node, &claiming);
                    }
                } else if claiming.statement().run(rows, self.weakening) {
                    self.hold(node, &claiming);
                } else {
                    claiming.reading = true;
                    node.phase = Phase::Claiming(claiming);
                }
            }
            Phase::Held(mut held) => {
                if self.answer_renewal(rows, &mut held) {
                    if !self.has_disk(index) {
                        held.horizon = held.known.horizon;
                    }
                    node.phase = Phase::Held(held);
                }
                // Else `Inner::lose`: the cell is shut, and another lease is taken.
            }
            Phase::Releasing { release, .. } => {
                release.run(rows, self.weakening);
                if let (true, Statement::Release { worker, .. }) = (self.has_disk(index), release) {
                    files[self.file(index, worker)] = None;
                }
                *node = Node::default();
            }
            other => node.phase = other,
        }
    }

    /// `Renew::run` and `Held::take_in`. Returns false where the lease is lost.
    fn answer_renewal(&self, rows: &mut [Option<Row>], held: &mut Held) -> bool {
        let (Some(statement), Some(mut renewal), Some(&to)) = (held.renew(), held.renewal.take(), held.aims.last()) else {
            return true;
        };
        let done = if !renewal.reading {
            statement.run(rows, self.weakening).then_some(to)
        } else {
            let row = rows[usize::from(held.worker)];
            let ours = row.and_then(|row| held.marks().find(|mark| row.token == Some(mark.token)).map(|mark| (mark.token, row)));
            let Some((token, row)) = ours else { return false };
            let shown = Mark { token, horizon: row.horizon };
            let done = (shown.token == to.token || shown.horizon >= to.horizon || shown == renewal.known).then_some(shown);
            renewal.known = shown;
            done
        };
        match done {
            Some(known) => (held.known, held.aims, held.down) = (known, Vec::new(), false),
            None => held.renewal = Some(Renewal { reading: !renewal.reading, ..renewal }),
        }
        true
    }

    fn give_up(&self, node: &mut Node) {
        match std::mem::take(&mut node.phase) {
            Phase::Claiming(claiming) if self.weakening == Weakening::UnansweredClaimCounts => self.hold(node, &claiming),
            Phase::Claiming(claiming) => node.pending = Some(Claiming { reading: false, ..claiming }),
            Phase::Held(mut held) => {
                held.renewal = None;
                held.down = true;
                if let (Weakening::UnansweredExtendCounts, Some(&aim)) = (self.weakening, held.aims.last()) {
                    (held.known, held.horizon) = (aim, held.horizon.max(aim.horizon));
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
        let Phase::Held(held) = std::mem::take(&mut state.nodes[index].phase) else { return };
        let used = cursor.min(held.horizon);
        let unheard = held.down && self.has_disk(index);
        if self.has_disk(index) {
            let file = self.file(index, held.worker);
            state.files[file] = Some(held.memo(used, !unheard));
        }
        if unheard {
            state.nodes[index] = Node::default();
            return;
        }
        let mut marks: Vec<Mark> = held.marks().copied().collect();
        marks.sort_unstable();
        marks.dedup();
        let release = Statement::Release { worker: held.worker, marks, used };
        state.nodes[index].phase = Phase::Releasing { release, horizon: held.horizon };
    }

    fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Survey { node, worker } => {
                state.nodes[node].phase = Phase::Surveyed { worker, row: state.rows[usize::from(worker)] };
            }
            Action::ClaimAgain { node } => {
                if let Some(pending) = state.nodes[node].pending.take() {
                    state.nodes[node].phase = Phase::Claiming(pending);
                }
            }
            Action::ForgetClaim { node } => state.nodes[node].pending = None,
            Action::ClaimWithFile { node, horizon } => {
                let Phase::Surveyed { worker, row } = state.nodes[node].phase else { return };
                let memo = state.files[self.file(node, worker)].clone();
                let floor = memo.as_ref().map_or(0, |memo| memo.horizon);
                self.claim(state, node, (worker, row), memo, floor, horizon);
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
            Action::GoOnAlone { node, worker } => {
                let (file, token) = (self.file(node, worker), self.fresh_token(state, node));
                let Some(memo) = &mut state.files[file] else { return };
                let Some(known) = memo.known else { return };
                let floor = memo.horizon;
                memo.horizon = known.horizon.min(floor + 1);
                let (aims, horizon) = (memo.aims.clone(), memo.horizon);
                let node = &mut state.nodes[node];
                node.pending = None;
                node.cursor = node.cursor.max(floor);
                node.phase = Phase::Held(Held { worker, token, horizon, known, aims, renewal: None, down: false });
            }
            Action::Answer { node } => self.answer(state, node),
            Action::GiveUpLate { node } => {
                state.late.extend(state.nodes[node].sent());
                self.give_up(&mut state.nodes[node]);
            }
            Action::GiveUpLost { node } => self.give_up(&mut state.nodes[node]),
            Action::Mint { node, tick } => {
                state.nodes[node].cursor = tick + 1;
                let worker = state.nodes[node].locks();
                state.stamped += u8::from(worker == Some(state.watched.0) && tick == state.watched.1);
            }
            Action::Reserve { node } => {
                let Phase::Held(held) = &mut state.nodes[node].phase else { return };
                held.horizon += 1;
                let (memo, worker) = (held.memo(held.horizon, false), held.worker);
                self.write(state, node, worker, memo);
            }
            Action::Renew { node, horizon } => {
                let Phase::Held(held) = &mut state.nodes[node].phase else { return };
                add_aim(&mut held.aims, Mark { token: held.token, horizon });
                held.renewal = Some(Renewal { known: held.known, reading: false });
                let (memo, worker) = (held.memo(held.horizon, false), held.worker);
                self.write(state, node, worker, memo);
            }
            Action::Close { node, late } => {
                if late {
                    state.late.extend(state.nodes[node].sent());
                }
                self.close(state, node);
            }
            Action::Crash { node, late } => {
                if late {
                    state.late.extend(state.nodes[node].sent());
                }
                state.nodes[node] = Node::default();
            }
            Action::Arrive { late } => {
                state.late.remove(late).run(&mut state.rows, self.weakening);
            }
            Action::LoseFile { file } => state.files[file] = None,
        }
    }

    fn write(&self, state: &mut State, node: usize, worker: u8, memo: Memo) {
        if self.has_disk(node) {
            let file = self.file(node, worker);
            state.files[file] = Some(memo);
        }
    }

    /// Brings states that differ only by names into one shape.
    fn tidy(&self, state: &mut State) {
        if self.weakening == Weakening::None {
            self.forget_what_matches_nothing(state);
        }
        let mut first = 0;
        while first < self.nodes.len() {
            let count = self.nodes[first..]
                .iter()
                .take_while(|&&host| host == self.nodes[first] || host.min(self.nodes[first]) >= self.disks)
                .count();
            state.nodes[first..first + count].sort_unstable();
            first += count;
        }
        let mut names: Vec<Token> = Vec::new();
        state.tokens_mut(&mut |token| {
            if token.0 < HOSTS {
                let place = names.iter().position(|name| name == token).unwrap_or_else(|| {
                    names.push(*token);
                    names.len() - 1
                });
                *token = Token(place as u8);
            }
        });
        state.late.sort_unstable();
    }

    /// Drops what compares with a token that no row shows and none will show again: it can change nothing any more.
    fn forget_what_matches_nothing(&self, state: &mut State) {
        let mut live = state.live();
        let State { rows, nodes, late, .. } = state;
        late.retain(|statement| match statement {
            Statement::Claim { worker, from, .. } => may_come(&live, rows[usize::from(*worker)], *from),
            Statement::Renew { known, .. } => live.has(known.token),
            Statement::Release { marks, .. } => marks.iter().any(|mark| live.has(mark.token)),
        });
        for (index, node) in nodes.iter_mut().enumerate() {
            let has_disk = self.has_disk(index);
            let vain = |claiming: &Claiming| {
                let row = rows[usize::from(claiming.worker)];
                !has_disk && !may_come(&live, row, claiming.from) && !live.has(claiming.to.token)
            };
            if node.pending.as_ref().is_some_and(vain) {
                node.pending = None;
            }
            match &mut node.phase {
                Phase::Claiming(claiming) if vain(claiming) => node.phase = Phase::Idle,
                Phase::Surveyed { worker, row } if !has_disk && !may_come(&live, rows[usize::from(*worker)], *row) => {
                    node.phase = Phase::Idle;
                }
                Phase::Held(held) => {
                    held.down &= has_disk;
                    if !held.marks().any(|mark| live.has(mark.token)) {
                        held.aims.clear();
                        held.renewal = None;
                        // It stands for itself alone, whatever it is called.
                        held.known.token = held.token;
                    }
                }
                _ => {}
            }
        }
        live = state.live();
        for file in &mut state.files {
            let Some(memo) = file else { continue };
            let alone = !memo.leaving && memo.known.is_some_and(|known| known.horizon > memo.horizon);
            if !alone && !memo.marks().any(|mark| live.has(mark.token)) {
                *file = None;
            }
        }
    }

    /// Tells whether a node mints if from now on the registry answers it, and its clock goes on.
    fn can_mint(&self, mut state: State, node: usize) -> bool {
        for _ in 0..LOOK_AHEAD {
            let Node { cursor, phase, pending } = &state.nodes[node];
            let next = match phase {
                Phase::Idle if pending.is_some() => Action::ClaimAgain { node },
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
                        Action::ClaimFree { node, worker: *worker, horizon: row.map_or(0, |row| row.horizon).max(*cursor) + 1 }
                    }
                }
                Phase::Held(held) if *cursor < held.horizon => return true,
                Phase::Held(held) if held.renewal.is_none() && held.horizon < held.known.horizon => Action::Reserve { node },
                Phase::Held(held) if held.renewal.is_none() => {
                    let least = held.aims.iter().map(|aim| aim.horizon).max().unwrap_or(0).max(held.known.horizon);
                    Action::Renew { node, horizon: least.max(*cursor) + 1 }
                }
                _ => Action::Answer { node },
            };
            self.step(&mut state, next);
        }
        false
    }
}

/// `add_aim` in `claim.rs`.
fn add_aim(aims: &mut Vec<Mark>, aim: Mark) {
    if aims.last() == Some(&aim) {
        return;
    }
    if aims.len() == MOST_AIMS {
        aims.remove(0);
    }
    aims.push(aim);
}

/// Tokens, by their bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tokens(u64);

impl Tokens {
    fn has(&self, token: Token) -> bool {
        self.0 & 1 << token.0 != 0
    }

    fn add(&mut self, token: Token) {
        self.0 |= 1 << token.0;
    }
}

/// Tells whether a row may show again what it showed when it was read.
fn may_come(live: &Tokens, row: Option<Row>, from: Option<Row>) -> bool {
    match from {
        None => row.is_none(),
        Some(Row { token, .. }) => token.is_none_or(|token| live.has(token)),
    }
}

impl State {
    /// Returns the tokens that rows show or may yet show.
    fn live(&self) -> Tokens {
        let mut live = Tokens(0);
        self.rows.iter().flatten().filter_map(|row| row.token).for_each(|token| live.add(token));
        loop {
            let before = live;
            let claim = |worker: u8, from: Option<Row>, to: Mark, live: &mut Tokens| {
                if may_come(live, self.rows[usize::from(worker)], from) {
                    live.add(to.token);
                }
            };
            for statement in &self.late {
                match statement {
                    Statement::Claim { worker, from, to } => claim(*worker, *from, *to, &mut live),
                    Statement::Renew { known, to, .. } if live.has(known.token) => live.add(to.token),
                    _ => {}
                }
            }
            for node in &self.nodes {
                match &node.phase {
                    Phase::Claiming(claiming) => claim(claiming.worker, claiming.from, claiming.to, &mut live),
                    Phase::Held(held) if held.marks().any(|mark| live.has(mark.token)) => {
                        live.add(held.token);
                        held.aims.iter().for_each(|aim| live.add(aim.token));
                    }
                    _ => {}
                }
                if let Some(pending) = &node.pending {
                    claim(pending.worker, pending.from, pending.to, &mut live);
                }
            }
            if live == before {
                return live;
            }
        }
    }

    fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        self.rows.iter_mut().flatten().flat_map(|row| &mut row.token).for_each(&mut *rename);
        self.files.iter_mut().flatten().for_each(|file| file.tokens_mut(rename));
        self.nodes.iter_mut().for_each(|node| node.tokens_mut(rename));
        self.late.iter_mut().for_each(|statement| statement.tokens_mut(rename));
    }
}

impl Model for WorkerIds {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let watched = (0..self.workers).flat_map(|worker| (0..self.ticks).map(move |tick| (worker, tick)));
        watched
            .map(|watched| State {
                watched,
                stamped: 0,
                rows: vec![None; usize::from(self.workers)],
                files: vec![None; usize::from(self.disks * self.workers)],
                nodes: vec![Node::default(); self.nodes.len()],
                late: Vec::new(),
            })
            .collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for node in 0..self.nodes.len() {
            self.steps(state, node, self.ticks, actions);
        }
        actions.extend((0..state.late.len()).map(|late| Action::Arrive { late }));
        actions.extend((0..state.files.len()).filter(|&file| state.files[file].is_some()).map(|file| Action::LoseFile { file }));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        self.step(&mut next, action);
        self.tidy(&mut next);
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![Property::always(NO_ID_TWICE, |_: &Self, state: &State| state.stamped < 2)];
        if self.liveness {
            properties.push(Property::always(SOME_NODE_CAN_MINT, |model: &Self, state: &State| {
                (0..state.nodes.len()).any(|node| model.can_mint(state.clone(), node))
            }));
            properties.push(Property::always(EVERY_NODE_CAN_MINT, |model: &Self, state: &State| {
                (0..state.nodes.len()).all(|node| {
                    let mut alone = state.clone();
                    (0..alone.nodes.len()).filter(|&other| other != node).for_each(|other| alone.nodes[other] = Node::default());
                    model.can_mint(alone, node)
                })
            }));
        }
        properties
    }
}
