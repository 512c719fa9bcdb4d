//! The supply of a tag: when it asks its store, and for how many ids. This page is the table of it.
//!
//! A tag's **refill** is a state under the tag's mutex (`refill.rs`) and at most one task that works on it
//! (`refiller.rs`), one attempt after another (`attempt.rs`). The step policy says whether a lease is due and how large
//! it is (`step_policy.rs`).
//!
//! | a refill is | until | then it is |
//! |---|---|---|
//! | idle | a draw crosses a soft limit and a lease is due, or a call finds too few ids | put off |
//! | put off: after an outage, or while the store is slow | its time comes, or a call waits for ids | queued |
//! | queued, unless the store is well | it is the first, the pause is over, and no tag in the queue is dry | asking |
//! | asking | the range lands | idle if that is enough, else put off |
//! | asking | the attempt fails | put off; resting first if the store answers other tags |
//! | asking in its turn | the store answers that this row is locked | asking outside of the queue, one tag at a time |
//! | asking | the store answers that this row is still locked, or of no use for now | put off, resting first |
//! | asking | the store refuses the tag | idle; it rests before its next attempt |
//! | asking | the store leases a range again | stuck: only reopening the generator helps |
//! | any of these | the generator is closed | idle for ever |
//!
//! What an attempt shows of the **store** is noted in one place (`StoreQueue::note`) and changes its health, which all
//! tags of a generator share (`store_health.rs`). The queue asks it who may ask (`store_queue.rs`).
//!
//! | the store is | who may ask | quick answer, empty queue | quick answer, tags in it | slow answer | failure |
//! |---|---|---|---|---|---|
//! | unproven: new, or slow | one tag at a time | well | unproven | unproven | away |
//! | well | every tag | well | unproven | unproven | away |
//! | away | one, after a pause that doubles | well | recovering | recovering | away |
//! | recovering | one tag at a time | well | recovering | recovering | away |
//!
//! An attempt is slow if it takes more than half a second. The store then rests for one to three times as long as that
//! took: from the second slow attempt in a row, or from the first on if it was away. A store that recovers rests after
//! every answer that takes more than a tenth of a second.
//!
//! A tag that has leased since the store was last well lets one that has not ask before it, once, unless that one has
//! failed three times in a row. If no such tag is in the queue, and others have leased from the same tags, a rest is up
//! to five times as long, at most 15 seconds, in the first 90 seconds. Tags whose leases cannot grow do neither.
//!
//! If another tag had an answer since the attempt began, a slow answer counts as quick, and a failure concerns the tag
//! alone. So does one that is the store's own answer about this tag, for example that its row is locked
//! (`Error::is_of_one_tag`): it is no failure of the store, and how long it took says nothing about other tags. After
//! four such answers in a row the cause may be the whole table, so that a store that was well is unproven again.
//!
//! A turn waits for no locked row, if the store can tell: others would wait for it too. That tag then waits for its row
//! while others have their turns, one such tag at a time, so that an overloaded store has one more call per process.
//!
//! After an outage the refills of tags with supply come in the order in which they became due, whatever the state.

mod attempt;
mod refill;
mod refiller;
#[cfg(test)]
mod slow_store_tests;
mod step_policy;
#[cfg(test)]
mod step_policy_tests;
mod store_health;
mod store_queue;

pub(in crate::segment) use refill::Refill;
pub(in crate::segment) use refiller::{demand, refill_if_due};
pub(crate) use step_policy::StepPolicy;
pub(in crate::segment) use store_queue::StoreQueue;
