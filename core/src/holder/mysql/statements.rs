//! The statements on `leafmint_worker`, one type each: what is sent, and what its answer means.

use super::Mark;
use crate::holder::lost;
use crate::mutants::weaken;
use crate::mysql::{Outcome, Session, Statement};
use mysql_async::Value;
use std::ops::RangeInclusive;

/// The database's clock in Unix milliseconds. Local time is left out of it: it depends on the session's time zone, and an hour of
/// it comes twice a year. Within a statement it stands still at the statement's start, so that nothing passes too early.
pub(super) const NOW: &str = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000";

/// Which row of `leafmint_worker`.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) namespace: String,
    pub(super) worker_id: i64,
}

/// A row as it was read.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) worker_id: i64,
    pub(super) token: Option<String>,
    pub(super) horizon: i64,
    pub(super) reported: i64,
    pub(super) updated: i64,
    pub(super) endpoint: String,
}

impl Row {
    /// Tells whether the row shows exactly this.
    pub(super) fn shows(&self, mark: &Mark) -> bool {
        self.horizon == mark.horizon && self.token.as_deref() == Some(&mark.token.to_string())
    }
}

/// All rows of a namespace, and the database's clock at that moment.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub(super) now: i64,
    /// In the order of their worker ids.
    pub(super) rows: Vec<Row>,
}

/// The columns of a [`Row`] behind the database's clock; NULL if there is no row.
pub(super) type Columns = (i64, Option<i64>, Option<String>, Option<i64>, Option<i64>, Option<i64>, Option<String>);

impl Survey {
    pub(super) fn of(found: Vec<Columns>) -> Self {
        let mut survey = Survey { now: 0, rows: Vec::new() };
        for (now, worker_id, token, horizon, reported, updated, endpoint) in found {
            survey.now = now;
            if let (Some(worker_id), Some(horizon), Some(reported), Some(updated), Some(endpoint)) =
                (worker_id, horizon, reported, updated, endpoint)
            {
                survey.rows.push(Row { worker_id, token, horizon, reported, updated, endpoint });
            }
        }
        survey
    }

    pub(super) fn row(&self, worker_id: i64) -> Option<&Row> {
        let at = self.rows.binary_search_by_key(&worker_id, |row| row.worker_id).ok()?;
        self.rows.get(at)
    }
}

/// Reads a [`Survey`] of the worker ids between the first and the last one that may be taken: other rows are not asked for,
/// however many there are.
pub(super) struct ReadRows<'a> {
    pub(super) namespace: &'a str,
    pub(super) workers: &'a RangeInclusive<i64>,
}

impl Statement for ReadRows<'_> {
    type Answer = Survey;

    async fn run(&self, session: &mut Session) -> Outcome<Survey> {
        let sql = format!(
            "SELECT n.present, w.worker_id, w.token, w.horizon, w.reported, w.updated, w.endpoint FROM (SELECT {NOW} AS present) n \
             LEFT JOIN leafmint_worker w ON w.namespace = ? AND w.worker_id BETWEEN ? AND ? ORDER BY w.worker_id"
        );
        let (first, last) = (*self.workers.start(), *self.workers.end());
        Ok(Survey::of(session.query(&sql, &[self.namespace.into(), first.into(), last.into()]).await?))
    }
}

/// Reads the database's clock.
pub(super) struct ReadClock;

impl Statement for ReadClock {
    type Answer = i64;

    async fn run(&self, session: &mut Session) -> Outcome<i64> {
        let now: Option<i64> = session.first(&format!("SELECT {NOW}"), &[]).await?;
        now.ok_or_else(|| crate::mysql::Failure::broken("the server did not tell the time"))
    }
}

/// Takes a row over, if it still is as it was read. It may be done again: what it wrote before is recognised by its token.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) key: Key,
    /// The token and the horizon that were read; `None` where there was no row.
    pub(super) from: Option<(Option<String>, i64)>,
    pub(super) to: Mark,
    pub(super) reported: i64,
    pub(super) endpoint: String,
}

impl Statement for Claim {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { key, from, to, reported, endpoint } = self;
        let mut params: Vec<Value> =
            vec![to.token.to_string().into(), to.horizon.into(), (*reported).into(), endpoint.as_str().into()];
        params.extend([Value::from(key.namespace.as_str()), key.worker_id.into()]);
        let sql = match from {
            None => format!(
                "INSERT INTO leafmint_worker (token, horizon, reported, endpoint, namespace, worker_id, updated) \
                 VALUES (?, ?, ?, ?, ?, ?, {NOW})"
            ),
            Some((token, horizon)) => {
                params.extend([Value::from(token.as_deref()), (*horizon).into()]);
                let compare = weaken!("claim-not-compared", "token <=> ? AND horizon = ?", without = "(? OR ? OR 1)");
                format!(
                    "UPDATE leafmint_worker SET token = ?, horizon = ?, reported = ?, endpoint = ?, updated = {NOW} \
                     WHERE namespace = ? AND worker_id = ? AND {compare}"
                )
            }
        };
        match session.write(&sql, &params).await {
            Ok(changed) if changed.rows == 1 => return Ok(true),
            Ok(_) => {}
            Err(failure) if failure.is_duplicate() => {}
            Err(failure) => return Err(failure),
        }
        let row = key.read(session).await?;
        let is_mine = |token| weaken!("somebody-elses-claim-adopted", token == Some(to.token.to_string()), without = true);
        Ok(row.is_some_and(|(token, ..)| is_mine(token)))
    }
}

/// Moves the horizon of a row on. It may be done again: it matches one known state only, and knows its own marks.
pub(super) struct Renew {
    pub(super) key: Key,
    /// What the row is known to have shown.
    pub(super) known: Mark,
    /// What else of ours it may show.
    pub(super) ours: Vec<Mark>,
    pub(super) to: Mark,
    pub(super) reported: i64,
    pub(super) endpoint: String,
}

impl Statement for Renew {
    /// What the row shows now.
    type Answer = Mark;

    async fn run(&self, session: &mut Session) -> Outcome<Mark> {
        let mut known = self.known;
        loop {
            if self.update(session, known).await? {
                return Ok(self.to);
            }
            // Somebody else's, or an attempt of ours whose answer was lost. Each turn has seen the row change in between.
            let (token, horizon, endpoint) = self.key.read(session).await?.unwrap_or((None, 0, "nobody".to_owned()));
            // The horizon tells too: a machine that was cloned has our token.
            let shows = |mark: &&Mark| horizon == mark.horizon && token == Some(mark.token.to_string());
            let Some(&shown) = [&self.known, &self.to].into_iter().chain(&self.ours).find(shows) else {
                return Err(
                    lost(format!("the registry's row of worker id {} belongs to {endpoint} now", self.key.worker_id)).into()
                );
            };
            if shown.token == self.to.token || horizon >= self.to.horizon || shown == known {
                return Ok(shown);
            }
            known = shown;
        }
    }
}

impl Renew {
    async fn update(&self, session: &mut Session, known: Mark) -> Outcome<bool> {
        let Self { key, to, reported, endpoint, .. } = self;
        let token = weaken!("extend-compares-no-token", "token = ?", without = "token <=> IF(1, token, ?)");
        let horizon = weaken!("extend-compares-no-horizon", "horizon = ?", without = "horizon <> 0 * ?");
        let sql = format!(
            "UPDATE leafmint_worker SET token = ?, horizon = ?, reported = ?, endpoint = ?, updated = {NOW} \
             WHERE namespace = ? AND worker_id = ? AND {token} AND {horizon} AND horizon < ?"
        );
        let mut params: Vec<Value> =
            vec![to.token.to_string().into(), to.horizon.into(), (*reported).into(), endpoint.as_str().into()];
        params.extend([Value::from(key.namespace.as_str()), key.worker_id.into()]);
        params.extend([Value::from(known.token.to_string()), known.horizon.into(), to.horizon.into()]);
        Ok(session.write(&sql, &params).await?.rows == 1)
    }
}

/// Ends a lease: the token goes, and the horizon becomes what was used.
pub(super) struct Release<'a> {
    pub(super) key: &'a Key,
    /// What the row may show. A clone of this machine has the same token, and moves the row on to horizons of its own.
    pub(super) marks: Vec<Mark>,
    pub(super) used: i64,
}

impl Statement for Release<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let token = weaken!("release-compares-no-token", "token = ?", without = "token <=> IF(1, token, ?)");
        let horizon = weaken!("release-compares-no-horizon", "horizon = ?", without = "horizon <> 0 * ?");
        let shows_one = vec![format!("{token} AND {horizon}"); self.marks.len()].join(" OR ");
        let sql = format!(
            "UPDATE leafmint_worker SET token = NULL, horizon = ?, updated = {NOW} \
             WHERE namespace = ? AND worker_id = ? AND token IS NOT NULL AND ({shows_one})"
        );
        let mut params: Vec<Value> = vec![self.used.into(), self.key.namespace.as_str().into(), self.key.worker_id.into()];
        params.extend(self.marks.iter().flat_map(|mark| [Value::from(mark.token.to_string()), mark.horizon.into()]));
        Ok(session.write(&sql, &params).await?.rows == 1)
    }
}

impl Key {
    /// Reads token, horizon and endpoint.
    async fn read(&self, session: &mut Session) -> Outcome<Option<(Option<String>, i64, String)>> {
        let sql = "SELECT token, horizon, endpoint FROM leafmint_worker WHERE namespace = ? AND worker_id = ?";
        session.first(sql, &[self.namespace.as_str().into(), self.worker_id.into()]).await
    }
}
