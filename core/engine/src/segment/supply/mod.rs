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
//! | asking | the store refuses for want of a table, a right or a log-in | idle; asking again after 15 to 30 seconds |
//! | asking | the store leases a range again | idle, and only looks, as often, until it is above, or stuck |
//! | any of these | the generator is closed | idle for ever |
//!
//! What an attempt shows of the **store** is noted in one place (`StoreQueue::note`) and changes its health, which all
//! tags of a generator share (`store_health.rs`). The queue decides who may ask (`store_queue.rs`), and leaves the
//! store to other processes in between (`fairness.rs`).
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
//! A tag is owed ids if it has leased none since the store was last well, and has not failed three times in a row. A
//! tag that is owed none goes behind one that is, once. If no tag in the queue is owed ids, and other processes have
//! leased from the same tags, a rest in the first 90 seconds is up to five times as long, at most 15 seconds. A tag
//! whose leases cannot grow is always owed ids.
//!
//! If another tag had an answer since the attempt began, a slow answer counts as quick, and a failure concerns the tag
//! alone. So does one that is the store's own answer about this tag, for example that its row is locked
//! (`Error::is_of_one_tag`): it is no failure of the store, and how long it took says nothing about other tags. After
//! four such answers in a row the cause may be the whole table, so that a store that was well is unproven again.
//!
//! A turn does not wait for a locked row if the store can report one, since the tags in the queue would wait with it.
//! The tag leaves the queue and waits for its row there. Only one tag of a process does so at a time, so an overloaded
//! store has at most one more call per process.
//!
//! After an outage the refills of tags with supply come in the order in which they became due, whatever the state.

mod attempt;
mod fairness;
mod refill;
mod refiller;
#[cfg(test)]
mod slow_store_tests;
mod step_policy;
#[cfg(test)]
mod step_policy_tests;
mod store_health;
mod store_queue;

pub(super) use refill::Refill;
pub(super) use refiller::{demand, refill_if_due};
pub(super) use step_policy::Density;
pub use step_policy::StepPolicy;
pub(super) use store_queue::StoreQueue;
