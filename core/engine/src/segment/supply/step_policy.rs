//! The step policy: when to lease and how much, as plain arithmetic.
//!
//! Supply is refilled when it falls below *latency cover + evidence*. The cover is the number of ids used during four
//! round trips. The evidence is the number of ids used so far, at most as many as the current rate uses within the
//! outage budget, and a quarter more. So a tag that has run for T survives an outage of about T. A refill may also come
//! late by the delay of a thread in this process. The evidence allows for that; what it lacks for that is added to the
//! cover.
//!
//! A rate measured over microseconds says little, so [`Density`] bounds what a tag holds by what it has used.

use crate::store::MAX_STEP;
use crate::want::MAX_RUN;
use std::time::Duration;

const _: () = assert!(MAX_RUN == MAX_STEP, "one lease holds the largest contiguous range");

/// The time over which the rate is averaged, in seconds.
const RATE_WINDOW: f64 = 30.0;

/// The time by which a refill may come late because a thread of this process is not scheduled, in seconds.
const DELAY: f64 = 0.002;

/// Up to this share of the segment duration is taken off a lease for a call that waits, at random: tags that ran dry
/// together in an outage then do not refill together.
const SPREAD: f64 = 0.8;

/// Less and less of it is taken off other leases too, until the ids used so far would last for this many segments: tags
/// that began together do not refill together for ever.
const YOUNG: f64 = 6.0;

/// Growth per refill while a cold tag uses up a lease faster than the store answers.
const COLD_GROWTH: i64 = 8;

/// How many ids a tag may hold ahead of need, by what it has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Ids: those leased stay within [`YOUNG_STEPS`] steps, or 2.5 times those used if that is more.
    #[default]
    Ids,
    /// Numbers of a series, whose format has room for few: a tenth of those used is held, or ten if that is more. While
    /// fewer than 20 are used, half of them and one are held.
    Numbers,
}

/// A young tag that is used faster than its store answers leases up to this many steps.
const YOUNG_STEPS: i64 = 100;

/// The most numbers of a series that are held while a tenth of those used is less.
const FEW: i64 = 10;

impl Density {
    /// Returns how many ids may be held by a tag that has handed out `used`.
    fn most_held(self, step: i64, used: i64) -> i64 {
        match self {
            Self::Ids => (used + used / 2).max(step.saturating_mul(YOUNG_STEPS) - used),
            Self::Numbers => (used / 10).max(FEW.min(used / 2 + 1)).max(step),
        }
    }

    /// Returns the least that is leased ahead of need, so that a lease is not as small as what was just drawn.
    fn least_lease(self, step: i64, most_held: i64) -> i64 {
        match self {
            Self::Ids => step,
            Self::Numbers => most_held / 2,
        }
    }
}

/// The step policy and its options.
#[derive(Clone, Debug)]
pub struct StepPolicy {
    /// The steady-state ceiling of one lease, in ids.
    pub max_step: i64,
    /// The hard cap on ids leased and not used, in ids; none by default.
    pub max_unused: Option<i64>,
    /// How long a segment should last.
    pub segment_duration: Duration,
    /// The longest outage of the store that should be survived.
    pub outage_budget: Duration,
}

/// The state of a tag, as the policy sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagUse {
    /// How densely its ids are used.
    pub density: Density,
    /// The `step` column.
    pub step: i64,
    /// Ids handed out so far.
    pub used: i64,
    /// Ids in hand.
    pub supply: i64,
    /// Ids in hand behind the live segment.
    pub ready: i64,
    /// Ids in stripes, which only some threads can draw.
    pub in_stripes: i64,
    /// Recent average of ids used per second.
    pub rate: f64,
    /// Round trip to the store, in seconds.
    pub round_trip: f64,
    /// Size of the last lease; 0 before the first.
    pub last_lease: i64,
    /// Seconds from the last lease until a call found too few ids, or until now.
    pub lasted: f64,
    /// A call was waiting when the last lease landed.
    pub starved: bool,
    /// Ids that a waiting call needs at once.
    pub wanted: i64,
    /// Contiguous ids that a waiting call needs.
    pub wanted_run: i64,
    /// From 0 to 1, at random: the share of [`SPREAD`] that is taken off a lease for a call that waits, and of the
    /// duration that the first lease of a period lasts for until the second one is due.
    pub jitter: f64,
}

impl StepPolicy {
    /// Returns whether the first lease takes as many ids as the `step` column says, whatever it says. A call that needs
    /// more has the rest from the next lease, after as many calls of the store as if the column were read first.
    pub(crate) fn begins_with_a_step(&self, wanted_run: i64) -> bool {
        self.max_unused.is_none() && wanted_run <= 1
    }

    /// Returns whether leases grow until they last for the segment duration, so that one that comes late is larger.
    pub fn grows(&self, step: i64) -> bool {
        self.max_unused.is_none() && self.max_step > step
    }

    /// Returns how many ids to lease now; 0 for none.
    pub fn lease(&self, usage: &TagUse) -> i64 {
        let missing = usage.wanted.saturating_sub(usage.supply).max(usage.wanted_run).max(0);
        let planned = if self.max_step <= usage.step { self.leaf(usage) } else { self.adaptive(usage, missing > 0) };
        let held = usage.supply + usage.in_stripes;
        let room = self.max_unused.map_or(i64::MAX, |cap| (cap - held).max(0));
        let most = usage.density.most_held(usage.step, usage.used);
        let is_small = missing == 0 && most - held < usage.density.least_lease(usage.step, most);
        let room = if is_small && self.max_step > usage.step { 0 } else { room.min((most - held).max(0)) };
        let amount = if self.max_step <= usage.step {
            // Whole steps only, except that a run must be contiguous.
            if missing > 0 { usage.step.max(usage.wanted_run) } else { planned.min(room) }
        } else {
            planned.min(room).max(missing)
        };
        amount.min(MAX_STEP)
    }

    /// Leaf's own rule: one ready segment, leased once a tenth of the live one is used.
    fn leaf(&self, usage: &TagUse) -> i64 {
        let live = usage.supply - usage.ready;
        if usage.ready == 0 && usage.last_lease > 0 && live <= usage.step - usage.step / 10 { usage.step } else { 0 }
    }

    fn adaptive(&self, usage: &TagUse, dry: bool) -> i64 {
        let evidence = usage.used.min(ids(usage.rate * self.outage_budget.as_secs_f64()));
        // What outlasts an outage outlasts a delay. At full speed a million ids take less than two delays, so counting
        // both would waste what one of them uses. After a wait both count: the average rate includes the wait, so it is
        // too low.
        let delay = ids(usage.rate * DELAY);
        let delay = if dry || usage.starved { delay } else { (delay - evidence).max(0) };
        let cover = ids(usage.rate * 4.0 * usage.round_trip) + delay;
        // Supply is looked at when another tenth of what a lease brought is used, so it has fallen lower by then.
        let margin = evidence / 4;
        // A slow tag leases ahead too, when a tenth of its last lease is left.
        let low = (cover + evidence + margin).max(usage.used.min(usage.last_lease / 10).max(1));
        if usage.used == 0 || (usage.supply > low && !dry) {
            return if dry { usage.step } else { 0 };
        }
        // After a wait, this lease may be used up within a round trip too. Another lease now would be as small, and
        // callers would wait for it too; a lease once this one has run dry is larger. The first tenth shows how fast
        // the ids are used.
        let spent = (usage.last_lease - usage.supply) as f64;
        let is_too_early = 10.0 * spent < usage.last_lease as f64;
        if usage.starved
            && !dry
            && (is_too_early || usage.lasted * (usage.last_lease as f64) < usage.round_trip * spent)
        {
            return 0;
        }
        let duration = self.segment_duration.as_secs_f64();
        if usage.last_lease == 0 && !dry {
            // The first of a period, whose second one is due after this share of the duration.
            return low.saturating_add(ids(usage.rate * duration * usage.jitter)).clamp(usage.step, MAX_STEP);
        }
        // Cover and margin count towards the half, so that at most 2.5 ids are leased per id used.
        let age = usage.used as f64 / (usage.rate * duration * YOUNG);
        let spread = if dry { SPREAD } else { SPREAD * (1.0 - age).max(0.0) };
        let lasts = duration * (1.0 - spread * usage.jitter);
        let on_top = (usage.used / 2).saturating_sub(cover + margin).clamp(0, ids(usage.rate * lasts));
        let most = self.max_step.max(usage.step);
        let growth = usage.last_lease.saturating_mul(COLD_GROWTH).max(usage.step).min(most.max(usage.used));
        let amount = low.saturating_sub(usage.supply).saturating_add(on_top);
        // A lease that lasts for less than a few round trips leaves no supply, so max_step is exceeded in that case.
        let amount = amount.clamp(usage.step, most.max(cover.saturating_mul(2))).min(growth.max(most));
        // The average rate includes waits, so it is too low while callers wait. How long the last lease lasted says
        // more.
        if dry && usage.lasted < 4.0 * usage.round_trip + DELAY { amount.max(growth) } else { amount }
    }
}

fn ids(count: f64) -> i64 {
    count.ceil().clamp(0.0, MAX_STEP as f64) as i64
}

/// A running average of ids per second over about half a minute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    per_second: f64,
    age: f64,
    used: i64,
}

impl Rate {
    /// Updates the average: `used` ids were handed out in all, `elapsed` seconds after the last update.
    pub(super) fn update(&mut self, used: i64, elapsed: f64) {
        // A shorter time carries no information, and dividing by it gives nonsense.
        if elapsed < 1e-6 {
            return;
        }
        self.age += elapsed;
        let share = (1.0 - (-elapsed / RATE_WINDOW).exp()).max(elapsed / self.age);
        let recent = (used - self.used).max(0) as f64 / elapsed;
        self.per_second += share * (recent - self.per_second);
        self.used = used;
    }

    /// Returns the same average, for a tag that has handed out none.
    pub(super) fn again(self) -> Self {
        Self { used: 0, ..self }
    }

    /// Returns the number of ids at the last update.
    pub(super) fn used(&self) -> i64 {
        self.used
    }

    /// Returns the average.
    pub(super) fn per_second(&self) -> f64 {
        self.per_second
    }
}
