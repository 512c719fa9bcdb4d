//! What minting runs on: the background thread, the process and its forks, waiting calls, and events.

pub mod background;
pub mod events;
pub mod process;
pub mod progress;
pub mod trusted_path;
pub mod wake_queue;
