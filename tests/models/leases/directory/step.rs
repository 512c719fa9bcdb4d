//! What an action does to a state.

use super::{Action, COPY, Content, Directories, Directory, ELSEWHERE, Files, Inode, ORIGINAL, Phase, Process, State};
use crate::weakening::Weakening;

impl Directories {
    pub(super) fn step(&self, state: &mut State, action: Action) {
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
                let (Some(floor), Some(usable)) = (floor, self.usable(state, process)) else { return };
                state.paths[self.processes[process]] = Some(usable);
                let fresh = state.fresh_lock();
                let directory = &mut state.directories[usable];
                let files = Files { lock: *directory.lock.get_or_insert(fresh), state: directory.state };
                state.processes[process].home = Some(usable);
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
                let again = u8::from(tick == state.watched);
                state.stamped = (state.stamped + again).min(2);
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
            Action::RemoveLock => state.directories[ORIGINAL].lock = None,
            Action::RemoveState => state.directories[ORIGINAL].state = None,
            Action::ReplaceState => {
                let Some(inode) = state.directories[ORIGINAL].state else { return };
                state.directories[ORIGINAL].state = Some(state.copy(inode));
            }
            Action::CopyDirectory => {
                let Some(inode) = state.directories[ORIGINAL].state else { return };
                let (lock, copy) = (state.fresh_lock(), state.copy(inode));
                state.directories[COPY] = Directory { lock: Some(lock), state: Some(copy), granted: 0 };
                state.paths[ELSEWHERE] = Some(COPY);
            }
            Action::MoveDirectory => state.paths.reverse(),
        }
    }

    fn write(&self, state: &mut State, process: usize) {
        let Phase::Writing { files, to, .. } = state.processes[process].phase else { return };
        let Some(home) = state.processes[process].home else { return };
        let content = Content { horizon: to, directory: home };
        let Some(here) = self.named(state, process) else { return self.write_late(state, process, content) };
        let named = state.directories[here].state;
        let target = match named {
            None => {
                // Created again, unless another process has just created one.
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

    /// The directory was moved before the write: it reaches the file that is open, or no file can be made.
    fn write_late(&self, state: &mut State, process: usize, content: Content) {
        match &mut state.processes[process].phase {
            Phase::Writing { files: Files { state: Some(open), .. }, written, .. } => {
                state.contents[usize::from(*open)] = content;
                *written = true;
            }
            phase => *phase = Phase::Idle,
        }
    }

    fn check_after(&self, state: &mut State, process: usize) {
        let Phase::Writing { files, to, releases, .. } = state.processes[process].phase else { return };
        let ours = self
            .directory(state, process)
            .is_some_and(|directory| directory.lock == Some(files.lock) && directory.state == files.state);
        if releases {
            state.processes[process] = Process::default();
        } else if ours || self.is(Weakening::NotCheckedAfter) {
            let home = state.processes[process].home.unwrap_or(ORIGINAL);
            let granted = &mut state.directories[home].granted;
            *granted = to.max(*granted);
            state.processes[process].phase = Phase::Held { files, horizon: to };
        } else {
            // The lease is lost: the cell is shut.
            state.processes[process].phase = Phase::Idle;
        }
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
