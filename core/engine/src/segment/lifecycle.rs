//! The events of a generator's life.

use super::shared::{SegmentSettings, Shared};
use super::tag::Tag;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use humantime::format_duration;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Events of all generators of this kind are limited together: a test suite opens many.
const SCOPE: &str = "segment generators";

/// Number of tags of which the highest id is named.
const MOST_NAMED: usize = 20;

/// Reports that the generator is open, once in each process that uses it.
pub(super) fn opened(shared: &Shared) {
    if shared.reported.swap(true, Ordering::Relaxed) {
        return;
    }
    let (scope, SegmentSettings { timeout, policy, auto_create, close_at_exit, .. }) =
        (shared.store.scope(), &*shared.settings);
    let auto_create = auto_create.map_or("default".to_owned(), |is_set| is_set.to_string());
    let text = format_args!(
        "a segment generator is open: {scope}; timeout={}, outage_budget={}, auto_create={auto_create}, \
         close_at_exit={close_at_exit}",
        format_duration(*timeout),
        format_duration(policy.outage_budget)
    );
    events::emit_in(EventKind::GeneratorOpened, SCOPE, &scope, text);
}

/// Reports that the generator is closed, if it was reported open, what became of its unused ids, and how far it has
/// leased: no one can ask it any more.
///
/// `unused` is their number before the close.
pub(super) fn closed(shared: &Shared, tags: &[Arc<Tag>], unused: i64) {
    if !shared.reported.load(Ordering::Relaxed) {
        return;
    }
    let scope = shared.store.scope();
    let given_back: i64 = tags.iter().map(|tag| tag.refill.lock().given_back).sum();
    let lost = match unused - given_back {
        lost @ 1.. => format!(", {lost} are lost"),
        _ => String::new(),
    };
    let text = format_args!(
        "a segment generator is closed: {scope}; {given_back} of {unused} unused ids were given back{lost}{}",
        highest_leased(tags)
    );
    events::emit_in(EventKind::GeneratorClosed, SCOPE, &scope, text);
}

/// Names the highest id leased of each tag, as an operator needs it after the store was restored.
fn highest_leased(tags: &[Arc<Tag>]) -> String {
    let mut leased: Vec<(&str, i64)> = tags.iter().map(|tag| (&*tag.name, tag.highest_leased())).collect();
    leased.retain(|(_, highest)| *highest > 0);
    if leased.is_empty() {
        return String::new();
    }
    leased.sort_unstable();
    let named: Vec<String> =
        leased.iter().take(MOST_NAMED).map(|(name, highest)| format!("{name:?} {highest}")).collect();
    let more = match leased.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more tags"),
    };
    format!("; highest_leased: {}{more}", named.join(", "))
}
