//! The changes of one row: each compares the row with what is known of it, and recognises what this process wrote before.
//!
//! A change may be sent again after its answer was lost. It then finds its own token in the row, or a version that was written
//! down before it was sent, and adopts that.

use crate::error::Error;
use crate::holder::lease::lost;
use crate::holder::row_state::RowVersion;
use crate::mutants::weaken;

/// What a change writes into the row. The database adds its own clock.
#[derive(Clone, Debug)]
pub(in crate::holder) struct NewRow {
    pub(in crate::holder) version: RowVersion,
    /// The owner's clock, in Unix milliseconds.
    pub(in crate::holder) reported: i64,
    pub(in crate::holder) endpoint: String,
}

/// Token and horizon as they were read; no token if the row was released.
pub(in crate::holder) type ReadVersion = (Option<String>, i64);

/// What the row shows: its version, and who wrote it.
pub(in crate::holder) struct Shown {
    pub(in crate::holder) token: Option<String>,
    pub(in crate::holder) horizon: i64,
    pub(in crate::holder) endpoint: String,
}

/// Takes a row over if it still is as it was read.
#[derive(Clone, Debug)]
pub(in crate::holder) struct Claim {
    pub(in crate::holder) worker_id: i64,
    /// What was read; `None` if there was no row.
    pub(in crate::holder) from: Option<ReadVersion>,
    pub(in crate::holder) to: NewRow,
}

/// Moves the horizon of a row on.
pub(in crate::holder) struct Renewal {
    pub(in crate::holder) worker_id: i64,
    /// What the row showed last.
    pub(in crate::holder) known: RowVersion,
    /// What else this process may have written: attempts that were not answered.
    pub(in crate::holder) unconfirmed: Vec<RowVersion>,
    pub(in crate::holder) to: NewRow,
}

/// Ends a lease: the token goes, and the horizon becomes what was used.
pub(in crate::holder) struct Release {
    pub(in crate::holder) worker_id: i64,
    /// What the row may show.
    pub(in crate::holder) versions: Vec<RowVersion>,
    pub(in crate::holder) used: i64,
}

/// The statements on one row, on one session with a database. Each is atomic, and a transaction of its own.
pub(in crate::holder) trait RowStatements: Send {
    type Failure: From<Error> + Send;

    /// Inserts the row. Returns false if there is one.
    fn insert(&mut self, new: &NewRow) -> impl Future<Output = Result<bool, Self::Failure>> + Send;

    /// Overwrites the row if it shows exactly this token, or none, and this horizon. Returns whether it did.
    fn take_over(&mut self, from: &ReadVersion, new: &NewRow) -> impl Future<Output = Result<bool, Self::Failure>> + Send;

    /// Overwrites the row if it shows this version, and the new horizon is later. Returns whether it did.
    fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> impl Future<Output = Result<bool, Self::Failure>> + Send;

    /// Reads the row; `None` if there is none.
    fn read(&mut self) -> impl Future<Output = Result<Option<Shown>, Self::Failure>> + Send;
}

/// Takes a row over. Returns false if another process was faster. It may be done again: it recognises its own token.
pub(in crate::holder) async fn claim<S: RowStatements>(row: &mut S, claim: &Claim) -> Result<bool, S::Failure> {
    let changed = match &claim.from {
        None => row.insert(&claim.to).await?,
        Some(from) => row.take_over(from, &claim.to).await?,
    };
    if changed {
        return Ok(true);
    }
    let is_own =
        |token| weaken!("somebody-elses-claim-adopted", token == Some(claim.to.version.token.to_string()), without = true);
    Ok(row.read().await?.is_some_and(|shown| is_own(shown.token)))
}

/// Moves the horizon of a row on, and returns what the row shows then. It may be done again: it matches one known version only,
/// and recognises its own.
///
/// Raises `lease_lost` if the row shows anything else.
pub(in crate::holder) async fn renew<S: RowStatements>(row: &mut S, renewal: &Renewal) -> Result<RowVersion, S::Failure> {
    let to = renewal.to.version;
    let mut known = renewal.known;
    loop {
        if row.move_on(&known, &renewal.to).await? {
            return Ok(to);
        }
        // Another owner's version, or an attempt of this process whose answer was lost. The row has changed since the last turn.
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
