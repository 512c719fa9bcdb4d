//! The model of worker ids leased from a database (H1), after `core/backends/src/rows/`: nodes, hosts with state files,
//! rows, and statements on their way.
//!
//! Clocks may show anything: whether a row looks free, how far a horizon reaches, which tick an id is stamped with and
//! when a sender gives up waiting is left open everywhere. A pause is a node that does nothing while others continue.

mod action;
mod liveness;
mod node;
mod registry;
mod step;
mod symmetry;

use super::weakening::Weakening;
pub use action::Action;
use node::{Node, StateFile};
use registry::{Late, Row, Tick, Version};
use stateright::{Model, Property};

pub const NO_ID_TWICE: &str = "no id twice";
pub const SOME_NODE_CAN_MINT: &str = "some node can mint, whatever happened, once the registry answers it";
pub const EVERY_NODE_CAN_MINT: &str =
    "every node can mint, whatever happened, once the others crash and the registry answers it";

/// `MOST_UNCONFIRMED` in `row_state.rs`, made small so that it is reached.
const MOST_UNCONFIRMED: usize = 2;
/// The number of steps that the liveness properties look ahead, without a bound on time.
const LOOK_AHEAD: usize = 40;

#[derive(Clone, Debug)]
pub struct WorkerIds {
    pub weakening: Weakening,
    /// The host of every node.
    pub nodes: Vec<u8>,
    pub workers: u8,
    /// Horizons reach up to here.
    pub ticks: Tick,
    /// Maximum number of statements that are late at a time.
    pub late: usize,
    /// The number of hosts with a state directory: the first ones.
    pub disks: u8,
    /// The registry is a ZooKeeper: a change reads the node, compares, and names the version that was read.
    pub versions: bool,
    /// The liveness properties are checked too.
    pub liveness: bool,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// One worker id and tick, chosen at the start: if no node can stamp this one twice, whichever it is, none can
    /// stamp any twice.
    watched: (u8, Tick),
    stamped: u8,
    rows: Vec<Option<Row>>,
    /// Of every host and worker id.
    files: Vec<Option<StateFile>>,
    nodes: Vec<Node>,
    /// Statements that were sent, that the sender gave up, and that are still to be carried out, in any order.
    late: Vec<Late>,
}

impl WorkerIds {
    fn has_disk(&self, node: usize) -> bool {
        self.nodes[node] < self.disks
    }

    fn file(&self, node: usize, worker: u8) -> usize {
        usize::from(self.nodes[node] * self.workers + worker)
    }

    fn lock_is_free(&self, state: &State, node: usize, worker: u8) -> bool {
        let others = (0..self.nodes.len()).filter(|&other| other != node && self.nodes[other] == self.nodes[node]);
        !self.has_disk(node)
            || self.weakening == Weakening::WithoutLock
            || others.into_iter().all(|other| state.nodes[other].locks() != Some(worker))
    }

    /// Returns whether the statement under way has to read the node before it writes.
    fn must_read(&self, node: &Node) -> bool {
        self.versions && node.version == Version::Unread && node.sent().is_some_and(|sent| !sent.creates())
    }

    fn state_file<'a>(&self, state: &'a State, node: usize, worker: u8) -> Option<&'a StateFile> {
        state.files.get(self.file(node, worker))?.as_ref()
    }

    /// Returns the state file that goes with the row that a node has read, if it may continue from it.
    fn fitting_file<'a>(&self, state: &'a State, node: usize, worker: u8, row: Option<Row>) -> Option<&'a StateFile> {
        let (kept, row) = (self.state_file(state, node, worker)?, row?);
        let fits = self.weakening == Weakening::FileNotCompared || kept.versions().any(|version| row.shows(version));
        fits.then_some(kept)
    }
}

impl Model for WorkerIds {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let watched = (0..self.workers).flat_map(|worker| (0..self.ticks).map(move |tick| (worker, tick)));
        watched
            .map(|watched| State {
                watched,
                stamped: 0,
                rows: vec![None; usize::from(self.workers)],
                files: vec![None; usize::from(self.disks * self.workers)],
                nodes: vec![Node::default(); self.nodes.len()],
                late: Vec::new(),
            })
            .collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for node in 0..self.nodes.len() {
            self.steps(state, node, self.ticks, actions);
        }
        actions.extend((0..state.late.len()).map(|late| Action::Arrive { late }));
        let leased = |worker: &u8| state.rows[usize::from(*worker)].is_some_and(|row| row.token.is_some());
        actions.extend((0..self.workers).filter(leased).map(|worker| Action::Evict { worker }));
        actions.extend(
            (0..state.files.len()).filter(|&file| state.files[file].is_some()).map(|file| Action::LoseFile { file }),
        );
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        self.step(&mut next, action);
        self.tidy(&mut next);
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![Property::always(NO_ID_TWICE, |_: &Self, state: &State| state.stamped < 2)];
        if self.liveness {
            properties.push(Property::always(SOME_NODE_CAN_MINT, |model: &Self, state: &State| {
                (0..state.nodes.len()).any(|node| model.can_mint(state.clone(), node))
            }));
            properties.push(Property::always(EVERY_NODE_CAN_MINT, |model: &Self, state: &State| {
                (0..state.nodes.len()).all(|node| {
                    let mut alone = state.clone();
                    (0..alone.nodes.len())
                        .filter(|&other| other != node)
                        .for_each(|other| alone.nodes[other] = Node::default());
                    model.can_mint(alone, node)
                })
            }));
        }
        properties
    }
}
