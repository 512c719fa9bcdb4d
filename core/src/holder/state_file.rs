//! The state file of a worker id: up to when time is reserved, and by whom. Written, synced, renamed, and the directory synced.

use super::Token;
use crate::error::{Error, ErrorKind};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const HEADING: &str = "leafmint worker id 1";

/// Where a state is kept.
#[derive(Clone, Debug)]
pub struct StateFile {
    path: PathBuf,
}

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The token of the lease.
    pub token: Token,
    /// The first Unix millisecond that the lease may not stamp.
    pub horizon: i64,
    /// Who holds the lease, for messages to others.
    pub owner: String,
    /// The directory that the file was written in, by its inode: in a copy of the directory it is another.
    pub place: u64,
    /// The layout's fingerprint.
    pub layout: String,
}

/// A file that is there and cannot be understood.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged;

impl StateFile {
    /// Names the file; nothing is read or written.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the state: `None` where there is no file, `Damaged` where it is truncated, empty or not ours.
    pub fn read(&self) -> io::Result<Option<Result<State, Damaged>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(State::parse(&bytes).ok_or(Damaged))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the state. Once it returns, the state survives a crash of the process and of the host.
    pub fn write(&self, state: &State) -> io::Result<()> {
        write_durably(&self.path, state.to_text().as_bytes())
    }
}

/// Replaces a file. Once it returns, the new text survives a crash of the process and of the host.
pub(crate) fn write_durably(path: &Path, text: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    let directory = path.parent().unwrap_or(Path::new("."));
    File::open(directory)?.sync_all()
}

/// Tells a directory from its copies.
pub(crate) fn place(directory: &Path) -> io::Result<u64> {
    fs::metadata(directory).map(|metadata| metadata.ino())
}

/// Names what went wrong with a file, and what to do about it.
pub(crate) fn name_file_error(path: &Path, error: &io::Error, or: &str) -> Error {
    let (kind, advice) = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorKind::InvalidConfig, "this process must be able to write there")
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => (ErrorKind::InvalidConfig, "name a directory"),
        io::ErrorKind::StorageFull => (ErrorKind::StoreUnavailable, "the disk is full"),
        _ => (ErrorKind::StoreUnavailable, "no time was reserved"),
    };
    Error::new(kind, format!("{}: {error}: {advice}{or}", path.display()))
}

impl State {
    fn to_text(&self) -> String {
        let Self { token, horizon, owner, place, layout } = self;
        format!(
            "{HEADING}\ntoken {token}\nhorizon {horizon}\nowner {}\nplace {place}\nlayout {layout}\nend\n",
            owner.replace('\n', " ")
        )
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        // The last line tells a whole file from a truncated one.
        let mut lines = text.strip_suffix("\nend\n")?.lines();
        (lines.next()? == HEADING).then_some(())?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let token = Token::parse(&field("token")?)?;
        let horizon = field("horizon")?.parse().ok()?;
        let owner = field("owner")?;
        let place = field("place")?.parse().ok()?;
        Some(State { token, horizon, owner, place, layout: field("layout")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            token: Token::fresh().unwrap(),
            horizon: 1_793_491_200_000,
            owner: "host a 1".into(),
            place: 7,
            layout: "leaf".into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::new(folder.path().join("7.state"));
        assert_eq!(file.read().unwrap(), None);
        let state = state();
        file.write(&state).unwrap();
        assert_eq!(file.read().unwrap(), Some(Ok(state)));
    }

    #[test]
    fn a_file_that_ends_early_is_damaged_wherever_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::new(folder.path().join("7.state"));
        let text = state().to_text();
        for length in 0..text.len() {
            fs::write(file.path(), &text[..length]).unwrap();
            assert_eq!(file.read().unwrap(), Some(Err(Damaged)), "{:?}", &text[..length]);
        }
    }
}
