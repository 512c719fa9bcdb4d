//! The changes of the node of one worker id.

use super::text::{WorkerText, excerpt};
use crate::rows::{Eviction, NewRow, ReadVersion, Release, RowStatements, ShownRow};
use crate::sessions::{Failure, Outcome};
use crate::worker_files::worker_state::RowVersion;
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session};
use leafmint_ids::error::{Error, ErrorKind};

/// The node of one worker id, on one session.
pub(super) struct WorkerNode<'a> {
    pub(super) session: &'a mut Session,
    pub(super) path: String,
}

impl WorkerNode<'_> {
    /// Overwrites the node if what it holds matches, and no other process changes it meanwhile. Returns whether it did.
    async fn overwrite(
        &mut self,
        matches: impl Fn(&WorkerText) -> bool + Send,
        new: impl FnOnce(WorkerText) -> WorkerText + Send,
    ) -> Outcome<bool> {
        let Some(node) = self.session.get(&self.path).await? else { return Ok(false) };
        let found = parse(&self.path, &node)?;
        if !matches(&found) {
            return Ok(false);
        }
        let changed = self.session.set(&self.path, new(found).to_text().as_bytes(), Some(node.version)).await?;
        Ok(matches!(changed, Changed::Done { .. }))
    }
}

impl WorkerNode<'_> {
    /// Lets the worker id rest until a moment, because another program used it last. One that is leased is left alone,
    /// by the leader's clock `now`.
    pub(super) async fn rest(&mut self, last: i64, until: i64, now: i64) -> Outcome<()> {
        let text = WorkerText { token: None, horizon: until, reported: last, endpoint: "NotFound9's Leaf".to_owned() };
        let data = text.to_text();
        if self.session.create(&self.path, data.as_bytes(), Kind::Plain, Access::Own).await? == Created::Exists {
            self.overwrite(|found| found.may_rest(until, now), |_| text).await?;
        }
        Ok(())
    }
}

/// Reads what a node holds. Raises `invalid_config` if leafmint did not write it.
pub(super) fn parse(path: &str, node: &Node) -> Outcome<WorkerText> {
    WorkerText::parse(&node.data).ok_or_else(|| {
        let text = format!(
            "the node {path} holds {}, which leafmint did not write: write back what it held, or delete it once all processes \
             of the namespace have been stopped for longer than lease_duration",
            excerpt(&node.data)
        );
        Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
    })
}

/// Returns whether a node shows a version.
fn shows(found: &WorkerText, version: &RowVersion) -> bool {
    found.token.as_deref() == Some(&version.token.to_string()) && found.horizon == version.horizon
}

impl RowStatements for WorkerNode<'_> {
    async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
        let text = WorkerText::of(new).to_text();
        match self.session.create(&self.path, text.as_bytes(), Kind::Plain, Access::Own).await? {
            Created::New(_) => Ok(true),
            Created::Exists => Ok(false),
            Created::NoParent => {
                let text = format!("the node above {} was deleted", self.path);
                Err(Failure::Named(Error::new(ErrorKind::InvalidConfig, text)))
            }
        }
    }

    async fn take_over(&mut self, (token, horizon): &ReadVersion, new: &NewRow) -> Outcome<bool> {
        let is_as_read = |found: &WorkerText| found.token == *token && found.horizon == *horizon;
        self.overwrite(is_as_read, |_| WorkerText::of(new)).await
    }

    async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
        let is_known = |found: &WorkerText| shows(found, from) && found.horizon < new.version.horizon;
        self.overwrite(is_known, |_| WorkerText::of(new)).await
    }

    async fn read(&mut self) -> Outcome<Option<ShownRow>> {
        self.session.sync(&self.path).await?;
        let Some(node) = self.session.get(&self.path).await? else { return Ok(None) };
        let WorkerText { token, horizon, endpoint, .. } = parse(&self.path, &node)?;
        Ok(Some(ShownRow { token, horizon, endpoint }))
    }

    async fn release(&mut self, release: &Release) -> Outcome<()> {
        let is_ours = |found: &WorkerText| release.versions.iter().any(|version| shows(found, version));
        self.overwrite(is_ours, |found| WorkerText { token: None, horizon: release.used, ..found }).await.map(drop)
    }

    async fn evict(&mut self, eviction: &Eviction) -> Outcome<bool> {
        let is_as_read = |found: &WorkerText| (&found.token, found.horizon) == (&eviction.from.0, eviction.from.1);
        self.overwrite(is_as_read, |found| WorkerText { token: None, ..found }).await
    }
}
