//! Worker ids of one host: a lock file and a state file per id in a directory. Serves `local`, `worker_map` and
//! `fixed`.

mod candidate;
mod directory_holder;
mod home;
#[cfg(target_os = "linux")]
mod host_guard;
#[cfg(not(target_os = "linux"))]
#[path = "no_host_guard.rs"]
mod host_guard;
pub(super) mod lead_note;
mod listing;
mod past;
mod refusals;
mod settings;

pub use directory_holder::DirectoryHolder;
pub use host_guard::HostScope;
pub use settings::DirectorySettings;
