//! Opens a ZooKeeper session on a connection.

use super::jute::{Reader, Record};
use super::stream::Stream;
use crate::database::{Failure, Outcome};
use std::time::Duration;

/// How long a server should keep a session that idles; it may grant another time. Longer than a heartbeat, so that
/// the next one finds the session still there, and short, so that the server soon forgets one that was cut.
const IDLE: Duration = Duration::from_secs(30);

/// Opens a session, which a server grants only if it knows everything up to the transaction `newest`. Returns for how
/// long the server keeps it while it idles.
pub(super) async fn open(stream: &mut Stream, newest: i64) -> Outcome<Duration> {
    let (version, no_session, no_password, is_read_only) = (0, 0, [0; 16], false);
    let request = Record::default().int(version).long(newest).int(IDLE.as_millis() as i32);
    stream.send(request.long(no_session).bytes(&no_password).boolean(is_read_only)).await?;
    let answer = stream.receive().await.map_err(|failure| match failure {
        Failure::Broken(error) => {
            let text = format!(
                "{error} before it opened a session: it is no ZooKeeper server or is not encrypted as ssl_mode says, \
                 it has no quorum, or it lags behind what was read already"
            );
            Failure::Broken(error.saying(text))
        }
        other => other,
    })?;
    granted(&answer)
}

/// Reads the server's answer.
pub(super) fn granted(answer: &[u8]) -> Outcome<Duration> {
    let mut reader = Reader::of(answer);
    let (_version, idle, _session) = (reader.int()?, reader.int()?, reader.long()?);
    match u64::try_from(idle) {
        Ok(idle) if idle > 0 => Ok(Duration::from_millis(idle)),
        _ => Err(Failure::broken("the server opened no session")),
    }
}
