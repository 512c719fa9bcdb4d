//! The change from one period to the next: the next one's numbers are in hand before it begins, and what is left of the
//! old one is given back.

use super::group::SeriesGroup;
use super::state::SeriesState;
use crate::runtime::background::Timeline;
use crate::segment::supply;
use leafmint_ids::error::Result;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;

/// How long before a period ends the next one's numbers are leased, in milliseconds. Each process takes a moment of its
/// own, so that the processes of a fleet do not ask all at once.
const LEAD: Range<u64> = 5 * 60_000..60 * 60_000;

/// How long after the end what is left of the old one is given back, in milliseconds. Calls that began before are
/// served by then.
const AFTER: Range<u64> = 10_000..60 * 60_000;

/// A period whose numbers were taken within this time is not given back yet: documents of it still come.
const QUIET: Duration = Duration::from_secs(60);

/// A call that has the group of a period uses it within this time. New calls get another one meanwhile.
const LAST_CALLS: Duration = Duration::from_secs(10);

/// The store is asked for its clock again no sooner after a look that failed.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// The clock may be set while a task sleeps, so it looks again after this long.
const LONGEST_SLEEP: Duration = Duration::from_secs(600);

/// A series that was not used in its period may be used in its last minutes.
const UNUSED_SLEEP: Duration = Duration::from_secs(60);

/// Starts the task that gets the next period ready, unless it runs.
pub(super) fn watch(series: &Arc<SeriesState>) {
    if series.is_watched.swap(true, Ordering::SeqCst) {
        return;
    }
    let timeline = series.tags.shared.timeline.clone();
    let work = run(Arc::downgrade(series), series.gone.clone(), timeline.clone());
    // Without it the first number of a period costs a round trip.
    if timeline.spawn(Box::pin(work)).is_err() {
        series.is_watched.store(false, Ordering::SeqCst);
    }
}

async fn run(series: Weak<SeriesState>, gone: Arc<Notify>, timeline: Arc<dyn Timeline>) {
    let lead = Duration::from_millis(fastrand::u64(LEAD));
    let mut ready = None;
    loop {
        let rest = {
            let Some(series) = series.upgrade() else { return };
            // There is one: it is put in force before this task starts.
            let Some(in_force) = series.in_force() else { return };
            let left = in_force.ends.saturating_sub(series.declaration.time());
            let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
            if left.is_zero() && !series.end_watch() {
                return;
            }
            if left > lead {
                (left - lead).min(LONGEST_SLEEP)
            } else if ready == in_force.group.date {
                left.min(LONGEST_SLEEP)
            } else if in_force.group.tag.counts().issued == 0 {
                left.min(UNUSED_SLEEP)
            } else {
                ready = in_force.group.date;
                // An error is met again by the first number of the period.
                let _ = get_ready(&series, &in_force.group).await;
                continue;
            }
        };
        tokio::select! {
            biased;
            () = gone.notified() => return,
            () = timeline.sleep(rest.max(Duration::from_millis(1))) => {}
        }
    }
}

/// Leases the first numbers of the next period, as many as the rate in this one calls for.
async fn get_ready(series: &SeriesState, now: &SeriesGroup) -> Result<()> {
    series.declaration.declare(&*series.tags.shared.store).await?;
    let next = now.date.and_then(|date| series.rule().period.next(date));
    let Some(next) = next else { return Ok(()) };
    let group = series.group(Some(next), None)?;
    let used = now.tag.stats().issued;
    let pace = now.tag.refill.lock().pace(used);
    group.tag.refill.lock().expect(pace);
    supply::refill_if_due(&group.tag);
    Ok(())
}

/// Begins a period whose numbers were got ready: the second lease comes after a time of this process's own.
pub(super) fn begin(series: &SeriesState, group: &Arc<SeriesGroup>) {
    let shared = &series.tags.shared;
    let duration = shared.settings.policy.segment_duration;
    let Some(after) = group.tag.refill.lock().begin(shared.timeline.now(), duration) else { return };
    let (timeline, group) = (shared.timeline.clone(), Arc::downgrade(group));
    let slept = timeline.clone();
    let work = async move {
        slept.sleep(after).await;
        if let Some(group) = group.upgrade() {
            supply::refill_if_due(&group.tag);
        }
    };
    // Without it a soft limit asks for the lease.
    let _ = timeline.spawn(Box::pin(work));
}

/// Compares this machine's clock with the store's, in the background, unless that is under way.
pub(super) fn look_at_the_clock(series: &Arc<SeriesState>) {
    let declaration = series.declaration.clone();
    if declaration.is_looked_at.swap(true, Ordering::SeqCst) {
        return;
    }
    let (store, timeline) = (series.tags.shared.store.clone(), series.tags.shared.timeline.clone());
    let looking = declaration.clone();
    let work = async move {
        if looking.declare(&*store).await.is_err() {
            timeline.sleep(BETWEEN_LOOKS).await;
        }
        looking.is_looked_at.store(false, Ordering::SeqCst);
    };
    // It is looked at again soon.
    if series.tags.shared.timeline.spawn(Box::pin(work)).is_err() {
        declaration.is_looked_at.store(false, Ordering::SeqCst);
    }
}

/// Gives back what is left of a period that is over, some time later.
pub(super) fn retire(series: &Arc<SeriesState>, group: Arc<SeriesGroup>) {
    let (timeline, after) = (series.tags.shared.timeline.clone(), Duration::from_millis(fastrand::u64(AFTER)));
    let (series, tags) = (Arc::downgrade(series), series.tags.clone());
    let slept = timeline.clone();
    let work = async move {
        slept.sleep(after).await;
        let mut taken = None;
        let series = loop {
            // It made room for another key, so that no later call uses this group.
            let Some(series) = series.upgrade() else { return tags.forget([group]) };
            // The clock may have been set back.
            if series.in_force().is_none_or(|it| it.group.date <= group.date) {
                return;
            }
            let issued = group.tag.counts().issued;
            if taken.replace(issued) == Some(issued) && !group.tag.is_waited_for() {
                break series;
            }
            drop(series);
            slept.sleep(QUIET).await;
        };
        // What is given back is leased again. A cell never goes back, so this tag ends, and another one begins if a
        // document of this period comes later. First no new call gets it, so that no call finds it ended.
        series.drop_group(&group);
        drop(series);
        slept.sleep(LAST_CALLS).await;
        while group.tag.is_waited_for() {
            slept.sleep(LAST_CALLS).await;
        }
        tags.end(&group.tag).await;
    };
    // Without it the rest is given back at the close.
    let _ = timeline.spawn(Box::pin(work));
}
