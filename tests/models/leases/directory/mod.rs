//! The model of one worker id leased from a directory (H1), after `core/backends/src/directory/` and
//! `core/backends/src/worker_files/{lock_and_state,lock_file}.rs`:
//! processes, the files that paths name, and the files that processes have open and locked.
//!
//! Clocks may show anything, as in the model of a database. A write that comes late is one of a process that paused
//! before it: every step between looking at the paths and looking again is one of its own. What users do to the
//! directory is an action too: either file is removed (not both while one owner has noticed neither), the state is
//! replaced by a copy of itself, the directory is copied, or moved to another path and back.

mod action;
mod liveness;
mod step;
mod symmetry;

use super::weakening::Weakening;
pub use action::Action;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice";
pub const THE_STATE_COVERS_ITS_OWNER: &str = "the state that the path names is not below its owner's horizon";
pub const EVERY_PROCESS_CAN_MINT: &str =
    "every process that finds the directory where it was can mint, whatever happened, once the others crash";

/// The directory that there is at first.
const ORIGINAL: usize = 0;

const COPY: usize = 1;

/// The directory that is made where the original was: only if that is the weakening.
const MADE_AGAIN: usize = 2;

const DIRECTORIES: usize = 3;

/// The path of the original. The other path is that of the copy, or the one that the original is moved to.
const HOME: usize = 0;

const ELSEWHERE: usize = 1;

const PATHS: usize = 2;

/// Time, in ticks.
type Tick = u8;

/// A file, whatever path names it.
type Inode = u8;

#[derive(Clone, Debug)]
pub struct Directories {
    pub weakening: Weakening,
    /// The path that every process uses.
    pub processes: Vec<usize>,
    /// Horizons reach up to here.
    pub ticks: Tick,
    /// Maximum number of times that something is done to the files.
    pub faults: u8,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// One tick, chosen at the start: if no process can stamp this one twice, whichever it is, none can stamp any
    /// twice.
    watched: Tick,
    stamped: u8,
    /// The directory that each path names.
    paths: [Option<usize>; PATHS],
    directories: Vec<Directory>,
    /// What the state files hold, by inode.
    contents: Vec<Content>,
    processes: Vec<Process>,
    faults: u8,
}

/// What the paths of files in a directory name.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
struct Directory {
    lock: Option<Inode>,
    state: Option<Inode>,
    /// The highest horizon that was granted. A state that is gone counts as this: that the bound in the code is no
    /// lower is what is assumed of clocks.
    granted: Tick,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Content {
    horizon: Tick,
    /// The directory that it was written in.
    directory: usize,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Process {
    /// The next free ticket.
    cursor: Tick,
    /// The directory of its first lease: `Home` in the code.
    home: Option<usize>,
    phase: Phase,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    #[default]
    Idle,
    /// Has read the state, and has no lock yet: only if that is the weakening.
    Looked {
        floor: Tick,
    },
    /// Has locked both files, and waits for the floor.
    Locked {
        files: Files,
        floor: Tick,
    },
    /// `WorkerFiles::write`, before or after the write itself. Ids are minted below `granted` meanwhile, unless it is a
    /// release.
    Writing {
        files: Files,
        granted: Tick,
        to: Tick,
        releases: bool,
        written: bool,
    },
    Held {
        files: Files,
        horizon: Tick,
    },
}

/// What a process has open and locked.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Files {
    lock: Inode,
    state: Option<Inode>,
}

impl Process {
    fn files(&self) -> Option<Files> {
        match self.phase {
            Phase::Idle | Phase::Looked { .. } => None,
            Phase::Locked { files, .. } | Phase::Writing { files, .. } | Phase::Held { files, .. } => Some(files),
        }
    }

    /// The end of what it may stamp.
    fn limit(&self) -> Tick {
        match self.phase {
            Phase::Held { horizon, .. } => horizon,
            Phase::Writing { granted, releases: false, .. } => granted,
            _ => 0,
        }
    }
}

impl Directories {
    fn is(&self, weakening: Weakening) -> bool {
        self.weakening == weakening
    }

    /// Returns the directory that the path of a process names.
    fn named(&self, state: &State, process: usize) -> Option<usize> {
        state.paths[self.processes[process]]
    }

    fn directory<'a>(&self, state: &'a State, process: usize) -> Option<&'a Directory> {
        self.named(state, process).map(|named| &state.directories[named])
    }

    /// `Home::check`: returns the directory that a process may take the worker id from.
    fn usable(&self, state: &State, process: usize) -> Option<usize> {
        let home = state.processes[process].home;
        match self.named(state, process) {
            // A process that has not used the directory that was moved is another scope from then on.
            None if self.is(Weakening::MovedIsMadeAgain) && home.is_some() => Some(MADE_AGAIN),
            named if home.is_none() || home == named || self.is(Weakening::MovedIsMadeAgain) => named,
            _ => None,
        }
    }

    /// Returns whether both paths name what the process has locked. A state file that is gone is made again.
    fn in_place(&self, state: &State, process: usize, files: Files) -> bool {
        self.directory(state, process).is_some_and(|directory| {
            directory.lock == Some(files.lock) && (directory.state == files.state || directory.state.is_none())
        })
    }

    fn lock_is_free(&self, state: &State, inode: Option<Inode>) -> bool {
        inode.is_none() || state.processes.iter().filter_map(Process::files).all(|files| Some(files.lock) != inode)
    }

    fn state_is_free(&self, state: &State, inode: Option<Inode>) -> bool {
        inode.is_none()
            || self.is(Weakening::StateNotLocked)
            || state.processes.iter().filter_map(Process::files).all(|files| files.state != inode)
    }

    /// `LockedWorker::floor`; `None` if the state is refused.
    fn floor(&self, state: &State, process: usize) -> Option<Tick> {
        let here = self.usable(state, process)?;
        let directory = &state.directories[here];
        match directory.state.map(|inode| state.contents[usize::from(inode)]) {
            Some(content) if content.directory == here || self.is(Weakening::CopyBelieved) => Some(content.horizon),
            Some(_) => None,
            None if self.is(Weakening::MissingIsFresh) => Some(0),
            None => Some(directory.granted),
        }
    }
}

impl Model for Directories {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let state = |watched| State {
            watched,
            stamped: 0,
            paths: [Some(ORIGINAL), None],
            directories: vec![Directory::default(); DIRECTORIES],
            contents: Vec::new(),
            processes: vec![Process::default(); self.processes.len()],
            faults: 0,
        };
        (0..self.ticks).map(state).collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        (0..self.processes.len()).for_each(|process| self.steps(state, process, self.ticks, actions));
        self.faults(state, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        next.faults += u8::from(action.is_fault());
        self.step(&mut next, action);
        self.tidy(&mut next);
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(NO_ID_TWICE, |_: &Self, state: &State| state.stamped < 2),
            Property::always(THE_STATE_COVERS_ITS_OWNER, |model: &Self, state: &State| {
                (0..state.processes.len()).all(|process| {
                    let Process { phase, .. } = &state.processes[process];
                    let named = model.directory(state, process).and_then(|directory| directory.state);
                    match (phase, named) {
                        (Phase::Held { files, horizon }, Some(named)) if files.state == Some(named) => {
                            state.contents[usize::from(named)].horizon >= *horizon
                        }
                        _ => true,
                    }
                })
            }),
            Property::always(EVERY_PROCESS_CAN_MINT, |model: &Self, state: &State| {
                let processes = (0..state.processes.len()).filter(|&process| model.processes[process] == HOME);
                processes.filter(|&process| model.usable(state, process) == Some(ORIGINAL)).all(|process| {
                    let mut alone = state.clone();
                    let others = (0..alone.processes.len()).filter(|&other| other != process);
                    others.for_each(|other| alone.processes[other] = Process::default());
                    model.can_mint(alone, process)
                })
            }),
        ]
    }
}
