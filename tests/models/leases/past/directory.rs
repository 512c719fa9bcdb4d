//! The model of one worker id in a directory, after `core/backends/src/directory/{past,candidate}.rs`: processes that
//! start to mint, processes that take the worker id for the past and lease sequence numbers, and files that are
//! removed, not both of a worker id, or replaced by copies of themselves between any two steps.
//!
//! A process that mints may stamp any tick with any sequence number, so the worker id must serve either the living or
//! the past, never both.

use crate::weakening::Weakening;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice, living or past";

#[derive(Clone, Debug)]
pub struct PastDirectory {
    pub weakening: Weakening,
    pub living: usize,
    pub fillers: usize,
    /// Number of sequence numbers of the one block.
    pub sequences: u8,
    /// Number of faults.
    pub faults: u8,
}

/// The inode of a file, whose lock some process may hold.
type Inode = u8;

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// What the paths name: `<id>.lock`, `<id>.state` with whether it says that it is for the past, and `<id>.past`.
    lock: Option<Inode>,
    state: Option<(Inode, bool)>,
    past: Option<Inode>,
    /// The next sequence number of each inode that ever was `<id>.past`, and whether it has the mark that the state
    /// file names.
    next: Vec<(u8, bool)>,
    /// The number of inodes that were made for lock and state files.
    made: Inode,
    living: Vec<Living>,
    fillers: Vec<Filler>,
    faults: u8,
    lives: bool,
    /// One bit for each sequence number that was used for the past.
    used: u8,
    twice: bool,
}

#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Living {
    #[default]
    Out,
    /// The lock file, and the state file if there was one.
    Locked(Inode, Option<Inode>),
    /// It has found that the worker id is not one for the past.
    Looked(Inode, Option<Inode>),
    Minting(Inode, Option<Inode>),
}

#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Filler {
    #[default]
    Out,
    /// It has seen no file.
    SeenNone,
    /// It has locked, and whether it has made the lock file and found no state file.
    Locked(Inode, bool),
    Looked(Inode),
    MadePast(Inode),
    /// It has locked `<id>.past`.
    Leasing(Inode),
    Read(Inode, u8),
    Wrote(Inode, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Live(usize),
    Fill(usize),
    EndLiving(usize),
    CrashFiller(usize),
    RemoveLock,
    RemoveState,
    /// `cp`, then `mv` onto the path: another inode with the same content.
    ReplacePast,
    /// `rm`, then `touch`: another inode without content.
    EmptyPast,
}

impl PastDirectory {
    fn lock_is_held(&self, state: &State, lock: Inode) -> bool {
        let living = state.living.iter().any(|living| match living {
            Living::Out => false,
            Living::Locked(held, _) | Living::Looked(held, _) | Living::Minting(held, _) => *held == lock,
        });
        living
            || state.fillers.iter().any(|filler| match filler {
                Filler::Locked(held, _) | Filler::Looked(held) | Filler::MadePast(held) => *held == lock,
                _ => false,
            })
    }

    fn past_is_held(&self, state: &State, past: Inode) -> bool {
        self.weakening != Weakening::PastNotLocked
            && state.fillers.iter().any(|filler| match filler {
                Filler::Leasing(held) | Filler::Read(held, _) | Filler::Wrote(held, _) => *held == past,
                _ => false,
            })
    }

    fn state_is_held(&self, state: &State) -> bool {
        let named = state.state.map(|(inode, _)| inode);
        named.is_some()
            && state.living.iter().any(|living| match living {
                Living::Out => false,
                Living::Locked(_, held) | Living::Looked(_, held) | Living::Minting(_, held) => *held == named,
            })
    }

    /// Locks the files, of which the lock file is made if it is missing. Returns it, and whether it was made.
    fn take_lock(&self, state: &mut State) -> Option<(Inode, bool)> {
        if self.state_is_held(state) {
            return None;
        }
        match state.lock {
            Some(lock) => (!self.lock_is_held(state, lock)).then_some((lock, false)),
            None => {
                state.made += 1;
                state.lock = Some(state.made);
                Some((state.made, true))
            }
        }
    }

    fn is_for_the_past(&self, state: &State) -> bool {
        let by_file = state.past.is_some() && self.weakening != Weakening::PastFileNotSeen;
        by_file || state.says_past()
    }

    /// `WorkerFiles::write`: makes the state file that was missing as the files were locked, or writes the one that was
    /// locked. Returns whether the paths name the locked files.
    fn write(&self, state: &mut State, lock: Inode, locked: Option<Inode>, is_for_the_past: bool) -> bool {
        if state.lock != Some(lock) || state.state.map(|(inode, _)| inode) != locked {
            return false;
        }
        let inode = locked.unwrap_or_else(|| {
            state.made += 1;
            state.made
        });
        state.state = Some((inode, is_for_the_past));
        true
    }

    fn live(&self, state: &mut State, index: usize) {
        let living = state.living[index];
        state.living[index] = match living {
            Living::Out => match self.take_lock(state) {
                Some((lock, _)) => Living::Locked(lock, state.state.map(|(inode, _)| inode)),
                None => return,
            },
            Living::Locked(..) if self.is_for_the_past(state) => Living::Out,
            Living::Locked(lock, locked) => Living::Looked(lock, locked),
            Living::Looked(lock, locked) if self.write(state, lock, locked, false) => {
                Living::Minting(lock, state.state.map(|(inode, _)| inode))
            }
            Living::Looked(..) => Living::Out,
            Living::Minting(..) => {
                state.lives = true;
                living
            }
        };
    }

    fn fill(&self, state: &mut State, index: usize) {
        let filler = state.fillers[index];
        state.fillers[index] = match filler {
            Filler::Out => match state.past {
                Some(past) if !self.past_is_held(state, past) => Filler::Leasing(past),
                Some(_) => return,
                None if state.lock.is_none() && state.state.is_none() => Filler::SeenNone,
                None => return,
            },
            Filler::SeenNone => match self.take_lock(state) {
                Some((lock, is_made)) => Filler::Locked(lock, is_made && state.state.is_none()),
                None => Filler::Out,
            },
            Filler::Locked(lock, is_new) => {
                let may_take = is_new || self.weakening == Weakening::PastLockNotFresh;
                if may_take && state.past.is_none() { Filler::Looked(lock) } else { Filler::Out }
            }
            Filler::Looked(lock) => {
                state.next.push((0, true));
                state.past = Some(state.next.len() as Inode - 1);
                Filler::MadePast(lock)
            }
            Filler::MadePast(lock) => {
                let locked = match self.weakening {
                    Weakening::PastLockNotFresh => state.state.map(|(inode, _)| inode),
                    _ => None,
                };
                self.write(state, lock, locked, true);
                Filler::Out
            }
            Filler::Leasing(_) if !state.says_past() => Filler::Out,
            Filler::Leasing(past) => match state.next[usize::from(past)] {
                (_, false) if self.weakening != Weakening::PastMarkNotCompared => Filler::Out,
                (next, _) => Filler::Read(past, next),
            },
            Filler::Read(_, next) if next == self.sequences => Filler::Out,
            Filler::Read(past, next) => {
                state.next[usize::from(past)].0 = next + 1;
                Filler::Wrote(past, next)
            }
            Filler::Wrote(past, next) => {
                if state.past == Some(past) || self.weakening == Weakening::PastNotCheckedAfter {
                    state.twice |= state.used & 1 << next != 0;
                    state.used |= 1 << next;
                }
                Filler::Out
            }
        };
    }

    fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Live(index) => self.live(state, index),
            Action::Fill(index) => self.fill(state, index),
            Action::EndLiving(index) => state.living[index] = Living::Out,
            Action::CrashFiller(index) => state.fillers[index] = Filler::Out,
            Action::RemoveLock => (state.lock, state.faults) = (None, state.faults - 1),
            Action::RemoveState => (state.state, state.faults) = (None, state.faults - 1),
            Action::ReplacePast => {
                let Some(past) = state.past else { return };
                state.next.push(state.next[usize::from(past)]);
                (state.past, state.faults) = (Some(state.next.len() as Inode - 1), state.faults - 1);
            }
            Action::EmptyPast => {
                state.next.push((0, false));
                (state.past, state.faults) = (Some(state.next.len() as Inode - 1), state.faults - 1);
            }
        }
    }
}

impl State {
    fn says_past(&self) -> bool {
        self.state.is_some_and(|(_, is_for_the_past)| is_for_the_past)
    }
}

impl Model for PastDirectory {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            lock: None,
            state: None,
            past: None,
            next: Vec::new(),
            made: 0,
            living: vec![Living::Out; self.living],
            fillers: vec![Filler::Out; self.fillers],
            faults: self.faults,
            lives: false,
            used: 0,
            twice: false,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend((0..self.living).flat_map(|index| [Action::Live(index), Action::EndLiving(index)]));
        actions.extend((0..self.fillers).flat_map(|index| [Action::Fill(index), Action::CrashFiller(index)]));
        if state.faults > 0 {
            // Without either file, nothing says that the worker id was ever held.
            if state.lock.is_some() && state.state.is_some() {
                actions.extend([Action::RemoveLock, Action::RemoveState]);
            }
            actions.extend(state.past.iter().flat_map(|_| [Action::ReplacePast, Action::EmptyPast]));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        self.step(&mut next, action);
        next.living.sort_unstable();
        next.fillers.sort_unstable();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(NO_ID_TWICE, |_: &Self, state: &State| !(state.twice || state.lives && state.used != 0))]
    }
}
