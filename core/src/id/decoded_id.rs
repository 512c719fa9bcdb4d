//! The parts of an id.

/// The parts of an id, as [`Layout::decode`](super::Layout::decode) returns them.
///
/// ```
/// let layout = leafmint::id::Layout::parse("datacenter", Some(0))?;
/// let parts = layout.decode((86_400_000 << 22) | (3 << 17) | (4 << 12) | 5)?;
/// assert_eq!(parts.timestamp, 86_400_000); // 1970-01-02T00:00:00Z
/// assert_eq!((parts.datacenter, parts.worker_id, parts.sequence, parts.gene), (3, 4, 5, 0));
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodedId {
    /// The id itself.
    pub id: i64,
    /// When its tick started, in Unix milliseconds.
    pub timestamp: i64,
    /// The datacenter; 0 if the layout has no bits for it.
    pub datacenter: i64,
    /// The worker id.
    pub worker_id: i64,
    /// The sequence within the tick.
    pub sequence: i64,
    /// The gene; 0 if the layout has no bits for it.
    pub gene: i64,
}
