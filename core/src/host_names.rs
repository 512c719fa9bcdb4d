//! Looks host names up. The system's look-up blocks while its name servers are silent, often for half a minute.

use crate::background::connecting;
use crate::error::{Error, ErrorKind, Result};
use crate::process::PerProcess;
use crate::sync::Mutex;
use std::collections::BTreeMap;
use std::net::{IpAddr, ToSocketAddrs};
use tokio::sync::oneshot;

type Answer = Result<Vec<IpAddr>>;
type Waiting = BTreeMap<String, Vec<oneshot::Sender<Answer>>>;

/// The callers that wait for each name. A silent name server costs one thread per name, whatever the number of callers.
static WAITING: PerProcess<Mutex<Waiting>> = PerProcess::first(Mutex::new(BTreeMap::new()));

/// Returns the addresses of a host. The caller sets the deadline; a look-up that takes longer continues, and serves
/// later callers.
///
/// Raises `store_unavailable`.
pub(crate) async fn addresses(host: &str) -> Answer {
    if let Ok(address) = host.parse() {
        return Ok(vec![address]);
    }
    let (sender, addresses) = oneshot::channel();
    if join(host, sender) {
        let name = host.to_owned();
        if let Err(error) = connecting().push(move || answer(&name, look_up)) {
            answer(host, |_| Err(error));
        }
    }
    addresses.await.unwrap_or_else(|_| Err(failed(host, "the look-up ended without an answer")))
}

/// Adds a caller that waits for a name. Returns whether it is the first, so that it has to look the name up.
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

/// Looks a name up and answers all callers that wait for it, unless all have given up.
fn answer(host: &str, look_up: impl FnOnce(&str) -> Answer) {
    {
        let mut waiting = waiting().lock();
        if waiting.get(host).is_none_or(|all| all.iter().all(oneshot::Sender::is_closed)) {
            waiting.remove(host);
            return;
        }
    }
    let addresses = look_up(host);
    for sender in waiting().lock().remove(host).unwrap_or_default() {
        let _ = sender.send(addresses.clone());
    }
}

fn look_up(host: &str) -> Answer {
    let found = (host, 0).to_socket_addrs().map_err(|error| failed(host, &error.to_string()).with_io_source(&error))?;
    let mut addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    addresses.dedup();
    if addresses.is_empty() { Err(failed(host, "it has no address")) } else { Ok(addresses) }
}

fn failed(host: &str, cause: &str) -> Error {
    let error =
        Error::new(ErrorKind::StoreUnavailable, format!("the host name {host} could not be looked up: {cause}"));
    error.during(format_args!("looking up the host name {host}"))
}

fn waiting() -> &'static Mutex<Waiting> {
    WAITING.get(|_| Mutex::default())
}
