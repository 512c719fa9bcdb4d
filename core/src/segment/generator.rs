//! The generator: the tags of one store, opened and closed together.

use super::close;
use super::order::Order;
use super::stats::SegmentStats;
use super::step::StepPolicy;
use super::tag::{BizTag, Tag};
use super::tags::Tags;
use super::turns::Turns;
use crate::background::Pending;
use crate::error::{Error, ErrorKind, Result};
use crate::panics::caught;
use crate::printable::printable;
use crate::process::{self, PerProcess};
use crate::store::{NewTag, SegmentStore, check_gene_bits, check_tag};
use crate::sync::Mutex;
use crate::want::Want;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How a generator treats its tags.
pub(crate) struct Behaviour {
    pub(crate) policy: StepPolicy,
    pub(crate) timeout: Duration,
    pub(crate) auto_create: bool,
    pub(crate) default_step: i64,
    pub(crate) default_start: i64,
    pub(crate) table: String,
    pub(crate) close_at_exit: bool,
}

/// What all tags of a generator share.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn SegmentStore>,
    pub(crate) behaviour: Arc<Behaviour>,
    pub(super) turns: Turns,
    forks: u32,
}

/// Mints ids of many tags out of segments that one store leases.
///
/// Ids of one tag are unique among everyone who shares the store (see [`SegmentGenerator::scope`]), 0 or more, and strictly
/// increase within one generator (with relaxed [`Order`]: for each thread). A segment is taken ahead of need in the background, so that an id in hand costs no I/O.
/// Handles are cheap to clone. The last handle to go closes the generator in the background; [`SegmentGenerator::close`] does
/// it now.
///
/// The child of a fork may go on with its parent's generators: on first use it forgets what they hold, which stays the parent's,
/// and leases ids of its own.
///
/// ```
/// let ids = leafmint::SegmentGenerator::open("memory://generator", [])?;
/// let order = ids.biz_tag("order")?;
/// assert_eq!(order.next_id()?, 1);
/// assert_eq!(order.next_id()?, 2);
/// ids.close()?;
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone)]
pub struct SegmentGenerator {
    generations: Arc<PerProcess<Inner>>,
}

pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    /// Once true, never false again: what the child of a fork may read.
    closed: AtomicBool,
    /// `None` once closed.
    tags: Mutex<Option<Tags>>,
    /// The tags that had been used, kept for `stats` after the close.
    closed_tags: Mutex<Vec<Arc<Tag>>>,
    eager: Option<Vec<String>>,
}

impl SegmentGenerator {
    /// Makes a generator over a store, without I/O. `eager` names the tags that [`SegmentGenerator::make_ready`] supplies.
    pub(crate) fn new(store: Arc<dyn SegmentStore>, behaviour: Behaviour, eager: Option<Vec<String>>) -> Self {
        let inner = Inner::new(store, Arc::new(behaviour), eager, false);
        Self { generations: Arc::new(PerProcess::new(inner)) }
    }

    /// Returns the state of this process.
    fn inner(&self) -> &Inner {
        self.generations.get(Inner::in_child)
    }

    /// Tells whether this process is the child of a fork that has not used the generator: there is nothing to close then.
    pub fn is_unused_child(&self) -> bool {
        self.generations.get_if_set().is_none()
    }

    /// Returns the tag of that name, always the same one. No I/O: the first id takes the first segment.
    ///
    /// A tag that had ids stays for as long as the generator. One that never had any is forgotten with its last handle.
    ///
    /// A name has 1 to 128 code points and no NUL. Raises `invalid_argument` and `closed`.
    pub fn biz_tag(&self, name: &str) -> Result<BizTag> {
        self.biz_tag_with_genes(name, 0)
    }

    /// Returns the tag of that name, whose ids carry a gene of so many bits: each is `number << gene_bits | gene`.
    ///
    /// `gene_bits` is 1 to 12, or 0 for none. The bits belong to the tag: they are stored when it is created, which
    /// `auto_create` or [`SegmentGenerator::create_tag_with_genes`] does, and whoever uses it with other bits, or with none, gets
    /// `invalid_config`. So a tag that is already used without them cannot have any.
    ///
    /// ```
    /// let ids = leafmint::SegmentGenerator::open("memory://genes", [])?;
    /// let order = ids.biz_tag_with_genes("order", 4)?;
    /// let id = order.next_id_with_gene(leafmint::id::gene_of_text("user-45", 4)?, None)?;
    /// assert_eq!((id, leafmint::id::shard_of(id, 4)?), (1 << 4 | 3, 3));
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    ///
    /// Raises `invalid_argument`, also where this generator knows the tag with other bits, and `closed`.
    pub fn biz_tag_with_genes(&self, name: &str, gene_bits: i64) -> Result<BizTag> {
        self.biz_tag_with(name, gene_bits, Order::Strict)
    }

    /// Returns the tag of that name, whose ids increase only for each thread: threads do not slow one another down.
    ///
    /// The order belongs to the handle, not to the tag: ids of relaxed and of strict handles never meet. See [`Order::Relaxed`].
    ///
    /// ```
    /// let ids = leafmint::SegmentGenerator::open("memory://relaxed", [])?;
    /// let order = ids.biz_tag_relaxed("order")?;
    /// assert!(order.next_id()? < order.next_id()?);
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    ///
    /// Raises `invalid_argument` and `closed`.
    pub fn biz_tag_relaxed(&self, name: &str) -> Result<BizTag> {
        self.biz_tag_with(name, 0, Order::Relaxed)
    }

    /// Returns the tag of that name with every option of a tag: see [`SegmentGenerator::biz_tag_with_genes`] and
    /// [`SegmentGenerator::biz_tag_relaxed`].
    pub fn biz_tag_with(&self, name: &str, gene_bits: i64, order: Order) -> Result<BizTag> {
        check_tag(name)?;
        check_gene_bits(name, gene_bits)?;
        Ok(BizTag::new(self.inner().tag(name, gene_bits)?, order, self.clone()))
    }

    /// Returns a tag that was resolved in the parent process.
    pub(super) fn tag_in_child(&self, name: &str, gene_bits: i64) -> Arc<Tag> {
        let inner = self.inner();
        // It can only be that the generator is closed, or that the child was faster to resolve it with other gene bits.
        inner.tag(name, gene_bits).unwrap_or_else(|error| {
            let tag = Tag::new(name, gene_bits, inner.shared.clone());
            tag.refuse(error);
            Arc::new(tag)
        })
    }

    /// Inserts a tag that is not there yet, and returns whether it was inserted.
    ///
    /// `step` is 1 to 2^30, `start` the first id, `description` at most 256 code points. Raises `invalid_argument`, `closed` and
    /// what the store raises.
    pub fn create_tag(&self, tag: &str, step: i64, start: i64, description: &str) -> Result<Pending<bool>> {
        self.create_tag_with_genes(tag, 0, step, start, description)
    }

    /// Inserts a tag whose ids carry a gene, see [`SegmentGenerator::biz_tag_with_genes`], and returns whether it was inserted.
    ///
    /// `start` is the first number, before the gene is put below it. Raises `invalid_config` where the tag is there with other
    /// gene bits or with none, and what [`SegmentGenerator::create_tag`] raises.
    pub fn create_tag_with_genes(
        &self,
        tag: &str,
        gene_bits: i64,
        step: i64,
        start: i64,
        description: &str,
    ) -> Result<Pending<bool>> {
        let new = NewTag::checked(tag, gene_bits, step, start, description)?;
        let store = self.open_store()?;
        Pending::spawn(self.in_time("create_tag", async move { store.create_tag(&new).await }))
    }

    /// Creates the tables that are not there yet. Raises `closed` and what the store raises.
    pub fn init_schema(&self) -> Result<Pending<()>> {
        let store = self.open_store()?;
        Pending::spawn(self.in_time("init_schema", async move { store.init_schema().await }))
    }

    /// Connects, checks and takes supply of the tags, if the option `eager` says so; else does nothing.
    ///
    /// Each tag has the option `timeout` to become ready. Raises what its first id would raise.
    pub fn make_ready(&self) -> Result<Pending<()>> {
        let store = self.open_store()?;
        let Some(names) = &self.inner().eager else { return Ok(Pending::done(())) };
        let tags = names.iter().map(|name| self.biz_tag(name)).collect::<Result<Vec<_>>>()?;
        // Any tag will do: an answer that it is unknown is an answer.
        let answer = self.in_time("the first question", async move { store.step("leafmint").await });
        Pending::spawn(async move {
            if tags.is_empty()
                && let Err(error) = answer.await
                && error.kind() != ErrorKind::UnknownTag
            {
                return Err(error);
            }
            for tag in tags {
                tag.begin(Want::InHand, None)?.ready().await?;
            }
            Ok(())
        })
    }

    /// Ends the generator: gives unused tails back to the store, once, and lets go of connections.
    ///
    /// Afterwards every call raises `closed`. Ends within the option `timeout`; a second call does nothing.
    pub fn close(&self) -> Result<()> {
        self.begin_close()?.wait()
    }

    /// Does the same as [`SegmentGenerator::close`], without waiting. From here on no id is handed out.
    pub fn begin_close(&self) -> Result<Pending<()>> {
        let inner = self.inner();
        let tags = inner.take_tags();
        let shared = inner.shared.clone();
        Ok(Pending::ending(async move {
            if let Some(tags) = tags {
                close::close(shared, tags).await;
            }
            Ok(())
        }))
    }

    /// Returns the option `close_at_exit`, which the language binding obeys.
    pub fn closes_at_exit(&self) -> bool {
        self.inner().shared.behaviour.close_at_exit
    }

    /// Returns what became of the ids of each tag used so far, sorted by tag.
    ///
    /// With more than a thousand names, those that never had an id are left out once nobody holds them.
    pub fn stats(&self) -> SegmentStats {
        let inner = self.inner();
        let mut tags = match inner.tags.lock().as_ref() {
            Some(tags) => tags.all(),
            None => inner.closed_tags.lock().clone(),
        };
        tags.sort_by(|a: &Arc<Tag>, b| a.name.cmp(&b.name));
        let tags = tags.iter().map(|tag| (tag.name.clone(), tag.stats())).collect();
        SegmentStats { scope: self.scope(), tags }
    }

    /// Names the store, without credentials, and says who shares its ids.
    pub fn scope(&self) -> String {
        printable(self.inner().shared.store.scope())
    }

    /// Waits for work of the store for at most the option `timeout`. The work itself goes on to its own end: what is cut off in the
    /// middle of a statement would keep a session waiting.
    fn in_time<T: Send + 'static>(
        &self,
        call: &'static str,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send + 'static {
        let shared = self.inner().shared.clone();
        async move {
            let timeout = shared.behaviour.timeout;
            let work = tokio::spawn(caught(work));
            match tokio::time::timeout(timeout, work).await {
                Ok(Ok(answer)) => answer,
                _ => {
                    let scope = shared.store.scope();
                    let text =
                        format!("no answer to {call} within timeout={timeout:?} from {scope}; it may still be carried out");
                    Err(Error::new(ErrorKind::StoreUnavailable, text))
                }
            }
        }
    }

    fn open_store(&self) -> Result<Arc<dyn SegmentStore>> {
        let inner = self.inner();
        if inner.tags.lock().is_none() {
            return Err(closed());
        }
        Ok(inner.shared.store.clone())
    }
}

impl Shared {
    /// Tells whether this process is another one now: the child of a fork, in the middle of a call of its parent's.
    pub(crate) fn is_inherited(&self) -> bool {
        process::forks() != self.forks
    }
}

impl Inner {
    fn new(store: Arc<dyn SegmentStore>, behaviour: Arc<Behaviour>, eager: Option<Vec<String>>, closed: bool) -> Self {
        let shared = Arc::new(Shared { store, behaviour, turns: Turns::new(), forks: process::count_forks() });
        let tags = (!closed).then(Tags::new);
        Self { shared, closed: AtomicBool::new(closed), tags: Mutex::new(tags), closed_tags: Mutex::default(), eager }
    }

    /// Makes the state of the child of a fork, out of what never changes.
    fn in_child(&self) -> Self {
        let Shared { store, behaviour, .. } = &*self.shared;
        Self::new(store.in_child(), behaviour.clone(), self.eager.clone(), self.closed.load(Ordering::Acquire))
    }

    fn tag(&self, name: &str, gene_bits: i64) -> Result<Arc<Tag>> {
        let mut tags = self.tags.lock();
        let tags = tags.as_mut().ok_or_else(closed)?;
        tags.get(name, gene_bits, &self.shared)
    }

    /// Shuts every tag and hands them to whoever closes. `None` where somebody else did.
    fn take_tags(&self) -> Option<Vec<Arc<Tag>>> {
        self.closed.store(true, Ordering::Release);
        let mut tags = self.tags.lock();
        let mut closed_tags = self.closed_tags.lock();
        let taken: Vec<Arc<Tag>> = tags.take()?.all();
        taken.iter().for_each(|tag| tag.shut());
        closed_tags.clone_from(&taken);
        Some(taken)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let Some(tags) = self.take_tags() else { return };
        let shared = self.shared.clone();
        let _ = Pending::ending(async move {
            close::close(shared, tags).await;
            Ok(())
        });
    }
}

pub(crate) fn closed() -> Error {
    Error::new(ErrorKind::Closed, "this generator was closed: open another one")
}

impl fmt::Debug for SegmentGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SegmentGenerator").field(&self.scope()).finish()
    }
}
