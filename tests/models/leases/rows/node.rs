//! A node: one process with a generator and its holder.

use super::registry::{Late, Row, RowVersion, Statement, Tick, Token, Version};

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// The next free ticket. No lease of this process touches what lies below it.
    pub cursor: Tick,
    pub phase: Phase,
    /// `HolderState::unanswered`: a claim whose answer was lost. It keeps its lock.
    pub unanswered: Option<ClaimSent>,
    /// What the statement under way knows of the node, if the registry is a ZooKeeper.
    pub version: Version,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// About to acquire.
    #[default]
    Idle,
    /// Has read a row, some time ago.
    Surveyed { worker: u8, row: Option<Row> },
    /// Waits for the answer to a claim.
    Claiming(ClaimSent),
    /// Mints.
    Held(RowLease),
    /// Closed; waits for the answer to a release.
    Releasing { release: Statement, horizon: Tick },
}

/// A claim that was sent (`Claim` and `ClaimPlan`).
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimSent {
    pub worker: u8,
    pub from: Option<Row>,
    pub to: RowVersion,
    pub floor: Tick,
    /// What was reserved in the state file.
    pub horizon: Tick,
    /// The compare-and-set matched nothing, so the row is being read.
    pub reading: bool,
}

/// `holder_state.rs`: the lease that is held.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowLease {
    pub worker: u8,
    pub token: Token,
    /// The limit of the tickets.
    pub horizon: Tick,
    pub known: RowVersion,
    pub unconfirmed: Vec<RowVersion>,
    pub renewal: Option<Renewal>,
    pub down: bool,
}

/// `renew` in `compare_and_set.rs` under way, to the last unconfirmed version.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renewal {
    pub known: RowVersion,
    pub reading: bool,
}

/// `worker_state.rs`: the state file of a worker id on a host.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateFile {
    pub horizon: Tick,
    pub known: Option<RowVersion>,
    pub unconfirmed: Vec<RowVersion>,
    pub releasing: bool,
}

impl ClaimSent {
    pub fn statement(&self) -> Statement {
        Statement::Claim { worker: self.worker, from: self.from, to: self.to }
    }
}

impl RowLease {
    pub fn renew(&self) -> Option<Statement> {
        let renewal = self.renewal.as_ref()?;
        Some(Statement::Renew { worker: self.worker, known: renewal.known, to: *self.unconfirmed.last()? })
    }

    /// Everything of ours that the row may show.
    pub fn versions(&self) -> impl Iterator<Item = &RowVersion> {
        std::iter::once(&self.known).chain(&self.unconfirmed)
    }

    pub fn state_file(&self, horizon: Tick, releasing: bool) -> StateFile {
        StateFile { horizon, known: Some(self.known), unconfirmed: self.unconfirmed.clone(), releasing }
    }
}

impl StateFile {
    pub fn versions(&self) -> impl Iterator<Item = &RowVersion> {
        self.known.iter().chain(&self.unconfirmed)
    }

    pub fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        self.known.iter_mut().chain(&mut self.unconfirmed).for_each(|version| rename(&mut version.token));
    }
}

impl Node {
    /// The worker id whose lock this process holds on its host.
    pub fn locks(&self) -> Option<u8> {
        match &self.phase {
            Phase::Claiming(claiming) => Some(claiming.worker),
            Phase::Held(held) => Some(held.worker),
            Phase::Releasing { release: Statement::Release { worker, .. }, .. } => Some(*worker),
            _ => self.unanswered.as_ref().map(|unanswered| unanswered.worker),
        }
    }

    /// The statement under way, as it is left behind.
    pub fn late(&self) -> Option<Late> {
        self.sent().map(|statement| Late { statement, version: self.version })
    }

    /// The statement that is on its way to the database, if there is one that writes.
    pub fn sent(&self) -> Option<Statement> {
        match &self.phase {
            Phase::Claiming(claiming) if !claiming.reading => Some(claiming.statement()),
            Phase::Held(held) if held.renewal.as_ref().is_some_and(|renewal| !renewal.reading) => held.renew(),
            Phase::Releasing { release, .. } => Some(release.clone()),
            _ => None,
        }
    }

    pub fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        let claiming = |claiming: &mut ClaimSent, rename: &mut dyn FnMut(&mut Token)| {
            claiming.from.iter_mut().flat_map(|row| &mut row.token).for_each(&mut *rename);
            rename(&mut claiming.to.token);
        };
        match &mut self.phase {
            Phase::Idle => {}
            Phase::Surveyed { row, .. } => row.iter_mut().flat_map(|row| &mut row.token).for_each(&mut *rename),
            Phase::Claiming(sent) => claiming(sent, rename),
            Phase::Held(held) => {
                rename(&mut held.token);
                rename(&mut held.known.token);
                held.unconfirmed.iter_mut().for_each(|sent| rename(&mut sent.token));
                held.renewal.iter_mut().for_each(|renewal| rename(&mut renewal.known.token));
            }
            Phase::Releasing { release, .. } => release.tokens_mut(rename),
        }
        if let Some(unanswered) = &mut self.unanswered {
            claiming(unanswered, rename);
        }
    }
}
