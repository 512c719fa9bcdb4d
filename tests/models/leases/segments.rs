//! The model of segments leased from a database and given back (S1), after `core/engine/src/segment/{buffer,close}.rs`
//! and `core/backends/src/mysql/segments/tags.rs`: one tag, generators that lease, mint, close and crash, and
//! statements on their way.

use super::weakening::Weakening;
use stateright::{Model, Property};
use std::ops::Range;

pub const NO_NUMBER_TWICE: &str = "no number twice";
pub const EVERY_GENERATOR_CAN_MINT: &str = "every generator can mint, whatever happened, once the store answers it";

pub type Number = u8;

#[derive(Clone, Debug)]
pub struct Segments {
    pub weakening: Weakening,
    pub generators: usize,
    /// `max_id` reaches up to here.
    pub numbers: Number,
    /// Maximum size of a lease.
    pub most: Number,
    /// Maximum number of statements that are late at a time.
    pub late: usize,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    max_id: Number,
    /// One bit a number.
    minted: u16,
    /// A number was minted that had been minted before.
    twice: bool,
    generators: Vec<Generator>,
    /// Sent, given up by the sender, and still to be carried out, in any order.
    late: Vec<Statement>,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Generator {
    /// The live segment from the cursor on, and what is ready behind it.
    ranges: Vec<(Number, Number)>,
    /// `State::last_end` in the buffer.
    last_end: Number,
    sent: Option<Statement>,
    /// The cell is shut.
    closing: bool,
    /// What else was unused when it was shut.
    unused: Vec<(Number, Number)>,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Statement {
    /// `SET max_id = LAST_INSERT_ID(max_id + ?)`.
    Lease { amount: Number, expected: Number },
    /// `SET max_id = ? WHERE max_id = ?`.
    GiveBack { start: Number, end: Number },
}

/// What the store answers.
enum Answer {
    Leased(Range<Number>),
    /// Whether it was the end of what is leased.
    TakenBack(bool),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `supply::attempt`: sends a lease.
    Lease {
        generator: usize,
        amount: Number,
    },
    /// The statement under way is carried out, and its answer arrives.
    Answer {
        generator: usize,
    },
    /// The sender gives up. The statement is carried out later, or has been carried out just now.
    GiveUpLate {
        generator: usize,
    },
    /// The sender gives up. The statement was lost.
    GiveUpLost {
        generator: usize,
    },
    Mint {
        generator: usize,
    },
    /// `close::end`: shuts the cell, sends the unused numbers back. A lease under way is waited for first, but not
    /// for ever.
    Close {
        generator: usize,
        late: bool,
    },
    /// kill -9, and a new process in its place.
    Crash {
        generator: usize,
        late: bool,
    },
    /// A late statement is carried out. Its answer reaches no generator.
    Arrive {
        late: usize,
    },
}

impl Segments {
    /// Carries a statement out; returns what the OK packet says.
    fn run(&self, state: &mut State, statement: Statement) -> Answer {
        match statement {
            Statement::Lease { amount, .. } => {
                state.max_id += amount;
                Answer::Leased(state.max_id - amount..state.max_id)
            }
            Statement::GiveBack { start, end } => {
                let matches = state.max_id == end || self.weakening == Weakening::GiveBackUncompared;
                matches.then(|| state.max_id = start);
                Answer::TakenBack(matches)
            }
        }
    }

    fn answer(&self, state: &mut State, index: usize) {
        let Some(statement) = state.generators[index].sent.take() else { return };
        let answer = self.run(state, statement);
        let generator = &mut state.generators[index];
        match answer {
            // A store that leases below an earlier end has regressed (`Landed::Refused`): the tag is stuck until it is
            // reopened.
            Answer::Leased(range) if range.start < generator.last_end => *generator = Generator::default(),
            Answer::Leased(range) => generator.land(range),
            Answer::TakenBack(true) => generator.give_back(),
            // It is offered again, or the generator gives up.
            Answer::TakenBack(false) => generator.sent = Some(statement),
        }
    }

    fn give_up(&self, generator: &mut Generator) {
        match generator.sent.take() {
            Some(Statement::Lease { amount, expected }) if self.weakening == Weakening::UnansweredLeaseCounts => {
                generator.land(expected..expected + amount);
            }
            Some(Statement::Lease { .. }) => {}
            sent @ Some(Statement::GiveBack { .. }) if self.weakening == Weakening::GiveBackRetried => {
                generator.sent = sent
            }
            Some(Statement::GiveBack { .. }) if self.weakening == Weakening::GiveBackBeforeShut => {}
            _ => *generator = Generator::default(),
        }
    }

    fn close(&self, generator: &mut Generator) {
        generator.closing = true;
        generator.unused = generator.ranges.clone();
        if self.weakening != Weakening::GiveBackBeforeShut {
            generator.ranges.clear();
        }
        generator.give_back();
    }

    fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Lease { generator, amount } => {
                state.generators[generator].sent = Some(Statement::Lease { amount, expected: state.max_id });
            }
            Action::Answer { generator } => self.answer(state, generator),
            Action::GiveUpLate { generator } => {
                state.late.extend(state.generators[generator].sent);
                self.give_up(&mut state.generators[generator]);
            }
            Action::GiveUpLost { generator } => self.give_up(&mut state.generators[generator]),
            Action::Mint { generator } => {
                let Some((next, end)) = state.generators[generator].ranges.first_mut() else { return };
                state.twice |= state.minted & 1 << *next != 0;
                state.minted |= 1 << *next;
                *next += 1;
                if next == end {
                    state.generators[generator].ranges.remove(0);
                }
            }
            Action::Close { generator, late } => {
                state.late.extend(state.generators[generator].sent.take().filter(|_| late));
                self.close(&mut state.generators[generator]);
            }
            Action::Crash { generator, late } => {
                state.late.extend(state.generators[generator].sent.take().filter(|_| late));
                state.generators[generator] = Generator::default();
            }
            Action::Arrive { late } => {
                let statement = state.late.remove(late);
                self.run(state, statement);
            }
        }
    }

    /// Returns whether a generator mints if from now on the store answers it. One that is closing is opened anew.
    fn can_mint(&self, mut state: State, index: usize) -> bool {
        if state.generators[index].closing {
            self.step(&mut state, Action::Crash { generator: index, late: false });
        }
        for _ in 0..4 {
            let generator = &state.generators[index];
            if !generator.ranges.is_empty() {
                return true;
            }
            let next = match generator.sent {
                Some(_) => Action::Answer { generator: index },
                None => Action::Lease { generator: index, amount: 1 },
            };
            self.step(&mut state, next);
        }
        false
    }
}

impl Generator {
    /// `SegmentBuffer::land`: joins what it follows on, or is ready behind it.
    fn land(&mut self, range: Range<Number>) {
        self.last_end = range.end;
        match self.ranges.last_mut() {
            Some(last) if last.1 == range.start => last.1 = range.end,
            _ => self.ranges.push((range.start, range.end)),
        }
    }

    /// `Unused::give_back`: sends what is unused back, from the last range on.
    fn give_back(&mut self) {
        match self.unused.pop() {
            Some((start, end)) => self.sent = Some(Statement::GiveBack { start, end }),
            None => *self = Self::default(),
        }
    }
}

impl Model for Segments {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let generators = vec![Generator::default(); self.generators];
        vec![State { max_id: 0, minted: 0, twice: false, generators, late: Vec::new() }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let room = state.late.len() < self.late;
        for (index, generator) in state.generators.iter().enumerate() {
            let may_be_late = room && generator.sent.is_some();
            if !generator.ranges.is_empty() {
                actions.push(Action::Mint { generator: index });
            }
            if generator.sent.is_some() {
                actions.extend([Action::Answer { generator: index }, Action::GiveUpLost { generator: index }]);
            } else if !generator.closing {
                actions.extend((1..=self.most).map(|amount| Action::Lease { generator: index, amount }));
            }
            if may_be_late {
                actions.push(Action::GiveUpLate { generator: index });
            }
            for late in [false, true] {
                if late && !may_be_late {
                    continue;
                }
                if !generator.closing {
                    actions.push(Action::Close { generator: index, late });
                }
                actions.push(Action::Crash { generator: index, late });
            }
        }
        actions.extend((0..state.late.len()).map(|late| Action::Arrive { late }));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        self.step(&mut next, action);
        next.generators.sort_unstable();
        next.late.sort_unstable();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(NO_NUMBER_TWICE, |_: &Self, state: &State| !state.twice),
            Property::always(EVERY_GENERATOR_CAN_MINT, |model: &Self, state: &State| {
                (0..state.generators.len()).all(|index| model.can_mint(state.clone(), index))
            }),
        ]
    }

    fn within_boundary(&self, state: &State) -> bool {
        state.max_id <= self.numbers && state.generators.iter().all(|generator| generator.last_end <= self.numbers)
    }
}
