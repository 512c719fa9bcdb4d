//! The tags of a store, as an audit compares them.

use super::catalogue::{Key, Tag};
use super::request::{AuditRequest, is_alike};
use leafmint_engine::store::{SegmentStore, TagInfo};
use leafmint_ids::error::Result;

/// Lists the tags of a store, and closes it.
pub(super) async fn of(store: &dyn SegmentStore) -> Result<Vec<Tag>> {
    let tags = store.list_tags().await;
    let _ = store.close().await;
    Ok(tags?.into_iter().filter_map(tag).collect())
}

/// Describes a tag by the number that its next id is made from; `None` if its row holds none.
pub(super) fn tag(info: TagInfo) -> Option<Tag> {
    let genes = 1 << info.gene_bits.unwrap_or(0).clamp(0, 62);
    let next = u64::try_from(info.max_id?).ok()?.saturating_mul(genes);
    let lease = info.step.map_or(0, i64::unsigned_abs).saturating_mul(genes);
    Some(Tag { name: info.biz_tag, next, lease, genes })
}

/// Returns the tag of this name, or else the first one whose name differs in case alone: a server may keep the names of
/// tables in lower case, but not those of tags.
pub fn named<'a>(tags: &'a [Tag], name: &str) -> Option<&'a Tag> {
    let same = || tags.iter().find(|tag| tag.name == name);
    same().or_else(|| tags.iter().find(|tag| is_alike(&tag.name, name)))
}

/// Returns the tag of a key if it leases numbers up to the highest row.
pub(super) fn behind<'a>(tags: &'a [Tag], key: &Key, request: &AuditRequest) -> Option<&'a Tag> {
    let tag = named(tags, request.tag_of(&key.column.table))?;
    (tag.next <= key.highest?).then_some(tag)
}
