//! Copies of a directory, which must not mint with the worker ids of the original.

use super::open;
use crate::holders::{crash, wait};
use leafmint::ErrorKind;
use std::fs;
use std::os::unix::fs::MetadataExt;

#[test]
fn a_copy_of_the_directory_is_refused_while_the_original_may_be_in_use() {
    let (original, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let holder = open(original.path());
    wait(holder.acquire()).unwrap();
    for entry in fs::read_dir(original.path()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let error = wait(open(copy.path()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("copied"), "{error}");
}

#[test]
fn a_directory_that_repeats_the_inode_number_of_another_is_recognised_by_its_birth_time() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    wait(holder.acquire()).unwrap();
    crash(holder);
    let path = folder.path().join("5.state");
    let identity = |name: &str| {
        let text = fs::read_to_string(&path).unwrap();
        text.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned)).unwrap()
    };
    let inode = fs::metadata(folder.path()).unwrap().ino();
    assert!(identity("directory ").starts_with(&format!("inode {inode} born 1")), "{}", identity("directory "));
    assert!(identity("seen ").contains(" device "), "{}", identity("seen "));
}
