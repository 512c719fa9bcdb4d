//! Ids for moments that have passed. They carry worker ids of which no process has a lease, so none can meet an id that
//! is stamped with the present.

use super::generator::SnowflakeGenerator;
use super::leased_past::{HeldPast, Ticks};
use super::state::GeneratorState;
use crate::holder::PastBlock;
use crate::runtime::background::{Pending, begun_by_parent, computing, deadline, in_time};
use crate::sync::Mutex;
use crate::want::Want;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::date;
use leafmint_ids::room;
use leafmint_ids::room::room;
use std::cmp::Reverse;
use std::sync::{Arc, MutexGuard, OnceLock, Weak};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Most ids that a caller's thread makes at once, if another one can.
const FEW: usize = 1 << 10;

/// Time that a thread has to make the ids of a call.
const LONGEST_LOOK: Duration = Duration::from_secs(600);

/// A call for ids of past moments. Wait for it in slices; dropping it cancels the call.
pub struct Backfill {
    fill: Arc<Fill>,
    timeout: Duration,
    stage: Stage,
    /// Other threads sort the moments and make the ids.
    in_background: bool,
    waker: Option<Waker>,
}

/// What a call waits for.
enum Stage {
    /// Nothing: a look is due.
    Due,
    Looking(Pending<Looked>),
    Leasing(Pending<()>),
}

/// What a call has in hand.
enum Looked {
    Filled(Vec<i64>),
    Missing(Vec<PastBlock>),
}

/// The ticks of a call and their ids.
struct Fill {
    state: Arc<GeneratorState>,
    gene: i64,
    count: usize,
    /// Until they are judged and sorted.
    moments: Mutex<Vec<i64>>,
    sorted: OnceLock<Result<Ticks>>,
    /// The blocks of the ticks are kept for this call.
    is_wanted: Mutex<bool>,
}

impl SnowflakeGenerator {
    /// Returns an id for a moment that has passed, in Unix milliseconds: its timestamp is the start of the moment's
    /// tick. It is unique as any other id of this generator is, and does not take its worker id.
    ///
    /// Raises `invalid_argument` for a moment before the epoch or after the present, `worker_id_unavailable` if no
    /// worker id is left that no process has ever held, `invalid_config` if the holder keeps none for the past,
    /// `store_unavailable` and `closed`.
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
        let moments = room::all(moments.iter().copied())?;
        let (count, moments, timeout) = (moments.len(), Mutex::new(moments), timeout.unwrap_or(state.settings.timeout));
        let (sorted, is_wanted) = (OnceLock::new(), Mutex::new(false));
        let fill = Arc::new(Fill { state: state.clone(), gene, count, moments, sorted, is_wanted });
        Ok(Backfill { fill, timeout, stage: Stage::Due, in_background: false, waker: None })
    }

    /// Returns why a moment can have no past id: it is before the epoch, to come, or behind the layout's last tick.
    /// `None` if it can. Takes nothing. Raises `clock_moved_backwards`.
    pub fn why_not_past(&self, at: i64) -> Result<Option<String>> {
        match self.state().past_ticks(&[at]) {
            Ok(_) => Ok(None),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidArgument | ErrorKind::IdSpaceExhausted) => {
                Ok(Some(error.message().to_owned()))
            }
            Err(error) => Err(error),
        }
    }
}

impl GeneratorState {
    /// Returns the ticks of past moments.
    fn past_ticks(&self, moments: &[i64]) -> Result<Vec<i64>> {
        self.check_epoch()?;
        let (layout, now) = (&self.settings.layout, self.clock.wall());
        let mut ticks = room(moments.len())?;
        for (place, at) in moments.iter().enumerate() {
            let which = || if moments.len() == 1 { "at".to_owned() } else { format!("at[{place}]") };
            if !(layout.epoch()..=now).contains(at) {
                return Err(not_past(&which(), *at, layout.epoch(), now));
            }
            let tick = layout.tick_at(*at);
            layout.check_tick(tick).map_err(|error| {
                let text = format!("{}={at}: {error}", which());
                error.saying(text)
            })?;
            ticks.push(tick);
        }
        Ok(ticks)
    }
}

impl Fill {
    /// Makes the ids if nothing is missing.
    fn look(&self) -> Result<Looked> {
        self.check()?;
        let ticks = self.ticks()?;
        self.look_with(ticks, self.state.past.lock())
    }

    /// Does the same for a few moments. `None` if there are more, or if other calls are in the way.
    fn look_at_once(&self) -> Option<Result<Looked>> {
        if self.count > FEW {
            return None;
        }
        match self.check().and_then(|()| self.ticks()) {
            Ok(ticks) => self.state.past.try_lock().map(|held| self.look_with(ticks, held)),
            Err(error) => Some(Err(error)),
        }
    }

    fn look_with(&self, ticks: &Ticks, mut held: MutexGuard<'_, HeldPast>) -> Result<Looked> {
        let (layout, mut is_wanted) = (&self.state.settings.layout, self.is_wanted.lock());
        if !std::mem::replace(&mut *is_wanted, true) {
            held.want(ticks);
        }
        for (block, lease) in self.state.leased_past.lock().arrived() {
            held.add(block, lease, self.state.settings.datacenter_id, layout)?;
        }
        let missing = held.missing(ticks, layout);
        if !missing.is_empty() {
            return Ok(Looked::Missing(missing));
        }
        *is_wanted = false;
        held.want_no_more(ticks);
        held.take(ticks, self.gene, layout).map(Looked::Filled)
    }

    fn check(&self) -> Result<()> {
        if self.state.keepalive.is_inherited() {
            return Err(begun_by_parent());
        }
        self.state.check_open()
    }

    fn ticks(&self) -> Result<&Ticks> {
        let moments = || std::mem::take(&mut *self.moments.lock());
        let sorted = self.sorted.get_or_init(|| self.state.past_ticks(&moments()).and_then(Ticks::new));
        sorted.as_ref().map_err(Error::clone)
    }
}

/// A call that was cancelled, or failed, leaves its blocks to others.
impl Drop for Fill {
    fn drop(&mut self) {
        // Another thread of the parent may have held the locks during the fork.
        let may_lock = !self.state.keepalive.is_inherited();
        if let Some(Ok(ticks)) = self.sorted.get().filter(|_| may_lock && *self.is_wanted.lock()) {
            self.state.past.lock().want_no_more(ticks);
        }
    }
}

impl Backfill {
    /// Lets other threads sort the moments and make the ids: for callers that must go on, such as event loops.
    pub fn in_background(self) -> Self {
        Self { in_background: true, ..self }
    }

    /// Returns the ids if there are few of them and nothing has to be waited for, not even another call.
    pub fn at_once(&mut self) -> Result<Option<Vec<i64>>> {
        let Stage::Due = self.stage else { return Ok(None) };
        match self.fill.look_at_once().transpose()? {
            Some(Looked::Filled(ids)) => Ok(Some(ids)),
            Some(Looked::Missing(blocks)) => self.lease(blocks).map(|()| None),
            None => Ok(None),
        }
    }

    /// Waits for at most `slice`. Returns the ids in the order of their moments, or `None` while the call goes on.
    pub fn wait_for(&mut self, mut slice: Duration) -> Result<Option<Vec<i64>>> {
        loop {
            let looked = match &self.stage {
                Stage::Leasing(leasing) => {
                    let Some(leased) = leasing.wait_for(std::mem::take(&mut slice)) else { return Ok(None) };
                    self.stage = Stage::Due;
                    leased?;
                    continue;
                }
                Stage::Looking(looking) => {
                    let Some(looked) = looking.wait_for(std::mem::take(&mut slice)) else { return Ok(None) };
                    self.stage = Stage::Due;
                    looked?
                }
                Stage::Due if self.in_background => match self.fill.look_at_once() {
                    Some(looked) => looked?,
                    None => {
                        self.look_in_background()?;
                        continue;
                    }
                },
                Stage::Due => self.fill.look()?,
            };
            match looked {
                Looked::Filled(ids) => return Ok(Some(ids)),
                Looked::Missing(blocks) => self.lease(blocks)?,
            }
        }
    }

    /// Wakes `waker` when the call may have progressed. Look once more after this.
    pub fn wake(&mut self, waker: Waker) {
        match &self.stage {
            Stage::Due => {}
            Stage::Looking(looking) => looking.wake(waker.clone()),
            Stage::Leasing(leasing) => leasing.wake(waker.clone()),
        }
        self.waker = Some(waker);
    }

    /// Returns how long to wait at most before the next look, if nothing wakes the caller.
    pub fn left(&self) -> Duration {
        match &self.stage {
            Stage::Due => Duration::ZERO,
            Stage::Looking(looking) => looking.left(),
            Stage::Leasing(leasing) => leasing.left(),
        }
    }

    fn look_in_background(&mut self) -> Result<()> {
        let fill = self.fill.clone();
        let looking = Pending::spawn(LONGEST_LOOK, async move { computing().run(move || fill.look()).await })?;
        if let Some(waker) = self.waker.clone() {
            looking.wake(waker);
        }
        self.stage = Stage::Looking(looking);
        Ok(())
    }

    /// Begins to lease what is missing, the largest blocks first: one that cannot be leased takes nothing. What was
    /// leased stays if a later lease fails.
    fn lease(&mut self, mut missing: Vec<PastBlock>) -> Result<()> {
        missing.sort_by_key(|block| Reverse(block.count));
        let (state, fill, timeout) = (self.fill.state.clone(), Arc::downgrade(&self.fill), self.timeout);
        let longest = timeout.saturating_mul(leases_of(&missing));
        let leasing = Pending::spawn(longest, async move {
            tokio::select! {
                biased;
                () = state.until_closed() => Err(Error::closed()),
                leased = lease_all(&state, &fill, missing, timeout) => leased,
            }
        })?;
        if let Some(waker) = self.waker.clone() {
            leasing.wake(waker);
        }
        self.stage = Stage::Leasing(leasing);
        Ok(())
    }
}

/// Returns about how many leases blocks take: one has no more sequence numbers than a worker id has.
fn leases_of(missing: &[PastBlock]) -> u32 {
    let leases = missing.iter().map(|block| 1 + block.count / block.limit).sum::<i64>();
    u32::try_from(leases).unwrap_or(u32::MAX)
}

/// Leases all that the blocks miss, until no caller waits for it any more.
async fn lease_all(
    state: &Arc<GeneratorState>,
    fill: &Weak<Fill>,
    blocks: Vec<PastBlock>,
    timeout: Duration,
) -> Result<()> {
    for block in blocks {
        let mut missing = block.count;
        // The last sequence numbers of a worker id may fall short of what is missing.
        while missing > 0 && fill.strong_count() > 0 {
            missing -= lease(state, fill, PastBlock { count: missing, ..block }, timeout).await?;
        }
    }
    Ok(())
}

/// Leases of one worker id. Returns the number of sequence numbers that were leased: 0 if no caller waits any more.
async fn lease(state: &Arc<GeneratorState>, fill: &Weak<Fill>, block: PastBlock, timeout: Duration) -> Result<i64> {
    let until = deadline(timeout);
    while fill.strong_count() > 0 {
        let ends = state.leased_past.lock().ends(block.block)?;
        let (holder, left) = (state.holder.clone(), until.saturating_duration_since(Instant::now()));
        let leasing = async move { holder.lease_past(block).await };
        if let Some(lease) = in_time("backfill", left, state.holder.scope(), leasing).await? {
            let leased = lease.sequences.end - lease.sequences.start;
            state.leased_past.lock().add(block.block, lease, &ends, &state.holder.scope())?;
            return Ok(leased);
        }
        if Instant::now() >= until {
            return Err(leased_by_others(timeout, &state.holder.scope()));
        }
        tokio::time::sleep(Duration::from_micros(fastrand::u64(200..2_000))).await;
    }
    Ok(0)
}

fn leased_by_others(timeout: Duration, scope: &str) -> Error {
    let text = format!("no lease for past moments within timeout={timeout:?} from {scope}: another process is leasing");
    Error::new(ErrorKind::StoreUnavailable, text)
}

fn not_past(which: &str, at: i64, epoch: i64, now: i64) -> Error {
    let (epoch, now) = (date(epoch), date(now));
    let text = format!(
        "{which}={at} is not a past moment in Unix milliseconds: the layout's epoch is {epoch}, and the clock shows {now}"
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
