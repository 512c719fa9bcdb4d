//! How a directory of worker ids is used.

use super::host_guard::HostScope;
use crate::rows::Endpoint;
use leafmint_engine::holder::{Pace, Workers};
use std::path::PathBuf;

/// How a directory of worker ids is used.
#[derive(Clone, Debug)]
pub struct DirectorySettings {
    /// The directory of one namespace, with its name; created if it is missing.
    pub directory: PathBuf,
    /// The worker ids that may be taken; the first ones are tried first.
    pub workers: Workers,
    /// The layout's fingerprint: the same for all processes that use the directory.
    pub layout: String,
    /// Who claims, for messages to others.
    pub endpoint: Endpoint,
    /// How far ahead time is reserved, and how often.
    pub pace: Pace,
    /// `local` or `fixed`, for `stats` and messages.
    pub name: &'static str,
    /// Keeps the worker ids to one process of the host each, in whatever directory; `None` if only this directory
    /// counts.
    pub on_host: Option<HostScope>,
}

impl DirectorySettings {
    /// Returns how far ahead of the clock an owner reserves without a note, whatever its settings. Milliseconds.
    pub(super) fn usually_reserved(&self) -> i64 {
        self.pace.reserved().max(Pace::LOCAL.reserved())
    }
}
