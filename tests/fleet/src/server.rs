//! A simulated server: it answers calls in order, a fixed number a second, and it can be away.

use leafmint_simulation::{Process, World};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server with a capacity.
pub(crate) struct Server {
    pub(crate) process: Arc<Process>,
    /// Time that one call takes.
    service: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free_at: Duration,
    is_away: bool,
    /// Calls that came in each second since the beginning, answered or not.
    calls: Vec<u32>,
    /// Connections that came in each second.
    connections: Vec<u32>,
    /// Calls carried out in each second whose callers had given up.
    wasted: Vec<u32>,
}

impl Server {
    /// Starts a server that answers this number of calls a second.
    pub(crate) fn start(world: &World, capacity: f64) -> Arc<Self> {
        let service = Duration::from_secs_f64(1.0 / capacity);
        Arc::new(Self { process: world.process(), service, state: Mutex::default() })
    }

    /// Takes the server away, or brings it back. Calls that wait there are lost.
    pub(crate) fn set_away(&self, is_away: bool) {
        let mut state = self.state.lock().expect("no panic");
        state.is_away = is_away;
        state.free_at = self.process.passed();
    }

    pub(crate) fn is_away(&self) -> bool {
        self.state.lock().expect("no panic").is_away
    }

    /// Accepts a call, or a connection, which is counted and takes no time of the server's. Returns how long it waits
    /// and takes; `None` if the server is away.
    pub(crate) fn accept(&self, is_connection: bool) -> Option<Duration> {
        let (mut state, now) = (self.state.lock().expect("no panic"), self.process.passed());
        count(&mut state.calls, now, !is_connection);
        count(&mut state.connections, now, is_connection);
        if state.is_away {
            return None;
        }
        if is_connection {
            return Some(Duration::ZERO);
        }
        state.free_at = state.free_at.max(now) + self.service;
        Some(state.free_at - now)
    }

    /// Counts a call that was carried out for a caller that had given up.
    pub(crate) fn note_wasted(&self) {
        count(&mut self.state.lock().expect("no panic").wasted, self.process.passed(), true);
    }

    /// Returns the number of calls from `from` to `to` that were carried out for callers that had given up.
    pub(crate) fn wasted(&self, from: Duration, to: Duration) -> u32 {
        slice(&self.state.lock().expect("no panic").wasted, from, to).iter().sum()
    }

    /// Returns the calls of each second from `from` to `to`.
    pub(crate) fn calls(&self, from: Duration, to: Duration) -> Vec<u32> {
        slice(&self.state.lock().expect("no panic").calls, from, to)
    }

    /// Returns the connections of each second from `from` to `to`.
    pub(crate) fn connections(&self, from: Duration, to: Duration) -> Vec<u32> {
        slice(&self.state.lock().expect("no panic").connections, from, to)
    }
}

fn count(seconds: &mut Vec<u32>, now: Duration, counts: bool) {
    let second = now.as_secs() as usize;
    if seconds.len() <= second {
        seconds.resize(second + 1, 0);
    }
    seconds[second] += u32::from(counts);
}

fn slice(seconds: &[u32], from: Duration, to: Duration) -> Vec<u32> {
    (from.as_secs()..to.as_secs()).map(|second| seconds.get(second as usize).copied().unwrap_or(0)).collect()
}
