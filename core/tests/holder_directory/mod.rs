//! What a directory of worker ids does about files that are missing, damaged, replaced, or come from elsewhere: one
//! file per topic.

mod copies;
mod files;
mod fixed;
mod moved;
mod permissions;
mod starts;

use leafmint::clock::SystemClock;
use leafmint::holder::{Pace, WorkerIdHolder};
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SHORT: Pace = Pace { lease_duration: Duration::from_millis(500), heartbeat: Duration::from_millis(100) };

/// Opens worker id 5 of a directory.
fn open(directory: &Path) -> Arc<dyn WorkerIdHolder> {
    open_with(directory, &[5], SHORT)
}

fn open_with(directory: &Path, workers: &[i64], pace: Pace) -> Arc<dyn WorkerIdHolder> {
    Arc::new(DirectoryHolder::new(settings(directory, workers, pace), Arc::new(SystemClock)))
}

fn settings(directory: &Path, workers: &[i64], pace: Pace) -> DirectorySettings {
    DirectorySettings {
        directory: directory.to_owned(),
        workers: workers.iter().copied().collect(),
        layout: "leaf".into(),
        endpoint: "10.0.0.1:8080".into(),
        pace,
        name: "local",
        on_host: None,
    }
}
