//! States that differ by the names of files, or by the order of processes, are brought into one shape.

use super::{Directories, HOME, Inode, Phase, State};

impl Directories {
    /// Brings states that differ only by the names of files, or by the order of processes, into one shape.
    pub(super) fn tidy(&self, state: &mut State) {
        let originals = self.processes.iter().take_while(|&&path| path == HOME).count();
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
            if let Phase::Locked { files, .. } | Phase::Writing { files, .. } | Phase::Held { files, .. } =
                &mut process.phase
            {
                rename(Some(&mut files.lock), files.state.as_mut());
            }
        }
        state.contents = states.iter().map(|&inode| state.contents[usize::from(inode)]).collect();
    }
}
