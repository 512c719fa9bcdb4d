//! Looks host names up. The system's look-up blocks for as long as its name servers are silent, often half a minute.

use crate::background::connecting;
use crate::error::{Error, ErrorKind, Result};
use crate::process::PerProcess;
use crate::sync::Mutex;
use std::collections::BTreeMap;
use std::net::{IpAddr, ToSocketAddrs};
use tokio::sync::oneshot;

type Answer = Result<Vec<IpAddr>>;
type Waiting = BTreeMap<String, Vec<oneshot::Sender<Answer>>>;

/// Who waits for which name. A silent name server costs one thread per name, however many callers wait and give up.
static WAITING: PerProcess<Mutex<Waiting>> = PerProcess::first(Mutex::new(BTreeMap::new()));

/// Returns the addresses of a host. The caller sets the deadline; a look-up that takes longer goes on, and serves later callers.
///
/// Raises `store_unavailable`.
pub(crate) async fn addresses(host: &str) -> Answer {
    if let Ok(address) = host.parse() {
        return Ok(vec![address]);
    }
    let (sender, answer) = oneshot::channel();
    if join(host, sender) {
        let name = host.to_owned();
        if let Err(error) = connecting().push(move || tell(&name, look_up)) {
            tell(host, |_| Err(error));
        }
    }
    answer.await.unwrap_or_else(|_| Err(failed(host, "the look-up ended without an answer")))
}

/// Joins those who wait for a name. Returns whether nobody did, so that it has to be looked up.
fn join(host: &str, sender: oneshot::Sender<Answer>) -> bool {
    let mut waiting = waiting().lock();
    match waiting.get_mut(host) {
        Some(others) => {
            others.retain(|other| !other.is_closed());
            others.push(sender);
            false
        }
        None => waiting.insert(host.to_owned(), vec![sender]).is_none(),
    }
}

/// Looks a name up and tells everyone who waits for it, if there still is anyone.
fn tell(host: &str, look_up: impl FnOnce(&str) -> Answer) {
    {
        let mut waiting = waiting().lock();
        if waiting.get(host).is_none_or(|all| all.iter().all(oneshot::Sender::is_closed)) {
            waiting.remove(host);
            return;
        }
    }
    let answer = look_up(host);
    for sender in waiting().lock().remove(host).unwrap_or_default() {
        let _ = sender.send(answer.clone());
    }
}

fn look_up(host: &str) -> Answer {
    let found = (host, 0).to_socket_addrs().map_err(|error| failed(host, &error.to_string()))?;
    let mut addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    addresses.dedup();
    if addresses.is_empty() { Err(failed(host, "it has no address")) } else { Ok(addresses) }
}

fn failed(host: &str, cause: &str) -> Error {
    Error::new(ErrorKind::StoreUnavailable, format!("the host name {host} could not be looked up: {cause}"))
}

fn waiting() -> &'static Mutex<Waiting> {
    WAITING.get(|_| Mutex::default())
}
