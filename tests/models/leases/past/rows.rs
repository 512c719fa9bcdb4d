//! The model of worker ids for the past over rows, after `core/src/holder/rows/{past,blocks}.rs` and
//! `core/src/snowflake/held_past.rs`: living nodes that claim rows and stamp ids, fillers that claim rows for the past
//! and lease sequence numbers of the one block, and statements on their way.
//!
//! Clocks may show anything: any row with a horizon that can pass looks free, and any tick may be stamped or filled in.
//! Horizons only rise, so a horizon stands for the version of a row; what distinguishes tokens is in the model of H1.

use crate::weakening::Weakening;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice, living or past";
pub const EVERY_FILLER_CAN_FILL: &str = "every filler can fill a tick in, or all sequence numbers are leased";

#[derive(Clone, Debug)]
pub struct Pasts {
    pub weakening: Weakening,
    pub living: usize,
    pub fillers: usize,
    pub workers: u8,
    pub ticks: u8,
    /// Number of sequence numbers of a tick.
    pub sequences: u8,
    /// Maximum number of statements that are late at a time.
    pub late: usize,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// A living lease, or what one has left: time is reserved up to here.
    Living(u8),
    /// `Token::PAST`. The horizon is the end of time; with a weakening, this tick.
    Past(u8),
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    rows: Vec<Option<Row>>,
    /// The next sequence number of the block of each worker id; `None` without a row.
    blocks: Vec<Option<u8>>,
    /// One bit for each worker id, tick and sequence number.
    minted: u64,
    twice: bool,
    living: Vec<Living>,
    fillers: Vec<Filler>,
    /// Sent, given up by the sender, and still to be carried out, in any order.
    late: Vec<Statement>,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Living {
    sent: Option<Statement>,
    /// Worker id, cursor, horizon.
    held: Option<(u8, u8, u8)>,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Filler {
    sent: Option<Statement>,
    /// Worker id and sequence number, each for one id of every tick.
    leased: Vec<(u8, u8)>,
    /// How many of them each tick has used.
    used: Vec<u8>,
    /// The tick that was filled in last.
    last: Option<u8>,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Statement {
    /// Inserts the row, or overwrites it if it is as it was read.
    Claim { worker: u8, from: Option<Row>, to: Row },
    /// `BlockStatements::move_on`.
    MoveOn { worker: u8, from: Option<u8>, to: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Claim {
        node: usize,
        worker: u8,
        horizon: u8,
    },
    ClaimForThePast {
        filler: usize,
        worker: u8,
    },
    /// Reads the block's row, and sends what moves it on by so many.
    Lease {
        filler: usize,
        worker: u8,
        count: u8,
    },
    Answer {
        of: Sender,
    },
    /// The sender gives up. The statement is carried out later, or has been carried out just now.
    GiveUpLate {
        of: Sender,
    },
    /// The sender gives up. The statement was lost.
    GiveUpLost {
        of: Sender,
    },
    Mint {
        node: usize,
        tick: u8,
    },
    Fill {
        filler: usize,
        tick: u8,
    },
    /// kill -9, and a new process in its place.
    Crash {
        of: Sender,
        late: bool,
    },
    Arrive {
        late: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    Living(usize),
    Filler(usize),
}

impl Pasts {
    fn past(&self) -> Row {
        // The end of time, which no claim compares with a clock.
        Row::Past(if self.weakening == Weakening::PastHorizonPasses { 1 } else { u8::MAX })
    }

    /// Carries a statement out. Returns whether it changed the row.
    fn run(&self, state: &mut State, statement: Statement) -> bool {
        match statement {
            Statement::Claim { worker, from, to } => {
                let row = &mut state.rows[usize::from(worker)];
                let matches = *row == from;
                if matches {
                    *row = Some(to);
                }
                matches
            }
            Statement::MoveOn { worker, from, to } => {
                let next = &mut state.blocks[usize::from(worker)];
                let matches = *next == from || self.weakening == Weakening::BlockNotCompared;
                if matches {
                    *next = Some(to);
                }
                matches
            }
        }
    }

    fn answer(&self, state: &mut State, of: Sender) {
        let Some(statement) = state.sent(of).take() else { return };
        if self.run(state, statement) {
            self.take_in(state, of, statement);
        }
    }

    /// Counts what a statement has changed as the sender's.
    fn take_in(&self, state: &mut State, of: Sender, statement: Statement) {
        match (of, statement) {
            (Sender::Living(node), Statement::Claim { worker, from, to: Row::Living(horizon) }) => {
                let floor = match from {
                    Some(Row::Living(stored) | Row::Past(stored)) => stored,
                    None => 0,
                };
                state.living[node].held = Some((worker, floor, horizon));
            }
            (Sender::Filler(filler), Statement::MoveOn { worker, from, to }) => {
                state.fillers[filler].leased.extend((from.unwrap_or(0)..to).map(|sequence| (worker, sequence)));
            }
            // A filler looks at the rows whenever it leases.
            _ => {}
        }
    }

    fn give_up(&self, state: &mut State, of: Sender) {
        let Some(statement) = state.sent(of).take() else { return };
        if self.weakening == Weakening::UnansweredBlockCounts && matches!(statement, Statement::MoveOn { .. }) {
            self.take_in(state, of, statement);
        }
    }

    /// Returns whether a filler may lease of a worker id. It reads the row, which never changes again.
    fn is_past(&self, state: &State, worker: u8) -> bool {
        matches!(state.rows[usize::from(worker)], Some(Row::Past(_)))
    }

    /// Returns the place of the next sequence number of a tick.
    fn place(&self, filler: &Filler, tick: u8) -> u8 {
        // A counter that every tick begins again, instead of one a tick.
        let begins = self.weakening == Weakening::CounterOfTheLastTick && filler.last != Some(tick);
        if begins { 0 } else { filler.used[usize::from(tick)] }
    }

    fn fill(&self, state: &mut State, index: usize, tick: u8) {
        let filler = &mut state.fillers[index];
        let place = self.place(filler, tick);
        let (worker, sequence) = filler.leased[usize::from(place)];
        filler.used[usize::from(tick)] = place + 1;
        filler.last = (self.weakening == Weakening::CounterOfTheLastTick).then_some(tick);
        self.mint(state, worker, tick, sequence);
    }

    fn mint(&self, state: &mut State, worker: u8, tick: u8, sequence: u8) {
        let bit = 1 << ((worker * self.ticks + tick) * self.sequences + sequence);
        state.twice |= state.minted & bit != 0;
        state.minted |= bit;
    }

    fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Claim { node, worker, horizon } => {
                let (from, to) = (state.rows[usize::from(worker)], Row::Living(horizon));
                state.living[node] = Living { sent: Some(Statement::Claim { worker, from, to }), held: None };
            }
            Action::ClaimForThePast { filler, worker } => {
                let from = match self.weakening {
                    Weakening::PastClaimsWhatWasHeld => state.rows[usize::from(worker)],
                    _ => None,
                };
                state.fillers[filler].sent = Some(Statement::Claim { worker, from, to: self.past() });
            }
            Action::Lease { filler, worker, count } => {
                let from = state.blocks[usize::from(worker)];
                let to = (from.unwrap_or(0) + count).min(self.sequences);
                state.fillers[filler].sent = Some(Statement::MoveOn { worker, from, to });
            }
            Action::Answer { of } => self.answer(state, of),
            Action::GiveUpLate { of } => {
                let sent = *state.sent(of);
                state.late.extend(sent);
                self.give_up(state, of);
            }
            Action::GiveUpLost { of } => self.give_up(state, of),
            Action::Mint { node, tick } => {
                let Some((worker, cursor, _)) = &mut state.living[node].held else { return };
                *cursor = tick + 1;
                let worker = *worker;
                // One sequence number stands for all: a living node may use any.
                (0..self.sequences).for_each(|sequence| self.mint(state, worker, tick, sequence));
            }
            Action::Fill { filler, tick } => self.fill(state, filler, tick),
            Action::Crash { of, late } => {
                let sent = state.sent(of).take().filter(|_| late);
                state.late.extend(sent);
                match of {
                    Sender::Living(node) => state.living[node] = Living::default(),
                    Sender::Filler(filler) => state.fillers[filler] = self.filler(),
                }
            }
            Action::Arrive { late } => {
                let statement = state.late.remove(late);
                self.run(state, statement);
            }
        }
    }

    fn filler(&self) -> Filler {
        Filler { used: vec![0; usize::from(self.ticks)], ..Filler::default() }
    }

    fn of_the_living(&self, state: &State, node: usize, actions: &mut Vec<Action>) {
        let living = &state.living[node];
        if living.sent.is_none() && living.held.is_none() {
            for worker in 0..self.workers {
                let stored = match state.rows[usize::from(worker)] {
                    None => 0,
                    Some(Row::Living(horizon)) => horizon,
                    // It looks free once its horizon has passed.
                    Some(Row::Past(u8::MAX)) => continue,
                    Some(Row::Past(horizon)) => horizon,
                };
                actions.extend((stored + 1..=self.ticks).map(|horizon| Action::Claim { node, worker, horizon }));
            }
        }
        if let Some((_, cursor, horizon)) = living.held {
            actions.extend((cursor..horizon).map(|tick| Action::Mint { node, tick }));
        }
    }

    fn of_the_filler(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let filler = &state.fillers[index];
        if filler.sent.is_none() {
            for worker in 0..self.workers {
                let row = state.rows[usize::from(worker)];
                if row.is_none() || (self.weakening == Weakening::PastClaimsWhatWasHeld && !self.is_past(state, worker))
                {
                    actions.push(Action::ClaimForThePast { filler: index, worker });
                }
                if self.is_past(state, worker) && state.blocks[usize::from(worker)].unwrap_or(0) < self.sequences {
                    actions.extend((1..=2).map(|count| Action::Lease { filler: index, worker, count }));
                }
            }
        }
        let has_one = |tick: &u8| usize::from(self.place(filler, *tick)) < filler.leased.len();
        actions.extend((0..self.ticks).filter(has_one).map(|tick| Action::Fill { filler: index, tick }));
    }

    /// Returns whether a filler fills a tick in if from now on it is answered.
    fn can_fill(&self, mut state: State, filler: usize) -> bool {
        for _ in 0..8 * self.workers {
            let mut actions = Vec::new();
            self.of_the_filler(&state, filler, &mut actions);
            if actions.iter().any(|action| matches!(action, Action::Fill { .. })) {
                return true;
            }
            let next = match state.fillers[filler].sent {
                Some(_) => Action::Answer { of: Sender::Filler(filler) },
                None => match actions.first() {
                    Some(action) => *action,
                    None => break,
                },
            };
            self.step(&mut state, next);
        }
        // Each worker id was held, or is used up.
        (0..self.workers).all(|worker| {
            let is_used_up = state.blocks[usize::from(worker)] == Some(self.sequences);
            matches!(state.rows[usize::from(worker)], Some(Row::Living(_))) || is_used_up
        })
    }
}

impl State {
    fn sent(&mut self, of: Sender) -> &mut Option<Statement> {
        match of {
            Sender::Living(node) => &mut self.living[node].sent,
            Sender::Filler(filler) => &mut self.fillers[filler].sent,
        }
    }
}

impl Model for Pasts {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            rows: vec![None; usize::from(self.workers)],
            blocks: vec![None; usize::from(self.workers)],
            minted: 0,
            twice: false,
            living: vec![Living::default(); self.living],
            fillers: vec![self.filler(); self.fillers],
            late: Vec::new(),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        (0..self.living).for_each(|node| self.of_the_living(state, node, actions));
        (0..self.fillers).for_each(|filler| self.of_the_filler(state, filler, actions));
        let senders = (0..self.living).map(Sender::Living).chain((0..self.fillers).map(Sender::Filler));
        for of in senders {
            let is_sent = state.clone().sent(of).is_some();
            let may_be_late = is_sent && state.late.len() < self.late;
            if is_sent {
                actions.extend([Action::Answer { of }, Action::GiveUpLost { of }]);
            }
            if may_be_late {
                actions.extend([Action::GiveUpLate { of }, Action::Crash { of, late: true }]);
            }
            actions.push(Action::Crash { of, late: false });
        }
        actions.extend((0..state.late.len()).map(|late| Action::Arrive { late }));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        self.step(&mut next, action);
        // Nodes of a kind are alike, and so are late statements.
        next.living.sort_unstable();
        next.fillers.sort_unstable();
        next.late.sort_unstable();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![Property::always(NO_ID_TWICE, |_: &Self, state: &State| !state.twice)];
        if self.weakening == Weakening::None {
            properties.push(Property::always(EVERY_FILLER_CAN_FILL, |model: &Self, state: &State| {
                (0..model.fillers).all(|filler| model.can_fill(state.clone(), filler))
            }));
        }
        properties
    }
}
