//! The changes of one row: each compares the row with what is known of it, and recognises what this process wrote
//! before.
//!
//! A change may be sent again after its answer was lost. It then finds its own token in the row, or a version that was
//! written down before it was sent, and adopts that.

use crate::sessions::{Engine, Outcome, Sessions};
use crate::worker_files::worker_state::RowVersion;
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::lease::lost;

/// What a change writes into the row. The database adds its own clock.
#[derive(Clone, Debug)]
pub(crate) struct NewRow {
    pub version: RowVersion,
    /// The owner's clock, in Unix milliseconds.
    pub reported: i64,
    pub endpoint: String,
}

/// Token and horizon as they were read; no token if the row was released.
pub(crate) type ReadVersion = (Option<String>, i64);

/// What the row shows: its version, and who wrote it.
pub(crate) struct ShownRow {
    pub token: Option<String>,
    pub horizon: i64,
    pub endpoint: String,
}

/// Takes a row over if it still is as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub worker_id: i64,
    /// What was read; `None` if there was no row.
    pub from: Option<ReadVersion>,
    pub to: NewRow,
}

/// Moves the horizon of a row on.
pub(crate) struct Renewal {
    pub worker_id: i64,
    /// What the row showed last.
    pub known: RowVersion,
    /// What else this process may have written: attempts that were not answered.
    pub unconfirmed: Vec<RowVersion>,
    pub to: NewRow,
}

/// Ends a lease: the token goes, and the horizon becomes what was used.
pub(crate) struct Release {
    pub worker_id: i64,
    /// What the row may show.
    pub versions: Vec<RowVersion>,
    pub used: i64,
}

/// Takes the token out of a row that still is as it was read. The horizon stays.
pub(crate) struct Eviction {
    pub worker_id: i64,
    pub from: ReadVersion,
}

/// The statements on one row, on one session with a database. Each is atomic, and a transaction of its own.
pub(crate) trait RowStatements: Send {
    /// Inserts the row. Returns false if there is one.
    fn insert(&mut self, new: &NewRow) -> impl Future<Output = Outcome<bool>> + Send;

    /// Overwrites the row if it shows exactly this token, or none, and this horizon. Returns whether it did.
    fn take_over(&mut self, from: &ReadVersion, new: &NewRow) -> impl Future<Output = Outcome<bool>> + Send;

    /// Overwrites the row if it shows this version, and the new horizon is later. Returns whether it did.
    fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> impl Future<Output = Outcome<bool>> + Send;

    /// Reads the row; `None` if there is none.
    fn read(&mut self) -> impl Future<Output = Outcome<Option<ShownRow>>> + Send;

    /// Ends a lease, if the row shows it.
    fn release(&mut self, release: &Release) -> impl Future<Output = Outcome<()>> + Send;

    /// Takes the token out of the row, if it is as it was read. Returns whether it did.
    fn evict(&mut self, eviction: &Eviction) -> impl Future<Output = Outcome<bool>> + Send;
}

/// Takes a row over. Returns false if another process was faster. It may be done again: it recognises its own token.
pub(crate) async fn claim(mut row: impl RowStatements, claim: &Claim) -> Outcome<bool> {
    let changed = match &claim.from {
        None => row.insert(&claim.to).await?,
        Some(from) => row.take_over(from, &claim.to).await?,
    };
    if changed {
        return Ok(true);
    }
    let is_own = |token| token == Some(claim.to.version.token.to_string());
    Ok(row.read().await?.is_some_and(|shown| is_own(shown.token)))
}

/// Moves the horizon of a row on, and returns what the row shows then. It may be done again: it matches one known
/// version only, and recognises its own.
///
/// Raises `lease_lost` if the row shows anything else.
pub(crate) async fn renew(mut row: impl RowStatements, renewal: &Renewal) -> Outcome<RowVersion> {
    let to = renewal.to.version;
    let mut known = renewal.known;
    loop {
        if row.move_on(&known, &renewal.to).await? {
            return Ok(to);
        }
        // Another owner's version, or an attempt of this process whose answer was lost. The row has changed since the
        // last turn.
        let found = row.read().await?;
        let shown = found.as_ref().and_then(|row| {
            let token = row.token.as_deref()?;
            let shows = |version: &&RowVersion| row.horizon == version.horizon && *token == version.token.to_string();
            [&renewal.known, &to].into_iter().chain(&renewal.unconfirmed).find(shows).copied()
        });
        let Some(shown) = shown else {
            let now = found.map_or("was deleted".to_owned(), |row| format!("belongs to {} now", row.endpoint));
            return Err(lost(format!("the registry's row of worker id {} {now}", renewal.worker_id)).into());
        };
        if shown.token == to.token || shown.horizon >= to.horizon || shown == known {
            return Ok(shown);
        }
        known = shown;
    }
}

/// The changes of the rows of a namespace.
pub(crate) trait RowChanges {
    /// Runs [`claim`] on a session, again on another one if the session fails.
    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool>;

    /// Runs [`renew`] on a session, again on another one if the session fails.
    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion>;

    /// Ends a lease: the token goes, and the horizon becomes what was used. Sent at most once.
    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()>;

    /// Takes the token out of a row that still shows it, and leaves the horizon. Returns whether it did.
    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool>;
}

/// A registry whose rows are reached by sessions with a server.
pub(crate) trait RowsBySession: Sync {
    type Engine: Engine;

    fn sessions(&self) -> &Sessions<Self::Engine>;

    /// Returns the statements on one row.
    fn row<'s>(&'s self, session: &'s mut <Self::Engine as Engine>::Session, worker_id: i64)
    -> impl RowStatements + 's;
}

impl<R: RowsBySession> RowChanges for R {
    fn claim<'a>(&'a self, change: &'a Claim) -> Answer<'a, bool> {
        Box::pin(self.sessions().run(|session, _| Box::pin(claim(self.row(session, change.worker_id), change))))
    }

    fn renew<'a>(&'a self, change: &'a Renewal) -> Answer<'a, RowVersion> {
        Box::pin(self.sessions().run(|session, _| Box::pin(renew(self.row(session, change.worker_id), change))))
    }

    fn release<'a>(&'a self, change: &'a Release) -> Answer<'a, ()> {
        Box::pin(
            self.sessions()
                .once(|session, _| Box::pin(async { self.row(session, change.worker_id).release(change).await })),
        )
    }

    fn evict<'a>(&'a self, change: &'a Eviction) -> Answer<'a, bool> {
        Box::pin(
            self.sessions()
                .run(|session, _| Box::pin(async { self.row(session, change.worker_id).evict(change).await })),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leafmint_engine::holder::Token;
    use leafmint_ids::error::{ErrorKind, Result};
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// A row in memory, and a change of another process that comes before the next statement.
    #[derive(Default)]
    struct MemoryRow {
        row: Option<(Option<Token>, i64)>,
        before_next: Option<RowVersion>,
    }

    impl MemoryRow {
        fn showing(version: RowVersion) -> Self {
            Self { row: Some((Some(version.token), version.horizon)), before_next: None }
        }

        fn change(&mut self, matches: impl Fn(Option<(Option<Token>, i64)>) -> bool, new: &NewRow) -> bool {
            if let Some(version) = self.before_next.take() {
                *self = Self::showing(version);
            }
            let changed = matches(self.row);
            if changed {
                *self = Self::showing(new.version);
            }
            changed
        }
    }

    impl RowStatements for &mut MemoryRow {
        async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
            Ok(self.change(|row| row.is_none(), new))
        }

        async fn take_over(&mut self, (token, horizon): &ReadVersion, new: &NewRow) -> Outcome<bool> {
            let token = token.as_deref().and_then(Token::parse);
            Ok(self.change(|row| row == Some((token, *horizon)), new))
        }

        async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
            let matches = |row| row == Some((Some(from.token), from.horizon)) && from.horizon < new.version.horizon;
            Ok(self.change(matches, new))
        }

        async fn read(&mut self) -> Outcome<Option<ShownRow>> {
            let shown = |(token, horizon): (Option<Token>, i64)| ShownRow {
                token: token.map(|token| token.to_string()),
                horizon,
                endpoint: "host a".into(),
            };
            Ok(self.row.map(shown))
        }

        async fn release(&mut self, release: &Release) -> Outcome<()> {
            if release.versions.iter().any(|known| self.row == Some((Some(known.token), known.horizon))) {
                self.row = Some((None, release.used));
            }
            Ok(())
        }

        async fn evict(&mut self, Eviction { from: (token, horizon), .. }: &Eviction) -> Outcome<bool> {
            let is_as_read = self.row == Some((token.as_deref().and_then(Token::parse), *horizon));
            if is_as_read {
                self.row = Some((None, *horizon));
            }
            Ok(is_as_read)
        }
    }

    /// Returns the result of work that never waits.
    fn now<T>(work: impl Future<Output = Outcome<T>>) -> Result<T> {
        match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result.map_err(|failure| failure.into_error("memory")),
            Poll::Pending => panic!("it waits"),
        }
    }

    fn version(horizon: i64) -> RowVersion {
        RowVersion { token: Token::fresh().unwrap(), horizon }
    }

    fn new_row(version: RowVersion) -> NewRow {
        NewRow { version, reported: 0, endpoint: "host a".into() }
    }

    fn renewal(known: RowVersion, unconfirmed: Vec<RowVersion>, horizon: i64) -> Renewal {
        let to = new_row(RowVersion { token: known.token, horizon });
        Renewal { worker_id: 5, known, unconfirmed, to }
    }

    #[test]
    fn a_claim_takes_the_row_that_was_read_and_recognises_itself() {
        let (before, ours) = (version(5), version(9));
        for (mut row, from) in [
            (MemoryRow::default(), None),
            (MemoryRow::showing(before), Some((Some(before.token.to_string()), before.horizon))),
            (MemoryRow { row: Some((None, 5)), before_next: None }, Some((None, 5))),
        ] {
            let sent = Claim { worker_id: 5, from, to: new_row(ours) };
            assert!(now(claim(&mut row, &sent)).unwrap());
            assert!(now(claim(&mut row, &sent)).unwrap(), "its answer was lost, and it is sent again");
            assert_eq!(row.row, Some((Some(ours.token), 9)));
        }
    }

    #[test]
    fn a_claim_that_another_process_overtakes_changes_nothing() {
        let theirs = version(7);
        let sent = Claim { worker_id: 5, from: None, to: new_row(version(9)) };
        let mut row = MemoryRow { row: None, before_next: Some(theirs) };
        assert!(!now(claim(&mut row, &sent)).unwrap());
        assert_eq!(row.row, Some((Some(theirs.token), 7)));
    }

    #[test]
    fn a_renewal_goes_on_from_a_version_that_was_sent_and_not_answered() {
        let known = version(5);
        let sent = RowVersion { horizon: 7, ..known };
        let mut row = MemoryRow::showing(sent);
        assert_eq!(now(renew(&mut row, &renewal(known, vec![sent], 9))).unwrap(), sent, "the row shows enough of ours");
        let former = RowVersion { token: Token::fresh().unwrap(), horizon: 7 };
        let mut row = MemoryRow::showing(former);
        let moved = now(renew(&mut row, &renewal(known, vec![former], 9))).unwrap();
        assert_eq!(moved, RowVersion { horizon: 9, ..known }, "from an earlier lease of this host");
        assert_eq!(row.row, Some((Some(known.token), 9)));
    }

    #[test]
    fn a_row_that_shows_anything_else_costs_the_lease() {
        let known = version(5);
        let clone = RowVersion { horizon: 6, ..known };
        let released = MemoryRow { row: Some((None, 5)), before_next: None };
        for mut row in [MemoryRow::showing(version(5)), MemoryRow::showing(clone), released, MemoryRow::default()] {
            let before = row.row;
            let error = now(renew(&mut row, &renewal(known, Vec::new(), 9))).unwrap_err();
            assert_eq!((error.kind(), row.row), (ErrorKind::LeaseLost, before), "{error}");
        }
    }
}
