//! The model of one worker id leased from a directory (H1), after `core/src/holder/{directory,worker_files,lock_file}.rs`:
//! processes, the files that paths name, and the files that processes have open and locked.
//!
//! Clocks may show anything, as in the model of a database. A write that comes late is one of a process that paused before it: every
//! step between looking at the paths and looking again is one of its own. What people do to the directory is an action too: either
//! file is removed (not both while one owner has noticed neither), the state is replaced by a copy of itself, the directory is copied.

use super::registry::Tick;
use super::weakening::Weakening;
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice";
pub const THE_STATE_COVERS_ITS_OWNER: &str = "the state that the path names is not below its owner's horizon";
pub const EVERY_PROCESS_CAN_MINT: &str = "every process of the directory can mint, whatever happened, once the others crash";

/// The directory, and its copy.
const DIRECTORIES: usize = 2;
const LOOK_AHEAD: usize = 20;

/// A file, whatever path names it.
type Inode = u8;

#[derive(Clone, Debug)]
pub struct Directories {
    pub weakening: Weakening,
    /// The directory of every process: 0, or 1 for the copy.
    pub processes: Vec<usize>,
    /// Horizons reach up to here.
    pub ticks: Tick,
    /// So many times somebody does something to the files.
    pub faults: u8,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// One tick, chosen at the start: if nobody can stamp this one twice, whichever it is, nobody can stamp any.
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
    /// The highest horizon that was granted. A state that is gone counts as this: that the bound in the code is no lower is what is
    /// assumed of clocks.
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
    /// Has read the state, and has no lock yet: only where that is the weakening.
    Looked {
        floor: Tick,
    },
    /// Has locked both files, and waits for the floor.
    Locked {
        files: Files,
        floor: Tick,
    },
    /// `WorkerFiles::write`, and where it stands. Ids are minted below `granted` meanwhile, unless it is a release.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads the state before it locks the files.
    Look {
        process: usize,
    },
    /// `WorkerFiles::take`, `Inner::floor`: locks both files, then reads.
    Take {
        process: usize,
    },
    /// `Inner::reserve`, `extend`: looks at the paths.
    Reserve {
        process: usize,
        to: Tick,
    },
    /// The write itself.
    Write {
        process: usize,
    },
    /// Looks at the paths again.
    CheckAfter {
        process: usize,
    },
    Mint {
        process: usize,
        tick: Tick,
    },
    /// `release`: the cell is shut, and the state is written a last time.
    Close {
        process: usize,
    },
    /// kill -9, and a new process in its place.
    Crash {
        process: usize,
    },
    RemoveLock,
    RemoveState,
    /// `cp 5.state x; mv x 5.state`, or a restore of what is there.
    ReplaceState,
    CopyDirectory,
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

    /// Whether both paths name what the process has locked. A state file that is gone is made again.
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

    /// `Inner::floor`; `None` where the state is refused.
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

    fn steps(&self, state: &State, process: usize, end: Tick, steps: &mut Vec<Action>) {
        let Process { cursor, phase } = &state.processes[process];
        let directory = self.directory(state, process);
        // The copy is there once it was made.
        let exists = self.processes[process] == 0 || directory.lock.is_some();
        let free = exists && self.lock_is_free(state, directory.lock) && self.state_is_free(state, directory.state);
        let limit = state.processes[process].limit();
        steps.extend((*cursor..limit.min(end)).map(|tick| Action::Mint { process, tick }));
        if *phase != Phase::Idle {
            steps.push(Action::Crash { process });
        }
        match phase {
            Phase::Idle if self.is(Weakening::ReadBeforeLock) && exists => {
                if self.floor(state, process).is_some() {
                    steps.push(Action::Look { process });
                }
            }
            Phase::Idle if free && self.floor(state, process).is_some() => steps.push(Action::Take { process }),
            Phase::Idle => {}
            Phase::Looked { .. } if free => steps.push(Action::Take { process }),
            Phase::Looked { .. } => {}
            Phase::Locked { floor, .. } => steps.extend((floor + 1..=end).map(|to| Action::Reserve { process, to })),
            Phase::Writing { written: false, .. } => steps.push(Action::Write { process }),
            Phase::Writing { written: true, .. } => steps.push(Action::CheckAfter { process }),
            Phase::Held { horizon, .. } => {
                steps.extend((horizon + 1..=end).map(|to| Action::Reserve { process, to }));
                steps.push(Action::Close { process });
            }
        }
    }

    /// Whether no process of the directory has locked other files than the paths name.
    fn is_noticed(&self, state: &State) -> bool {
        let directory = &state.directories[0];
        let files = (0..self.processes.len()).filter(|&process| self.processes[process] == 0);
        files
            .filter_map(|process| state.processes[process].files())
            .all(|files| Some(files.lock) == directory.lock && (files.state.is_none() || files.state == directory.state))
    }

    fn faults(&self, state: &State, steps: &mut Vec<Action>) {
        if state.faults == self.faults {
            return;
        }
        let original = &state.directories[0];
        if original.lock.is_some() && (original.state.is_some() || original.granted == 0) {
            steps.push(Action::RemoveLock);
        }
        if original.state.is_some() {
            steps.push(Action::ReplaceState);
            if original.lock.is_some() && self.is_noticed(state) {
                steps.push(Action::RemoveState);
            }
            if self.processes.contains(&1) && state.directories[1].lock.is_none() {
                steps.push(Action::CopyDirectory);
            }
        }
    }

    fn write(&self, state: &mut State, process: usize) {
        let here = self.processes[process];
        let Phase::Writing { files, to, .. } = state.processes[process].phase else { return };
        let content = Content { horizon: to, directory: here };
        let named = state.directories[here].state;
        let target = match named {
            None => {
                // Made anew, unless somebody else has just made one.
                let inode = state.contents.len() as Inode;
                state.contents.push(content);
                state.directories[here].state = Some(inode);
                inode
            }
            Some(named) if self.is(Weakening::WriteByPath) => named,
            Some(named) => files.state.unwrap_or(named),
        };
        if files.state.is_none() && named.is_some() && !self.is(Weakening::WriteByPath) {
            state.processes[process].phase = Phase::Idle;
            return;
        }
        state.contents[usize::from(target)] = content;
        let state_file = if self.is(Weakening::WriteByPath) { files.state.or(Some(target)) } else { Some(target) };
        if let Phase::Writing { files, written, .. } = &mut state.processes[process].phase {
            (files.state, *written) = (state_file, true);
        }
    }

    fn check_after(&self, state: &mut State, process: usize) {
        let Phase::Writing { files, to, releases, .. } = state.processes[process].phase else { return };
        let directory = &mut state.directories[self.processes[process]];
        let ours = directory.lock == Some(files.lock) && directory.state == files.state;
        if releases {
            state.processes[process] = Process::default();
        } else if ours || self.is(Weakening::NotCheckedAfter) {
            directory.granted = directory.granted.max(to);
            state.processes[process].phase = Phase::Held { files, horizon: to };
        } else {
            // `Inner::lose`: the cell is shut.
            state.processes[process].phase = Phase::Idle;
        }
    }

    fn step(&self, state: &mut State, action: Action) {
        match action {
            Action::Look { process } => {
                let Some(floor) = self.floor(state, process) else { return };
                state.processes[process].phase = Phase::Looked { floor };
            }
            Action::Take { process } => {
                let floor = match state.processes[process].phase {
                    Phase::Looked { floor } => Some(floor),
                    _ => self.floor(state, process),
                };
                let Some(floor) = floor else { return };
                let fresh = state.fresh_lock();
                let directory = &mut state.directories[self.processes[process]];
                let files = Files { lock: *directory.lock.get_or_insert(fresh), state: directory.state };
                state.processes[process].phase = Phase::Locked { files, floor };
            }
            Action::Reserve { process, to } => {
                let (files, granted) = match state.processes[process].phase {
                    Phase::Locked { files, floor } => {
                        let cursor = &mut state.processes[process].cursor;
                        *cursor = floor.max(*cursor);
                        (files, 0)
                    }
                    Phase::Held { files, horizon } => (files, horizon),
                    _ => return,
                };
                let goes_on = self.is(Weakening::NotCheckedBefore) || self.in_place(state, process, files);
                let granted = if self.is(Weakening::GrantedBeforeWritten) { to } else { granted };
                state.processes[process].phase = match goes_on {
                    true => Phase::Writing { files, granted, to, releases: false, written: false },
                    false => Phase::Idle,
                };
            }
            Action::Write { process } => self.write(state, process),
            Action::CheckAfter { process } => self.check_after(state, process),
            Action::Mint { process, tick } => {
                state.processes[process].cursor = tick + 1;
                state.stamped += u8::from(tick == state.watched);
            }
            Action::Close { process } => {
                let Phase::Held { files, .. } = state.processes[process].phase else { return };
                let goes_on = self.is(Weakening::NotCheckedBefore) || self.in_place(state, process, files);
                let to = state.processes[process].cursor;
                state.processes[process].phase = match goes_on {
                    true => Phase::Writing { files, granted: 0, to, releases: true, written: false },
                    false => Phase::Idle,
                };
            }
            Action::Crash { process } => state.processes[process] = Process::default(),
            Action::RemoveLock => state.directories[0].lock = None,
            Action::RemoveState => state.directories[0].state = None,
            Action::ReplaceState => {
                let Some(inode) = state.directories[0].state else { return };
                state.directories[0].state = Some(state.copy(inode));
            }
            Action::CopyDirectory => {
                let Some(inode) = state.directories[0].state else { return };
                let (lock, copy) = (state.fresh_lock(), state.copy(inode));
                state.directories[1] = Directory { lock: Some(lock), state: Some(copy), granted: 0 };
            }
        }
    }

    /// Brings states that differ only by the names of files, or by the order of processes, into one shape.
    fn tidy(&self, state: &mut State) {
        let originals = self.processes.iter().take_while(|&&directory| directory == 0).count();
        state.processes[..originals].sort_unstable();
        let (mut locks, mut states) = (Vec::new(), Vec::new());
        let mut rename = |lock: Option<&mut Inode>, file: Option<&mut Inode>| {
            for (inode, names) in [(lock, &mut locks), (file, &mut states)] {
                let Some(inode) = inode else { continue };
                let at = names.iter().position(|name| name == inode).unwrap_or_else(|| {
                    names.push(*inode);
                    names.len() - 1
                });
                *inode = at as Inode;
            }
        };
        for directory in &mut state.directories {
            rename(directory.lock.as_mut(), directory.state.as_mut());
        }
        for process in &mut state.processes {
            if let Phase::Locked { files, .. } | Phase::Writing { files, .. } | Phase::Held { files, .. } = &mut process.phase {
                rename(Some(&mut files.lock), files.state.as_mut());
            }
        }
        state.contents = states.iter().map(|&inode| state.contents[usize::from(inode)]).collect();
    }

    /// Tells whether a process mints if nobody else does anything, and its clock goes on.
    fn can_mint(&self, mut state: State, process: usize) -> bool {
        for _ in 0..LOOK_AHEAD {
            let Process { cursor, phase } = &state.processes[process];
            let next = match phase {
                Phase::Idle | Phase::Looked { .. } => Action::Take { process },
                Phase::Locked { floor, .. } => Action::Reserve { process, to: floor.max(cursor) + 1 },
                Phase::Writing { written: false, .. } => Action::Write { process },
                Phase::Writing { written: true, .. } => Action::CheckAfter { process },
                Phase::Held { horizon, .. } if cursor < horizon => return true,
                Phase::Held { horizon, .. } => Action::Reserve { process, to: horizon + 1 },
            };
            self.step(&mut state, next);
        }
        false
    }
}

impl State {
    /// A lock file that no path names and no process has open.
    fn fresh_lock(&self) -> Inode {
        let named = self.directories.iter().filter_map(|directory| directory.lock);
        let open = self.processes.iter().filter_map(|process| Some(process.files()?.lock));
        named.chain(open).max().map_or(0, |last| last + 1)
    }

    fn copy(&mut self, inode: Inode) -> Inode {
        self.contents.push(self.contents[usize::from(inode)]);
        (self.contents.len() - 1) as Inode
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
        let fault = matches!(action, Action::RemoveLock | Action::RemoveState | Action::ReplaceState | Action::CopyDirectory);
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
