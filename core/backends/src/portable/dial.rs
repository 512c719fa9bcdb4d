//! Borrows connections, and checks what each database must keep.

use super::errors;
use super::product::Product;
use super::products::by_name;
use super::session::Session;
use crate::borrowed::Borrowing;
use crate::sessions::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, Stay};
use leafmint_ids::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// H2, HSQLDB, Derby and SQLite, through connections of the application.
pub struct Portable {
    settings: DatabaseSettings,
    hosts: Arc<Hosts>,
    /// A second connection has seen what a first one wrote.
    is_shared: AtomicBool,
}

impl Engine for Portable {
    const SCHEME: &'static str = "database";

    type Session = Session;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self {
        Self { settings, hosts, is_shared: AtomicBool::new(false) }
    }

    async fn open(&self, stay: Stay, _: &Account) -> Outcome<Opened<Session>> {
        let lender =
            self.settings.lender.as_ref().ok_or_else(|| Failure::broken("there is no connection to borrow"))?;
        let session = self.hosts.lent_within_deadline(stay, self.borrow_from(lender)).await?;
        // Whether it is encrypted is the application's matter.
        Ok(Opened { session, is_encrypted: true })
    }

    async fn ping(session: &mut Session) -> Outcome<()> {
        session.ask(["VALUES (1)".to_owned()]).await.map(drop)
    }

    async fn end(session: Session) {
        session.end().await;
    }

    fn is_shared(session: &Session) -> bool {
        session.connection.connected.is_shared
    }

    /// Dropped, a connection is cut.
    fn cut(_: Vec<Session>) {}
}

impl Portable {
    async fn borrow_from(&self, lender: &Borrowing) -> Outcome<Session> {
        let mut session = Session::open(lender).await?;
        session.find_home().await?;
        session.check_commits().await?;
        session.raise_synchronous().await?;
        self.check_shared(lender, &session).await?;
        Ok(session)
    }

    /// Refuses databases in memory of which each connection has one of its own: the same ids would be leased from each.
    async fn check_shared(&self, lender: &Borrowing, session: &Session) -> Outcome<()> {
        let Some(question) = session.product.may_be_private else { return Ok(()) };
        // A pool that the application uses too may have no second connection to spare.
        if session.connection.connected.is_shared || self.is_shared.load(Ordering::Relaxed) {
            return Ok(());
        }
        if !session.ask([question.to_owned()]).await?.rows().is_empty() {
            let mut other = Session::open(lender).await?;
            let is_seen = session.is_seen_by(&mut other).await?;
            other.end().await;
            if !is_seen {
                return Err(private().into());
            }
        }
        self.is_shared.store(true, Ordering::Relaxed);
        Ok(())
    }
}

fn private() -> Error {
    let text = "each connection has a database in memory of its own, and the same ids would be leased from each: use a file, \
                or a database in memory that all connections share (jdbc:h2:mem:NAME, file:NAME?mode=memory&cache=shared)";
    Error::new(ErrorKind::InvalidConfig, text)
}

impl Session {
    async fn open(lender: &Borrowing) -> Outcome<Self> {
        let connection = lender.connect().await.map_err(errors::of_connection)?;
        let product = by_name(&connection.connected.product).ok_or_else(|| {
            let text = format!("it leads to {:?} now, and to another product before", connection.connected.product);
            Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
        })?;
        Ok(Self { connection, product, home: String::new(), syncs: false, restore: None, looked: HashMap::new() })
    }

    /// Finds out what to put before names, so that no temporary table hides one.
    async fn find_home(&mut self) -> Outcome<()> {
        if let Some(question) = self.product.home {
            self.home = self.first_text(question).await?.unwrap_or_default();
        }
        Ok(())
    }

    /// Refuses a database that may lose what it committed, unless leafmint may make it keep that.
    async fn check_commits(&mut self) -> Outcome<()> {
        let Product { loses_commits, sync, remedy, .. } = self.product;
        let Some(problem) = self.first_text(loses_commits).await?.filter(|problem| !problem.trim().is_empty()) else {
            return Ok(());
        };
        if let Some(sync) = sync {
            match self.ask([(*sync).to_owned()]).await {
                Err(failure) if failure.is_denied() => {}
                answer => {
                    self.syncs = true;
                    return answer.map(drop);
                }
            }
        }
        let text = format!(
            "{problem}: what was committed is lost if the process of the database ends at once, and the same ids would be \
             leased again: {remedy}"
        );
        Err(Error::new(ErrorKind::InvalidConfig, text).into())
    }

    /// Makes SQLite wait for the disk at each commit.
    async fn raise_synchronous(&mut self) -> Outcome<()> {
        let Some(pragma) = self.product.synchronous else { return Ok(()) };
        let found = self.first_text(pragma).await?;
        if let Some(found @ ("0" | "1")) = found.as_deref() {
            self.restore = Some(format!("{pragma} = {found}"));
            self.ask([format!("{pragma} = 2")]).await?;
        }
        Ok(())
    }

    /// Returns whether another connection sees what this one writes.
    async fn is_seen_by(&self, other: &mut Self) -> Outcome<bool> {
        let name = format!("leafmint_probe_{:x}", fastrand::u64(..));
        self.write([format!("CREATE TABLE {name} (probe INTEGER)")]).await?;
        let is_seen = other.has(&name).await;
        self.write([format!("DROP TABLE {name}")]).await?;
        is_seen
    }

    async fn first_text(&self, question: &str) -> Outcome<Option<String>> {
        Ok(self.ask([question.to_owned()]).await?.rows().into_iter().next().and_then(|mut row| row.text(0)))
    }

    /// Closes the connection, or gives it back as it was.
    async fn end(self) {
        let is_shared = self.connection.connected.is_shared;
        if let (true, Some(restore)) = (is_shared, &self.restore)
            && self.ask([restore.clone()]).await.is_err()
        {
            // Dropping it cuts it, so that the pool lends no connection with our settings.
            return;
        }
        self.connection.end().await;
    }
}
