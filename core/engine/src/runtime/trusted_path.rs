//! Whether other users of the host can put something else where a path leads.
//!
//! A user who may rename what is in a directory can replace each file below it, whatever the modes of those files are.
//! So every directory that the kernel goes through is checked, from the root on, and every symbolic link, as OpenSSH
//! checks the path of its keys. A directory that its group may write to is fine if this process is in that group: its
//! members share the directory.

use leafmint_ids::error::{Error, ErrorKind, Result};
use rustix::process::{getegid, geteuid, getgroups};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

const BY_GROUP: u32 = 0o020;
const BY_ALL: u32 = 0o002;
const STICKY: u32 = 0o1000;
const PERMISSIONS: u32 = 0o7777;

const ROOT: u32 = 0;

/// What a user namespace shows in the place of an owner that it does not know.
const UNMAPPED: u32 = 65_534;

/// Maximum number of symbolic links on the way.
const MOST_LINKS: usize = 40;

/// In a pod of Kubernetes the directory of an `emptyDir` has mode 0777, and only the pod's containers reach it.
const POD: &str = "KUBERNETES_SERVICE_HOST";

/// Checks the way to a file or directory that exists or will be made. What leads to nothing yet is checked as far as it
/// goes.
///
/// Raises `invalid_config` if another user can put something else in its place.
pub fn check(path: &Path) -> Result<()> {
    Judge::of(path).walk(false)
}

/// Checks the way to a directory, and that other users cannot make or replace files in it.
pub fn check_directory(directory: &Path) -> Result<()> {
    Judge::of(directory).walk(true)
}

/// Checks a file that was opened or looked at: it belongs to this process's user or to root, and no other user may
/// write to it.
pub fn check_file(path: &Path, file: &Metadata) -> Result<()> {
    let judge = Judge::of(path);
    if !judge.is_owner(file) {
        return Err(judge.belongs_to_another(path, file.uid()));
    }
    check_writers(path, file)
}

/// Checks that a file may not be written by every user, nor by a group that this process is not in.
pub fn check_writers(path: &Path, file: &Metadata) -> Result<()> {
    let judge = Judge::of(path);
    match judge.writers(file) {
        Some((who, mend)) => Err(judge.refused(path, file, &format!("{who} may write to it"), mend)),
        None => Ok(()),
    }
}

/// The path that is checked, and who checks it.
struct Judge<'a> {
    named: &'a Path,
    user: u32,
    is_in_pod: bool,
}

impl<'a> Judge<'a> {
    fn of(named: &'a Path) -> Self {
        Self { named, user: geteuid().as_raw(), is_in_pod: std::env::var_os(POD).is_some() }
    }

    fn walk(&self, is_directory: bool) -> Result<()> {
        let (mut at, mut links) = (PathBuf::from("/"), 0);
        let mut ahead = names(self.named);
        while let Some(name) = ahead.pop() {
            if name == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&name);
            // What cannot be looked at cannot be used either, and its use says why.
            let Ok(directory) = fs::metadata(&at) else { return Ok(()) };
            let entry = fs::symlink_metadata(&next).ok();
            self.check_passage((&at, &directory), (&next, entry.as_ref()))?;
            match entry {
                None => return Ok(()),
                Some(link) if link.is_symlink() && links < MOST_LINKS => {
                    let Ok(target) = fs::read_link(&next) else { return Ok(()) };
                    if target.is_absolute() {
                        at = PathBuf::from("/");
                    }
                    ahead.extend(names(&target));
                    links += 1;
                }
                Some(_) => at = next,
            }
        }
        if is_directory { self.check_last(&at) } else { Ok(()) }
    }

    /// Checks a directory on the way: no other user may replace its entry that is next.
    fn check_passage(
        &self,
        (path, directory): (&Path, &Metadata),
        (next, entry): (&Path, Option<&Metadata>),
    ) -> Result<()> {
        if !self.may_own_passage(directory) {
            return Err(self.belongs_to_another(path, directory.uid()));
        }
        let Some((who, mend)) = self.writers(directory) else { return Ok(()) };
        if directory.mode() & STICKY != 0 {
            return match entry {
                Some(entry) if !self.is_owner(entry) => Err(self.belongs_to_another(next, entry.uid())),
                _ => Ok(()),
            };
        }
        if directory.mode() & BY_ALL != 0 && self.is_in_pod {
            return Ok(());
        }
        Err(self.refused(path, directory, &format!("{who} may rename what is in it"), mend))
    }

    /// Checks the directory itself, in which files are made: there the sticky bit does not help.
    fn check_last(&self, path: &Path) -> Result<()> {
        let owned = |path: &Path| match fs::metadata(path) {
            Ok(status) if !self.is_owner(&status) && !is_shared_with_us(&status) => {
                Err(self.belongs_to_another(path, status.uid()))
            }
            Ok(status) => Ok(Some(status)),
            Err(_) => Ok(None),
        };
        path.parent().map_or(Ok(None), owned)?;
        let Some(status) = owned(path)? else { return Ok(()) };
        match self.writers(&status) {
            Some((who, mend)) => Err(self.refused(path, &status, &format!("{who} may write there"), mend)),
            None => Ok(()),
        }
    }

    /// Returns whether a file belongs to this process's user, or to root.
    fn is_owner(&self, status: &Metadata) -> bool {
        [ROOT, self.user].contains(&status.uid())
    }

    /// Root may work below the directory of a user, as with `sudo` and in containers: who runs it there trusts that
    /// user. An owner that a user namespace does not know cannot be judged.
    fn may_own_passage(&self, directory: &Metadata) -> bool {
        self.is_owner(directory)
            || self.user == ROOT
            || is_shared_with_us(directory)
            || directory.uid() == UNMAPPED && !sees_all_users()
    }

    /// Returns who else may write to a file or a directory, and what ends that.
    fn writers(&self, status: &Metadata) -> Option<(String, &'static str)> {
        if status.mode() & BY_ALL != 0 {
            let mend = "run chmod o-w on it; to share it, give its group the right to write";
            return Some(("every user of this host".to_owned(), mend));
        }
        let is_users = self.user == ROOT && status.uid() != ROOT;
        if status.mode() & BY_GROUP == 0 || status.gid() == ROOT || is_our_group(status.gid()) || is_users {
            return None;
        }
        let who = format!("group {}, which this process is not in,", status.gid());
        Some((who, "run chmod g-w on it, or run this process in that group"))
    }

    fn refused(&self, path: &Path, status: &Metadata, problem: &str, mend: &str) -> Error {
        let text = format!(
            "{}: {problem} (mode {:o}), and so put something else in place of {}, take ids away or repeat them: {mend}",
            path.display(),
            status.mode() & PERMISSIONS,
            self.named.display(),
        );
        Error::new(ErrorKind::InvalidConfig, text)
    }

    fn belongs_to_another(&self, path: &Path, owner: u32) -> Error {
        let text = format!(
            "{}: it belongs to user {owner}, who could put something else in place of {}, take ids away or repeat them, and this \
             process runs as user {user}: name a directory of its own, or run chown {user} on it; to share a directory, let a group \
             of this process write there",
            path.display(),
            self.named.display(),
            user = self.user,
        );
        Error::new(ErrorKind::InvalidConfig, text)
    }
}

/// Returns the names of a path, the last one first.
fn names(path: &Path) -> Vec<OsString> {
    let name = |part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().rev().filter_map(name).collect()
}

/// Returns whether a directory is shared within a group that this process belongs to.
fn is_shared_with_us(directory: &Metadata) -> bool {
    directory.mode() & BY_GROUP != 0 && is_our_group(directory.gid())
}

fn is_our_group(group: u32) -> bool {
    let others = || getgroups().unwrap_or_default().into_iter().any(|other| other.as_raw() == group);
    group == getegid().as_raw() || others()
}

/// Returns whether this process is in a user namespace that knows every user of the host.
fn sees_all_users() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.is_empty() || map.split_ascii_whitespace().eq(["0", "0", "4294967295"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    const NEIGHBOUR: u32 = 65_534;
    const SERVICE: u32 = 1_000;

    /// Makes a directory within another one, with a mode and an owner.
    fn made(within: &Path, name: &str, mode: u32, owner: (u32, u32)) -> PathBuf {
        let path = within.join(name);
        create_dir(&path).unwrap();
        set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        chown(&path, Some(owner.0), Some(owner.1)).unwrap();
        path
    }

    fn refusal(named: &Path, user: u32, is_in_pod: bool) -> Option<String> {
        Judge { named, user, is_in_pod }.walk(false).err().map(|error| error.message().to_owned())
    }

    fn is_root() -> bool {
        geteuid().is_root()
    }

    #[test]
    fn a_directory_in_which_others_may_rename_is_refused_wherever_it_is_on_the_way() {
        if !is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        for (mode, owner, mend) in
            [(0o777, (0, 0), "chmod o-w"), (0o775, (0, NEIGHBOUR), "chmod g-w"), (0o755, (NEIGHBOUR, 0), "chown 1000")]
        {
            let open = made(folder.path(), &format!("{mode:o} {}", owner.1), mode, owner);
            let deep = made(&made(&open, "a", 0o755, (0, 0)), "b", 0o700, (SERVICE, SERVICE));
            for named in [open.join("file"), deep.join("file"), deep.join("../../a/b")] {
                let text = refusal(&named, SERVICE, false).unwrap();
                assert!(text.contains(mend) && text.starts_with(&open.display().to_string()), "{text}");
            }
            let trusts = owner.0 == NEIGHBOUR;
            assert_eq!(refusal(&deep, ROOT, false).is_none(), trusts, "root may work below a user's directory");
            assert_eq!(refusal(&deep, SERVICE, true).is_none(), mode == 0o777, "an emptyDir of a pod");
        }
        let shared = made(folder.path(), "shared", 0o2775, (0, getegid().as_raw()));
        assert_eq!(refusal(&shared.join("file"), SERVICE, false), None, "as a volume of a pod with fsGroup");
    }

    #[test]
    fn in_a_sticky_directory_an_entry_or_a_link_of_another_user_is_refused() {
        if !is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let sticky = made(folder.path(), "tmp", 0o1777, (0, 0));
        let own = made(&sticky, "own", 0o700, (SERVICE, SERVICE));
        assert_eq!(refusal(&own.join("file"), SERVICE, false), None);
        assert_eq!(refusal(&sticky.join("missing"), SERVICE, false), None);
        let link = |name: &str, target: &Path, owner: u32| {
            let path = sticky.join(name);
            symlink(target, &path).unwrap();
            std::os::unix::fs::lchown(&path, Some(owner), None).unwrap();
            path
        };
        let theirs = made(&sticky, "theirs", 0o777, (NEIGHBOUR, 0));
        write(sticky.join("file"), "").unwrap();
        chown(sticky.join("file"), Some(NEIGHBOUR), None).unwrap();
        let by_own_link = link("by own link", &theirs, SERVICE);
        for named in [theirs.clone(), sticky.join("file"), link("link", &own, NEIGHBOUR).join("file"), by_own_link] {
            let text = refusal(&named, SERVICE, false).unwrap();
            assert!(text.contains("belongs to user 65534"), "{text}");
            assert!(refusal(&named, ROOT, false).is_some());
        }
        assert_eq!(refusal(&link("fine", &own, ROOT).join("file"), SERVICE, false), None);
    }

    #[test]
    fn links_that_lead_in_a_circle_end() {
        let folder = tempfile::tempdir().unwrap();
        symlink(folder.path().join("round"), folder.path().join("round")).unwrap();
        let _ = refusal(&folder.path().join("round/file"), geteuid().as_raw(), false);
    }
}
