//! The registry's rows and the statements on them, after `core/backends/src/rows/compare_and_set.rs`. One `run` is one
//! statement at the database: atomic, whenever it gets there.

use crate::weakening::Weakening;

/// Time, in ticks. Clocks may show anything, so there are none in the model: what a clock would decide is left open.
pub type Tick = u8;

/// Distinguishes leases. Renamed freely: two states that differ by names only are one.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token(pub u8);

/// What a row shows once a lease is written to it.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowVersion {
    pub token: Token,
    pub horizon: Tick,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// `None` once released.
    pub token: Option<Token>,
    pub horizon: Tick,
}

impl Row {
    pub fn shows(&self, version: &RowVersion) -> bool {
        self.token == Some(version.token) && self.horizon == version.horizon
    }
}

impl From<RowVersion> for Row {
    fn from(version: RowVersion) -> Self {
        Row { token: Some(version.token), horizon: version.horizon }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// `claim`: `INSERT`, or `UPDATE … WHERE token <=> ? AND horizon = ?`.
    Claim { worker: u8, from: Option<Row>, to: RowVersion },
    /// `RowStatements::move_on`: `UPDATE … WHERE token = ? AND horizon = ? AND horizon < ?`.
    Renew { worker: u8, known: RowVersion, to: RowVersion },
    /// `MySqlRow::release`: `UPDATE … SET token = NULL, horizon = ? WHERE token = ? AND horizon = ? OR …`.
    Release { worker: u8, versions: Vec<RowVersion>, used: Tick },
}

/// What a statement knows of the node that it changes, if the registry is a ZooKeeper: there it reads the node and
/// compares, and then writes if the node still has the version that was read. A version never comes again, so it is
/// enough to know whether the node has changed.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Nothing: it compares when it is carried out, as in a database, or creates the node.
    #[default]
    Unread,
    /// The node is as it was read.
    Current,
    /// The node has changed since it was read.
    Passed,
    /// The node was read, and did not match.
    Refused,
}

/// A statement that was sent, and that its sender gave up.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Late {
    pub statement: Statement,
    pub version: Version,
}

impl Statement {
    pub fn worker(&self) -> u8 {
        match self {
            Statement::Claim { worker, .. } | Statement::Renew { worker, .. } | Statement::Release { worker, .. } => {
                *worker
            }
        }
    }

    /// Returns whether it creates the row.
    pub fn creates(&self) -> bool {
        matches!(self, Statement::Claim { from: None, .. })
    }

    /// Carries the statement out with what it knows, and returns whether it changed the row.
    pub fn run_with(&self, version: Version, rows: &mut [Option<Row>], weakening: Weakening) -> bool {
        match version {
            Version::Unread => self.run(rows, weakening),
            Version::Refused => false,
            Version::Passed if weakening != Weakening::VersionNotCompared => false,
            Version::Current | Version::Passed => {
                rows[usize::from(self.worker())] = Some(match self {
                    Statement::Claim { to, .. } | Statement::Renew { to, .. } => (*to).into(),
                    Statement::Release { used, .. } => Row { token: None, horizon: *used },
                });
                true
            }
        }
    }

    /// Carries the statement out, and returns whether it changed the row.
    pub fn run(&self, rows: &mut [Option<Row>], weakening: Weakening) -> bool {
        match self {
            Statement::Claim { worker, from, to } => change(rows, *worker, |row| row == *from, (*to).into()),
            Statement::Renew { worker, known, to } => {
                let matches = |row: Option<Row>| {
                    row.is_some_and(|row| match weakening {
                        Weakening::ExtendWithoutToken => row.horizon < to.horizon,
                        Weakening::ExtendComparesHorizonOnly => {
                            row.horizon == known.horizon && row.horizon < to.horizon
                        }
                        Weakening::ExtendWithoutHorizon => row.token == Some(known.token),
                        Weakening::ExtendOnlyRaises => row.token == Some(known.token) && row.horizon < to.horizon,
                        _ => row.shows(known) && row.horizon < to.horizon,
                    })
                };
                change(rows, *worker, matches, (*to).into())
            }
            Statement::Release { worker, versions, used } => {
                let matches = |row: Option<Row>| {
                    row.is_some_and(|row| match weakening {
                        Weakening::ReleaseWithoutToken => row.token.is_some(),
                        Weakening::ReleaseWithoutHorizon => {
                            versions.iter().any(|version| row.token == Some(version.token))
                        }
                        _ => versions.iter().any(|version| row.shows(version)),
                    })
                };
                change(rows, *worker, matches, Row { token: None, horizon: *used })
            }
        }
    }

    pub fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        match self {
            Statement::Claim { from, to, .. } => {
                from.iter_mut().flat_map(|row| &mut row.token).for_each(&mut *rename);
                rename(&mut to.token);
            }
            Statement::Renew { known, to, .. } => {
                [known, to].into_iter().for_each(|version| rename(&mut version.token))
            }
            Statement::Release { versions, .. } => versions.iter_mut().for_each(|version| rename(&mut version.token)),
        }
    }
}

fn change(rows: &mut [Option<Row>], worker: u8, matches: impl Fn(Option<Row>) -> bool, to: Row) -> bool {
    let row = &mut rows[usize::from(worker)];
    let changed = matches(*row);
    if changed {
        *row = Some(to);
    }
    changed
}
