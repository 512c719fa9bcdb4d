//! What distinguishes a directory from its copies.
//!
//! Locking a copied directory does not exclude users of the original, so a state that was copied must not be believed.
//! A copy of the files has another inode number, or if a fresh volume repeats that, another birth time, which no
//! program can set. A copy of the whole volume has both in common with the original: then a second mounted volume holds
//! the same directory.
//!
//! On an overlay of several file systems a directory has another inode number after each mount, and a file keeps its
//! own. There a file that is made for this, `origin`, stands for the directory.

use super::private_file;
use rustix::fs::statvfs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// The file that stands for a directory on an overlay.
const ORIGIN: &str = "origin";

/// Types of file systems, as in statfs(2). On Btrfs a snapshot repeats inode numbers and birth times within one volume.
const BTRFS: i64 = 0x9123_683E;
const OVERLAY: i64 = 0x794C_7630;

/// One directory, as it is found now.
#[derive(Clone)]
pub struct DirectoryIdentity {
    path: PathBuf,
    device: u64,
    /// For state files: the same for as long as the directory exists, and different in every copy of its files.
    pub(super) text: String,
    /// For state files: the boot and the device in which it was seen; empty if the system does not report them. Of the
    /// volumes that are copies of one another, at most one has been seen there.
    pub(super) seen: String,
}

impl DirectoryIdentity {
    /// Looks at an existing directory, in which state files are about to be written.
    pub(crate) fn settle(directory: &Path) -> io::Result<Self> {
        let origin = directory.join(ORIGIN);
        if kind_of(directory)? == OVERLAY && origin.symlink_metadata().is_err() {
            match private_file::make(&origin) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Self::of(directory)
    }

    /// Looks at an existing directory.
    pub fn of(directory: &Path) -> io::Result<Self> {
        let (device, kind) = (fs::metadata(directory)?.dev(), kind_of(directory)?);
        let volume = match kind {
            BTRFS => format!(" volume {:x}", statvfs(directory)?.f_fsid),
            _ => String::new(),
        };
        let text = match lasting(directory, kind)? {
            Some(metadata) => {
                let born = birth(&metadata).map_or("unknown".to_owned(), |nanos| nanos.to_string());
                format!("inode {} born {born}{volume}", metadata.ino())
            }
            None => "unknown".to_owned(),
        };
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let seen = if boot.is_empty() { boot } else { format!("boot {} device {}", boot.trim(), number(device)) };
        Ok(Self { path: directory.to_owned(), device, text, seen })
    }

    /// Returns whether a state names this directory, and not one that this is a copy of.
    pub(crate) fn is_named_by(&self, text: &str) -> bool {
        text == self.text
    }

    /// Returns whether both are one directory, which one process has found twice.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.device, &self.text) == (other.device, &other.text)
    }

    /// Returns whether a state was written in this boot, while the directory was on the device that holds it now.
    pub(crate) fn is_seen_at(&self, seen: &str) -> bool {
        !seen.is_empty() && seen == self.seen
    }

    /// Returns the mount point of another volume that holds the same directory: either may be a copy of the other.
    pub(crate) fn twin(&self) -> Option<PathBuf> {
        self.twin_among(&parse_mounts(&fs::read_to_string("/proc/self/mountinfo").ok()?))
    }

    fn twin_among(&self, mounts: &[Mount]) -> Option<PathBuf> {
        let path = self.path.canonicalize().ok()?;
        let ours = mounts.iter().filter(|mount| mount.device == number(self.device) && path.starts_with(&mount.point));
        let ours = ours.max_by_key(|mount| mount.point.as_os_str().len())?;
        let within = ours.root.join(path.strip_prefix(&ours.point).ok()?);
        let others = mounts.iter().filter(|mount| mount.device != ours.device && mount.kind == ours.kind);
        let mut others =
            others.filter(|mount| fs::metadata(&mount.point).is_ok_and(|at| number(at.dev()) == mount.device));
        let twin = others.find(|mount| self.is_at(mount, &within) || has_same_number(mount, ours))?;
        Some(twin.point.clone())
    }

    /// Returns whether the directory is at the same path on another volume.
    fn is_at(&self, mount: &Mount, within: &Path) -> bool {
        let Ok(below) = within.strip_prefix(&mount.root) else { return false };
        let look = |directory: &Path| lasting(directory, kind_of(directory).ok()?).ok().flatten();
        let (Some(there), Some(here)) = (look(&mount.point.join(below)), look(&self.path)) else { return false };
        there.ino() == here.ino() && birth(&there) == birth(&here)
    }
}

/// Returns what keeps its inode number for as long as a directory exists; `None` if it is not there yet.
fn lasting(directory: &Path, kind: i64) -> io::Result<Option<fs::Metadata>> {
    if kind != OVERLAY {
        return fs::metadata(directory).map(Some);
    }
    match fs::symlink_metadata(directory.join(ORIGIN)) {
        // A copy by hard links has the same one.
        Ok(origin) if !origin.is_file() || origin.nlink() != 1 => {
            let problem = format!("{ORIGIN} in it is not a file with one name, as a copy by hard links has");
            Err(io::Error::new(io::ErrorKind::InvalidData, problem))
        }
        Ok(origin) => Ok(Some(origin)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the number of a file system's type.
#[cfg(target_os = "linux")]
fn kind_of(directory: &Path) -> io::Result<i64> {
    Ok(rustix::fs::statfs(directory)?.f_type as i64 & 0xffff_ffff)
}

#[cfg(not(target_os = "linux"))]
fn kind_of(_directory: &Path) -> io::Result<i64> {
    Ok(0)
}

/// Returns the birth time in nanoseconds; `None` if the file system keeps none.
fn birth(metadata: &fs::Metadata) -> Option<u128> {
    let since = |at: SystemTime| at.duration_since(UNIX_EPOCH).ok();
    metadata.created().ok().and_then(since).map(|since| since.as_nanos())
}

/// Writes a device number as the list of mounts does.
fn number(device: u64) -> String {
    let device = device as libc::dev_t;
    format!("{}:{}", libc::major(device), libc::minor(device))
}

/// Returns whether two volumes were formatted as one: ext4 derives the number of a volume from its UUID.
fn has_same_number(one: &Mount, other: &Mount) -> bool {
    let number = |mount: &Mount| statvfs(&mount.point).ok().map(|stat| stat.f_fsid).filter(|&number| number != 0);
    one.kind.starts_with("ext") && number(one).is_some_and(|id| number(other) == Some(id))
}

/// A line of `/proc/self/mountinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    device: String,
    /// The directory of the volume that is mounted.
    root: PathBuf,
    point: PathBuf,
    /// The type of the file system.
    kind: String,
}

fn parse_mounts(text: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (mount, volume) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(2);
        let mut path = || Some(PathBuf::from(unescape(fields.next()?)));
        let device = path()?.to_str()?.to_owned();
        Some(Mount { device, root: path()?, point: path()?, kind: volume.split(' ').next()?.to_owned() })
    };
    text.lines().filter_map(mount).collect()
}

/// Undoes the escapes of spaces, tabs, newlines and backslashes.
fn unescape(path: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(path.to_owned(), |path, (escape, letter)| path.replace(escape, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_mounts_is_understood() {
        let text = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
                    36 27 7:1 /a /mnt/with\\040space rw master:1 - xfs /dev/loop1 rw\nnonsense\n";
        let mount = |device: &str, root: &str, point: &str, kind: &str| Mount {
            device: device.into(),
            root: root.into(),
            point: point.into(),
            kind: kind.into(),
        };
        let expected = [mount("254:0", "/", "/", "ext4"), mount("7:1", "/a", "/mnt/with space", "xfs")];
        assert_eq!(parse_mounts(text), expected);
    }

    #[test]
    fn a_directory_is_distinguished_from_another_one_and_recognised_after_a_move() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::create_dir(&one).unwrap();
        let before = DirectoryIdentity::settle(&one).unwrap();
        fs::rename(&one, &other).unwrap();
        fs::create_dir(&one).unwrap();
        let [moved, made] = [&other, &one].map(|path| DirectoryIdentity::settle(path).unwrap());
        assert!(moved.is_named_by(&before.text) && moved.is_seen_at(&before.seen));
        assert!(!made.is_named_by(&before.text));
    }

    #[test]
    fn another_birth_time_at_the_same_inode_number_is_another_directory() {
        let folder = tempfile::tempdir().unwrap();
        let identity = DirectoryIdentity::settle(folder.path()).unwrap();
        let (inode, _) = identity.text.split_once(" born ").unwrap();
        for born in [" born 7", ""] {
            assert!(!identity.is_named_by(&format!("{inode}{born}")), "{born:?}");
        }
    }

    #[test]
    fn the_same_directory_on_a_second_mounted_volume_is_a_twin() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(one.join("ids")).unwrap();
        // The second volume shows the same inode number and birth time.
        std::os::unix::fs::symlink(&one, &other).unwrap();
        let mut identity = DirectoryIdentity::settle(&one.join("ids")).unwrap();
        let mount = |device: u64, point: &Path| Mount {
            device: number(device),
            root: "/".into(),
            point: point.to_owned(),
            kind: "xfs".into(),
        };
        let elsewhere = mount(identity.device, &other);
        identity.device = libc::makedev(99, 1) as u64;
        let twin = |others: &[&Mount]| {
            let here = mount(identity.device, &one);
            identity.twin_among(&std::iter::once(&here).chain(others.iter().copied()).cloned().collect::<Vec<_>>())
        };
        assert_eq!(twin(&[&elsewhere]), Some(other.clone()));
        assert_eq!(twin(&[]), None);
        let unlike = Mount { kind: "ext4".into(), ..elsewhere.clone() };
        let hidden = Mount { device: "99:2".into(), ..elsewhere.clone() };
        assert_eq!(twin(&[&unlike, &hidden]), None);
    }
}
