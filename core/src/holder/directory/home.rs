//! The directory that a holder has taken a worker id from. Whatever its path names later, the holder uses no other one.
//!
//! A directory that was moved, unmounted or hidden may be in use elsewhere, with all that is reserved in it. A process
//! that went on in a new one at the old path would begin at the clock, and repeat the ids of that other user.

use super::checks::check_layout;
use super::refusals;
use super::settings::DirectorySettings;
use crate::error::Result;
use crate::holder::directory_identity::DirectoryIdentity;
use crate::holder::file_error::describe_file_error;
use crate::holder::private_file;
use crate::trusted_path;
use std::io;
use std::sync::OnceLock;

/// The directory of a holder, from its first lease on. The holder of a forked child remembers that of its parent.
#[derive(Clone, Default)]
pub(super) struct Home(OnceLock<DirectoryIdentity>);

impl Home {
    /// Returns the directory that the path names, which is created before the first lease. Raises what
    /// [`Home::check`] raises, and the errors of a directory that may not be used.
    pub(super) fn open(&self, settings: &DirectorySettings) -> Result<DirectoryIdentity> {
        self.check(settings)?;
        let directory = &settings.directory;
        if self.first().is_none() {
            trusted_path::check(directory)?;
            private_file::make_directory(directory, |error| describe_file_error(directory, error, ""))?;
        }
        check_layout(settings)?;
        DirectoryIdentity::settle(directory).map_err(|error| describe_file_error(directory, &error, ""))
    }

    /// Raises `store_unavailable` if the path names another directory than that of the first lease, or none.
    pub(super) fn check(&self, settings: &DirectorySettings) -> Result<()> {
        self.first().map_or(Ok(()), |first| confirm(settings, first))
    }

    /// Remembers the directory of a lease, whose files are locked. Raises `store_unavailable` if the path names another
    /// one by now.
    pub(super) fn remember(&self, settings: &DirectorySettings, here: &DirectoryIdentity) -> Result<()> {
        confirm(settings, here)?;
        self.0.get_or_init(|| here.clone());
        Ok(())
    }

    fn first(&self) -> Option<&DirectoryIdentity> {
        self.0.get()
    }
}

/// Raises `store_unavailable` unless the path names this directory.
fn confirm(settings: &DirectorySettings, known: &DirectoryIdentity) -> Result<()> {
    let directory = &settings.directory;
    match DirectoryIdentity::of(directory) {
        Ok(here) if here.is_same(known) => Ok(()),
        Err(error) if !is_gone(&error) => Err(describe_file_error(directory, &error, "")),
        Ok(_) | Err(_) => Err(refusals::moved(directory)),
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
