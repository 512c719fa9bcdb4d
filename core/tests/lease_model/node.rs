//! A node: one process with its keeper and holder, after `core/src/holder/mysql/` and `core/src/snowflake/keeper.rs`.

use super::registry::{Mark, Row, Statement, Tick, Token};

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// The next free ticket. No lease of this process touches what lies below it (`Keeping::next_tick`).
    pub cursor: Tick,
    pub phase: Phase,
    /// `Rows::pending`: a claim whose answer was lost. It keeps its lock.
    pub pending: Option<Claiming>,
}

#[derive(Clone, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// About to acquire.
    #[default]
    Idle,
    /// Has read a row, some time ago.
    Surveyed { worker: u8, row: Option<Row> },
    /// Waits for the answer to a claim.
    Claiming(Claiming),
    /// Mints.
    Held(Held),
    /// Closed; waits for the answer to a release.
    Releasing { release: Statement, horizon: Tick },
}

/// A claim that was sent (`claim.rs`: `Claim` and `Plan`).
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claiming {
    pub worker: u8,
    pub from: Option<Row>,
    pub to: Mark,
    pub floor: Tick,
    /// What was reserved in the state file.
    pub horizon: Tick,
    /// The compare-and-set matched nothing, so the row is being read.
    pub reading: bool,
}

/// `held.rs`: the lease that is held.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    pub worker: u8,
    pub token: Token,
    /// The limit of the tickets.
    pub horizon: Tick,
    pub known: Mark,
    pub aims: Vec<Mark>,
    pub renewal: Option<Renewal>,
    pub down: bool,
}

/// `Renew::run` under way; it aims at the last aim.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renewal {
    pub known: Mark,
    pub reading: bool,
}

/// `memo.rs`: the state file of a worker id on a host.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memo {
    pub horizon: Tick,
    pub known: Option<Mark>,
    pub aims: Vec<Mark>,
    pub leaving: bool,
}

impl Claiming {
    pub fn statement(&self) -> Statement {
        Statement::Claim { worker: self.worker, from: self.from, to: self.to }
    }
}

impl Held {
    pub fn renew(&self) -> Option<Statement> {
        let renewal = self.renewal.as_ref()?;
        Some(Statement::Renew { worker: self.worker, known: renewal.known, to: *self.aims.last()? })
    }

    /// Everything of ours that the row may show.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        std::iter::once(&self.known).chain(&self.aims)
    }

    pub fn memo(&self, horizon: Tick, leaving: bool) -> Memo {
        Memo { horizon, known: Some(self.known), aims: self.aims.clone(), leaving }
    }
}

impl Memo {
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.known.iter().chain(&self.aims)
    }

    pub fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        self.known.iter_mut().chain(&mut self.aims).for_each(|mark| rename(&mut mark.token));
    }
}

impl Node {
    /// The worker id whose lock this process holds on its host.
    pub fn locks(&self) -> Option<u8> {
        match &self.phase {
            Phase::Claiming(claiming) => Some(claiming.worker),
            Phase::Held(held) => Some(held.worker),
            Phase::Releasing { release: Statement::Release { worker, .. }, .. } => Some(*worker),
            _ => self.pending.as_ref().map(|pending| pending.worker),
        }
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
        let claiming = |claiming: &mut Claiming, rename: &mut dyn FnMut(&mut Token)| {
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
                held.aims.iter_mut().for_each(|aim| rename(&mut aim.token));
                held.renewal.iter_mut().for_each(|renewal| rename(&mut renewal.known.token));
            }
            Phase::Releasing { release, .. } => release.tokens_mut(rename),
        }
        if let Some(pending) = &mut self.pending {
            claiming(pending, rename);
        }
    }
}
