//! The file system that a database is on.

#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Returns the name of the file system if several hosts can mount it: they would not share the memory of the `-shm`.
#[cfg(target_os = "linux")]
pub(super) fn shared_between_hosts(path: &Path) -> Option<&'static str> {
    name_of_shared(rustix::fs::statfs(path).ok()?.f_type as i64 & 0xffff_ffff)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn shared_between_hosts(_path: &Path) -> Option<&'static str> {
    None
}

/// The numbers are those of statfs(2) and of the kernel's magic.h.
#[cfg(target_os = "linux")]
fn name_of_shared(kind: i64) -> Option<&'static str> {
    Some(match kind {
        0x6969 => "nfs",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "smb",
        0x00c3_6400 => "ceph",
        0x5346_414f | 0x6b41_4653 => "afs",
        0x7375_7245 => "coda",
        0x0bd0_0bd0 => "lustre",
        0x0116_1970 => "gfs2",
        0x7461_636f => "ocfs2",
        _ => return None,
    })
}

/// Returns whether the path is a mount point itself, so that the same file has another path elsewhere.
#[cfg(target_os = "linux")]
pub(super) fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let mount_root = StatxAttributes::MOUNT_ROOT;
    match statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BASIC_STATS) {
        Ok(status) if status.stx_attributes_mask.contains(mount_root) => status.stx_attributes.contains(mount_root),
        // Linux before 5.8, or a sandbox without the call.
        _ => is_in_mount_table(path, &fs::read("/proc/self/mountinfo").unwrap_or_default()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_mount_point(_path: &Path) -> bool {
    false
}

/// Looks for a mount point at the path; the table has octal numbers in the place of white space and backslashes.
#[cfg(target_os = "linux")]
fn is_in_mount_table(path: &Path, table: &[u8]) -> bool {
    let mut escaped = Vec::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' | b'#' => escaped.extend(format!("\\{byte:03o}").bytes()),
            _ => escaped.push(byte),
        }
    }
    table.split(|byte| *byte == b'\n').any(|line| line.split(|byte| *byte == b' ').nth(4) == Some(&escaped))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_that_several_hosts_can_have_are_known_by_their_numbers() {
        let (nfs, cifs, ext4, tmpfs) = (0x6969, 0xff53_4d42, 0xef53, 0x0102_1994);
        assert_eq!([nfs, cifs, ext4, tmpfs].map(name_of_shared), [Some("nfs"), Some("smb"), None, None]);
    }

    #[test]
    fn a_mount_point_is_found_in_the_mount_table_whatever_its_name() {
        let table =
            b"36 35 98:0 / / rw - ext4 /dev/sda rw\n41 36 98:0 /ids.db /data/a\\040b.db rw - ext4 /dev/sda rw\n";
        assert!(is_in_mount_table(Path::new("/data/a b.db"), table));
        assert!(!is_in_mount_table(Path::new("/data/ids.db"), table));
        assert!(!is_in_mount_table(Path::new("/ids.db"), table));
    }
}
