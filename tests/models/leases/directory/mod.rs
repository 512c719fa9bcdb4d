//! The model of one worker id leased from a directory (H1), after `core/src/holder/directory/` and
//! `core/src/holder/{worker_files,lock_file}.rs`:
//! processes, the files that paths name, and the files that processes have open and locked.
//!
//! Clocks may show anything, as in the model of a database. A write that comes late is one of a process that paused
//! before it: every step between looking at the paths and looking again is one of its own. What users do to the
//! directory is an action too: either file is removed (not both while one owner has noticed neither), the state is
//! replaced by a copy of itself, the directory is copied.

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
    "every process of the directory can mint, whatever happened, once the others crash";

/// The directory, and its copy.
const DIRECTORIES: usize = 2;

/// Time, in ticks.
type Tick = u8;

/// A file, whatever path names it.
type Inode = u8;

#[derive(Clone, Debug)]
pub struct Directories {
    pub weakening: Weakening,
    /// The directory of every process: 0, or 1 for the copy.
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
    directories: Vec<Directory>,
    /// What the state files hold, by inode.
    contents: Vec<Content>,
    processes: Vec<Process>,
    faults: u8,
}

/// What the paths name.
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

    fn directory<'a>(&self, state: &'a State, process: usize) -> &'a Directory {
        &state.directories[self.processes[process]]
    }

    /// Returns whether both paths name what the process has locked. A state file that is gone is made again.
    fn in_place(&self, state: &State, process: usize, files: Files) -> bool {
        let directory = self.directory(state, process);
        directory.lock == Some(files.lock) && (directory.state == files.state || directory.state.is_none())
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
        let here = self.processes[process];
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
        let fault =
            matches!(action, Action::RemoveLock | Action::RemoveState | Action::ReplaceState | Action::CopyDirectory);
        next.faults += u8::from(fault);
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
                    let directory = model.directory(state, process);
                    match (phase, directory.state) {
                        (Phase::Held { files, horizon }, Some(named)) if files.state == Some(named) => {
                            state.contents[usize::from(named)].horizon >= *horizon
                        }
                        _ => true,
                    }
                })
            }),
            Property::always(EVERY_PROCESS_CAN_MINT, |model: &Self, state: &State| {
                (0..state.processes.len()).filter(|&process| model.processes[process] == 0).all(|process| {
                    let mut alone = state.clone();
                    let others = (0..alone.processes.len()).filter(|&other| other != process);
                    others.for_each(|other| alone.processes[other] = Process::default());
                    model.can_mint(alone, process)
                })
            }),
        ]
    }
}
