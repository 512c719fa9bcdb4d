//! What takes several statements on leafmint's own tables, or on the table that assigns worker ids.

use super::session::{Registered, TableSession};
use crate::database::{Engine, Outcome, Sessions};
use crate::error::Result;
use crate::holder::Workers;
use crate::holder::rows::Assigned;
use crate::printable::one_line;
use std::collections::HashSet;

/// Creates tables. If the account may not, the error holds the statements.
pub(super) async fn make<E: Engine<Session: TableSession>>(sessions: &Sessions<E>, statements: &[&str]) -> Result<()> {
    let made = sessions.run(|session, _| {
        Box::pin(async {
            for statement in statements {
                session.create(statement).await?;
            }
            Ok(())
        })
    });
    made.await.map_err(|error| {
        let text =
            format!("{error}: or run this with an account that has CREATE: {};", one_line(&statements.join("; ")));
        error.saying(text)
    })
}

/// Reads version and layout. A namespace that is not used yet gets its layout, if the tables have a version.
pub(super) async fn prepare(session: &mut impl TableSession, namespace: &str, layout: &str) -> Outcome<Registered> {
    let found = session.look(namespace).await?;
    if found.version != Some(super::SCHEMA_VERSION) || found.layout.is_some() {
        return Ok(found);
    }
    session.insert_namespace(namespace, layout).await?;
    session.look(namespace).await
}

/// Reads version and layout, and finds out whether the account may write. Writes nothing.
pub(super) async fn inspect(session: &mut impl TableSession, namespace: &str, to_write: bool) -> Outcome<Registered> {
    let found = session.look(namespace).await?;
    if to_write && found.version == Some(super::SCHEMA_VERSION) {
        session.try_to_write().await?;
    }
    Ok(found)
}

/// Finds the row of an endpoint, or inserts one with the smallest free id. `None` if all ids are taken.
pub(super) async fn assign(
    session: &mut impl TableSession,
    table: &str,
    endpoint: &str,
    workers: &Workers,
) -> Outcome<Option<Assigned>> {
    loop {
        if let Some(assigned) = session.find_assigned(table, endpoint).await? {
            return Ok(Some(assigned));
        }
        let taken: HashSet<i64> = session.assigned(table).await?.into_iter().collect();
        let Some(worker_id) = workers.iter().find(|id| !taken.contains(id)) else { return Ok(None) };
        // Read it, or if another process was faster, try the next one: each turn finds one id less.
        session.assign(table, worker_id, endpoint).await?;
    }
}
