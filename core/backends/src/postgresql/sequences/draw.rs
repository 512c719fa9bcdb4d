//! A lease: one statement that draws many values, and exists only once it is committed.

use super::optimizer::{Run, SequenceOptimizer};
use super::sequence::{Facts, Known};
use crate::postgresql::operators::{ADD, EQ, GE, MUL, SUB};
use crate::postgresql::{Row, Session, column, number, numbers, text};
use crate::sessions::Outcome;
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::store::MAX_STEP;
use leafmint_engine::store::tag_rules::check_command;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::ops::Range;

/// The most values of one lease, so that it ends soon.
pub(super) const MOST_DRAWS: i64 = 1 << 16;

/// The most bytes of an answer: three arrays with a number of each value.
const MOST_BYTES: usize = 8 << 20;

/// How often a lease begins anew, since the sequence is another one than a moment ago.
const MOST_TURNS: u32 = 5;

/// A draw from the sequence of a tag.
pub(super) struct Draw<'a> {
    pub(super) tag: &'a str,
    /// Quoted for SQL.
    pub(super) name: String,
    pub(super) optimizer: SequenceOptimizer,
    pub(super) known: &'a Known,
    pub(super) scope: &'a str,
}

/// What a statement found.
struct Found {
    seen: Facts,
    /// The last value before the draws, if there was one since the sequence was made or set.
    last: Option<i64>,
    /// The values, if the sequence was the known one, with what it was when all were drawn.
    drawn: Option<(Vec<Run>, Facts)>,
}

impl Draw<'_> {
    /// Leases ids: at least one, and about as many as `amount`.
    ///
    /// The statement draws only from the sequence that was judged. The first lease judges it and draws then.
    pub(super) async fn lease(&self, session: &mut Session, amount: i64) -> Outcome<Vec<Range<i64>>> {
        for _ in 0..MOST_TURNS {
            let known = self.known.get(&self.name);
            let found = self.found(session, known, amount).await?;
            match found.drawn {
                // From the first draw to the commit nothing can change the sequence, so all values are of what it was
                // after the last one.
                Some((runs, after)) if after == found.seen => return Ok(self.ids(&runs, &after, found.last)?),
                Some(_) => {}
                None => self.learn(&found, known)?,
            }
        }
        let text = format!("{}: {} is changed each time that ids are leased from it", self.scope, self.name);
        Err(Error::new(ErrorKind::StoreUnavailable, text).of_one_tag().into())
    }

    /// Judges the sequence without drawing from it.
    pub(super) async fn judge(&self, session: &mut Session) -> Outcome<Facts> {
        let Found { seen, last, .. } = self.found(session, None, 1).await?;
        seen.judge(&self.name, self.optimizer, last, self.scope)?;
        Ok(seen)
    }

    fn learn(&self, found: &Found, known: Option<Facts>) -> Result<()> {
        let Found { seen, last, .. } = found;
        seen.judge(&self.name, self.optimizer, *last, self.scope)?;
        if let Some(known) = known {
            seen.check_since(&known, &self.name, self.scope)?;
        }
        self.known.set(&self.name, *seen);
        Ok(())
    }

    /// Returns the ids of the values.
    fn ids(&self, runs: &[Run], facts: &Facts, last: Option<i64>) -> Result<Vec<Range<i64>>> {
        let mut ids = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter().enumerate() {
            if !facts.is_on_grid(run.first) {
                return Err(facts.off_grid(&self.name, run.first, self.scope));
            }
            if !run.is_whole(facts.increment) {
                return Err(self.set_back(run));
            }
            let range = self.optimizer.ids(*run, facts, at == 0 && last.is_none());
            if range.is_empty() {
                return Err(self.no_ids(run));
            }
            ids.push(range);
        }
        Ok(ids)
    }

    async fn found(&self, session: &mut Session, known: Option<Facts>, amount: i64) -> Outcome<Found> {
        let (name, known) = (self.name.as_str(), known.map(Facts::to_array).unwrap_or_default());
        let sql = statement(session.settings());
        let params = [text(&name), numbers(&known), number(&amount)];
        let rows = session.query_up_to(MOST_BYTES, &sql, &params).await.map_err(|failure| {
            if !failure.is_denied() {
                return failure;
            }
            let error = failure.into_error(self.scope);
            let grant = format!(
                "{error}; a lease needs USAGE ON SEQUENCE {name} and ON its SCHEMA, and EXECUTE ON FUNCTION \
                 pg_logical_emit_message(boolean, text, text), which everyone has unless it was revoked"
            );
            error.saying(grant).because(Reason::Denied).into()
        })?;
        match rows.first() {
            None => Err(self.missing().into()),
            Some(row) => found(row),
        }
    }

    fn missing(&self) -> Error {
        let text = format!(
            "tag {:?} has no sequence {} in {}: name its schema, or correct the option sequence, whose letters are those of \
             the catalogue, mostly small ones. Before you create it, run {}: a dropped sequence that begins at 1 again \
             repeats ids",
            self.tag,
            self.name,
            self.scope,
            check_command(self.tag)
        );
        Error::new(ErrorKind::UnknownTag, text)
    }

    fn set_back(&self, run: &Run) -> Error {
        let text = format!(
            "{}: {} was set back while {} values from {} to {} were drawn; nothing was handed out: set it above the \
             highest highest_leased of all processes and the highest row, then restart the processes",
            self.scope, self.name, run.count, run.first, run.last
        );
        Error::new(ErrorKind::StoreRegressed, text)
    }

    fn no_ids(&self, run: &Run) -> Error {
        let text = format!(
            "{}: {} gave {}, but ids are 0 to 2^61: set the sequence to a number among them, or use another tag",
            self.scope, self.name, run.first
        );
        Error::new(ErrorKind::IdSpaceExhausted, text)
    }
}

/// Returns the statement of a lease: of the sequence `$1`, if it is `$2`, about `$3` ids.
///
/// * `q` finds it, with the statement's snapshot. `OFFSET 0` keeps the planner from looking up the name more than once.
/// * No more is drawn than the sequence has left: a statement that fails at its end would lose the last values.
/// * `d` draws, in order, and groups what no other writer drew between. The first draw takes the lock that a change of
///   the sequence waits for.
/// * `after` is read when all are drawn, and not from the snapshot: the file of the sequence, and its parameters.
/// * The message gives the transaction a number and a record, so that its commit waits for the disk and the replicas.
///   `nextval` writes only every 32nd time; else the record that covers our values may be another's, who has not
///   committed.
fn statement(settings: &str) -> String {
    let (seen, after) =
        (facts("q", "q.relfilenode"), facts("q", "pg_catalog.pg_relation_filenode(q.oid::pg_catalog.regclass)"));
    let increment = "q.seen[8]";
    let blocks = format!("($3 {ADD} {increment} {SUB} 1) OPERATOR(pg_catalog./) {increment}");
    let end = FIRST_REFUSED - 1;
    let before = format!("COALESCE(q.last, q.seen[6] {SUB} {increment})");
    let left = format!("(LEAST(q.seen[7], {end}) {SUB} {before}) OPERATOR(pg_catalog./) {increment}");
    let left = format!("CASE WHEN COALESCE(q.last, q.seen[6]) {GE} 0 THEN GREATEST({left}, 1) ELSE 1 END");
    let draws = format!("CASE WHEN q.seen {EQ} $2 THEN LEAST({blocks}, {left}, {MOST_DRAWS}) ELSE 0 END");
    format!(
        "SELECT q.seen, q.last, d.firsts, d.lasts, d.counts, CASE WHEN d.counts IS NOT NULL THEN {after} END, \
         CASE WHEN d.counts IS NOT NULL THEN pg_catalog.pg_logical_emit_message(true, 'leafmint', ''::pg_catalog.text) IS NOT NULL END \
         FROM ({settings}) AS s CROSS JOIN LATERAL (SELECT q.*, {seen} AS seen, CASE WHEN {is_allowed} {EQ} 1 \
         THEN pg_catalog.pg_sequence_last_value(q.oid::pg_catalog.regclass) END AS last FROM pg_catalog.pg_class AS q \
         WHERE q.oid {EQ} pg_catalog.to_regclass(CASE WHEN s.lock_wait IS NOT NULL THEN $1 END) OFFSET 0) AS q \
         CROSS JOIN LATERAL (SELECT pg_catalog.array_agg(r.first ORDER BY r.place) AS firsts, \
         pg_catalog.array_agg(r.last ORDER BY r.place) AS lasts, pg_catalog.array_agg(r.count ORDER BY r.place) AS counts \
         FROM (SELECT pg_catalog.min(v.place) AS place, pg_catalog.min(v.value) AS first, pg_catalog.max(v.value) AS last, \
         pg_catalog.count(*) AS count FROM (SELECT g.place, pg_catalog.nextval(q.oid::pg_catalog.regclass) AS value \
         FROM pg_catalog.generate_series(1::bigint, {draws}) AS g(place)) AS v \
         GROUP BY v.value {SUB} (v.place {MUL} {increment})) AS r) AS d",
        is_allowed = is_allowed("q"),
    )
}

/// Returns the condition, 1 or 0, that a relation is a sequence that this account may draw from.
pub(super) fn is_allowed(class: &str) -> String {
    format!(
        "CASE WHEN {class}.relkind {EQ} 'S' THEN CASE WHEN pg_catalog.has_sequence_privilege({class}.oid, 'USAGE') THEN 1 ELSE 0 END \
         ELSE 0 END"
    )
}

/// Returns the array of the [`Facts`] of a relation, whose columns of `pg_class` have this alias.
pub(super) fn facts(class: &str, file: &str) -> String {
    let is_allowed = is_allowed(class);
    format!(
        "(SELECT ARRAY[{class}.oid::bigint, CASE WHEN {class}.relkind {EQ} 'S' THEN 1 ELSE 0 END, \
         CASE WHEN {class}.relpersistence {EQ} 'p' THEN 1 ELSE 0 END, {is_allowed}, {file}::bigint, COALESCE(p.start_value, 0), \
         COALESCE(p.maximum_value, 0), COALESCE(p.increment, 0), CASE WHEN p.cycle_option THEN 1 ELSE 0 END, \
         COALESCE(p.cache_size, 0)] FROM pg_catalog.pg_sequence_parameters(CASE WHEN {is_allowed} {EQ} 1 THEN {class}.oid END) AS p)"
    )
}

fn found(row: &Row) -> Outcome<Found> {
    let facts = |at| -> Outcome<Option<Facts>> {
        Ok(column::<Option<Vec<i64>>>(row, at)?.and_then(|found| Facts::from_array(&found)))
    };
    let unread = || Error::new(ErrorKind::StoreUnavailable, "the server's answer does not describe a sequence");
    let seen = facts(0)?.ok_or_else(unread)?;
    let drawn = match facts(5)? {
        Some(after) => Some((runs(column(row, 2)?, column(row, 3)?, column(row, 4)?), after)),
        None => None,
    };
    Ok(Found { seen, last: column(row, 1)?, drawn })
}

fn runs(firsts: Vec<i64>, lasts: Vec<i64>, counts: Vec<i64>) -> Vec<Run> {
    let ends = firsts.into_iter().zip(lasts);
    ends.zip(counts).map(|((first, last), count)| Run { first, last, count }).collect()
}

const _: () = assert!(MOST_DRAWS * 36 < MOST_BYTES as i64, "an answer fits, if every value is a run of its own");
const _: () = assert!(MAX_STEP < i64::MAX / 2, "an amount and an increment have a sum");
