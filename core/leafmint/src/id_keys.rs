//! Reads the secret keys of public ids from where an application keeps them.

use leafmint_engine::runtime::trusted_path;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::public_id::IdKeys;
use leafmint_ids::text::quoted;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// Most bytes of a file of keys, which is far more than four keys and their comments take.
const MOST_FILE_BYTES: u64 = 64 << 10;

/// Reads the keys in a file, such as a mounted secret, as [`IdKeys::parse`] does.
///
/// Raises `invalid_config`, also if the file cannot be read or has more than 64 KiB, or if a user other than this
/// process's and root owns it, may write to it, or may put another one in its place.
pub fn from_file(path: impl AsRef<Path>) -> Result<IdKeys> {
    let what = format!("the file of public ids' keys {}", quoted(&path.as_ref().to_string_lossy()));
    // Memory that does not grow leaves no copies behind.
    let mut text = Zeroizing::new(String::with_capacity(MOST_FILE_BYTES as usize + 1));
    let path = path.as_ref();
    let opened = std::path::absolute(path).and_then(|path| Ok((File::open(&path)?, path)));
    if let Ok((file, path)) = &opened {
        trusted_path::check(path)?;
        let status = file.metadata().ok().filter(std::fs::Metadata::is_file);
        status.map_or(Ok(()), |status| trusted_path::check_file(path, &status))?;
    }
    let read = opened.and_then(|(file, _)| file.take(MOST_FILE_BYTES + 1).read_to_string(&mut text));
    match read {
        Err(error) => Err(invalid_config(format!("{what} cannot be read: {error}"))),
        Ok(bytes) if bytes as u64 > MOST_FILE_BYTES => {
            Err(invalid_config(format!("{what} has more than {MOST_FILE_BYTES} bytes")))
        }
        Ok(_) => IdKeys::read(&what, &text),
    }
}

/// Reads the keys in an environment variable, as [`IdKeys::parse`] does.
///
/// Raises `invalid_config`, also if the variable is not set.
pub fn from_env(variable: &str) -> Result<IdKeys> {
    let what = format!("the environment variable {}, the keys of public ids", quoted(variable));
    match std::env::var(variable).map(Zeroizing::new) {
        Ok(text) => IdKeys::read(&what, &text),
        Err(std::env::VarError::NotPresent) => Err(invalid_config(format!("{what}, is not set"))),
        // The error's own text has the value.
        Err(std::env::VarError::NotUnicode(_)) => Err(invalid_config(format!("{what}, is not UTF-8"))),
    }
}

fn invalid_config(message: String) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, chown};

    const TEXT: &str = "lmk1_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";

    fn refusal(keys: Result<IdKeys>) -> String {
        let error = keys.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        error.message().to_owned()
    }

    #[test]
    fn a_file_that_another_user_may_write_or_replace_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, TEXT).unwrap();
        let set = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        for mode in [0o600, 0o644] {
            set(&path, mode);
            assert_eq!(from_file(&path).unwrap().numbers(), [1]);
        }
        set(&path, 0o646);
        assert!(refusal(from_file(&path)).contains("every user of this host may write to it (mode 646)"));
        set(&path, 0o600);
        set(folder.path(), 0o777);
        assert!(refusal(from_file(&path)).contains("may rename what is in it (mode 777)"));
        set(folder.path(), 0o700);
        if chown(&path, Some(65_534), None).is_ok() {
            assert!(refusal(from_file(&path)).contains("belongs to user 65534"));
        }
    }

    #[test]
    fn a_file_is_read_to_its_end_but_not_a_large_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, format!("# of the shop\n{TEXT}\n")).unwrap();
        assert_eq!(from_file(&path).unwrap().numbers(), [1]);
        let padded =
            |length: usize| std::fs::write(&path, format!("{TEXT}{}", " ".repeat(length - TEXT.len()))).unwrap();
        padded(64 << 10);
        assert!(from_file(&path).is_ok());
        padded((64 << 10) + 1);
        assert!(refusal(from_file(&path)).ends_with("has more than 65536 bytes"));
        std::fs::write(&path, [0xff; 8]).unwrap();
        assert!(refusal(from_file(&path)).contains("cannot be read"));
        std::fs::write(&path, "").unwrap();
        assert!(refusal(from_file(&path)).ends_with("there is no key: make one with `leafmint id-keys new`"));
        let missing = refusal(from_file(folder.path().join("none")));
        assert!(
            missing.starts_with("the file of public ids' keys \"/") && missing.contains("No such file"),
            "{missing}"
        );
    }

    #[test]
    fn a_variable_that_is_missing_or_holds_no_key_is_named() {
        let missing = refusal(from_env("LEAFMINT_NO_SUCH_VARIABLE"));
        assert_eq!(
            missing,
            "the environment variable \"LEAFMINT_NO_SUCH_VARIABLE\", the keys of public ids, is not set"
        );
        // PATH is set in each process, and is no key.
        let other = refusal(from_env("PATH"));
        let begin = "the environment variable \"PATH\", the keys of public ids: ";
        assert!(other.starts_with(begin) && !other.contains("/bin"), "{other}");
    }
}
