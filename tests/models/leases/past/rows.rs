//! The model of worker ids for the past over rows, after `core/backends/src/rows/{past,blocks}.rs` and
//! `core/engine/src/snowflake/leased_past.rs`: living nodes that claim rows and stamp ids, fillers that claim rows for
//! the past and lease sequence numbers of the one block, and statements on their way.
//!
//! An operator deletes the counters of a worker id, at any time. They are marked with a generation, which the row of
//! the worker id shows too.
//!
//! Clocks may show anything: any row with a horizon that can pass looks free, and any tick may be stamped or filled in.
//! Horizons only rise, so a horizon stands for the version of a row; what distinguishes tokens is in the model of H1.

use crate::weakening::Weakening;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice, living or past";
pub const EVERY_FILLER_CAN_FILL: &str = "every filler can fill a tick in, or all sequence numbers are leased";
pub const SHARE_OF_THE_LIVING: &str = "the lower worker ids are left to the living";

#[derive(Clone, Debug)]
pub struct Pasts {
    pub weakening: Weakening,
    pub living: usize,
    pub fillers: usize,
    pub workers: u8,
    /// Number of the highest worker ids that may be taken for the past.
    pub for_the_past: u8,
    /// Number of times that counters are deleted. Without a deletion, nothing is marked.
    pub deletions: u8,
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
    /// `Token::past`. The horizon is the end of time; with a weakening, this tick.
    Past { horizon: u8, generation: Generation },
}

/// What the counters are marked with: a number that no other mark has.
type Generation = u8;

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    rows: Vec<Option<Row>>,
    /// The next sequence number of the block of each worker id; `None` without a row.
    blocks: Vec<Option<u8>>,
    /// The mark of the counters of each worker id.
    marks: Vec<Option<Generation>>,
    deletions: u8,
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
    /// The worker id that it is about to claim, and the generation that the mark showed.
    marked: Option<(u8, Generation)>,
    /// Worker ids whose row it has read, with the generation. It does not read them again.
    known: Vec<(u8, Generation)>,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Statement {
    /// Inserts the row, or overwrites it if it is as it was read.
    Claim { worker: u8, from: Option<Row>, to: Row },
    /// `BlockStatements::mark`.
    Mark { worker: u8, generation: Generation },
    /// `BlockStatements::move_on`.
    MoveOn { worker: u8, generation: Generation, from: Option<u8>, to: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Claim {
        node: usize,
        worker: u8,
        horizon: u8,
    },
    Mark {
        filler: usize,
        worker: u8,
    },
    /// Claims with the generation that the mark shows.
    ClaimForThePast {
        filler: usize,
        worker: u8,
    },
    /// An operator deletes the counters of a worker id.
    DeleteCounters {
        worker: u8,
    },
    /// Reads the row of a worker id for the first time and the block's row, and sends a change that leases `count`
    /// sequence numbers.
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
    fn past(&self, generation: Generation) -> Row {
        // The end of time, which no claim compares with a clock.
        let horizon = if self.weakening == Weakening::PastHorizonPasses { 1 } else { u8::MAX };
        Row::Past { horizon, generation }
    }

    /// Returns whether the counters of a worker id have the mark of a generation.
    fn is_marked(&self, state: &State, worker: u8, generation: Generation) -> bool {
        let is_marked = state.marks[usize::from(worker)] == Some(generation);
        is_marked || self.deletions == 0 || self.weakening == Weakening::MarkNotCompared
    }

    /// Draws a generation: a number that is nowhere else. One that nothing shows any more is as good as a fresh one.
    fn fresh(&self, state: &State) -> Generation {
        let of_row = |row: &Option<Row>| match row {
            Some(Row::Past { generation, .. }) => Some(*generation),
            _ => None,
        };
        let of_statement = |statement: &Statement| match statement {
            Statement::Mark { generation, .. } | Statement::MoveOn { generation, .. } => Some(*generation),
            Statement::Claim { to, .. } => of_row(&Some(*to)),
        };
        let mut drawn: Vec<Generation> = state.rows.iter().filter_map(of_row).collect();
        drawn.extend(state.marks.iter().flatten());
        for filler in &state.fillers {
            drawn.extend(filler.known.iter().chain(&filler.marked).map(|(_, generation)| *generation));
            drawn.extend(filler.sent.iter().filter_map(of_statement));
        }
        drawn.extend(state.late.iter().filter_map(of_statement));
        let is_fresh = |generation: &Generation| !drawn.contains(generation);
        match self.weakening {
            Weakening::MarkAlwaysTheSame => 0,
            _ => (0..).find(is_fresh).unwrap_or_default(),
        }
    }

    /// Returns the generation of a worker id for the past as a filler knows it, or reads it for the first time.
    fn known(&self, state: &State, filler: &Filler, worker: u8) -> Option<Generation> {
        let known = filler.known.iter().find(|(known, _)| *known == worker).map(|(_, generation)| *generation);
        known.or(match state.rows[usize::from(worker)] {
            Some(Row::Past { generation, .. }) => Some(generation),
            _ => None,
        })
    }

    fn may_be_taken(&self, worker: u8) -> bool {
        worker >= self.workers - self.for_the_past || self.weakening == Weakening::PastTakesAll
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
            Statement::Mark { worker, generation } => {
                state.marks[usize::from(worker)].get_or_insert(generation);
                true
            }
            Statement::MoveOn { worker, generation, from, to } => {
                let is_marked = self.is_marked(state, worker, generation);
                let next = &mut state.blocks[usize::from(worker)];
                let matches = is_marked && *next == from || self.weakening == Weakening::BlockNotCompared;
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
                    Some(Row::Living(stored) | Row::Past { horizon: stored, .. }) => stored,
                    None => 0,
                };
                state.living[node].held = Some((worker, floor, horizon));
            }
            (Sender::Filler(filler), Statement::MoveOn { worker, from, to, .. }) => {
                state.fillers[filler].leased.extend((from.unwrap_or(0)..to).map(|sequence| (worker, sequence)));
            }
            (Sender::Filler(filler), Statement::Mark { worker, .. }) => {
                state.fillers[filler].marked = state.marks[usize::from(worker)].map(|shown| (worker, shown));
            }
            // A filler reads the row before it leases.
            _ => {}
        }
    }

    fn give_up(&self, state: &mut State, of: Sender) {
        let Some(statement) = state.sent(of).take() else { return };
        if self.weakening == Weakening::UnansweredBlockCounts && matches!(statement, Statement::MoveOn { .. }) {
            self.take_in(state, of, statement);
        }
    }

    fn is_past(&self, state: &State, worker: u8) -> bool {
        matches!(state.rows[usize::from(worker)], Some(Row::Past { .. }))
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
            Action::Mark { filler, worker } => {
                let generation = self.fresh(state);
                state.fillers[filler].sent = Some(Statement::Mark { worker, generation });
            }
            Action::ClaimForThePast { filler, worker } => {
                let from = match self.weakening {
                    Weakening::PastClaimsWhatWasHeld => state.rows[usize::from(worker)],
                    _ => None,
                };
                let marked = state.fillers[filler].marked.take();
                let generation = marked.map_or(0, |(_, generation)| generation);
                state.fillers[filler].sent = Some(Statement::Claim { worker, from, to: self.past(generation) });
            }
            Action::DeleteCounters { worker } => {
                (state.blocks[usize::from(worker)], state.marks[usize::from(worker)]) = (None, None);
                state.deletions -= 1;
            }
            Action::Lease { filler, worker, count } => {
                let Some(generation) = self.known(state, &state.fillers[filler], worker) else { return };
                if self.deletions > 0 && !state.fillers[filler].known.contains(&(worker, generation)) {
                    state.fillers[filler].known.push((worker, generation));
                }
                let from = state.blocks[usize::from(worker)];
                let to = (from.unwrap_or(0) + count).min(self.sequences);
                state.fillers[filler].sent = Some(Statement::MoveOn { worker, generation, from, to });
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
                    Some(Row::Past { horizon: u8::MAX, .. }) => continue,
                    Some(Row::Past { horizon, .. }) => horizon,
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
                let claims_all = self.weakening == Weakening::PastClaimsWhatWasHeld;
                if self.may_be_taken(worker) && (row.is_none() || (claims_all && !self.is_past(state, worker))) {
                    let is_due = self.deletions == 0 || filler.marked.is_some_and(|(marked, _)| marked == worker);
                    actions.push(match is_due {
                        true => Action::ClaimForThePast { filler: index, worker },
                        false => Action::Mark { filler: index, worker },
                    });
                }
                // Of a worker id whose counters are gone it leases no more.
                let known = self.known(state, filler, worker);
                if known.is_some_and(|generation| self.is_marked(state, worker, generation))
                    && state.blocks[usize::from(worker)].unwrap_or(0) < self.sequences
                {
                    actions.extend((1..=2).map(|count| Action::Lease { filler: index, worker, count }));
                }
            }
        }
        let has_one = |tick: &u8| usize::from(self.place(filler, *tick)) < filler.leased.len();
        actions.extend((0..self.ticks).filter(has_one).map(|tick| Action::Fill { filler: index, tick }));
    }

    /// Returns whether a filler fills a tick in if from now on it is answered.
    fn can_fill(&self, mut state: State, filler: usize) -> bool {
        for _ in 0..12 * self.workers {
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
        // Each worker id that may be taken was held, is used up, or has lost its counters.
        (self.workers - self.for_the_past..self.workers).all(|worker| {
            let is_used_up = state.blocks[usize::from(worker)] == Some(self.sequences);
            match state.rows[usize::from(worker)] {
                Some(Row::Past { generation, .. }) => is_used_up || !self.is_marked(&state, worker, generation),
                row => row.is_some() || is_used_up,
            }
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
            marks: vec![None; usize::from(self.workers)],
            deletions: self.deletions,
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
        if state.deletions > 0 {
            let has_some = |worker: &u8| state.marks[usize::from(*worker)].is_some();
            actions.extend((0..self.workers).filter(has_some).map(|worker| Action::DeleteCounters { worker }));
        }
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
        if matches!(self.weakening, Weakening::None | Weakening::PastTakesAll) {
            properties.push(Property::always(SHARE_OF_THE_LIVING, |model: &Self, state: &State| {
                (0..model.workers - model.for_the_past).all(|worker| !model.is_past(state, worker))
            }));
        }
        if self.weakening == Weakening::None {
            properties.push(Property::always(EVERY_FILLER_CAN_FILL, |model: &Self, state: &State| {
                (0..model.fillers).all(|filler| model.can_fill(state.clone(), filler))
            }));
        }
        properties
    }
}
