//! Ids for moments that have passed. They carry worker ids of which no process has a lease, so none can meet an id that
//! is stamped with the present.

use super::generator::SnowflakeGenerator;
use super::held_past::Ticks;
use super::state::GeneratorState;
use crate::background::{Pending, begun_by_parent, in_time};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::PastBlock;
use crate::room;
use crate::want::Want;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// A call for ids of past moments. Wait for it in slices; dropping it cancels the call.
pub struct Backfill {
    state: Arc<GeneratorState>,
    ticks: Ticks,
    gene: i64,
    timeout: Duration,
    leasing: Option<Pending<()>>,
    waker: Option<Waker>,
}

impl SnowflakeGenerator {
    /// Returns an id for a moment that has passed, in Unix milliseconds: its timestamp is the start of the moment's
    /// tick. It is unique as any other id of this generator is, and does not take its worker id.
    ///
    /// Raises `invalid_argument` for a moment before the epoch or after the present, `worker_id_unavailable` if no
    /// worker id is left that no process has ever held, `invalid_config` if the holder keeps none for the past,
    /// `store_unavailable` and `closed`.
    ///
    /// ```
    /// let folder = tempfile::tempdir().unwrap();
    /// let flakes = leafmint::SnowflakeGenerator::open(&format!("local:///{}", folder.path().display()), [])?;
    /// let at = 1_793_491_200_000;
    /// # let at = at.min(1_600_000_000_000);
    /// let parts = flakes.decode(flakes.backfill(at)?)?;
    /// assert_eq!((parts.timestamp, parts.worker_id), (at, 1023));
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    pub fn backfill(&self, at: i64) -> Result<i64> {
        self.backfill_all(&[at]).map(|ids| ids[0])
    }

    /// Returns an id for each of up to 2^26 moments, in their order, which need not be that of time. Raises what
    /// [`SnowflakeGenerator::backfill`] raises; then no call gets the ids.
    pub fn backfill_all(&self, moments: &[i64]) -> Result<Vec<i64>> {
        let mut call = self.begin_backfill(moments, None, None)?;
        loop {
            if let Some(ids) = call.wait_for(Duration::MAX)? {
                return Ok(ids);
            }
        }
    }

    /// Begins a call for ids of past moments, for a binding that handles signals or interrupts in between.
    ///
    /// `timeout` is for each lease from the holder, of which a call needs one for a block of 2^27 ticks. `None` as the
    /// gene means 0. Raises `invalid_argument`.
    pub fn begin_backfill(&self, moments: &[i64], gene: Option<i64>, timeout: Option<Duration>) -> Result<Backfill> {
        let state = self.state();
        Want::Many(moments.len() as i64).check()?;
        let gene = state.settings.gene(gene)?;
        let (layout, now) = (&state.settings.layout, state.clock.wall());
        if let Some(place) = moments.iter().position(|at| !(layout.epoch()..=now).contains(at)) {
            return Err(not_past(moments[place], layout.epoch(), now, place, moments.len()));
        }
        let ticks = Ticks::new(room::all(moments.iter().map(|at| layout.tick_at(*at)))?)?;
        let timeout = timeout.unwrap_or(state.settings.timeout);
        Ok(Backfill { state: state.clone(), ticks, gene, timeout, leasing: None, waker: None })
    }
}

impl Backfill {
    /// Waits for at most `slice`. Returns the ids in the order of their moments, or `None` while the call goes on.
    pub fn wait_for(&mut self, mut slice: Duration) -> Result<Option<Vec<i64>>> {
        loop {
            if let Some(leasing) = &self.leasing {
                let Some(leased) = leasing.wait_for(std::mem::take(&mut slice)) else { return Ok(None) };
                self.leasing = None;
                leased?;
            }
            if self.state.keepalive.is_inherited() {
                return Err(begun_by_parent());
            }
            self.state.check_open()?;
            let layout = &self.state.settings.layout;
            let mut held = self.state.past.lock();
            let missing = held.missing(&self.ticks, layout);
            if missing.is_empty() {
                return held.take(&self.ticks, self.gene, layout).map(Some);
            }
            drop(held);
            self.lease(missing)?;
        }
    }

    /// Wakes `waker` when the call may have progressed. Look once more after this.
    pub fn wake(&mut self, waker: Waker) {
        if let Some(leasing) = &self.leasing {
            leasing.wake(waker.clone());
        }
        self.waker = Some(waker);
    }

    /// Returns how long to wait at most before the next look, if nothing wakes the caller.
    pub(crate) fn left(&self) -> Duration {
        self.leasing.as_ref().map_or(Duration::ZERO, Pending::left)
    }

    /// Begins to lease what is missing. What was leased stays if a later lease fails.
    fn lease(&mut self, missing: Vec<PastBlock>) -> Result<()> {
        let (state, timeout) = (self.state.clone(), self.timeout);
        let longest = timeout.saturating_mul(leases_of(&missing));
        let leasing = Pending::spawn(longest, async move {
            for block in missing {
                lease(&state, block, timeout).await?;
            }
            Ok(())
        })?;
        if let Some(waker) = self.waker.clone() {
            leasing.wake(waker);
        }
        self.leasing = Some(leasing);
        Ok(())
    }
}

/// Returns about how many leases blocks take: one has no more sequence numbers than a worker id has.
fn leases_of(missing: &[PastBlock]) -> u32 {
    let leases = missing.iter().map(|block| 1 + block.count / block.limit).sum::<i64>();
    u32::try_from(leases).unwrap_or(u32::MAX)
}

/// Leases all that a block misses, which the last sequence numbers of a worker id may fall short of.
async fn lease(state: &Arc<GeneratorState>, block: PastBlock, timeout: Duration) -> Result<()> {
    let settings = &state.settings;
    let mut missing = block.count;
    while missing > 0 {
        state.check_open()?;
        let ends = state.past.lock().ends(block.block)?;
        let (holder, wanted) = (state.holder.clone(), PastBlock { count: missing, ..block });
        let leasing = async move { holder.lease_past(wanted).await };
        let lease = in_time("backfill", timeout, state.holder.scope(), leasing).await?;
        missing -= lease.sequences.end - lease.sequences.start;
        let mut past = state.past.lock();
        past.confirm(block.block, &lease, &ends, &state.holder.scope())?;
        past.add(block.block, lease, settings.datacenter_id, &settings.layout)?;
    }
    Ok(())
}

fn not_past(at: i64, epoch: i64, now: i64, place: usize, count: usize) -> Error {
    let which = if count == 1 { String::new() } else { format!("[{place}]") };
    let text = format!(
        "at{which}={at} is not a past moment: the layout's epoch is {epoch}, and the clock shows {now} (all in Unix ms)"
    );
    Error::new(ErrorKind::InvalidArgument, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_time_for_a_lease_of_each_worker_id_that_it_uses_up() {
        let block = |count| PastBlock { block: 0, count, limit: 4096 };
        assert_eq!([leases_of(&[block(4)]), leases_of(&[block(4), block(4)]), leases_of(&[block(10_000)])], [1, 2, 3]);
        assert_eq!(leases_of(&[PastBlock { block: 0, count: i64::MAX - 1, limit: 1 }]), u32::MAX);
    }
}
